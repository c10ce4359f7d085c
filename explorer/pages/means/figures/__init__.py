"""The pictures of the means page. May import NumPy, `ldpcore` and the marks of all figures."""

from __future__ import annotations

from explorer.pages.means.figures.errors import plan, variance
from explorer.pages.means.figures.groups import groups
from explorer.pages.means.figures.people import report, survey

__all__ = ["groups", "plan", "report", "survey", "variance"]
