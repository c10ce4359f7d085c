"""What is printed: figures drawn as SVG without a browser, and the sheet that tells one scene on a page of paper.

May import NumPy and all of `explorer` but its screen (`explorer.ui`): a sheet is a value and a text.
"""
