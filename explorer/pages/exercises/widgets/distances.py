"""The controls of exercises about distances of laws."""

from __future__ import annotations

from explorer.pages.exercises.settings import Exercises
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.experiments.exercises.distances import (
    TWO_LAWS,
    CrowdSize,
    FunctionChoice,
    LawsChoice,
    MeasureChoice,
    PackedShares,
    PowerOrder,
    Tosses,
)
from ldpcore.parameters import Probability


def families(shown: Shown, asked: Exercises, first: tuple[str, float, str]) -> tuple[str, float, str]:
    """The divergence, the order of a power divergence, and the two laws."""
    measure, order, laws = first
    measure = controls.choice(shown, "measure", MeasureChoice, default=measure)
    if measure == "power":
        order = float(controls.number(shown, "order", PowerOrder, default=order))
    return measure, order, controls.choice(shown, "laws", LawsChoice, default=laws)


def products(shown: Shown, asked: Exercises, first: tuple[float, float, int]) -> tuple[float, float, int]:
    """The chances of heads of both coins, and the number of people."""
    one = float(controls.number(shown, "coin_one", Probability, default=first[0]))
    two = float(controls.number(shown, "coin_two", Probability, default=first[1]))
    return one, two, int(controls.number(shown, "group", CrowdSize, default=first[2]))


def hulls(shown: Shown, asked: Exercises, first: tuple[float, int]) -> tuple[float, int]:
    """The share of the coin that shows heads, and the number of tosses."""
    share = float(controls.number(shown, "heads_share", Probability, default=first[0]))
    return share, int(controls.number(shown, "tosses", Tosses, default=first[1]))


def ways(shown: Shown, asked: Exercises, first: tuple[str, str]) -> tuple[str, str]:
    """The two laws, and the function that is averaged."""
    laws = controls.choice(shown, "compared", tuple(TWO_LAWS), default=first[0])
    return laws, controls.choice(shown, "function", FunctionChoice, default=first[1])


def packing(shown: Shown, asked: Exercises, first: tuple[int, int]) -> tuple[int, int]:
    """The number of shares, and the number of people."""
    shares = int(controls.number(shown, "shares", PackedShares, default=first[0]))
    return shares, int(controls.number(shown, "group", CrowdSize, default=first[1]))
