"""One person's value, one report, and its evidence about every value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ldpcore.costs import LITTLE, Cost
from ldpcore.experiments import generator
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, Seed
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class CategoryReport(Question["CategoryReportResult"], Declared):
    """One person's value turned into one report, and the evidence of that report about every value."""

    randomizer: CategoryRandomizer
    value: Annotated[int, Interval("x", 0, 65535, (0, 100), integer=True)] = 0
    seed: Seed = 1

    def cost(self) -> Cost:
        return self.randomizer.setup_cost().then(LITTLE)

    def run(self, progress: Progress = no_progress) -> CategoryReportResult:
        randomizer = self.randomizer
        reports = randomizer.privatize(randomizer.categories([self.value]), generator(self.seed, "one report"))
        after = np.asarray(randomizer.supports(reports)[0]) if isinstance(randomizer, FrequencyOracle) else None
        posterior = scipy.special.softmax(self.log_chances(reports[0], after))
        return CategoryReportResult(self, reports[0], after, randomizer.estimate(randomizer.tally(reports)), posterior)

    def log_chances(self, report: Any, after: NDArray[np.bool_] | None) -> Reals:
        """ln of the chance of the report under every value; where it supports a set, only membership matters."""
        if after is None:
            return np.array([self.randomizer.log_density(report, value) for value in range(self.randomizer.k)])
        logs = np.empty(len(after))
        for side in (after, ~after):
            if side.any():
                logs[side] = self.randomizer.log_density(report, int(np.argmax(side)))
        return logs


@dataclass(frozen=True, eq=False)
class CategoryReportResult(Public):
    """The report itself, the values it supports, its own estimate, and the attacker's posterior from a uniform prior.

    `after` is None where reports support nothing, such as noisy numbers.
    """

    experiment: CategoryReport
    report: np.generic | NDArray[np.generic]  # a value, a cell, or what stands in several columns
    after: NDArray[np.bool_] | None
    estimate: Reals
    posterior: Reals

    @property
    def before(self) -> NDArray[np.bool_]:
        """The truth, bit by bit: one for the true value."""
        return np.asarray(np.arange(self.experiment.randomizer.k) == self.experiment.value)

    @property
    def chances(self) -> Reals | None:
        """The chance of each value to be supported: p for the own one, q for every other."""
        randomizer = self.experiment.randomizer
        if not isinstance(randomizer, FrequencyOracle):
            return None
        return np.where(self.before, randomizer.p, randomizer.q)

    @property
    def flipped(self) -> NDArray[np.bool_] | None:
        """Whether the report disagrees with the truth, bit by bit."""
        return None if self.after is None else np.asarray(self.after != self.before)

    @property
    def guess(self) -> int:
        """The attacker's best guess; the first one where several are equally likely."""
        return int(np.argmax(self.posterior))

    @property
    def loss(self) -> float:
        """ln of the largest over the smallest posterior: the loss of this report, at most ε."""
        with np.errstate(divide="ignore"):
            return float(np.log(self.posterior.max()) - np.log(self.posterior.min()))
