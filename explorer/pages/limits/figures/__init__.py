"""The pictures of the page about limits. May import NumPy, `ldpcore` and the marks of all figures."""

from __future__ import annotations

from explorer.pages.limits.figures.crowds import people
from explorer.pages.limits.figures.ladders import rate_table, rates
from explorer.pages.limits.figures.pairs import worlds
from explorer.pages.limits.figures.vectors import vectors

__all__ = ["people", "rate_table", "rates", "vectors", "worlds"]
