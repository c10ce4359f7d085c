"""The page about limits."""
