"""Both errors of every test of one report, and what a channel leaves of each distance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore import divergences
from ldpcore.audit import best_power, power_bound
from ldpcore.channels import Pair
from ldpcore.contraction import dobrushin, largest_contraction, strong_contraction
from ldpcore.experiments import Progress
from ldpcore.experiments.distinguish.worlds import TwoWorlds
from ldpcore.parameters import Probability
from ldpcore.populations import Reals
from ldpcore.products import by_ratio

SHOWN = 12  # reports of the picture in the corner: of more, neighbors in order of their ratio are put together


@dataclass(frozen=True)
class TellApart(TwoWorlds):
    """How often is the second world found, when the first is wrongly accused at this rate?

    The limit is that of level α, which with probability δ may fail.
    """

    size: Probability = 0.05
    delta: Probability = 0.0

    def run(self, progress: Progress | None = None) -> TellApartResult:
        reports, held = self.reports(), Pair(*by_ratio(self.worlds.first, self.worlds.second))
        kink = (1 - self.delta) / (1 + math.exp(min(self.epsilon, 700.0)))  # where both lines of the limit meet
        corners = [np.cumsum(laws.first[np.argsort(laws.ratios(), kind="stable")]) for laws in (reports, held)]
        ends = [0.0, kink, 1 - self.delta, self.size, 1.0]
        sizes = np.unique(np.clip(np.concatenate([ends, *corners]), 0, 1))
        turned, direct = Pair(reports.second, reports.first), Pair(held.second, held.first)
        bound = power_bound(sizes, self.epsilon, self.delta)
        return TellApartResult(
            self, reports.cut(SHOWN), sizes, bound, best_power(turned, sizes), best_power(direct, sizes),
            float(power_bound(self.size, self.epsilon, self.delta)), float(best_power(turned, self.size)),
            float(best_power(direct, self.size)), divergences.total_variation(reports.first, reports.second),
            reports.level(self.delta),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class TellApartResult:
    """Powers at every size: what the level allows, what this mechanism leaves, and what holds without privacy."""

    experiment: TellApart
    reports: Pair | None
    sizes: Reals
    bound: Reals
    private: Reals
    direct: Reals
    allowed: float
    reached: float
    open: float
    distance: float  # the total variation of the two reports: one minus the smallest sum of both errors
    level: float  # the smallest level that these two reports keep, where δ may fail

    @property
    def direct_distance(self) -> float:
        """The total variation without privacy."""
        return divergences.total_variation(self.experiment.worlds.first, self.experiment.worlds.second)

    def masked(self) -> TellApartResult:
        """What the level allows, without what this mechanism leaves."""
        nothing = np.full(len(self.sizes), np.nan)
        return replace(self, reports=None, private=nothing, reached=math.nan, distance=math.nan, level=math.nan)


DISTANCES = ("tv", "h2", "kl", "chi2")


@dataclass(frozen=True)
class BeforeAfter(TwoWorlds):
    """How much of each distance does the channel leave, and how much might it leave at most?"""

    def run(self, progress: Progress | None = None) -> BeforeAfterResult:
        reports, worlds = self.reports(), self.worlds
        by_slug = {each.slug: each for each in divergences.F_DIVERGENCES}
        before = tuple(by_slug[slug](worlds.first, worlds.second) for slug in DISTANCES)
        after = tuple(by_slug[slug](reports.first, reports.second) for slug in DISTANCES)
        matrix = self.channel()
        merged = matrix / matrix.sum(axis=1, keepdims=True)
        weak = dobrushin(merged)
        strong = strong_contraction(merged) if merged.shape[1] <= COLUMNS else weak
        return BeforeAfterResult(self, before, after, (weak, strong, strong, strong), inequalities(reports))


COLUMNS = 256  # so many reports are gone through for the sharp coefficient; with more, Dobrushin's stands for it


@dataclass(frozen=True)
class Inequality:
    """One side that never exceeds the other."""

    slug: str
    smaller: float
    larger: float

    @property
    def share(self) -> float:
        """How much of the larger side the smaller one is; nothing where the larger is infinite or both are zero."""
        if self.larger == 0 or math.isinf(self.larger):
            return 0.0
        return self.smaller / self.larger


def inequalities(laws: Pair) -> tuple[Inequality, ...]:
    """The inequalities between distances, for two laws: Pinsker, Hellinger and total variation, affinities."""
    p, q = laws.first, laws.second
    tv, kl, h2 = (measure(p, q) for measure in (
        divergences.total_variation, divergences.kullback_leibler, divergences.squared_hellinger))  # fmt: skip
    affinity, common = divergences.hellinger_affinity(p, q), divergences.testing_affinity(p, q)
    return (
        Inequality("pinsker", tv, math.sqrt(kl / 2)),
        Inequality("half_hellinger", h2 / 2, tv),
        Inequality("hellinger", tv, math.sqrt(h2)),
        Inequality("hellinger_kl", math.sqrt(h2), math.sqrt(kl)),
        Inequality("affinities", common, affinity),
        Inequality("root", affinity, math.sqrt(common * (2 - common))),
    )


@dataclass(frozen=True, eq=False)
class BeforeAfterResult:
    """Distances of what is held and of what is reported, in the order of `DISTANCES`."""

    experiment: BeforeAfter
    before: tuple[float, ...]
    after: tuple[float, ...]
    channel: tuple[float, ...]  # what this channel leaves of the distance of any two worlds, at most
    inequalities: tuple[Inequality, ...]

    @property
    def left(self) -> tuple[float, ...]:
        """The share of each distance that is left; none of an infinite one."""
        return tuple(after / before if 0 < before < math.inf else 0.0
                     for before, after in zip(self.before, self.after, strict=True))  # fmt: skip

    @property
    def allowed(self) -> tuple[float, ...]:
        """The share that a channel of this level leaves at most: tanh(α/2), of the others its square."""
        weak = largest_contraction(self.experiment.epsilon)
        return weak, weak**2, weak**2, weak**2

    def masked(self) -> BeforeAfterResult:
        """Without what this channel leaves."""
        nothing = (math.nan,) * len(self.before)
        return replace(self, after=nothing, channel=nothing, inequalities=())
