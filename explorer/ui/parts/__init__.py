"""Widgets of a single page, used by no other.

May import what `explorer.ui` may.
"""
