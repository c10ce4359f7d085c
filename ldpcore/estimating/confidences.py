"""The chance to err that a confidence leaves to each side of each interval, and where the normal law has it."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Literal

from ldpcore.parameters import Confidence, declaration

Rule = Literal["bonferroni", "sidak"]


def quantile(confidence: float, among: int = 1, rule: Rule = "sidak") -> float:
    """z such that `among` standard normal estimates all stay within ±z with this confidence, at least.

    Šidák's 1-(1-β)^{1/m} per estimate is exact for independent ones and, by his inequality, safe for jointly normal
    ones however they depend on each other; Bonferroni's β/m needs no normal law.
    """
    return -NormalDist().inv_cdf(one_tail(confidence, among, rule))


def one_tail(confidence: float, among: int = 1, rule: Rule = "sidak") -> float:
    """The chance to err that each side of each interval may have."""
    declaration(Confidence).check("confidence", confidence)
    if rule == "bonferroni":
        return (1 - confidence) / (2 * among)
    # 1 - (1-β)^{1/m} by expm1, so that no digit is lost for large m.
    return -math.expm1(math.log(confidence) / among) / 2
