"""What the overview finds: the quantities of its result, by the names under which texts ask for them."""

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
    """The level with its limit, and who sent this report how much more likely than whom."""
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
    """How many times as likely a loss makes a report, with more than three digits where these would call it once."""
    beyond = math.expm1(loss)
    return Number(math.exp(loss), 1 - math.floor(math.log10(beyond)) if 0 < beyond < 0.005 else 3)


def tells(result: PrivacyLossOfReportResult) -> str:
    """How much a report tells: nothing, as much as any may, or something between."""
    if result.filled < ALIKE:
        return "nothing"
    return "all" if result.filled > 1 - ALIKE else "some"


def chance(share: float) -> Share:
    """How likely an answer is; a coin is never sure, whatever rounding has made of it."""
    return Share(min(share, math.nextafter(1.0, 0.0)), 3)
