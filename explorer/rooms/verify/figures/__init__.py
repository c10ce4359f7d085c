"""The pictures of the page about promises: the bar that may touch its promise and not cross it, reports, δ, tests.

The bar's axis is stretched by a square root of the level, the same at every stop, so that a promise of 0.01 has a bar
and one of 10 still fits. Where the truth is hidden, results come without it, and what would be drawn of it is left out.
"""

from explorer.rooms.verify.figures.audits import audit, gallery
from explorer.rooms.verify.figures.bar import largest_ratio, own_counts, ratio_of_matrix
from explorer.rooms.verify.figures.promises import delta_of_matrix, delta_of_pair, ladder, power, unreadable
from explorer.rooms.verify.figures.reports import betraying, kind_of_reports, reports, typed_matrix

__all__ = [
    "audit",
    "betraying",
    "delta_of_matrix",
    "delta_of_pair",
    "gallery",
    "kind_of_reports",
    "ladder",
    "largest_ratio",
    "own_counts",
    "power",
    "ratio_of_matrix",
    "reports",
    "typed_matrix",
    "unreadable",
]
