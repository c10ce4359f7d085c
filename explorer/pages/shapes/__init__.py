"""The page about shapes."""
