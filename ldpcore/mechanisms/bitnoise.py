"""Noise on single bits: the evidence of a reported 0 or 1, and of reports on two rows of bits that differ."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.laws.channels import Pair
from ldpcore.numerics.arrays import Counts, Reals


@dataclass(frozen=True)
class BitNoise:
    """kept = P(1|1), raised = P(1|0), their complements lowered = P(0|1), clear = P(0|0), and gap = kept - raised.

    Complements and gap are given, never subtracted, so that they keep their digits at both ends of the level.
    """

    kept: float
    raised: float
    lowered: float
    clear: float
    gap: float

    @classmethod
    def symmetric(cls, log_odds: float) -> BitNoise:
        """Keep a bit with odds e^{log_odds} : 1, whatever it is."""
        kept, flipped = 1 / (1 + math.exp(-log_odds)), 1 / (1 + math.exp(log_odds))
        return cls(kept, flipped, flipped, kept, math.tanh(log_odds / 2))

    def then(self, p: float, q: float) -> BitNoise:
        """This noise, and afterwards a second one that reports 1 with chance q for a 1 and p for a 0."""
        return BitNoise(
            self.kept * q + self.lowered * p,
            self.raised * q + self.clear * p,
            self.kept * (1 - q) + self.lowered * (1 - p),
            self.raised * (1 - q) + self.clear * (1 - p),
            self.gap * (q - p),
        )

    @property
    def loss_of_one(self) -> float:
        """ln P(1|1)/P(1|0): the loss of a reported 1."""
        return math.log1p(self.gap / self.raised) if self.raised > 0 else math.inf

    @property
    def loss_of_zero(self) -> float:
        """ln P(0|0)/P(0|1): the loss of a reported 0."""
        return math.log1p(self.gap / self.lowered) if self.lowered > 0 else math.inf

    def draw(self, ones: Counts, zeros: Counts, rng: np.random.Generator) -> Counts:
        """The number of true ones and zeros that are reported as 1: two binomials, exact as bits are independent."""
        return np.asarray(rng.binomial(ones, self.kept) + rng.binomial(zeros, self.raised))

    def compare(self, differences: Counts) -> Pair:
        """The reports on two rows of bits, by how many ones fall where only the first, or only the second, has a 1.

        One row of `differences` per equally likely design: how many bits only the first sets, how many only the second.
        """
        parts = []
        for (alone, foreign), times in zip(*np.unique(differences, axis=0, return_counts=True), strict=True):
            here, there = np.arange(alone + 1)[:, None], np.arange(foreign + 1)
            share = times / len(differences)
            first = share * self.law(alone, True) * self.law(foreign, False).T
            second = share * self.law(alone, False) * self.law(foreign, True).T
            # Each 1 among the bits of the first gains loss_of_one, each 0 loses loss_of_zero; the second's reversed.
            with np.errstate(invalid="ignore"):
                ratio = self.balance(here, alone) - self.balance(there, foreign)
            parts.append([first.ravel(), second.ravel(), ratio.ravel()])
        first, second, ratio = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Pair(first, second, log_ratio=None if np.isnan(ratio).any() else ratio)

    def law(self, bits: int, true: bool) -> Reals:
        """The binomial law of the number of ones reported on `bits` bits that are all 1, or all 0, as a column."""
        chance, rest = (self.kept, self.lowered) if true else (self.raised, self.clear)
        return np.array([[math.comb(bits, ones) * chance**ones * rest ** (bits - ones)] for ones in range(bits + 1)])

    def log_chances(self, reported: NDArray[np.bool_], bits: NDArray[np.bool_]) -> Reals:
        """ln of the chance of each row of reported bits, for each row of true bits; one matrix product per answer."""
        with np.errstate(divide="ignore"):
            kept, raised, lowered, clear = np.maximum(np.log([self.kept, self.raised, self.lowered, self.clear]), -1e6)
        sent, silent = np.where(bits, kept, raised), np.where(bits, lowered, clear)
        return np.asarray(reported @ sent.T + ~reported @ silent.T)

    def balance(self, ones: NDArray[np.int64], bits: int) -> Reals:
        """ln of how much likelier `ones` reported ones are if the bits are all 1 than if all are 0."""
        with np.errstate(invalid="ignore"):
            gain = np.where(ones > 0, ones * self.loss_of_one, 0.0)
            return np.asarray(gain - np.where(bits > ones, (bits - ones) * self.loss_of_zero, 0.0))

    def variance_of_average(self, p: float, q: float, rounds: int) -> tuple[float, float]:
        """(true 1, true 0): the variance of the mean of `rounds` reports through `then(p, q)` on one lasting noisy bit.

        With π = P(lasting bit is 1) it is π(1-π)(q-p)² + (π q(1-q) + (1-π) p(1-p))/rounds: only the second averages.
        """
        one, zero = (
            high * low * (q - p) ** 2 + (high * q * (1 - q) + low * p * (1 - p)) / rounds
            for high, low in ((self.kept, self.lowered), (self.raised, self.clear))
        )
        return one, zero
