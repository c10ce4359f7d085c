"""The pictures of the page about limits. May import NumPy, `ldpcore` and the marks of all figures."""

from __future__ import annotations

from explorer.rooms.limits.figures.crowds import people
from explorer.rooms.limits.figures.ladders import rate_table, rates
from explorer.rooms.limits.figures.pairs import worlds
from explorer.rooms.limits.figures.vectors import vectors

__all__ = ["people", "rate_table", "rates", "vectors", "worlds"]
