"""Widgets of the page about randomized response alone."""
