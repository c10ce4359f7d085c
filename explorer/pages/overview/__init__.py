"""The room of the overview."""
