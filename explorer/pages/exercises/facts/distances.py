"""The findings of exercises about distances of laws."""

from __future__ import annotations

import math

from explorer.facts import (
    Count,
    Exact,
    Facts,
    Level,
    Noticeable,
    Number,
    PercentagePoints,
    Quantity,
    Said,
    Share,
    Term,
    Times,
    Truth,
    at_most,
    below_all,
    likeness,
    precise,
)
from explorer.pages.exercises.facts.registry import facts
from ldpcore.experiments.exercises.distances import (
    DivergenceFamilyResult,
    LogarithmStepResult,
    ManyCoinsResult,
    MixedCoinsResult,
    PackedTestResult,
    ThreeWaysResult,
    uniform_distance,
)

GIANT = 1e6  # from here on a number is told by its order of size
RARE = 1e-6  # of a share of cases: what is less is not told by its digits


def below_one(value: float, digits: int = 3) -> Number:
    """A number from 0 to 1 with the digits that keep it below 1; with five nines it is 1."""
    return Number(1.0) if 1 - value < 1e-5 else Number(value, max(digits, 1 - math.floor(math.log10(1 - value))))


def _chance(value: float) -> Quantity:
    """A share of cases, or that it is too rare to matter."""
    return Noticeable(value, RARE) if value < RARE else below_all(value)


@facts.register
def _families(result: DivergenceFamilyResult) -> Facts:
    asked = result.experiment
    named = Said.of(f"measured.{asked.measure}", **({"order": Exact(asked.order)} if asked.measure == "power" else {}))
    return {
        "epsilon": Level(asked.epsilon),
        "measured": named,
        "before": Number(result.before),
        "after": Truth(Number(result.after)),
        "keeping": Truth(likeness(result.before, result.after)),
        "allowed": Number(result.allowed),
        "keeps": at_most(asked.kept),
        "kept_by": Term(f"kept_by.{'plain' if asked.plain else 'squared'}"),
    }


def family_case(result: DivergenceFamilyResult) -> str:
    """Whether the laws are infinitely far apart, and whether the second one excludes an answer."""
    if math.isinf(result.before):
        return "infinite"
    return "excluded" if result.experiment.laws == "excluded" else "finite"


@facts.register
def _products(result: ManyCoinsResult) -> Facts:
    asked, here = result.experiment, result.here
    return {
        "epsilon": Level(asked.epsilon),
        "n": Count(asked.n),
        "first": Exact(asked.first),
        "second": Exact(asked.second),
        "one": Number(asked.apart),
        "affinity": below_one(asked.affinity, 4),
        "exact": Truth(below_one(here["exact"])),
        "root": Truth(below_one(here["root"])),
        "pinsker": below_one(here["pinsker"]),
        "times": Number(asked.n * asked.apart),
        "least": below_one(here["least"]),
        "sum": Number(asked.divergence),
        "most_sum": Number(asked.most_divergence),
        "half_sum": Number(asked.most_divergence / 2),
        **{f"uniform_{n}": Exact(round(uniform_distance(n), 4)) for n in (10, 100, 1000)},
        "constant": Exact(round(math.e / (math.e - 1), 3)),
    }


def coins_case(result: ManyCoinsResult) -> str:
    """Whether there is anything to tell apart."""
    return "same" if result.experiment.first == result.experiment.second else "apart"


@facts.register
def _hulls(result: MixedCoinsResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "share": Share(asked.share, 3),
        "tosses": Count(asked.n),
        "alone": below_one(result.alone),
        "mixed": Truth(below_one(result.here)),
        "nearest_affinity": below_one(result.nearest_affinity),
    }


@facts.register
def _ways(result: ThreeWaysResult) -> Facts:
    asked = result.experiment
    return {
        "epsilon": Level(asked.epsilon),
        "function": Term(f"function_options.{asked.function}"),
        "more": Truth(Number(result.more)),
        "less": Truth(Number(result.less)),
        "total": Truth(Number(result.half)),
        "by_function": Truth(Number(result.by_function)),
    }


def ways_case(result: ThreeWaysResult) -> str:
    """Whether the chosen function finds all of the distance, a part or nothing."""
    if result.by_function == 0:
        return "none"
    return "all" if math.isclose(result.by_function, result.half, rel_tol=1e-9) else "part"


@facts.register
def _logarithm(result: LogarithmStepResult) -> Facts:
    ratio = math.exp(result.experiment.epsilon)
    return {
        "epsilon": Level(result.experiment.epsilon),
        "ratio": Times(result.experiment.epsilon, 4) if ratio >= GIANT or ratio < 1.01 else precise(ratio, 4),
        "linear": Truth(_told(result.linear, result.experiment.epsilon)),
        "rooted": Truth(Number(result.root, 4)),
    }


def _told(bound: float, logarithm: float) -> Number:
    """A bound with the digits that tell it from the logarithm."""
    if bound >= GIANT:
        return Number(bound, 4)
    apart = math.floor(math.log10(bound)) - math.floor(math.log10(bound - logarithm))
    return precise(bound, max(3, apart + 1))


@facts.register
def _packing(result: PackedTestResult) -> Facts:
    asked, here = result.experiment, result.here
    unsurpassed = math.isclose(here["missed"], here["best"], rel_tol=1e-9)
    return {
        "epsilon": Level(asked.epsilon),
        "shares": Count(asked.shares),
        "n": Count(asked.n),
        "gap": PercentagePoints(asked.reach, 3),
        "off": _chance(here["off"]),
        "missed": Truth(_chance(here["missed"])),
        "best": Truth(_chance(here["best"])),
        "rivals": Truth(Term(f"cases.{'alike' if unsurpassed else 'apart'}")),
        "proved": _chance(here["proved"]),
    }


def packing_case(result: PackedTestResult) -> str:
    """Whether the best test is ever wrong, as far as that can be told."""
    return "rare" if result.here["best"] < RARE else "wrong"
