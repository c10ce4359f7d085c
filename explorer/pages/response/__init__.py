"""The room of the page about randomized response."""
