"""Arithmetic that everything here shares: arrays, exact coins, kernels, least squares, hashes.

May import NumPy and SciPy.
"""
