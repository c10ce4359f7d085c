"""What many releases with one noise have together: their distances, their sum, their average, and their price."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.channels import masses
from ldpcore.mechanisms.base import CentralRelease
from ldpcore.numerics.arrays import Counts, Reals

ONE_BY_ONE = 100_000  # releases that are drawn singly; of more, the sum of all distances is one draw


class ManyReleases(CentralRelease):
    """A curator's noise whose releases can be added up, averaged and paid for by the million, each at once."""

    epsilon: float
    peaked: ClassVar[bool] = True  # whether its law is log-concave, so that an average only gets nearer the answer

    @abstractmethod
    def of_several(self, parts: int) -> Self:
        """The noise of each of so many releases that keep level and δ of this one together."""

    @abstractmethod
    def third_moment(self) -> float:
        """E|noise|³."""

    @abstractmethod
    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        """The sum of so many independent noises, drawn at once from its exact law."""

    @abstractmethod
    def average_error(self, repeats: ArrayLike) -> Reals:
        """The mean absolute error of an average of so many releases, exactly."""

    @abstractmethod
    def average_within(self, width: float, repeats: int) -> float:
        """The probability that an average of so many releases lies within the width of the answer."""

    @property
    def deviation_of_error(self) -> float:
        """The standard deviation of |noise|."""
        return math.sqrt(max(self.variance() - self.mean_absolute_error() ** 2, 0.0))

    def total_absolute_error(self, repeats: int, rng: np.random.Generator) -> float:
        """The sum of |noise| over `repeats` releases: drawn singly up to a hundred thousand of them.

        Beyond, one draw of a shifted gamma law with the three first moments of that sum, less than 2·10⁻⁶ away from it:
        the standardized sum and the draw have cumulants that differ from the fourth on, by a few times 1/R.
        """
        if repeats <= ONE_BY_ONE:
            return float(np.abs(self.release(0.0, rng, repeats)).sum())
        mean, spread = self.mean_absolute_error(), self.deviation_of_error
        skewed = self.third_moment() - 3 * mean * self.variance() + 2 * mean**3
        if spread == 0 or skewed <= 0:
            return repeats * mean
        shape = 4 * repeats * spread**6 / skewed**2
        return float(repeats * mean + skewed / (2 * spread**2) * (rng.standard_gamma(shape) - shape))

    def histogram(self, answer: float, edges: Reals, repeats: int, rng: np.random.Generator) -> tuple[Counts, Reals]:
        """How many of `repeats` releases fall below, between and above the edges: one multinomial draw, and its law."""
        law = self.cells(edges - answer)
        return rng.multinomial(repeats, law), law

    def cells(self, edges: Reals) -> Reals:
        """P(noise in each cell), the two open ends included; from the nearer tail so that nothing cancels."""
        if self.whole:  # a cell begins behind its lower edge
            law = masses(self.cdf(edges, 0.0), self.cdf(np.ceil(-edges) - 1.0, 0.0))
        else:
            law = masses(self.cdf(edges, 0.0), self.cdf(-edges, 0.0))
        return np.asarray(law / law.sum(), dtype=np.float64)

    def average_spread(self, repeats: ArrayLike) -> Reals:
        """The standard deviation of an average of so many releases."""
        return np.asarray(self.standard_deviation() / np.sqrt(np.asarray(repeats, dtype=np.float64)), dtype=np.float64)

    def median_within(self, width: float, repeats: int) -> float | None:
        """The probability that the median of so many releases lies within the width, where it tells more than a mean.

        That is where the median is the likeliest answer: of Laplace noise alone.
        """
        return None

    @property
    def failure(self) -> float:
        """The δ that is promised; nothing for noise that keeps its level always."""
        return self.claim().delta

    def price(self, times: int) -> float:
        """The level that so many releases about the same people keep together, with the δ of one: N ε, or less."""
        return float(self.prices(times))

    def prices(self, times: ArrayLike) -> Reals:
        """The levels that so many releases each keep together."""
        return np.asarray(self.epsilon * np.asarray(times, dtype=np.float64), dtype=np.float64)

    def affordable(self, total: float) -> int | None:
        """How many releases a total pays for by their own composition; nothing where levels simply add up."""
        return None

    def sharing(self, parts: int) -> tuple[Self, int]:
        """A noise and how many of its releases have the average that so many have which share this one's level."""
        return self.of_several(parts), parts
