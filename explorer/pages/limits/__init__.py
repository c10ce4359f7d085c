"""The room of the page about limits."""
