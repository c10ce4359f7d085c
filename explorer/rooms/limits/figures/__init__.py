"""The pictures of the page about limits. May import NumPy, `ldpcore` and the marks of all figures."""

from __future__ import annotations

from explorer.rooms.limits.figures.crowds import levels, people, plateau
from explorer.rooms.limits.figures.ladders import constants, exponent_table, exponents
from explorer.rooms.limits.figures.pairs import worlds
from explorer.rooms.limits.figures.wishes import plan, vectors

__all__ = ["constants", "exponent_table", "exponents", "levels", "people", "plan", "plateau", "vectors", "worlds"]
