"""The page about promises."""
