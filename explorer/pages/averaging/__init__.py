"""The page about averaging."""
