"""Designs that people hold in their hands: coins, dice or the best coins of a level, and their estimate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.costs import LITTLE, Cost
from ldpcore.estimating.intervals import EXACT_USERS, exact_interval
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Interval, ParameterError

ResponseDesign = RandomizedResponse | TwoCoins
RespondentCount = Annotated[int, Interval("n", 1, 10**9, (10, 10**6), scale="log", integer=True)]
Yes = Annotated[int, Interval("y", 0, 10**9, (0, 1000), integer=True)]
ClassSize = Annotated[int, Interval("n", 1, 10**9, (30, 800), integer=True)]
# What people hold in their hands. Two coins: heads, the truth; tails, the second coin says yes or no. A die: 1-4 the
# truth, 5 yes, 6 no. Two dice: a sum of 2-4 (6 of 36 ways) yes, of 5-10 (27) the truth, of 11 or 12 (3) no.
DESIGNS: Mapping[str, TwoCoins] = MappingProxyType(
    {"coins": TwoCoins(3 / 4, 1 / 4), "die": TwoCoins(5 / 6, 1 / 6), "dice": TwoCoins(11 / 12, 1 / 6)}
)
EXAMPLE_LEVELS = (0.1, 0.5, 1.0, 2.0, 4.0)  # from hardly an answer to hardly a lie


def designed(slug: str, epsilon: float) -> ResponseDesign:
    """A design that people hold in their hands, or the best coins of a level."""
    return DESIGNS[slug] if slug in DESIGNS else RandomizedResponse(epsilon)


def chances(design: ResponseDesign) -> tuple[float, float]:
    """a = P(yes | yes) and b = P(yes | no)."""
    matrix = design.channel().matrix
    return float(matrix[1, 1]), float(matrix[0, 1])


def estimate_of(design: ResponseDesign, yes: ArrayLike, n: int) -> Reals:
    """(C/n - b)/(a - b), unbiased and never clipped; undefined where the answers carry nothing."""
    if design.gap == 0:
        return np.full(np.shape(yes), np.nan)
    _, b = chances(design)
    return np.asarray((np.asarray(yes, dtype=np.float64) / n - b) / design.gap, dtype=np.float64)


def interval_of(
    design: ResponseDesign, yes: int, n: int, confidence: float, sampled: bool = False
) -> tuple[float, float]:
    """The shares that `yes` of n answers do not contradict, for any number of people."""
    return exact_interval(yes, n, *chances(design), confidence, sampled)


def exact_cost(n: int) -> Cost:
    """The cost of exact laws and intervals of n people: windows of some standard deviations, a few dozen times."""
    windows = math.sqrt(min(n, EXACT_USERS))
    return LITTLE.then(Cost(4000 * windows + LITTLE.bytes, 3e-4 * windows))


def check_yes(yes: int, n: int) -> None:
    """Refuse more yes than people."""
    if yes > n:
        raise ParameterError("yes_outside", n=n, got=yes)


def coins_of(design: ResponseDesign) -> tuple[float, float]:
    """The chance that the first coin decides, |a - b|, and the chance that the second one says yes."""
    alike = answered_alike(design)
    handed_over = float(alike.sum())
    return abs(design.gap), float(alike[1]) / handed_over if handed_over else 0.0


def answered_alike(design: ResponseDesign) -> Reals:
    """The chances that both groups answer no, and yes, alike: the parts of 1 - |a - b|, however small."""
    return np.asarray(design.channel().matrix.min(axis=0), dtype=np.float64)
