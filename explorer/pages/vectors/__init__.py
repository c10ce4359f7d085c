"""The room of the page about vectors."""
