"""Noisy numbers released in place of the true answer, by a curator or estimated from reports, and their averages.

A curator's noise does not know the answer (`AdditiveNoise`); what is estimated from everybody's report is off by a law
that depends on what people hold (`EstimatedAnswer`). Pictures of released numbers, their errors and their averages ask
both for the same.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals

SINGLY = 1_000  # releases of a path that are drawn one by one


class NoisyAnswers(ABC):
    """The error of one released number, and of the average of many."""

    epsilon: float

    @property
    @abstractmethod
    def span(self) -> float:
        """The unit in which pictures measure noise, whatever the level, in the unit of the answer."""

    @property
    def kept(self) -> bool:
        """Whether asking again gives the first number again."""
        return False

    @property
    def singly(self) -> int:
        """The number of releases of a path that are drawn one by one."""
        return SINGLY

    def blind(self) -> Self:
        """The law as known to someone who does not know the answer."""
        return self

    @abstractmethod
    def at_level(self, epsilon: float) -> Self:
        """These numbers, made for another level."""

    @abstractmethod
    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        """The noisy answer; with `repeats`, that many independent ones along a new last axis."""

    @abstractmethod
    def variance(self) -> float:
        """The variance of one released number, given the data."""

    @abstractmethod
    def mean_absolute_error(self) -> float:
        """The mean absolute error of one released number."""

    @property
    def deviation_of_error(self) -> float:
        """The standard deviation of |noise|."""
        return math.sqrt(max(self.variance() - self.mean_absolute_error() ** 2, 0.0))

    def rounds(self, repeats: int) -> int:
        """The number of errors drawn for `repeats` requested."""
        return repeats

    @abstractmethod
    def total_absolute_error(self, repeats: int, rng: np.random.Generator) -> float:
        """The sum of |noise| over `repeats` releases."""

    @abstractmethod
    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        """The sum of `repeats` independent noises, drawn at once from its exact law."""

    @abstractmethod
    def average_error(self, repeats: ArrayLike) -> Reals:
        """The mean absolute error of an average of `repeats` releases, exactly."""

    def average_spread(self, repeats: ArrayLike) -> Reals:
        """The standard deviation of an average of `repeats` releases."""
        return np.asarray(math.sqrt(self.variance()) / np.sqrt(np.asarray(repeats, dtype=np.float64)), dtype=np.float64)

    @property
    @abstractmethod
    def failure(self) -> float:
        """The δ that is promised; nothing for noise that keeps its level always."""

    def price(self, times: int) -> float:
        """The level that `times` releases about the same people keep together, with the δ of one: N ε, or less."""
        return float(self.prices(times))

    def prices(self, times: ArrayLike) -> Reals:
        """The levels that these numbers of releases each keep together."""
        return np.asarray(self.epsilon * np.asarray(times, dtype=np.float64), dtype=np.float64)

    def affordable(self, total: float) -> int | None:
        """The most releases that a total pays for by their own composition; none where levels simply add up."""
        return None
