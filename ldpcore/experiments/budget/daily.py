"""One yes-or-no question, the same people, day after day: fresh coins each time, or one answer kept for good."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from ldpcore.accounting.composition import optimal_of
from ldpcore.accounting.repetition import change_seen, coin_variance, guessed, truthful
from ldpcore.experiments import generator
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Delta, Epsilon, Interval, Probability, Seed
from ldpcore.questions import Progress, Question, Result, no_progress

Days = Annotated[int, Interval("t", 1, 1000, (1, 1000), scale="log", integer=True)]
DailyUsers = Annotated[int, Interval("n", 1, 10**9, (100, 10**6), scale="log", integer=True)]
LAST = 1000
ALONG = tuple(int(day) for day in np.unique(np.rint(np.geomspace(1, LAST, 31))))


@dataclass(frozen=True)
class EveryDay(Question["EveryDayResult"], Declared):
    """The evidence of one person's answers after t days, and the collector's knowledge about all n people by then."""

    epsilon: Epsilon
    days: Days = 30
    n: DailyUsers = 10_000
    share: Probability = 0.3
    delta: Delta = 1e-6
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> EveryDayResult:
        days = np.unique(np.array([*ALONG, self.days]))
        yes, p = round(self.share * self.n), truthful(self.epsilon)
        rng = generator(self.seed, "every day")
        gaps = np.diff(days, prepend=0)
        # Fresh coins: the yeses between two days are binomials over all days and people between them, in one draw.
        counts = np.cumsum(rng.binomial(gaps * yes, p) + rng.binomial(gaps * (self.n - yes), 1 - p))
        kept = rng.binomial(yes, p) + rng.binomial(self.n - yes, 1 - p)
        return EveryDayResult(
            self,
            days,
            guessed(self.epsilon, days),
            self._estimate(counts / days),
            float(self._estimate(kept)),
            yes / self.n,
        )

    def _estimate(self, yes: Reals | float) -> Reals:
        """The unbiased share behind this number of reported yeses."""
        p = truthful(self.epsilon)
        return np.asarray((np.asarray(yes) / self.n - (1 - p)) / (2 * p - 1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class EveryDayResult(Result):
    """Along the days: the best guess about one person, and the estimated share; of kept answers both stay."""

    experiment: EveryDay
    days: Counts
    guess: Reals
    estimates: Reals
    kept: float
    truth: float

    def masked(self) -> EveryDayResult:
        """The result without the true share."""
        return replace(self, experiment=replace(self.experiment, share=0.5), truth=float("nan"))

    @property
    def kept_guess(self) -> float:
        """The best guess from a kept answer, on any day."""
        return truthful(self.experiment.epsilon)

    @property
    def present(self) -> tuple[float, float]:
        """The best guess from fresh answers, and the estimate, after the present day."""
        place = int(np.searchsorted(self.days, self.experiment.days))
        return float(self.guess[place]), float(self.estimates[place])

    @property
    def sum(self) -> float:
        """The levels of all days added up."""
        return self.experiment.days * self.experiment.epsilon

    @property
    def together(self) -> float:
        """The exact level of all days together."""
        return optimal_of(self.experiment.epsilon, self.experiment.days, self.experiment.delta)

    @property
    def change(self) -> float:
        """The chance that a kept answer shows that the truth has changed."""
        return change_seen(self.experiment.epsilon)

    def error(self, days: int) -> float:
        """The standard deviation of the share estimated from fresh answers of this number of days."""
        return float(np.sqrt(coin_variance(self.experiment.epsilon) / (self.experiment.n * days)))
