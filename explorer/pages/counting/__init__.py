"""The room of the page about counting."""
