"""The base of all reports of Bloom bits: their level, their tallies, and the shares estimated from them."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.arithmetic import AT_MOST, Arithmetic
from ldpcore.mechanisms.base import CategoryRandomizer, ReportTally, Witness
from ldpcore.mechanisms.bitnoise import BitNoise
from ldpcore.mechanisms.bloom import BloomDesign
from ldpcore.mechanisms.bloomfit import bloom_fit
from ldpcore.mechanisms.bloomreports import BloomReports, best_guess, counted, noised, packed, unpacked
from ldpcore.mechanisms.possible import PossibleReports, bits_of
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population

CELLS = 3 << 20  # numbers drawn at a time, however many repetitions are asked for
TALLIES = 1 << 20  # numbers of tallies that are handed over at a time, or those of one drawing


class BloomRandomizer(CategoryRandomizer):
    """A public cohort, drawn evenly, and the Bloom bits of the own word in it, each behind the same noise."""

    @property
    @abstractmethod
    def design(self) -> BloomDesign:
        """The public Bloom filters of the candidates."""

    @property
    @abstractmethod
    def reported(self) -> BitNoise:
        """The noise between a true bit and a reported one."""

    @abstractmethod
    def bit_variances(self, rounds: int) -> tuple[float, float]:
        """(true 1, true 0): the variance of the unbiased bit, when each person's is the mean of `rounds` reports."""

    def compare(self, value: int, other: int) -> Pair:
        # Where only `value` sets a bit, a reported 1 gains ln P(1|1)/P(1|0) and a 0 loses ln P(0|0)/P(0|1); where only
        # `other` does, the reverse; all other bits have one law. At most h bits of either kind.
        return self.reported.compare(self.design.differences(value, other))

    def worst(self) -> tuple[int, int]:
        """A pair with the largest loss, the one among them that is easiest to tell apart."""
        pairs = self.design.farthest(self.reported.loss_of_one, self.reported.loss_of_zero)
        laws = {pair: self.compare(*pair) for pair in pairs}
        largest = max(law.loss() for law in laws.values())
        return max(laws, key=lambda pair: (laws[pair].loss() >= largest * (1 - 1e-12), laws[pair].delta(0.0)))

    def witness(self) -> Witness:
        value, other = self.worst()
        weights = np.minimum([self.reported.loss_of_one, self.reported.loss_of_zero], 1e9)
        cohort = int(np.argmax(self.design.differences(value, other) @ weights))
        return Witness(value, other, packed(np.array([cohort]), self.design.table(cohort, [value]))[0])

    def log_density(self, report: np.void, value: int) -> float:
        cohort, reported = unpacked(self.design, report)
        chances = self.reported.log_chances(reported[None], self.design.table(cohort, [value]))
        return float(chances[0, 0]) - math.log(self.design.cohorts)

    def channel(self) -> Finite:
        """Every cohort with every row of bits; for few bits only."""
        if self.design.m > 12:
            raise ParameterError("channel_too_large", name="m", most=12, got=self.design.m)
        rows = np.array(list(itertools.product((False, True), repeat=self.design.m)))
        cohorts = np.repeat(np.arange(self.design.cohorts), len(rows))
        reports = tuple(packed(cohorts, np.tile(rows, (self.design.cohorts, 1))))
        return Finite(np.exp([[self.log_density(report, v) for report in reports] for v in range(self.k)]), reports)

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> BloomReports:
        return noised(self.design, self.categories(values), self.reported, rng)

    def tally(self, reports: BloomReports) -> ReportTally:
        """For each cohort in turn: how many people, then how many of them report each bit."""
        sizes, ones = counted(self.design, reports)
        return ReportTally(np.concatenate([sizes[:, None], ones], axis=1).ravel(), len(reports))

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact although Bloom bits collide: given who is in a cohort, the bits of one person are independent given
        # the value, so the counts of the cohort's bits are independent, each a sum of two binomials. O(kC + Cm).
        counts, wanted = self.checked(population).counts, 1 if repeats is None else repeats
        step, parts = self._step(), []
        for start in range(0, wanted, step):
            sizes, holders = self.design.holders(counts, min(step, wanted - start), rng)
            ones = self.reported.draw(holders, sizes[:, None] - holders, rng)
            parts.append(np.concatenate([sizes[:, None], ones], axis=1).reshape(-1, ones.shape[-1]))
        drawn = np.concatenate(parts, axis=1)
        return ReportTally(drawn[:, 0] if repeats is None else drawn, population.n)

    def _step(self) -> int:
        """The number of tallies whose bits are drawn together."""
        return max(1, CELLS // (self.design.cohorts * (self.k + self.design.m)))

    def tallies_at_once(self) -> int:
        return self._step() * max(1, TALLIES // (self._step() * self.design.cohorts * (self.design.m + 1)))

    def shares_of_bits(self, tally: ReportTally) -> Reals:
        """C/n × (reported ones - P(1|0) × people)/(P(1|1) - P(1|0)), unbiased for the share whose word sets the bit."""
        if tally.n < 1:
            raise ParameterError("no_reports")
        repeats = tally.counts.shape[1:]
        counts = tally.counts.reshape(self.design.cohorts, self.design.m + 1, *repeats)
        unbiased = (counts[:, 1:] - self.reported.raised * counts[:, :1]) / self.reported.gap
        return np.asarray(unbiased.reshape(-1, *repeats) * (self.design.cohorts / tally.n))

    def estimate(self, tally: ReportTally) -> Reals:
        """Least squares on the shares of the bits; NaN for a word whose share the bits do not determine."""
        return bloom_fit(self.design).shares(self.shares_of_bits(tally))

    def decode(self, tally: ReportTally) -> Reals:
        """The non-negative shares that fit the bits best: biased, for the share of an absent word is never negative."""
        return bloom_fit(self.design).nonnegative_shares(self.shares_of_bits(tally))

    def recovered(self, tally: ReportTally, confidence: float = 0.95) -> NDArray[np.bool_]:
        """The present words: those whose estimate noise on an absent word would reach too rarely, for any of k.

        The standard errors are those of a population with the decoded shares, the threshold is Bonferroni's normal one.
        """
        shares = self.decode(tally)
        variances = bloom_fit(self.design).variances(shares / max(float(shares.sum()), 1e-300), *self.bit_variances(1))
        threshold = -float(scipy.special.ndtri((1 - confidence) / self.k)) * np.sqrt(variances / tally.n)
        return np.asarray(np.nan_to_num(self.estimate(tally), nan=-np.inf) > threshold)

    def collisions(self) -> tuple[tuple[int, ...], ...]:
        """Words that share all their bits in every cohort: only their total can be known."""
        return tuple(group for group in self.design.groups if len(group) > 1)

    def variance(self, population: Population, rounds: int = 1) -> Reals:
        """The variance of each share given everybody's word, over cohorts and noise; of the mean of `rounds`."""
        shares = self.checked(population).shares
        return bloom_fit(self.design).variances(shares, *self.bit_variances(rounds)) / population.n

    def variance_of_shares(self, shares: ArrayLike, n: int) -> Reals:
        """The variance for a word of share f, all other words being equally frequent; an average over the words."""
        fit, f = bloom_fit(self.design), np.asarray(shares, dtype=np.float64)
        if not fit.solver[1].all():
            return np.full(f.shape, np.inf)
        own, other = self.design.cohorts * fit.typical @ [1.0, *self.bit_variances(1)]
        return np.asarray((f * (own - 1) + (1 - f) * other) / n)

    def setup_cost(self) -> Cost:
        return self.design.cost()

    def tally_cost(self, n: int, together: int = 1) -> Cost:
        cells, length = self.design.cohorts * (self.k + self.design.m), self.design.cohorts * (self.design.m + 1)
        drawn = 24 * cells * max(1, min(together, self._step()))
        handed = 24 * length * min(together, self.tallies_at_once())  # as it is, and as the shares of its bits
        return Cost(drawn + handed + MEGABYTE, 1e-7 * cells)

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        cohorts, m = self.design.cohorts, self.design.m
        possible = (reports["cohort"] < cohorts) & bits_of(m, reports["bits"])
        return possible, f"a cohort from 0 to {cohorts - 1} and {m} bits, eight to the byte"

    def arithmetic(self) -> Arithmetic:
        kept, raised = Fraction(self.reported.kept), Fraction(self.reported.raised)
        return Arithmetic((kept * (1 - raised) / (raised * (1 - kept))) ** int(self.parameters()["hashes"]), AT_MOST)

    def best_guess(self) -> float:
        """The chance of a right guess from one report: exact up to 8 bits, else the mean over 4 096 simulated ones."""
        return best_guess(self.design, self.reported)
