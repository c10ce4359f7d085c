"""The findings of the overview: the quantities of its result, under the names in its texts."""

from __future__ import annotations

import math
from functools import singledispatch

from explorer.facts import Facts, Level, Number, Share, Term, Truth
from ldpcore.experiments.overview import PrivacyLossOfReportResult

ALIKE = 1e-9  # a part of the level below which a report tells nothing
PEOPLE = ("people.first", "people.second")


@singledispatch
def facts(result: object) -> Facts:
    """The quantities of a result."""
    raise TypeError(f"a result must be one about a single report; got {type(result).__name__}")


@facts.register
def _one_report(result: PrivacyLossOfReportResult) -> Facts:
    """The level with its limit, and the likelihood ratio of this report with its two people."""
    more, less = PEOPLE if result.loss > 0 else PEOPLE[::-1]
    return {
        "model": Term(f"models.{'local' if result.experiment.mechanism.without_curator else 'central'}"),
        "level": Level(result.limit),
        "ratio": times(result.limit),
        "times": Truth(times(abs(result.loss))),
        "more": Truth(Term(more)),
        "less": Truth(Term(less)),
    }


def times(loss: float) -> Number:
    """The likelihood ratio of a loss, with more than three digits where these would call it 1."""
    beyond = math.expm1(loss)
    return Number(math.exp(loss), 1 - math.floor(math.log10(beyond)) if 0 < beyond < 0.005 else 3)


def tells(result: PrivacyLossOfReportResult) -> str:
    """The evidence of a report in a word: none, as much as any may have, or something between."""
    if result.filled < ALIKE:
        return "nothing"
    return "all" if result.filled > 1 - ALIKE else "some"


def chance(share: float) -> Share:
    """The chance of an answer; a coin is never sure, whatever rounding has made of it."""
    return Share(min(share, math.nextafter(1.0, 0.0)), 3)
