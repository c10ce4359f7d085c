"""Widgets of the page about counting alone."""
