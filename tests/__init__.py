"""The laws and the tests that apply them; may import everything."""
