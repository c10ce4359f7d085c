"""The pictures of the means page. May import NumPy, `ldpcore` and the marks of all figures."""

from __future__ import annotations

from explorer.figures.means.errors import levels, plan, users, variance
from explorer.figures.means.groups import groups, spread
from explorer.figures.means.people import report, survey

__all__ = ["groups", "levels", "plan", "report", "spread", "survey", "users", "variance"]
