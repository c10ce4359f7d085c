"""Does a schedule lead to the true curve? The conditions one by one, and the error along the number of people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.regression import Kind, Tuning, expected_error
from ldpcore.estimating.tunings import Name, Schedule
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Epsilon
from ldpcore.people.curves import CurveModel
from ldpcore.questions import Progress, Public, Question

FIRST, LAST, STEPS = 10**2, 10**12, 31
USUAL = Schedule()
MOST = 1024  # cells up to which the error is integrated
LEAST = 1e-9  # a threshold or a bound is no smaller than this


@dataclass(frozen=True)
class ScheduleCheck(Question["ScheduleCheckResult"], Declared):
    """h, c and M along the number of people: are all conditions of strong consistency met, and does the error fall?"""

    schedule: Schedule = USUAL
    epsilon: Epsilon = 1.0
    model: CurveModel | None = None
    kind: Kind = "both"

    def run(self, progress: Progress | None = None) -> ScheduleCheckResult:
        sizes = np.geomspace(FIRST, LAST, STEPS)
        errors = np.array([self._error(n) for n in sizes])
        if progress is not None:
            progress(1.0)
        return ScheduleCheckResult(
            self, np.round(sizes).astype(np.int64), self.schedule.along(sizes, self.epsilon), errors
        )

    def cost(self) -> Cost:
        return Cost(32 * MEGABYTE, 0.1)

    def _error(self, n: float) -> float:
        """The expected squared error; not a number where the schedule has more cells than are drawn."""
        model, schedule = self.model, self.schedule
        side, level = n**-schedule.a, n**-schedule.b
        if model is None or side < (1 / MOST) ** (1 / model.dimensions):
            return float("nan")
        bound = {"log": np.log(n), "power": n**schedule.g, "constant": 1.0}[schedule.growth]
        tuning = Tuning(min(side, 1.0), max(min(level, 1e6), LEAST), max(min(float(bound), 1e9), LEAST), 0.45)
        return expected_error(
            model, round(n), tuning.randomizer(self.epsilon, model.dimensions, self.kind), tuning.threshold
        )


@dataclass(frozen=True, eq=False)
class ScheduleCheckResult(Public):
    """What must vanish along the number of people, and the expected squared error."""

    experiment: ScheduleCheck
    sizes: Counts
    along: dict[Name, Reals]
    errors: Reals

    @property
    def met(self) -> int:
        """How many of the conditions are met."""
        return sum(condition.met for condition in self.experiment.schedule.conditions())
