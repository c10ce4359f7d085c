"""Cells that narrow and a threshold that sinks along n: whether a private curve becomes the true one in the end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.estimating.tunings import Schedule
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Declared, Epsilon, Interval
from ldpcore.questions import Progress, Public, Question, no_progress

NarrowingRate = Annotated[float, Interval("a", 0, 1, (0.02, 0.5), open_low=True)]
SinkingRate = Annotated[float, Interval("b", 0, 1, (0.02, 0.4), open_low=True)]
SpaceDimension = Annotated[int, Interval("d", 1, 10, (1, 5), integer=True)]
CROWD_AXIS = (10.0, 1e18)  # of the axis
MILLION = 1e6
LEAST_POWER = 1e-9  # of n: what rounding leaves of 0 is none


@dataclass(frozen=True)
class ConsistencySchedule(Question["ConsistencyScheduleResult"], Declared):
    """The conditions of strong universal consistency for h = n^-a, c = n^-b, M = ln n in d dimensions.

    With privacy (ln n)³/(α² n c² h^2d) → 0, which is that of the noise of the responses; without, 1/(n h^d) → 0. The
    first is a power of n, n^-(1 - 2b - 2da), that has to beat the logarithms.
    """

    epsilon: Epsilon
    a: NarrowingRate = 0.125
    b: SinkingRate = 0.125
    dimensions: SpaceDimension = 1

    def run(self, progress: Progress = no_progress) -> ConsistencyScheduleResult:
        sizes = np.geomspace(*CROWD_AXIS, 120)
        along = self.schedule.along(sizes, self.epsilon)
        honest = sizes ** -(1 - self.dimensions * self.a)
        cells = sizes ** (self.dimensions * self.a)
        return ConsistencyScheduleResult(self, sizes, along["side"], along["threshold"], along["growth"], honest, cells)

    @property
    def schedule(self) -> Schedule:
        """The schedule along n."""
        return Schedule(self.a, self.b, "log", dimensions=self.dimensions)

    @property
    def met(self) -> bool:
        """Whether all conditions are met with privacy."""
        return self.schedule.consistent

    @property
    def met_in_honesty(self) -> bool:
        """Whether n h^d grows, which honest answers need."""
        return 1 - self.dimensions * self.a > LEAST_POWER

    def noise(self, log_n: float) -> float:
        """The logarithm of the noise, (ln n)³/(α² n^power), at a logarithm of n."""
        return 3 * math.log(log_n) - self.schedule.power * log_n - 2 * math.log(self.epsilon)


@dataclass(frozen=True, eq=False)
class ConsistencyScheduleResult(Public):
    """The quantities along n: those that must vanish, and the number of cells."""

    experiment: ConsistencySchedule
    sizes: Reals
    side: Reals
    threshold: Reals
    noise: Reals
    honest: Reals
    cells: Reals

    @property
    def most_dimensions(self) -> int:
        """The largest number of dimensions in which the schedule meets the conditions with privacy; 0 if in none."""
        return _largest_below((1 - 2 * self.experiment.b) / (2 * self.experiment.a))

    @property
    def most_in_honesty(self) -> int:
        """The largest number of dimensions in which n h^d grows."""
        return _largest_below(1 / self.experiment.a)

    @property
    def settled(self) -> float | None:
        """The decimal logarithm of the crowd from which on the noise stays below 1; none where it never does."""
        asked = self.experiment
        if not asked.met:
            return None
        top = 3 / asked.schedule.power  # of ln n, where the noise is largest
        if asked.noise(top) < 0:
            return 0.0
        far = top
        while asked.noise(far) >= 0:
            far *= 2
        return brent_root(asked.noise, top, far, xtol=1e-12) / math.log(10)

    @property
    def here(self) -> float:
        """The noise in a crowd of a million."""
        return math.exp(self.experiment.noise(math.log(MILLION)))


def _largest_below(bound: float) -> int:
    """The largest whole number below a bound, which is not reached; 0 where there is none."""
    return max(math.ceil(bound - LEAST_POWER) - 1, 0)
