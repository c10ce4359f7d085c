"""Shapes of populations that exist for any number of people."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.parameters import Declared, Interval, Probability
from ldpcore.people.populations import Population

ZipfExponent = Annotated[float, Interval("s", 0, 10, (0, 3))]


class PopulationFamily(Declared, ABC):
    """A shape of population that exists for any number of people and, where it can, of categories."""

    @abstractmethod
    def of(self, k: int, n: int) -> Population:
        """The member of the family with k categories and n people."""


@dataclass(frozen=True)
class UniformFamily(PopulationFamily):
    """Every category equally frequent."""

    def of(self, k: int, n: int) -> Population:
        return Population.uniform(k, n)


@dataclass(frozen=True)
class ZipfFamily(PopulationFamily):
    """The v-th most frequent category has a share proportional to v^(-s)."""

    exponent: ZipfExponent = 1.0

    def of(self, k: int, n: int) -> Population:
        return Population.zipf(k, n, self.exponent)


@dataclass(frozen=True)
class TwoPointFamily(PopulationFamily):
    """A share of the people holds category 1, the others category 0."""

    share: Probability = 0.1

    def of(self, k: int, n: int) -> Population:
        return Population.two_point(k, n, self.share)


@dataclass(frozen=True)
class ColumnFamily(PopulationFamily):
    """The shares of a column: for fewer categories the most frequent ones and "other", for more ones nobody holds."""

    population: Population

    def of(self, k: int, n: int) -> Population:
        shares = self.population.shares
        if k < len(shares):
            ordered = -np.sort(-shares)
            shares = np.append(ordered[: k - 1], ordered[k - 1 :].sum())
        return Population.of_shares(np.pad(shares, (0, k - len(shares))), n)
