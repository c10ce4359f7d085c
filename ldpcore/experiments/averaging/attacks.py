"""An attack along numbers of releases that stay the same whatever the level, so that two levels can be compared."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.experiments.averaging.running import MOST, Attack, AttackResult, AverageCount
from ldpcore.questions import Progress, no_progress

LEAST_LEVEL = 0.01  # the lowest stop of the usual handle
_POINTS = 49


def far_enough(sensitivity: float, width: float) -> int:
    """A power of ten by which even the lowest usual level is sure to be within the width, at most a trillion."""
    sure = 100 * 2 * (sensitivity / LEAST_LEVEL / width) ** 2
    return int(10 ** min(max(math.ceil(math.log10(sure)), 3), round(math.log10(MOST))))


@dataclass(frozen=True)
class AttackAlong(Attack):
    """How sure is an attacker from one release on up to `most` of them?"""

    most: AverageCount = 10**7

    def run(self, progress: Progress = no_progress) -> AttackResult:
        grid = np.geomspace(1, self.most, _POINTS)
        numbers = tuple(sorted({min(2 * int(n // 2) + 1, self.most) for n in grid}))
        return self.along(numbers)
