"""The page about trust."""
