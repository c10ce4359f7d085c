"""What a single page needs on the screen, and no other.

May import what `explorer.ui` may.
"""
