"""Famous mistakes with noise on a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.channels import Pair
from ldpcore.mechanisms.base import CentralRelease, Witness
from ldpcore.parameters import Epsilon
from ldpcore.populations import Reals


@dataclass(frozen=True)
class BoundedNoiseCount(CentralRelease):
    """COUNT plus a whole number from 1 to 10: one person more makes the largest report possible for the first time.

    No finite level: the report f(D) + 11 rules out the smaller table.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "bounded-noise"
    title: ClassVar[str] = "A count plus a random number from 1 to 10"
    reference: ClassVar[str] = "A recipe from database forums"

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        shape = answer.shape if repeats is None else (*answer.shape, repeats)
        return np.asarray((answer if repeats is None else answer[..., None]) + rng.integers(1, 11, shape), dtype=float)

    def variance(self) -> float:
        return (10**2 - 1) / 12

    def mean_absolute_error(self) -> float:
        return 5.5

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        return np.asarray(np.clip(np.floor(np.asarray(report) - answer), 0, 10) / 10, dtype=np.float64)

    def compare(self, value: float, other: float) -> Pair:
        low = min(value, other)
        reports = low + np.arange(1, 12)
        first, second = (np.where((reports > center) & (reports <= center + 10), 0.1, 0.0) for center in (value, other))
        return Pair(first, second, tuple(f"{report:g}" for report in reports))

    def worst(self) -> tuple[float, float]:
        return 0.0, 1.0

    def witness(self) -> Witness:
        return Witness(1.0, 0.0, 11.0)

    def log_density(self, report: float, value: float) -> float:
        return -math.log(10) if 1 <= report - value <= 10 else -math.inf
