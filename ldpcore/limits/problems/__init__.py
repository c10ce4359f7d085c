"""Estimation problems whose limits are known: THE REGISTRY. May import what `ldpcore` may.

A problem is added by writing one file and one line here; then it appears on every page and in every law of its kind.
"""

from __future__ import annotations

from ldpcore.limits.problems.base import Exponents, Problem
from ldpcore.limits.problems.bounded import BoundedMean, BoundedMoment, EventShare, Exponent, ProductMoment
from ldpcore.limits.problems.density import Beta, Order, Place, SmoothDensity
from ldpcore.limits.problems.endpoint import Most, UniformEndpoint
from ldpcore.limits.problems.heavy import Bound, HeavyMean, Kappa

PROBLEMS: tuple[type[Problem], ...] = (
    BoundedMoment,
    EventShare,
    ProductMoment,
    HeavyMean,
    UniformEndpoint,
    SmoothDensity,
)

__all__ = [
    "PROBLEMS",
    "Beta",
    "Bound",
    "BoundedMean",
    "BoundedMoment",
    "EventShare",
    "Exponent",
    "Exponents",
    "HeavyMean",
    "Kappa",
    "Most",
    "Order",
    "Place",
    "Problem",
    "ProductMoment",
    "SmoothDensity",
    "UniformEndpoint",
    "problem_of",
]


def problem_of(slug: str) -> type[Problem]:
    """The problem of this name."""
    return {problem.slug: problem for problem in PROBLEMS}[slug]
