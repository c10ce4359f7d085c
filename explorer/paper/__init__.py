"""The printed and saved forms: figures drawn without a browser, the sheet of a scene, files of numbers and pictures.

May import NumPy and all of `explorer` but its screen (`explorer.ui`), and `numbers.py` Arrow: a sheet is a value and a
text, and so are pictures for papers and files of numbers.
"""
