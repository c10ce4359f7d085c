"""The pair of values that decides about a matrix, report by report, on the sheet of the page about promises."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from explorer.declarations import Listing
from explorer.facts import Count, Level, Name, Number, Quantity, Times
from explorer.facts.lines import Lines
from explorer.pages.verify.settings import JudgedMatrix, Verify
from explorer.scenes import RunQuestion
from ldpcore.laws.leaks import largest_loss

MOST = 64  # reports on a sheet


def pair(asked: Verify, level: float, own: object, answer: RunQuestion) -> Lines | None:
    """The probability of each report for the two values that differ most, the most telling first; of a matrix alone."""
    if not isinstance(asked, JudgedMatrix) or asked.channel is None or asked.rows < 2:
        return None
    leak, matrix = largest_loss(asked.channel), asked.channel.matrix
    first, second = matrix[leak.value], matrix[leak.other]
    names = asked.printed.reports if asked.printed else ()
    losses = [abs(_loss(float(p), float(q))) for p, q in zip(first, second, strict=True)]
    order = sorted((place for place in range(len(losses)) if first[place] or second[place]), key=lambda at: -losses[at])
    rows = tuple[tuple[Quantity, ...], ...](
        (
            Name(names[place]) if names else Count(place + 1),
            Number(float(first[place]), 4),
            Number(float(second[place]), 4),
            Times(losses[place], 4),
        )
        for place in order[:MOST]
    )
    heading = (
        ("first", Count(leak.value + 1)),
        ("second", Count(leak.other + 1)),
        ("rows", Count(asked.rows)),
        ("columns", Count(asked.columns)),
        ("claim", Level(level)),
        ("allowed", Times(level, 4)),
    )
    return Lines("pair", ("report", "first_value", "second_value", "ratio"), rows, bool(names), heading)


def _loss(own: float, other: float) -> float:
    """The log of the likelihood ratio of a report for one value against the other."""
    if not own or not other:
        return math.inf if own or other else 0.0
    return math.log(own) - math.log(other)


LISTINGS: Mapping[str, Listing[Verify]] = MappingProxyType({"ratio": Listing(pair)})
