"""Famous mistakes with noise on a number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.channels import GaussianShift, LaplaceShift, Pair
from ldpcore.mechanisms.base import CentralRelease, Guarantee, Mechanism, Witness
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Epsilon, Interval, Sensitivity

Runs = Annotated[int, Interval("T", 1, 1000, (1, 100), scale="log", integer=True, small=(2, 10))]


@dataclass(frozen=True)
class BoundedNoiseCount(CentralRelease):
    """COUNT plus a whole number from 1 to 10: one person more makes the largest report possible for the first time.

    No finite level: the report f(D) + 11 rules out the smaller table.
    """

    epsilon: Epsilon

    slug: ClassVar[str] = "bounded-noise"
    title: ClassVar[str] = "A count plus a random number from 1 to 10"
    reference: ClassVar[str] = (
        "Asghar, Kaafar (2020), Averaging attacks on bounded noise-based disclosure control algorithms, PoPETs"
    )

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        shape = answer.shape if repeats is None else (*answer.shape, repeats)
        return np.asarray((answer if repeats is None else answer[..., None]) + rng.integers(1, 11, shape), dtype=float)

    def variance(self) -> float:
        return (10**2 - 1) / 12

    def mean_absolute_error(self) -> float:
        return 5.5

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        return np.asarray(np.clip(np.floor(np.asarray(report) - answer), 0, 10) / 10, dtype=np.float64)

    def compare(self, value: float, other: float) -> Pair:
        low = min(value, other)
        reports = low + np.arange(1, 12)
        first, second = (np.where((reports > center) & (reports <= center + 10), 0.1, 0.0) for center in (value, other))
        return Pair(first, second, tuple(f"{report:g}" for report in reports))

    def worst(self) -> tuple[float, float]:
        return 0.0, 1.0

    def witness(self) -> Witness:
        return Witness(1.0, 0.0, 11.0)

    def log_density(self, report: float, value: float) -> float:
        return -math.log(10) if 1 <= report - value <= 10 else -math.inf


@dataclass(frozen=True)
class GaussianWithoutDelta(CentralRelease):
    """f(D) + N(0, σ²) with σ = Δ/ε, put in the place of Laplace noise and still promised without any δ.

    ln p(z)/q(z) = (Δ² - 2zΔ)/(2σ²) grows without bound in z, so no σ gives a finite level. What holds is (ε, δ) with
    δ = Φ(Δ/(2σ) - εσ/Δ) - e^ε Φ(-Δ/(2σ) - εσ/Δ): at ε = 1 and σ = Δ that is δ = 0.127, and three releases in
    ten, Φ(-½) = 0.309, betray more than was promised.
    """

    epsilon: Epsilon
    sensitivity: Sensitivity = 1.0

    slug: ClassVar[str] = "gaussian-without-delta"
    title: ClassVar[str] = "Gaussian noise that promises no δ"
    reference: ClassVar[str] = "Balle, Wang (2018), Improving the Gaussian mechanism for differential privacy, ICML"

    @property
    def scale(self) -> float:
        """σ = Δ/ε, as if it were the scale of Laplace noise."""
        return self.sensitivity / self.epsilon

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        answer = np.asarray(answer, dtype=np.float64)
        shape = answer.shape if repeats is None else (*answer.shape, repeats)
        center = answer if repeats is None else answer[..., None]
        return np.asarray(center + rng.normal(0, self.scale, shape), dtype=np.float64)

    def variance(self) -> float:
        return self.scale**2

    def mean_absolute_error(self) -> float:
        return self.scale * math.sqrt(2 / math.pi)

    def cdf(self, report: ArrayLike, answer: float) -> Reals:
        return np.asarray(
            scipy.special.ndtr((np.asarray(report, dtype=np.float64) - answer) / self.scale), dtype=np.float64
        )

    def compare(self, value: float, other: float) -> GaussianShift:
        return GaussianShift(self.scale, abs(value - other))

    def worst(self) -> tuple[float, float]:
        return 0.0, self.sensitivity

    def witness(self) -> Witness:
        # The loss has no largest place: five standard deviations out it is far beyond any promise of this kind.
        return Witness(0.0, self.sensitivity, -5 * self.scale)

    def log_density(self, report: float, value: float) -> float:
        return -(((report - value) / self.scale) ** 2) / 2 - math.log(self.scale * math.sqrt(2 * math.pi))


class MiscalibratedLaplace(LaplaceMechanism):
    """Laplace noise whose scale forgets how far two answers can really lie apart; `worst` says how far."""

    def witness(self) -> Witness:
        value, other = self.worst()
        return Witness(value, other, value - (other - value))


@dataclass(frozen=True)
class HalvedNoise(MiscalibratedLaplace):
    """A sum of records in [-C, C] with b = C/ε, although replacing one record moves it by 2C: the level is 2ε.

    Noise for the size of a record in place of the distance between two; on [-1, 1] the local form of the same slip is
    Lap(1/α) instead of Lap(2/α).
    """

    epsilon: Epsilon
    sensitivity: Sensitivity = 1.0
    neighbors: ClassVar[str] = "replace-one"  # type: ignore[misc]

    slug: ClassVar[str] = "halved-noise"
    title: ClassVar[str] = "Half the noise that replacing a record needs"
    reference: ClassVar[str] = "google/differential-privacy, issue 378 (2025): sensitivity off by 2 with replace_one"

    def worst(self) -> tuple[float, float]:
        return -self.sensitivity, self.sensitivity


@dataclass(frozen=True)
class AssumedSensitivity(MiscalibratedLaplace):
    """A sum whose records were assumed to be at most s and never clamped, with b = s/ε: a record r costs ε·r/s.

    A hundred visits to the doctor assumed and a record with 101: the level is 1.01 ε. Too little for a million trials
    to see, and exactly visible in the laws. A record with 150 costs 1.5 ε, and the next one may cost more.
    """

    epsilon: Epsilon
    sensitivity: Sensitivity = 100.0
    record: Sensitivity = 150.0
    neighbors: ClassVar[str] = "add-remove"  # type: ignore[misc]
    settable: ClassVar[tuple[str, ...]] = ("sensitivity", "record")

    slug: ClassVar[str] = "assumed-sensitivity"
    title: ClassVar[str] = "A sum that assumes a largest record and never clamps"
    reference: ClassVar[str] = (
        "Casacuberta, Shoemate, Vadhan, Wagaman (2022), Widespread underestimation of sensitivity in differentially "
        "private libraries and how to fix it, CCS"
    )

    def worst(self) -> tuple[float, float]:
        return 0.0, self.record


@dataclass(frozen=True)
class UnclippedLocalLaplace(MiscalibratedLaplace):
    """x + Lap(b) with b = 2/ε, right for x in [-1, 1], without first clipping x to [-1, 1]: no finite level.

    The event "at most 0" has probability ½ at x = 0 and ½e^(-εx/2) at x > 0; from x = 2 on the ratio exceeds e^ε,
    and it grows without bound. Shown at x = 20, where one report costs 10 ε.
    """

    epsilon: Epsilon
    sensitivity: ClassVar[float] = 2.0  # type: ignore[misc]
    neighbors: ClassVar[str] = "replace-one"  # type: ignore[misc]

    slug: ClassVar[str] = "unclipped-laplace"
    title: ClassVar[str] = "Laplace noise on a number that nobody clipped"
    reference: ClassVar[str] = (
        "Steinberger (2019), Statistisches Schätzen unter differential privacy, lecture notes, example 1.7 c"
    )

    def worst(self) -> tuple[float, float]:
        """A pair that already betrays ten times the promise; no pair is the worst."""
        return 0.0, 20.0

    def guarantee(self) -> Guarantee:
        # (shift/b) has no bound over all numbers: the level is its limit as the shift grows.
        return Guarantee(LaplaceShift(self.scale, math.inf).loss())


@dataclass(frozen=True)
class ForgottenRepeats(Mechanism):
    """Randomized response with fresh coins, T answers to one question, and the level ε of a single one: really T ε.

    The number of yes answers is binomial and betrays everything, ln P(j)/Q(j) = (2j - T) ε: ten answers at ε = 1
    cost 10. An accountant that counts the question once has forgotten the repeats.
    """

    epsilon: Epsilon
    runs: Runs = 10

    without_curator: ClassVar[bool] = True
    slug: ClassVar[str] = "forgotten-repeats"
    title: ClassVar[str] = "Ten answers on the bill of one"
    reference: ClassVar[str] = (
        "Tang, Korolova, Bai, Wang, Wang (2017), Privacy loss in Apple's implementation of differential privacy on "
        "macOS 10.12: 1 or 2 per datum, as high as 16 a day"
    )

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        """The number of yes among the T answers, one for each user."""
        once = RandomizedResponse(self.epsilon)
        answers = np.stack([once.privatize(values, rng) for _ in range(self.runs)])
        return np.asarray(answers.sum(axis=0), dtype=np.int64)

    def compare(self, value: int, other: int) -> Pair:
        once, yes = RandomizedResponse(self.epsilon), np.arange(self.runs + 1)
        first, second = (
            scipy.stats.binom.pmf(yes, self.runs, once.p if answer else once.q) for answer in (value, other)
        )
        # ln p/q = ε for every answer that agrees with the value, -ε for every other; they add up over the runs.
        loss = (value - other) * (2 * yes - self.runs) * self.epsilon
        return Pair(first, second, tuple(f"{count}/{self.runs}" for count in yes), np.asarray(loss, dtype=np.float64))

    def worst(self) -> tuple[int, int]:
        return 1, 0

    def witness(self) -> Witness:
        return Witness(1, 0, self.runs)

    def log_density(self, report: int, value: int) -> float:
        once = RandomizedResponse(self.epsilon)
        return float(scipy.stats.binom.logpmf(report, self.runs, once.p if value else once.q))
