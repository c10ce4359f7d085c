"""The page about a room that answers itself: its question, the answers, and the presenter's controls."""
