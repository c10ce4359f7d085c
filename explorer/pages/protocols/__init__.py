"""The room of the page about protocols that listen."""
