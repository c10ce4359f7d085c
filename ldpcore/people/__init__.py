"""The people and their true values: populations, rows, curves, scales and public cells.

May import `ldpcore.numerics` and the vocabulary at the top of `ldpcore`.
"""
