"""The room of the reference."""
