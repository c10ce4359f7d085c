"""The error against the number of people: the limit of all methods, one bit from each, and direct answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Annotated

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.confidences import quantile
from ldpcore.experiments import generator
from ldpcore.limits.bounds import chance_lower_bound, sharp_lower_bound
from ldpcore.limits.constructive import EstimatorRecipe
from ldpcore.limits.errorlosses import Loss, LossName, loss_of
from ldpcore.limits.problems import Problem
from ldpcore.limits.worlds import World
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.bisection import least
from ldpcore.parameters import Declared, Epsilon, Interval, Seed, Users
from ldpcore.questions import Progress, Question, Result, no_progress

SimulatedCrowds = Annotated[int, Interval("R", 0, 10**5, (100, 2000), integer=True)]
RATE_USERS = tuple(round(10 ** (1 + step / 4)) for step in range(33))  # ten to a billion
FITTED = 10**6  # slopes are fitted from here on, over three decades
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Slopes:
    """Powers of n with which errors change."""

    lower: float
    achieved: float
    bound: float
    direct: float


@dataclass(frozen=True)
class RatePoint:
    """Everything at one number of people: `eta` and `decides` of the lower bound, `world` the least favorable one.

    `exact` is the expected squared error there, NaN for other losses; `achieved` the mean loss of crowds drawn there.
    """

    n: int
    lower: float
    eta: float
    decides: str
    bound: float
    achieved: float
    low: float
    high: float
    exact: float
    direct: float
    world: str

    def masked(self) -> RatePoint:
        """The point without what the estimator achieves."""
        return replace(self, achieved=math.nan, low=math.nan, high=math.nan, exact=math.nan)


@lru_cache(maxsize=128)
def open_lower(problem: Problem, loss: str) -> tuple[float, ...]:
    """The lower bounds without privacy, which are the same at every level."""
    return tuple(chance_lower_bound(problem, loss_of(loss), n).value for n in RATE_USERS)


@dataclass(frozen=True)
class Rate(Question["RateResult"], Declared):
    """How does the error fall with the number of people: at best, with a real estimator, and without privacy?

    The estimator is judged in the world that is hardest for it; `repeats` crowds are drawn there for every size.
    """

    problem: Problem
    epsilon: Epsilon
    n: Users = 10_000
    loss: LossName = "squared"
    seed: Seed = 1
    repeats: SimulatedCrowds = 400

    def cost(self) -> Cost:
        return Cost(16 * MEGABYTE, 0.1 + len(RATE_USERS) * self.repeats * 5e-7)

    def run(self, progress: Progress = no_progress) -> RateResult:
        points = []
        for place, n in enumerate(RATE_USERS):
            points.append(self.at(n))
            progress((place + 1) / len(RATE_USERS))
        loss = loss_of(self.loss)
        direct_lower = open_lower(self.problem, self.loss)
        guess = float(loss.spread(self.problem.guess))
        return RateResult(self, tuple(points), np.array(direct_lower), guess, self.at(self.n))

    def at(self, n: int) -> RatePoint:
        """Everything at one number of people."""
        problem, loss = self.problem, loss_of(self.loss)
        recipe, least = problem.recipe(self.epsilon, n), sharp_lower_bound(problem, loss, n, self.epsilon)
        world = recipe.worst
        mean, reach = self._drawn(recipe, world, loss)
        exact = recipe.risk(world) if self.loss == "squared" else math.nan
        return RatePoint(
            n,
            least.value,
            least.eta,
            least.decides,
            float(loss.spread(recipe.risk_bound)),
            mean,
            max(mean - reach, 0.0),
            mean + reach,
            exact,
            float(loss.spread(problem.direct(n))),
            world.slug,
        )

    def _drawn(self, recipe: EstimatorRecipe, world: World, loss: Loss) -> tuple[float, float]:
        """The mean loss of crowds drawn in a world, and the half-width of its interval; NaN where none are drawn."""
        if not self.repeats:
            return math.nan, math.nan
        estimates = recipe.estimates(world, self.repeats, generator(self.seed, f"rate {recipe.n}"))
        losses = loss(np.abs(estimates - world.theta))
        spread = float(losses.std(ddof=1)) if self.repeats > 1 else math.inf
        return float(losses.mean()), quantile(CONFIDENCE) * spread / math.sqrt(self.repeats)


@dataclass(frozen=True, eq=False)
class RateResult(Result):
    """Errors at each of `USERS`, and at the present number of people."""

    experiment: Rate
    points: tuple[RatePoint, ...]
    direct_lower: Reals
    guess: float
    here: RatePoint

    def masked(self) -> RateResult:
        """The result without what the estimator achieves."""
        points = tuple(point.masked() for point in self.points)
        return replace(self, points=points, here=self.here.masked())

    def _column(self, name: str) -> Reals:
        return np.array([getattr(point, name) for point in self.points], dtype=np.float64)

    @property
    def users(self) -> Counts:
        """The numbers of people of the axis."""
        return np.array(RATE_USERS)

    @property
    def lower(self) -> Reals:
        """The lower bounds: no private estimate errs less in every world."""
        return self._column("lower")

    @property
    def bound(self) -> Reals:
        """The upper bounds by bias and variance: the estimator never errs more."""
        return self._column("bound")

    @property
    def exact(self) -> Reals:
        """The expected squared error in the worst world; not a number for other losses."""
        return self._column("exact")

    @property
    def simulated(self) -> Reals:
        """The mean loss of the crowds drawn in the worst world."""
        return self._column("achieved")

    @property
    def low(self) -> Reals:
        """The lower end of the interval of the mean loss."""
        return self._column("low")

    @property
    def high(self) -> Reals:
        """The upper end of the interval of the mean loss."""
        return self._column("high")

    @property
    def direct(self) -> Reals:
        """The usual estimator without privacy, at most."""
        return self._column("direct")

    @property
    def worlds(self) -> tuple[str, ...]:
        """The hardest world for each number of people."""
        return tuple(point.world for point in self.points)

    @cached_property
    def slopes(self) -> Slopes:
        """The slopes fitted from a million people to a billion."""
        achieved = self.simulated if np.isnan(self.exact).all() else self.exact
        return Slopes(*(self._slope(errors) for errors in (self.lower, achieved, self.bound, self.direct)))

    def _slope(self, errors: Reals) -> float:
        far = self.users >= FITTED
        if np.isnan(errors[far]).any() or not (errors[far] > 0).all():
            return math.nan
        return float(np.polyfit(np.log(self.users[far]), np.log(errors[far]), 1)[0])

    @property
    def theory(self) -> Slopes:
        """The slopes in theory, minus the exponents, for this loss."""
        share = loss_of(self.experiment.loss).power / 2
        exponents = self.experiment.problem.exponents
        private = -exponents.private * share
        return Slopes(private, private, private, -exponents.direct * share)

    @property
    def price(self) -> float:
        """The number of people per person of a direct estimate that errs as much, by the bounds proven of both."""
        target = self.experiment.problem.recipe(self.experiment.epsilon, self.here.n).risk_bound
        return self.here.n / enough(self.experiment.problem, target)


def enough(problem: Problem, target: float) -> float:
    """The number of people that bring the direct squared error to a target, at least one; by lines on a log scale."""
    if problem.direct(1) <= target:
        return 1.0

    def error(people: float) -> float:
        # A problem asks for whole people; between two of them the error is interpolated.
        n = max(int(people), 1)
        share = people - n
        return (1 - share) * problem.direct(n) + share * problem.direct(n + 1) if n < 10**9 else problem.direct(n)

    return math.exp(least(lambda log: error(math.exp(log)) <= target, 0.0, math.log(1e18)))
