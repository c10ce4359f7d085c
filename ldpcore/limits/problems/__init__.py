"""Estimation problems whose limits are known: THE REGISTRY. May import what `ldpcore` may.

A problem is added by writing one file and one line here; then it appears on every page and in every law of its kind.
"""

from __future__ import annotations

from ldpcore.limits.problems.base import Exponents, Problem
from ldpcore.limits.problems.bounded import BoundedMean, BoundedMoment, EventShare, MomentExponent, ProductMoment
from ldpcore.limits.problems.density import Beta, DerivativeOrder, EvaluationPoint, SmoothDensity
from ldpcore.limits.problems.endpoint import Most, UniformEndpoint
from ldpcore.limits.problems.heavy import HeavyMean, Kappa, MomentBound

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
    "BoundedMean",
    "BoundedMoment",
    "DerivativeOrder",
    "EvaluationPoint",
    "EventShare",
    "Exponents",
    "HeavyMean",
    "Kappa",
    "MomentBound",
    "MomentExponent",
    "Most",
    "Problem",
    "ProductMoment",
    "SmoothDensity",
    "UniformEndpoint",
    "problem_of",
]


def problem_of(slug: str) -> type[Problem]:
    """The problem of this name."""
    return {problem.slug: problem for problem in PROBLEMS}[slug]
