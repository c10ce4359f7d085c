"""Widgets of the page about a room alone: the question as it is written, and the room as it answers."""
