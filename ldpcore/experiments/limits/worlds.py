"""Two worlds that differ as much as possible in the answer, though private reports hardly tell them apart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.experiments.distinguish import law
from ldpcore.laws.contraction import printed_distance
from ldpcore.laws.guessing import le_cam
from ldpcore.laws.products import distance_of
from ldpcore.limits.bounds import tv_gap
from ldpcore.limits.constructive import Bit
from ldpcore.limits.problems import BoundedMoment, Problem, SmoothDensity
from ldpcore.limits.worlds import Atoms, Density, World, likelier, squared_hellinger, total_variation
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Interval, ParameterError, Users
from ldpcore.questions import Progress, Question, Result, no_progress

Eta = Annotated[float, Interval(r"\eta", 0, 1, (0.05, 0.95), open_low=True, open_high=True)]
POINTS = 401


@dataclass(frozen=True)
class WorstWorlds(Question["WorstWorldsResult"], Declared):
    """Two worlds that make the problem hard at this level, for n people.

    They are as far apart as the bound allows with error sum `eta`: every test of n reports errs at least so often.
    """

    problem: Problem
    epsilon: Epsilon
    n: Users = 10_000
    eta: Eta = 0.5

    @property
    def distance(self) -> float:
        """The total variation of the worlds, (1-η)/√(2n(e^ε-1)²), at most 1."""
        return min(float(tv_gap(self.n, self.epsilon, self.eta)), 1.0)

    def run(self, progress: Progress = no_progress) -> WorstWorldsResult:
        first, second = self.problem.pair(self.distance)
        width = None
        if isinstance(self.problem, SmoothDensity):
            width = float(self.problem.width_at(self.distance))
        return WorstWorldsResult.of(self, first, second, width)


@dataclass(frozen=True)
class DrawnWorlds(Question["WorstWorldsResult"], Declared):
    """Two drawn worlds, and how well they are told apart: weights on two to twelve even steps of [-1, 1]."""

    first: tuple[float, ...]
    second: tuple[float, ...]
    epsilon: Epsilon
    n: Users = 10_000

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("first", "second"):
            object.__setattr__(self, name, law(getattr(self, name)))
        if len(self.first) != len(self.second):
            raise ParameterError("laws_shapes", first=str(len(self.first)), second=str(len(self.second)))

    @property
    def problem(self) -> BoundedMoment:
        """The mean of numbers in [-1, 1]."""
        return BoundedMoment()

    def run(self, progress: Progress = no_progress) -> WorstWorldsResult:
        places = np.linspace(-1, 1, len(self.first))
        first, second = (
            Atoms("drawn", float(places @ np.array(weights)), tuple(places.tolist()), weights)
            for weights in (self.first, self.second)
        )
        return WorstWorldsResult.of(self, first, second)


def _apart(bit: Bit, first: float, second: float, n: int) -> float:
    """The total variation of n bits of either mean."""
    one, other = float(bit.chance(first)), float(bit.chance(second))
    return distance_of((1 - one, one), (1 - other, other), n).high


@dataclass(frozen=True, eq=False)
class WorstWorldsResult(Result):
    """Two worlds, their distances before and after, and the consequence for every estimate (squared error).

    `told_apart` is the total variation of n bits about the question that tells them apart best, exactly, and `allowed`
    what any reports of this level have at most. `width` is that of a bump that was moved.
    """

    experiment: WorstWorlds | DrawnWorlds
    first: World
    second: World
    tv: float
    hellinger: float
    told_apart: float
    allowed: float
    width: float | None

    @classmethod
    def of(
        cls, asked: WorstWorlds | DrawnWorlds, first: World, second: World, width: float | None = None
    ) -> WorstWorldsResult:
        """The result for two worlds, with the width of the bump where one was moved."""
        tv, h2 = min(total_variation(first, second), 1.0), squared_hellinger(first, second)
        share, question = min(likelier(first, second), 1.0), Bit(asked.epsilon, 1.0)
        best = _apart(question, 2 * share - 1, 2 * max(share - tv, 0.0) - 1, asked.n)
        allowed = printed_distance(asked.epsilon, tv, asked.n)
        return cls(asked, first, second, tv, math.sqrt(h2), best, allowed, width)

    def masked(self) -> WorstWorldsResult:
        """The result without the evidence of the reports."""
        return replace(self, told_apart=math.nan)

    @property
    def atoms(self) -> bool:
        """Whether people hold one of a few values, instead of numbers with a density."""
        return self.first.atoms

    @property
    def places(self) -> Reals:
        """The values that somebody holds in either world."""
        assert isinstance(self.first, Atoms)
        assert isinstance(self.second, Atoms)
        return np.array(sorted({*self.first.places, *self.second.places}))

    @property
    def first_weights(self) -> Reals:
        """The share of people who hold each of the values in the first world."""
        return self.first.curve(self.places)

    @property
    def second_weights(self) -> Reals:
        """The share of people who hold each of the values in the second one."""
        return self.second.curve(self.places)

    @property
    def xs(self) -> Reals:
        """The places where densities are drawn: all of both, and a little beyond; denser where something was moved."""
        assert isinstance(self.first, Density)
        assert isinstance(self.second, Density)
        low = min(self.first.ends[0], self.second.ends[0])
        high = max(self.first.ends[1], self.second.ends[1])
        beyond = 0.04 * (high - low)
        whole = np.linspace(low - beyond, high + beyond, POINTS)
        if self.width is None:
            edges = np.array([self.first.ends, self.second.ends]).ravel()
            return np.sort(np.concatenate([whole, edges, edges + 1e-9 * (high - low), edges - 1e-9 * (high - low)]))
        near = self.experiment.problem.x0 + self.width * (np.linspace(-1.6, 0.6, 221) - self.experiment.problem.shift)  # type: ignore[attr-defined]
        return np.sort(np.concatenate([whole, near]))

    @property
    def first_curve(self) -> Reals:
        """The density of the first world."""
        return self.first.curve(self.xs)

    @property
    def second_curve(self) -> Reals:
        """The density of the second one."""
        return self.second.curve(self.xs)

    @property
    def difference(self) -> float:
        """The difference of the worlds' answers."""
        return abs(self.first.theta - self.second.theta)

    @property
    def modulus(self) -> float:
        """The modulus at this distance, or a lower bound on it where it is not `exact`."""
        return float(self.experiment.problem.tv(self.tv))

    @property
    def exact(self) -> bool:
        """Whether the modulus is known."""
        return self.experiment.problem.exact_tv

    @property
    def bound(self) -> float:
        """The lower bound on the squared error in both worlds: (difference/2)²·(1 - allowed)/2 (Le Cam)."""
        return (self.difference / 2) ** 2 * le_cam(self.allowed)
