"""The pictures of the page about counting."""
