"""Rows of bars that a reader types or draws, each a law up to its sum."""

from __future__ import annotations

from ldpcore.experiments import distinguish
from ldpcore.experiments.distinguish import MOST_OUTCOMES
from ldpcore.parameters import ParameterError
from ldpcore.reading.notations import float_of, parts_of


def bars(text: str) -> tuple[float, ...]:
    """Up to twelve numbers with blanks, semicolons or strokes between, with a decimal point or a decimal comma."""
    parts = parts_of(text[:400])
    try:
        heights = tuple(map(float_of, parts))
    except ValueError:
        raise ParameterError("weights", least=2, most=MOST_OUTCOMES, got=len(parts)) from None
    distinguish.law(heights)
    return heights
