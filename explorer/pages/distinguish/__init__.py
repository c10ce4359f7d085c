"""The page about telling two worlds apart."""
