"""The speed of the app, measured beside a yardstick in the same minute; may import everything but the tests."""
