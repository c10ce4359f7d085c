"""The pictures of the page about limits. May import NumPy, `ldpcore` and the marks of all figures."""

from __future__ import annotations

from explorer.figures.limits.crowds import levels, people, plateau
from explorer.figures.limits.ladders import constants, exponent_table, exponents
from explorer.figures.limits.pairs import worlds
from explorer.figures.limits.wishes import plan, vectors

__all__ = ["constants", "exponent_table", "exponents", "levels", "people", "plan", "plateau", "vectors", "worlds"]
