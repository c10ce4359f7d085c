"""The page about counting."""
