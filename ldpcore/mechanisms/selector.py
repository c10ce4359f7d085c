"""The kind of a curator's choice among candidates."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.arithmetic import FINITE, Arithmetic
from ldpcore.mechanisms.base import Reporter, ReportTally, Witness
from ldpcore.mechanisms.possible import PossibleReports, whole_below
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population


class Selector(Reporter):
    """A curator's choice among k candidates by their scores, each of which one person moves by the sensitivity at most.

    The inputs that `compare` and `log_density` speak of are whole lists of scores, the reports are places in them.
    """

    epsilon: float
    k: int
    sensitivity: float

    names_one: ClassVar[bool] = True

    @abstractmethod
    def logs(self, scores: ArrayLike) -> Reals:
        """ln of the probability of each candidate."""

    @abstractmethod
    def select(self, scores: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> NDArray[np.int64]:
        """The place of the chosen candidate; with `repeats`, that many independent choices."""

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        return np.array([int(self.select(scores, rng)) for scores in np.asarray(values)], dtype=np.int64)

    def tally(self, reports: NDArray[Any]) -> ReportTally:
        """How often each candidate was chosen."""
        return ReportTally(np.bincount(reports, minlength=self.k).astype(np.int64), len(reports))

    def variance_among(self, people: Population) -> Reals:
        laws = np.array([self.probabilities(scores) for scores in people.values])
        return np.asarray(people.counts @ (laws * (1 - laws)) / people.n**2, dtype=np.float64)

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        return whole_below(reports, self.k)

    def arithmetic(self) -> Arithmetic:
        return Arithmetic(None, FINITE)

    def probabilities(self, scores: ArrayLike) -> Reals:
        """The probability of each candidate; only differences of scores matter."""
        return np.exp(self.logs(scores))

    def checked(self, scores: ArrayLike) -> Reals:
        """k finite scores."""
        numbers = np.asarray(scores)
        if numbers.dtype.kind not in "iuf" or numbers.shape != (self.k,) or not np.isfinite(numbers).all():
            raise ParameterError("scores_unfit", k=self.k, got=str(numbers.shape), dtype=str(numbers.dtype))
        return numbers.astype(np.float64, copy=False)

    def compare(self, value: ArrayLike, other: ArrayLike) -> Pair:
        first, second = self.logs(value), self.logs(other)
        return Pair(np.exp(first), np.exp(second), log_ratio=first - second)

    def witness(self) -> Witness:
        return Witness(*self.worst(), 0)

    def log_density(self, report: int, value: ArrayLike) -> float:
        return float(self.logs(value)[report])

    def two_lists(self, first: float, second: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Neighboring lists of scores: the first candidate has these in turn, all others 0 and then Δ."""
        rest = self.k - 1
        return (first, *[0.0] * rest), (second, *[float(self.sensitivity)] * rest)
