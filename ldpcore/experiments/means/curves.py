"""The error of a mean over the number itself, against the level, and against the number of people."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.experiments.means.family import Settings, family
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class VarianceOverX(Question["VarianceOverXResult"], Declared):
    """The exact variance of one person's report, for every number that the person may hold."""

    epsilon: Epsilon
    slugs: tuple[str, ...] = ()
    settings: Settings = ()

    def run(self, progress: Progress = no_progress) -> VarianceOverXResult:
        members = family(self.epsilon, self.slugs, self.settings)
        x = np.linspace(-1, 1, 201)
        return VarianceOverXResult(self, x, members, tuple(member.variance_at(x) for member in members))


@dataclass(frozen=True, eq=False)
class VarianceOverXResult(Public):
    """One curve for each mechanism, on [-1, 1]."""

    experiment: VarianceOverX
    x: Reals
    members: tuple[NumberRandomizer, ...]
    variances: tuple[Reals, ...]

    def worst(self, slug: str) -> float:
        """The largest variance of a mechanism."""
        return self._member(slug).worst_variance()

    def constant(self, slug: str) -> bool:
        """Whether everybody's variance is the same."""
        curve = self.variances[[member.slug for member in self.members].index(slug)]
        return bool(np.ptp(curve) <= 1e-9 * float(curve.max()))

    @property
    def best(self) -> str:
        """The mechanism with the smallest worst case."""
        return min(self.members, key=lambda member: member.worst_variance()).slug

    def _member(self, slug: str) -> NumberRandomizer:
        return next(member for member in self.members if member.slug == slug)


@dataclass(frozen=True)
class SideBySide(Question["SideBySideResult"], Declared):
    """The error of every mechanism at one level: whatever numbers people hold, and on these people."""

    epsilon: Epsilon
    numbers: ScaledNumbers
    slugs: tuple[str, ...] = ()
    settings: Settings = ()

    def run(self, progress: Progress = no_progress) -> SideBySideResult:
        members, people = family(self.epsilon, self.slugs, self.settings), self.numbers.people
        worst = tuple(member.worst_variance() for member in members)
        average = tuple(people.mean_of(member.variance_at) for member in members)
        return SideBySideResult(self, tuple(member.slug for member in members), worst, average)


@dataclass(frozen=True)
class SideBySideResult(Public):
    """The variance of one person's report by each mechanism, on [-1, 1]: in the worst case, and on average."""

    experiment: SideBySide
    slugs: tuple[str, ...]
    worst: tuple[float, ...]
    average: tuple[float, ...]

    def best(self, worst: bool = True) -> str:
        """The mechanism that errs least."""
        variances = self.worst if worst else self.average
        return self.slugs[variances.index(min(variances))]

    def error(self, slug: str, worst: bool = True) -> float:
        """The standard error of a mechanism's mean, in the reader's unit; NaN where it does not exist."""
        return self.deviation(slug, worst) / math.sqrt(self.experiment.numbers.n)

    def deviation(self, slug: str, worst: bool = True) -> float:
        """The standard deviation of one report, in the reader's unit."""
        if slug not in self.slugs:
            return math.nan
        variance = (self.worst if worst else self.average)[self.slugs.index(slug)]
        return self.experiment.numbers.scale.half * math.sqrt(variance)
