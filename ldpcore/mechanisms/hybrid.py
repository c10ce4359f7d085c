"""The hybrid mechanism: the piecewise one or one bit, by a coin that makes the error the same for everybody."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.base import NumberRandomizer, ReportTally, Witness
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.possible import ROUNDING, PossibleReports
from ldpcore.mechanisms.values import inside
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.tosses import binomials
from ldpcore.parameters import Epsilon
from ldpcore.people.populations import Population

# ε* = ln((-5 + 2∛(6353 - 405√241) + 2∛(6353 + 405√241))/27), where the best weight of the piecewise mechanism leaves 0.
THRESHOLD = math.log(
    (-5 + 2 * math.cbrt(6353 - 405 * math.sqrt(241)) + 2 * math.cbrt(6353 + 405 * math.sqrt(241))) / 27
)


@dataclass(frozen=True)
class HybridMechanism(NumberRandomizer):
    """With weight β = 1 - e^{-ε/2} the piecewise mechanism, else one bit; one bit alone up to ε* = 0.6093525.

    Above ε* what the first loses for large |x| the second gains: the variance β(e^{ε/2}+3)/(3(e^{ε/2}-1)²) + (1-β)z₀²
    is the same at every x, and below the worst case of either. The collector sees which of the two it was: a report
    of exactly ±z₀ is a bit.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "hm"
    title: ClassVar[str] = "Hybrid mechanism"
    reference: ClassVar[str] = (
        "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu (2019), Collecting and analyzing multidimensional data with local "
        "differential privacy, ICDE"
    )

    @property
    def weight(self) -> float:
        """β, the probability of the piecewise mechanism."""
        return -math.expm1(-self.epsilon / 2) if self.epsilon > THRESHOLD else 0.0

    @property
    def parts(self) -> tuple[PiecewiseMechanism, OneBit]:
        """The two mechanisms that are mixed, both at this level."""
        return PiecewiseMechanism(self.epsilon), OneBit(self.epsilon)

    def variance_at(self, x: ArrayLike) -> Reals:
        # Both parts are unbiased, so the variances mix. β/(e^{ε/2}-1) = e^{-ε/2} = 1-β: the two x² cancel exactly.
        if not self.weight:
            return self.parts[1].variance_at(x)
        piecewise, bit = self.parts
        constant = self.weight * float(piecewise.variance_at(0.0)) + math.exp(-self.epsilon / 2) * bit.z0**2
        return np.full(np.shape(inside(x)), constant)

    def worst_x(self) -> float:
        return 0.0

    def most_variance(self, mean: ArrayLike) -> Reals:
        return np.full(np.shape(mean), self.worst_variance()) if self.weight else self.parts[1].most_variance(mean)

    def compare(self, value: float, other: float) -> Pair:
        # Which part it was is seen by the collector and does not depend on x: the loss is the larger of the two, ε.
        (piecewise, bit), beta = (part.compare(value, other) for part in self.parts), self.weight
        if not beta:
            return bit
        first, second = (
            np.concatenate([beta * near, math.exp(-self.epsilon / 2) * sign])
            for near, sign in ((piecewise.first, bit.first), (piecewise.second, bit.second))
        )
        ratios = np.concatenate([piecewise.ratios(), bit.ratios()])
        return Pair(first, second, (*piecewise.outcomes, "-z0", "+z0"), ratios)

    def witness(self) -> Witness:
        return self.parts[0].witness() if self.weight else Witness(1.0, -1.0, self.parts[1].z0)

    def log_density(self, report: float, value: float) -> float:
        """The density of the piecewise part, or the probability of exactly ±z₀."""
        piecewise, bit = self.parts
        if abs(report) == bit.z0:
            rest = math.log1p(-self.weight) if self.weight < 0.5 else -self.epsilon / 2
            return rest + bit.log_density(1 if report > 0 else -1, value)
        return math.log(self.weight) + piecewise.log_density(report, value) if self.weight else -math.inf

    def cdf(self, report: ArrayLike, value: float) -> Reals:
        piecewise, bit = self.parts
        signs = bit.cdf(np.asarray(report, dtype=np.float64) / bit.z0, value)
        return np.asarray(self.weight * piecewise.cdf(report, value) + (1 - self.weight) * signs, dtype=np.float64)

    def support(self) -> tuple[float, float] | None:
        return self.parts[0].support() if self.weight else None

    def breakpoints(self, value: float) -> tuple[float, ...]:
        return self.parts[0].breakpoints(value) if self.weight else ()

    def atoms(self, value: float) -> tuple[Reals, Reals]:
        signs, chances = self.parts[1].atoms(value)
        return self.parts[1].z0 * signs, (1 - self.weight) * chances

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        piecewise, bit = self.parts
        possible = np.abs(np.abs(reports) - bit.z0) <= ROUNDING * bit.z0
        if not self.weight:
            return possible, f"{-bit.z0:.6g} or {bit.z0:.6g}"
        near = np.abs(reports) <= piecewise.reach * (1 + ROUNDING)
        return possible | near, f"a number from {-piecewise.reach:.6g} to {piecewise.reach:.6g}, or ±{bit.z0:.6g}"

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Reals:
        true, (piecewise, bit) = inside(values), self.parts
        bits = bit.decoded(bit.privatize(true, rng))
        if not self.weight:
            return bits
        return np.where(rng.random(true.shape) < self.weight, piecewise.privatize(true, rng), bits)

    def tally(self, reports: Any) -> ReportTally:
        numbers = np.asarray(reports, dtype=np.float64)
        return ReportTally(np.asarray(numbers.sum()), len(numbers))

    def totals(self, population: Population, rounds: int, rng: np.random.Generator) -> NDArray[Any]:
        people = np.broadcast_to(population.counts[:, None], (population.k, rounds))
        return self.counted(population.values, people, rng)

    def counted(self, values: ArrayLike, people: Counts, rng: np.random.Generator) -> Reals:
        # How many of each atom use the piecewise part is binomial; given that, both parts are drawn as they are alone.
        (piecewise, bit), rounds = self.parts, people.shape[1]
        chosen = binomials(people, self.weight, rounds, rng)
        near = piecewise.sums(values, chosen, rounds, rng) if self.weight else 0.0
        return np.asarray(near + bit.counted(values, people - chosen, rng), dtype=np.float64)
