"""Famous mistakes with answers from the reports of single people: the category randomizers and their relatives."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.channels import Finite, Pair
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.populations import Counts


@dataclass(frozen=True)
class ImpossibleAnswer(RandomizedResponse):
    """A coin on which one answer is impossible for one group: who holds "yes" always says so, others toss a coin.

    A reported "no" proves a true "no", so no finite level holds.
    """

    slug: ClassVar[str] = "impossible-answer"
    title: ClassVar[str] = "A coin that never hides a yes"
    reference: ClassVar[str] = "A common classroom variant of randomized response"

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        true = self.categories(values)
        return np.where(true == 1, 1, rng.integers(2, size=len(true)))

    def compare(self, value: int, other: int) -> Pair:
        return self.channel().pair(value, other)

    def channel(self) -> Finite:
        return Finite(np.array([[0.5, 0.5], [0.0, 1.0]]), (0, 1), np.eye(2, dtype=bool))

    def log_density(self, report: int, value: int) -> float:
        mass = float(self.channel().matrix[value, report])
        return math.log(mass) if mass else -math.inf
