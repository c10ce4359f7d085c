"""The page about protocols that listen."""
