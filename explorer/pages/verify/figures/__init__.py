"""The pictures of the page about promises: the bar that may touch its promise and not cross it, reports, δ, tests.

The bar's axis is stretched by a square root of the level, the same at every stop, so that a promise of 0.01 has a bar
and one of 10 still fits. Where the truth is hidden, results come without it, and what would be drawn of it is left out.
"""

from explorer.pages.verify.figures.audits import gallery, proven
from explorer.pages.verify.figures.bar import largest_ratio
from explorer.pages.verify.figures.promises import ladder, power, smaller
from explorer.pages.verify.figures.reports import betraying

__all__ = ["betraying", "gallery", "ladder", "largest_ratio", "power", "proven", "smaller"]
