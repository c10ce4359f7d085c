"""Widgets of the page about frequencies alone."""
