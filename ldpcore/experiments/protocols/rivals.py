"""Listening against not listening: both errors over the number of people, exact where counts are enough."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments import generator
from ldpcore.experiments.protocols.examples import USERS, Example, check_people, root
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Seed, Users
from ldpcore.protocols import FixedThresholds, NoisySteps, UniformCrowd, sampled_runs
from ldpcore.questions import Progress, Question, Result, no_progress

QUANTILE = 1.96  # standard errors to either side for 95 %, by the normal law of a mean of squares
# Levels that are compared with one another: with the same coins all of them take three times as long as one.
TOGETHER = (*(float(f"{stop}e{decade}") for decade in (-2, -1, 0) for stop in (1, 1.5, 2, 3, 5, 7)), 10.0)
FEW = 500  # runs up to which that holds


@lru_cache(maxsize=8)
def _runs(levels: tuple[float, ...], crowd: UniformCrowd, users: tuple[int, ...], repeats: int, seed: int) -> Reals:
    """The ends of runs of noisy steps, at each of these levels."""
    return sampled_runs(levels, crowd, users, repeats, generator(seed, "runs against silence"))


@dataclass(frozen=True)
class AgainstSilence(Question["AgainstSilenceResult"], Declared):
    """The typical error of a crowd that listens, and of one that does not."""

    epsilon: Epsilon
    example: Example = field(default_factory=Example)
    n: Users = 1000
    repeats: int = 200
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_people(self.n)

    def run(self, progress: Progress = no_progress) -> AgainstSilenceResult:
        example, users = self.example, sorted({*USERS, self.n})
        listening = [example.listening(self.epsilon, n) for n in users]
        silent = [example.silent(self.epsilon, n) for n in users]
        own = silent[users.index(self.n)]
        first = listening[0]
        if isinstance(first, NoisySteps):
            levels = TOGETHER if self.epsilon in TOGETHER and self.repeats <= FEW else (self.epsilon,)
            runs = _runs(levels, example.crowd, tuple(users), self.repeats, self.seed)
            estimates = runs[levels.index(self.epsilon)]
            exact = np.array([first.deviation(n) for n in users])
        else:
            rng = generator(self.seed, "runs against silence")
            known = [each for each in listening if not isinstance(each, NoisySteps)]
            estimates = np.array([each.sample(self.repeats, rng) for each in known])
            exact = root([each.squared_error() for each in known])
        squares = (estimates - example.crowd.center) ** 2
        means, spread = squares.mean(axis=1), squares.std(axis=1, ddof=1) / math.sqrt(self.repeats)
        ends = [root(np.maximum(means + sign * QUANTILE * spread, 0)) for sign in (-1, 1)]
        rivals = root([each.squared_error() for each in silent])
        thresholds = own.k if isinstance(own, FixedThresholds) else 1
        return AgainstSilenceResult(self, np.array(users), rivals, exact, root(means), ends[0], ends[1], thresholds)

    def cost(self) -> Cost:
        return Cost(8 * MEGABYTE, 0.5 if self.example.slug == "steps" else 0.05)


@dataclass(frozen=True, eq=False)
class AgainstSilenceResult(Result):
    """Typical errors: of the rival exactly; of the listeners by theory, and from runs with 95 % ends.

    Theory is exact for the stages and the search; for the steps it is the limit law for many people.
    """

    experiment: AgainstSilence
    users: np.ndarray
    rival: Reals
    theory: Reals
    simulated: Reals
    low: Reals
    high: Reals
    thresholds: int  # about which the rival of the steps asks, at the page's own number of people

    @property
    def exact(self) -> bool:
        """Whether theory is exact for every number of people."""
        return self.experiment.example.slug != "steps"

    @property
    def place(self) -> int:
        """The place of the page's own number of people."""
        return int(np.searchsorted(self.users, self.experiment.n))

    @property
    def here(self) -> float:
        """The error of the listeners, at the page's own number of people."""
        return float((self.theory if self.exact else self.simulated)[self.place])

    @property
    def here_rival(self) -> float:
        """The error of the rival that does not listen."""
        return float(self.rival[self.place])

    @property
    def verdict(self) -> str:
        """Whether listening helps here: told only where the difference is more than chance, and more than 2 %."""
        low, high = (float(self.low[self.place]), float(self.high[self.place])) if not self.exact else (self.here,) * 2
        if high < 0.98 * self.here_rival:
            return "helps"
        return "hurts" if low > 1.02 * self.here_rival else "even"

    def masked(self) -> AgainstSilenceResult:
        """The result without the listeners."""
        nothing = np.full(len(self.users), np.nan)
        return replace(self, theory=nothing, simulated=nothing, low=nothing, high=nothing)
