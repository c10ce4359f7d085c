"""The reference."""
