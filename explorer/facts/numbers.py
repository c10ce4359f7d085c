"""Quantities of people's numbers on a public scale, for the pages about them."""

from __future__ import annotations

from explorer.facts import Name, Number, Quantity, QuantityRange, Term, near
from ldpcore.people.scales import PublicScale

Labels = tuple[str, ...]  # names that a table gives, that of the column first


def unit_of(names: Labels) -> Quantity:
    """The unit of the numbers: the name of their column, or the points of invented people."""
    return Name(names[0]) if names and names[0] else Term("units.points")


def known(value: float, spread: float, scale: PublicScale) -> Number:
    """A true number, which stays as exact as the scale is where noise is larger."""
    return near(value, min(spread, 0.02 * scale.half))


def rounded_interval(ends: tuple[float, float], spread: float) -> QuantityRange:
    """An interval to the second digit of its uncertainty."""
    return QuantityRange(near(ends[0], spread), near(ends[1], spread))
