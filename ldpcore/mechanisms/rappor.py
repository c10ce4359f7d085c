"""RAPPOR: words hashed to a Bloom filter, its bits noised once and for all, and noised again in every report."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.mechanisms.base import Guarantee
from ldpcore.mechanisms.bitnoise import BitNoise
from ldpcore.mechanisms.bloom import BloomDesign, bloom_design
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.bloomreports import BloomReports, noised, sent_again
from ldpcore.parameters import Epsilon, Interval, ParameterError

DecodedCandidates = Annotated[
    int, Interval("k", 2, 2048, (2, 1024), scale="log", integer=True, small=(2, 3, 5), extreme=(2, 300))
]
BloomBits = Annotated[int, Interval("m", 2, 512, (8, 256), scale="log", integer=True, small=(4,), extreme=(128,))]
Hashes = Annotated[int, Interval("h", 1, 16, (1, 4), integer=True, small=(1, 2), extreme=(2,))]
Cohorts = Annotated[int, Interval("C", 1, 128, (1, 64), scale="log", integer=True, small=(1, 2), extreme=(16,))]
OneGivenZero = Annotated[float, Interval("p", 0, 1, (0, 0.5), small=(0.0, 0.5), extreme=(0.5,))]
OneGivenOne = Annotated[float, Interval("q", 0, 1, (0.5, 1), small=(0.75, 1.0), extreme=(0.75,))]


@dataclass(frozen=True)
class Rappor(BloomRandomizer):
    """Hash a word to h of m bits, flip each for good with f/2 = 1/(1+e^{ε/2h}), report each lasting 1 with q, 0 with p.

    Asked for is the level of all reports of a person together, ε = 2h ln((1-f/2)/(f/2)): they are drawn from the
    lasting bits, and `lifelong` computes it from these. `guarantee` is the stricter level of one report alone,
    h ln(q*(1-p*)/(p*(1-q*))) with q* = (1-f/2)q + (f/2)p and p* = (f/2)q + (1-f/2)p. People are spread over cohorts
    with hashes of their own; the k categories are the words that the collector looks for.
    """

    epsilon: Epsilon
    k: DecodedCandidates
    m: BloomBits
    hashes: Hashes
    cohorts: Cohorts
    p: OneGivenZero
    q: OneGivenOne

    slug: ClassVar[str] = "rappor"
    title: ClassVar[str] = "RAPPOR"
    reference: ClassVar[str] = (
        "Erlingsson, Pihur, Korolova (2014), RAPPOR: randomized aggregatable privacy-preserving ordinal response"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.p < self.q:
            raise ParameterError("rappor_order", p=self.p, got=self.q)

    @classmethod
    def usual(cls, epsilon: float, k: int, **others: Any) -> Rappor:
        """RAPPOR with 128 bits, 2 hashes, 64 cohorts, p = 1/2 and q = 3/4, but for the settings given."""
        return cls(**{"epsilon": epsilon, "k": k, "m": 128, "hashes": 2, "cohorts": 64, "p": 0.5, "q": 0.75} | others)

    @classmethod
    def of_flips(cls, f: float, k: int, hashes: int = 2, **others: Any) -> Rappor:
        """RAPPOR declared by f, as its authors do: a lasting bit is not the true one with probability f/2."""
        return cls.usual(2 * hashes * math.log((1 - f / 2) / (f / 2)), k, hashes=hashes, **others)

    @property
    def f(self) -> float:
        """Twice the probability that a lasting bit is not the true one, 2/(1+e^{ε/2h}); never rounded."""
        return 2 / (1 + math.exp(self.epsilon / (2 * self.hashes)))

    @property
    def design(self) -> BloomDesign:
        return bloom_design(self.k, self.m, self.hashes, self.cohorts)

    @property
    def lasting(self) -> BitNoise:
        """The permanent noise, drawn once per person and word: odds e^{ε/2h} that a bit is kept."""
        return BitNoise.symmetric(self.epsilon / (2 * self.hashes))

    @property
    def reported(self) -> BitNoise:
        """The permanent and then the instantaneous noise: P(1|1) = q*, P(1|0) = p*."""
        return self.lasting.then(self.p, self.q)

    def forever(self) -> Rappor:
        """The mechanism that shows the lasting bits themselves, the most that endless reports can show."""
        return replace(self, p=0.0, q=1.0)

    def lifelong(self) -> Guarantee:
        """The level of all reports of a person together, from the laws of the lasting bits."""
        return self.forever().guarantee()

    def remember(self, values: ArrayLike, rng: np.random.Generator) -> BloomReports:
        """The cohort and the lasting bits that each person's device draws once and keeps."""
        return noised(self.design, self.categories(values), self.lasting, rng)

    def report(self, lasting: BloomReports, rng: np.random.Generator) -> BloomReports:
        """One more report of people whose lasting bits are drawn."""
        return sent_again(self.design, lasting, self.p, self.q, rng)

    def bit_variances(self, rounds: int) -> tuple[float, float]:
        one, zero = self.lasting.variance_of_average(self.p, self.q, rounds)
        return one / self.reported.gap**2, zero / self.reported.gap**2

    def bits(self) -> float:
        """The bits of one report; the cohort is told once, when a device joins."""
        return float(self.m)

    def operations(self) -> float:
        return self.hashes + 2.0 * self.m
