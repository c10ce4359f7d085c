"""The shared parts of the pictures about promises: colors, the stretched scale of levels, names that fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from explorer.facts import Number, Quantity
from explorer.figures import plot
from explorer.figures.theme import PALETTE
from explorer.text.catalogue import Words

FIRST, SECOND, KEPT, BROKEN = PALETTE[0], PALETTE[5], PALETTE[2], PALETTE[1]
Lower = tuple[list[plot.Trace], dict[str, Any], dict[str, Any]]  # below a bar: the traces, and both their axes
NAMED, DRAWN = 16, 64  # bars with their report's name, and bars drawn at all
LONGEST = 10.8  # the level at the right end of the bar's axis


def stretched(level: float) -> float:
    """The place of a level on the bar's axis."""
    return math.sqrt(level)


def axis_of_levels(ticks: Sequence[float], ends: Sequence[float], words: Words) -> dict[str, Any]:
    """An upright axis of levels, stretched as the bar's; a level below zero favors the other value."""
    return {
        "range": ends,
        "tickvals": [math.copysign(stretched(abs(tick)), tick) for tick in ticks],
        "ticktext": [words.write(Number(tick)) for tick in ticks],
    }


def shortened(name: str) -> str:
    """A name that fits below a bar."""
    return name if len(name) <= 22 else name[:21] + "…"


def written_each(values: Iterable[float], words: Words, quantity: Callable[[float], Quantity]) -> list[str]:
    """Numbers as people read them."""
    return [words.write(quantity(value)) for value in values]
