"""The room of the page about telling two worlds apart."""
