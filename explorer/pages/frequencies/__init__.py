"""The room of the page about frequencies."""
