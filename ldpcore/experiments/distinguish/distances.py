"""The part of each distance between two worlds that passes a channel, and inequalities between distances."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import permutations
from typing import Annotated

import numpy as np

from ldpcore.experiments.distinguish.worlds import TwoWorlds
from ldpcore.laws import divergences
from ldpcore.laws.channels import Pair
from ldpcore.laws.contraction import dobrushin, information_constant, largest_contraction, strong_contraction
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Interval
from ldpcore.questions import Progress, Question, Result, no_progress

Factor = Annotated[float, Interval(r"\gamma", 1, 1e6, (1, 100), scale="log")]
RenyiOrder = Annotated[float, Interval("a", 0, 1e3, (0.1, 100), scale="log", open_low=True)]
MEASURES = ("tv", "h2", "kl", "chi2", "hockey", "renyi")
COLUMNS = 256  # reports that are gone through for the sharp bounds; with more, the coarser ones stand for them
SQUARED = 2.0  # up to this order what Rényi's divergence comes from shrinks like χ², beyond it like the total variation
Measure = Callable[[Reals, Reals], float]


@dataclass(frozen=True)
class Passed:
    """One distance before and after the channel, and the bounds by this channel and by any of its level.

    Neither bound is ever below what is left; that of the level never below that of the channel.
    """

    slug: str
    before: float
    after: float
    channel: float
    allowed: float

    @property
    def left(self) -> float:
        """The share that is left; NaN of an infinite distance or of a distance of 0."""
        return self.after / self.before if 0 < self.before < math.inf else 0.0


@dataclass(frozen=True)
class BeforeAfter(TwoWorlds, Question["BeforeAfterResult"]):
    """How much of each distance does the channel leave, and how much might it leave at most?"""

    gamma: Factor = 1.2
    order: RenyiOrder = 2.0

    def run(self, progress: Progress = no_progress) -> BeforeAfterResult:
        reports, worlds = self.reports(), self.worlds
        first, second = np.array(worlds.first), np.array(worlds.second)
        here, level = Bounds.of_channel(self.channel()), Bounds.of_level(self.epsilon)
        passed = []
        for slug, measure in self.measures().items():
            before, after = measure(first, second), measure(reports.first, reports.second)
            most = level.most(slug, measure, before, self.order)
            passed.append(Passed(slug, before, after, min(here.most(slug, measure, before, self.order), most), most))
        return BeforeAfterResult(self, tuple(passed))

    def measures(self) -> dict[str, Measure]:
        """Every distance, with the factor and the order that are asked for."""
        return {
            "tv": divergences.total_variation,
            "h2": divergences.squared_hellinger,
            "kl": divergences.kullback_leibler,
            "chi2": divergences.chi_square,
            "hockey": partial(divergences.hockey_stick, gamma=self.gamma),
            "renyi": partial(divergences.renyi, order=self.order),
        }


@dataclass(frozen=True, eq=False)
class Bounds:
    """Bounds on what channels leave: their coefficients, and the laws of the two farthest values' reports."""

    weak: float
    strong: float
    rows: Reals | None

    @classmethod
    def of_channel(cls, matrix: Reals) -> Bounds:
        """The bounds of one channel; for one with very many reports the coarser coefficient alone."""
        rows = matrix / matrix.sum(axis=1, keepdims=True)
        weak = dobrushin(rows)
        listed = rows.shape[1] <= COLUMNS
        return cls(weak, strong_contraction(rows) if listed else weak, rows if listed else None)

    @classmethod
    def of_level(cls, epsilon: float) -> Bounds:
        """The bounds of every channel of a level: each is made of randomized response, whose two rows are farthest."""
        coin = 1 / (1 + np.exp(np.array([-epsilon, epsilon])))
        share = largest_contraction(epsilon)
        return cls(share, share**2, np.array([coin, coin[::-1]]))

    def most(self, slug: str, measure: Measure, before: float, order: float) -> float:
        """The largest distance between two reports, for worlds at this distance.

        All measures are jointly (quasi-)convex, so that no two mixtures of rows are farther apart than two rows.
        Reference: van Erven, Harremoës (2014), Theorem 13; for E_γ Balle, Barthe, Gaboardi, Geumlek (2019), Lemma 5.
        """
        pairs = [] if self.rows is None else list(permutations(self.rows, 2))
        farthest = max((measure(one, other) for one, other in pairs), default=math.inf)
        if slug == "hockey":
            # P - γQ has positive and negative parts of masses θ = E_γ and at least θ: θ times the farthest rows' E_γ.
            return before * (farthest if pairs else self.weak)
        if slug == "renyi":
            return min(self._renyi(before, order), farthest)
        share = self.weak if slug == "tv" else self.strong
        return min(share * before if before else 0.0, farthest)

    def _renyi(self, before: float, order: float) -> float:
        """The bound through (e^((a-1)D) - 1)/(a - 1), an f-divergence, up to order 2 operator convex and strict as χ².

        Reference: Choi, Ruskai, Seneta (1994), Equivalence of certain entropy contraction coefficients.
        """
        share = self.strong if order <= SQUARED else self.weak
        if order == 1:
            return share * before if before else 0.0
        power = (order - 1) * before
        if power > 700:
            return math.inf if math.isinf(before) else max(before + math.log(share) / (order - 1), 0.0) + 1e-12
        kept = share * math.expm1(power)
        return before if kept <= -1 else min(max(math.log1p(kept) / (order - 1), 0.0), before)


@dataclass(frozen=True, eq=False)
class BeforeAfterResult(Result):
    """Distances of values and of reports, in the order of `MEASURES`."""

    experiment: BeforeAfter
    passed: tuple[Passed, ...]

    def of(self, slug: str) -> Passed:
        """One of the distances."""
        return self.passed[MEASURES.index(slug)]

    def masked(self) -> BeforeAfterResult:
        """The result without this channel's values."""
        return replace(self, passed=tuple(replace(each, after=math.nan, channel=math.nan) for each in self.passed))


@dataclass(frozen=True)
class Inequality:
    """One side that never exceeds the other."""

    slug: str
    smaller: float
    larger: float

    @property
    def share(self) -> float:
        """The smaller side as a share of the larger; nothing where the larger is infinite or both are zero."""
        if self.larger == 0 or math.isinf(self.larger):
            return 0.0
        return self.smaller / self.larger


def inequalities(laws: Pair) -> tuple[Inequality, ...]:
    """The inequalities between distances of two laws: Pinsker, Hellinger and total variation, affinities, χ²."""
    p, q = laws.first, laws.second
    tv, kl, h2 = (
        measure(p, q)
        for measure in (divergences.total_variation, divergences.kullback_leibler, divergences.squared_hellinger)
    )
    affinity, common = divergences.hellinger_affinity(p, q), divergences.testing_affinity(p, q)
    return (
        Inequality("pinsker", tv, math.sqrt(kl / 2)),
        Inequality("half_hellinger", h2 / 2, tv),
        Inequality("hellinger", tv, math.sqrt(h2)),
        Inequality("hellinger_kl", math.sqrt(h2), math.sqrt(kl)),
        Inequality("affinities", common, affinity),
        Inequality("root", affinity, math.sqrt(common * (2 - common))),
        Inequality("kl_chi2", kl, math.log1p(divergences.chi_square(p, q))),
    )


@dataclass(frozen=True)
class Inequalities(TwoWorlds, Question["InequalitiesResult"]):
    """How close does each inequality come to its limit, for the reports of these two worlds?"""

    def run(self, progress: Progress = no_progress) -> InequalitiesResult:
        reports, level = self.reports(), self.epsilon
        p, q = reports.first, reports.second
        forth, back = divergences.kullback_leibler(p, q), divergences.kullback_leibler(q, p)
        held = divergences.total_variation(self.worlds.first, self.worlds.second)
        tv = divergences.total_variation(p, q)
        sides = (
            *inequalities(reports),
            Inequality("information", forth + back, information_constant(level) * held**2 if held else 0.0),
            Inequality("promise", reports.loss(), level),
        )
        return InequalitiesResult(self, sides, Inequality("misprint", tv, forth / math.sqrt(2)))


@dataclass(frozen=True, eq=False)
class InequalitiesResult(Result):
    """Both sides of every inequality, and of one that is often misprinted and does not hold."""

    experiment: Inequalities
    sides: tuple[Inequality, ...]
    misprint: Inequality | None

    @property
    def tightest(self) -> Inequality:
        """The inequality whose sides are nearest."""
        return max(self.sides, key=lambda each: each.share)

    def masked(self) -> InequalitiesResult:
        """The result without the sides for the reports."""
        gone = tuple(Inequality(each.slug, math.nan, math.nan) for each in self.sides)
        return replace(self, sides=gone, misprint=None)
