"""Who holds which true value: populations, rows, curves, scales and public cells.

May import `ldpcore.numerics` and the vocabulary at the top of `ldpcore`.
"""
