"""The room of the page about averaging."""
