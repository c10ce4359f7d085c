"""The room of the page about promises."""
