"""The page about vectors."""
