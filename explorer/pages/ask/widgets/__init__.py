"""What the page about a room alone needs on the screen: the question as it is written, and the room as it answers."""
