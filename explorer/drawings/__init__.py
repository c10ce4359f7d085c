"""Drawings that several pages share, as HTML and SVG that grow with the page: crowds of dots, intervals on a scale.

May import `explorer.facts`, `explorer.text`, `explorer.figures.theme`, the core and NumPy.
"""
