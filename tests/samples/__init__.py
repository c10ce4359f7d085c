"""Telling settings of each page, so that every scene can be tested without a screen.

A module for each page with a stage: `samples()`, the page's own first, and `TOLD`, by the number of a sample and a view
what the view alone is told there, where that is not what it says at first.
"""
