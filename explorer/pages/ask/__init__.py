"""The page about a room that answers itself: what it asks, what has come in, and the presenter's controls."""
