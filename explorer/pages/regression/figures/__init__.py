"""The pictures of the page about curves: steps above the water, one report, errors, conditions, and classes."""

from __future__ import annotations

from explorer.pages.regression.figures.errors import plan, sides
from explorer.pages.regression.figures.planes import classes
from explorer.pages.regression.figures.steps import report, steps

__all__ = ["classes", "plan", "report", "sides", "steps"]
