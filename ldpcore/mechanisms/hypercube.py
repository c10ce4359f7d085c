"""Hypercube sampling: a corner of a cube, likelier on the side where the own numbers lie."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Pair, classes
from ldpcore.mechanisms.agreements import Cap, agreement_law, best_cap, law_with
from ldpcore.mechanisms.arithmetic import FINITE, Arithmetic
from ldpcore.mechanisms.base import ATOMS_AT_ONCE, ReportTally, Witness
from ldpcore.mechanisms.possible import PossibleReports, signs_in
from ldpcore.mechanisms.vectors import VectorRandomizer, in_rounds
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.tosses import subset_tallies
from ldpcore.parameters import Choice, Dimension, Epsilon, ParameterError
from ldpcore.people.populations import Population

THRESHOLD_RULES: tuple[str, ...] = ("lower", "split", "upper", "tuned")
Rule = Annotated[str, Choice(r"\tau", THRESHOLD_RULES)]
LARGEST = 1 << 16  # kinds of reports of two rows that are told apart


@dataclass(frozen=True)
class HypercubeSampling(VectorRandomizer):
    """Round x to a corner v of [-1, 1]^d without bias, then send a corner z of weight e^ε where ⟨z, v⟩ > τ, else 1.

    ⟨z, v⟩ = 2A - d counts the A coordinates in which z agrees with v. Odd d: τ = 0. Even d has ties ⟨z, v⟩ = 0: they
    count with the lower side, with the upper one, or have weight (e^ε+1)/2 each, which splits them; tuned takes the τ
    of smallest error. The report counts as B·z, 1/B = E[⟨z, v⟩]/d; variance B² - x² for each coordinate.
    """

    epsilon: Epsilon
    d: Dimension
    rule: Rule = "lower"

    slug: ClassVar[str] = "hypercube"
    title: ClassVar[str] = "Hypercube sampling"
    reference: ClassVar[str] = (
        "Duchi, Jordan, Wainwright (2018), Minimax optimal procedures for locally private estimation, section 4.2.3; "
        "their rule for even d puts ties in both halves and is only ln(e^ε+1)-private"
    )

    @property
    def least(self) -> int:
        """The fewest agreements that have the weight e^ε: τ = 2·least - d - 1 or less."""
        if self.rule == "tuned":
            return best_cap(self.epsilon, self.d)
        return self.d // 2 + 1 if self.rule != "upper" or self.d % 2 else self.d // 2

    def tie(self) -> float:
        """ln of the weight of z with ⟨z, v⟩ = 0, where it is neither ε nor 0: (e^ε+1)/2, without overflow."""
        return self.epsilon + math.log1p(math.expm1(-self.epsilon) / 2)

    @property
    def cap(self) -> Cap:
        """The weights of corners by their agreements: 1 or e^ε, so that no ratio exceeds e^ε."""
        weights = np.where(np.arange(self.d + 1) >= self.least, self.epsilon, 0.0)
        if self.rule == "split" and self.d % 2 == 0:
            weights[self.d // 2] = self.tie()
        return Cap(weights)

    @property
    def bound(self) -> float:
        """B, the size of a decoded coordinate: d/E[⟨z, v⟩]."""
        return self.cap.scale()

    def decoded(self, reports: Any) -> Reals:
        return np.asarray(self.bound * np.asarray(reports), dtype=np.float64)

    def variance_at(self, values: ArrayLike) -> Reals:
        x = self.inside(values)
        return np.asarray((self.bound - x) * (self.bound + x), dtype=np.float64)

    def worst_variance(self) -> float:
        return self.bound**2

    def witness(self) -> Witness:
        # z = v agrees everywhere, and with -v nowhere.
        return Witness(*self.worst(), (1,) * self.d)

    def log_density(self, report: Any, value: Any) -> float:
        agree, cap = (1 + np.asarray(report, dtype=np.float64) * self.one(value)) / 2, self.cap
        return cap.log_mean(agreement_law([(float(chance), 1) for chance in agree])) - cap.log_total()

    def compare(self, value: Any, other: Any) -> Pair:
        """The laws of the number of +1 in each kind (x, y) of coordinate, alike for reports of equal counts."""
        kinds, sizes = np.unique(np.stack([self.one(value), self.one(other)], axis=1), axis=0, return_counts=True)
        if (many := math.prod(int(size) + 1 for size in sizes)) > LARGEST:
            raise ParameterError("pairs_many", got=many)
        cap, laws, ways = self.cap, [], []
        for pluses in itertools.product(*(range(int(size) + 1) for size in sizes)):
            split = [(x, plus, int(size)) for x, plus, size in zip(kinds, pluses, sizes, strict=True)]
            ways.append(sum(math.log(math.comb(size, plus)) for _, plus, size in split))
            laws.append([cap.log_mean(law_with(split, side)) for side in (0, 1)])
        logs, count = np.array(laws), np.array(ways) - cap.log_total()
        first, second = (np.exp(logs[:, side] + count) for side in (0, 1))
        return classes(first, second, logs[:, 0] - logs[:, 1])

    def rounded(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[np.int8]:
        """Corners of the cube that are the rows on average."""
        x = self.inside(values)
        return np.where(2 * rng.random(x.shape) < 1 + x, 1, -1).astype(np.int8)

    def most_variance(self, means: Reals) -> Reals:
        # B² - x² is concave: people who are all alike vary most.
        return np.asarray(self.variance_at(means[None])[0], dtype=np.float64)

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        return signs_in(reports)

    def arithmetic(self) -> Arithmetic:
        return Arithmetic(None, FINITE)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> NDArray[np.int8]:
        # A agreements by their law, then a uniform subset of A coordinates, one after the other: O(nd), no sorting.
        reports = self.rounded(values, rng)
        left = np.searchsorted(np.cumsum(self.cap.agreements())[:-1], rng.random(len(reports)), side="right")
        for place in range(self.d):
            agrees = rng.random(len(reports)) * (self.d - place) < left
            reports[:, place] *= np.where(agrees, 1, -1).astype(np.int8)
            left = left - agrees
        return reports

    def tally(self, reports: Any) -> ReportTally:
        """How many reports are +1 in each coordinate."""
        corners = np.asarray(reports)
        return ReportTally((corners > 0).sum(axis=0, dtype=np.int64), len(corners))

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        return np.asarray(self.bound * (2 * tally.counts - tally.n) / tally.n, dtype=np.float64)

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact: how many people have A agreements is multinomial, which coordinates these are a subset tally, and
        # given that, the rounding of every coordinate is a coin of its own.
        rounds = 1 if repeats is None else repeats
        if population.n <= (cells := population.k * (2 * self.d + 1)) or cells > ATOMS_AT_ONCE // 8:
            return self.user_by_user(population, rng, repeats)
        size = max(1, ATOMS_AT_ONCE // cells)
        x, counts = self.inside(population.values), population.counts
        parts = [self._pluses(x, counts, min(size, rounds - done), rng) for done in range(0, rounds, size)]
        return in_rounds(parts, population.n, repeats)

    def _pluses(self, x: Reals, counts: Counts, rounds: int, rng: np.random.Generator) -> Counts:
        """How many reports are +1 in each coordinate, one column for each round."""
        law = self.cap.agreements()
        drawn = rng.multinomial(counts[:, None], law, size=(len(counts), rounds))
        agree = subset_tallies(np.moveaxis(drawn, 2, 0), self.d, rng)
        chance = (1 + x.T[:, :, None]) / 2
        pluses = rng.binomial(agree, chance) + rng.binomial(counts[:, None] - agree, 1 - chance)
        return np.asarray(pluses.sum(axis=1))
