"""The page about randomized response."""
