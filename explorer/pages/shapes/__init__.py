"""The room of the page about shapes."""
