"""The room of the page about means."""
