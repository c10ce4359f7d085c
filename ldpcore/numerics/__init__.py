"""Shared arithmetic: arrays, exact coins, kernels, least squares, hashes.

May import NumPy and SciPy.
"""
