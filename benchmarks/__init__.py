"""How fast the app is, measured beside a yardstick in the same minute; may import everything but the tests."""
