"""The room of the page about trust."""
