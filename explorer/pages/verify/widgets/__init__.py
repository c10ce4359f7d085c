"""Widgets of the page about promises alone."""
