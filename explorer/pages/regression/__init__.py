"""The room of the page about curves."""
