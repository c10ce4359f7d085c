"""The page about curves."""
