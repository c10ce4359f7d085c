"""The page about means."""
