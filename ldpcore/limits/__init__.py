"""Limits that no private estimate can beat: moduli, bounds, worst worlds, and estimators that come close.

May import `ldpcore.laws`, `ldpcore.numerics` and the vocabulary at the top of `ldpcore`.
"""
