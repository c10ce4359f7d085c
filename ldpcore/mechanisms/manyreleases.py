"""Many releases with one noise, taken together: their distances, sum, average and price."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Self

import numpy as np

from ldpcore.mechanisms.base import CentralRelease
from ldpcore.mechanisms.noisyanswers import NoisyAnswers

ONE_BY_ONE = 100_000  # releases that are drawn singly; of more, the sum of all distances is one draw


class ManyReleases(CentralRelease, NoisyAnswers):
    """A curator's noise whose releases can be added up, averaged and paid for by the million, each at once."""

    peaked: ClassVar[bool] = True  # whether its law is log-concave, so that an average only gets nearer the answer

    sensitivity: float

    @property
    def span(self) -> float:
        return self.sensitivity

    @abstractmethod
    def of_several(self, parts: int) -> Self:
        """The noise of each of `parts` releases that together keep the level and δ of this one."""

    @abstractmethod
    def third_moment(self) -> float:
        """E|noise|³."""

    @abstractmethod
    def average_within(self, width: float, repeats: int) -> float:
        """The probability that an average of `repeats` releases lies within the width of the answer."""

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

    def median_within(self, width: float, repeats: int) -> float | None:
        """The probability that the median of `repeats` releases lies within the width, where it tells more than a mean.

        The median is the likeliest answer under Laplace noise alone.
        """
        return None

    @property
    def failure(self) -> float:
        """The δ that is promised; nothing for noise that keeps its level always."""
        return self.claim().delta

    def sharing(self, parts: int) -> tuple[Self, int]:
        """A noise and a number N: N of its releases average to the law of `parts` releases that share this level."""
        return self.of_several(parts), parts
