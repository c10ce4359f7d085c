"""Exercises about lower bounds: moduli, the gap that no test sees, the choice of η, losses, smoothness and elbows.

Reference: Steinberger (2019), Statistisches Schätzen unter differential privacy, lecture notes, chapters 2 and 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.limits.bounds import ETA, SHARPER, tv_gap
from ldpcore.limits.confusion import hardest_share
from ldpcore.limits.errorlosses import Absolute, Exponential, Huber, Loss, LossScale, Root, Squared, loss_of
from ldpcore.limits.moduli import bounded_hellinger, bounded_tv, heavy_hellinger, heavy_tv
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import no_more_than
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Choice, Declared, Epsilon, Interval, Users
from ldpcore.questions import Progress, Public, Question, Result, no_progress

WIDTH = 2.0  # of the numbers from -1 to 1
POINTS = 161


# Moduli of continuity


def jumping(distance: ArrayLike) -> Reals:
    """The modulus of the mean where one person in n holds n and the others 0, for all n, and their mixtures.

    Such a law is 1/n from everybody at 0 in total variation, its mean is 1, and no mean is larger: 1 off 0, and 0 at 0.
    """
    return np.where(np.asarray(distance, dtype=np.float64) > 0, 1.0, 0.0)


Modulus = Callable[[ArrayLike], Reals]
MODULI: Mapping[tuple[str, str], Modulus] = MappingProxyType(
    {
        ("bounded", "tv"): lambda distance: bounded_tv(WIDTH, distance),
        ("bounded", "hellinger"): lambda distance: bounded_hellinger(WIDTH, distance),
        ("heavy", "tv"): lambda distance: heavy_tv(2.0, 1.0, distance),
        ("heavy", "hellinger"): lambda distance: heavy_hellinger(2.0, 1.0, distance),
        ("jump", "tv"): jumping,
        ("jump", "hellinger"): jumping,
    }
)
MODELS, METRICS = ("bounded", "heavy", "jump"), ("tv", "hellinger")
FARTHEST = MappingProxyType({"tv": 1.0, "hellinger": math.sqrt(2)})
GROWTH = MappingProxyType({"tv": 1, "hellinger": 2})  # a k-fold distance allows the modulus k to the power of this
Model = Annotated[str, Choice(r"\mathcal P", MODELS)]
Metric = Annotated[str, Choice("d", METRICS)]
Nearness = Annotated[float, Interval("r", 0, 0.5, (0.01, 0.5), scale="log", open_low=True)]


@dataclass(frozen=True)
class ModulusOfMean(Question["ModulusOfMeanResult"], Declared):
    """How different can the means of two laws be that are at most this far apart, and twice as far?"""

    model: Model = "bounded"
    metric: Metric = "tv"
    distance: Nearness = 0.1

    def run(self, progress: Progress = no_progress) -> ModulusOfMeanResult:
        distances = np.linspace(0.0, FARTHEST[self.metric], POINTS)
        if self.model == "jump":
            distances[0] = 1e-9  # next to 0, where it has jumped
        return ModulusOfMeanResult(self, distances, self.at(distances))

    def at(self, distance: ArrayLike) -> Reals:
        """The modulus at a distance."""
        return MODULI[self.model, self.metric](distance)

    @property
    def one_in(self) -> int:
        """The least n for which one person in n who holds n is at most this far from everybody at 0."""
        share = self.distance if self.metric == "tv" else 1 - (1 - self.distance**2 / 2) ** 2
        return math.ceil(1 / share - 1e-9)


@dataclass(frozen=True, eq=False)
class ModulusOfMeanResult(Public):
    """The modulus along the distance, and the two laws of growth that hold for every mean over mixtures of laws."""

    experiment: ModulusOfMean
    distances: Reals
    modulus: Reals

    @property
    def here(self) -> float:
        """The modulus at the present distance."""
        return float(self.experiment.at(self.experiment.distance))

    @property
    def twice(self) -> float:
        """The modulus at twice the distance."""
        return float(self.experiment.at(2 * self.experiment.distance))

    @property
    def rate(self) -> float:
        """ω(r)/r in total variation, ω(r)/r² in Hellinger's distance."""
        return self.here / self.experiment.distance ** GROWTH[self.experiment.metric]

    def floor(self, distance: ArrayLike) -> Reals:
        """ω(D)(r/D) or ω(D)(r/D)², D the largest distance: a mixture moves the mean in proportion, not the distance."""
        largest = FARTHEST[self.experiment.metric]
        share = np.asarray(distance, dtype=np.float64) / largest
        return np.asarray(float(self.experiment.at(largest)) * share ** GROWTH[self.experiment.metric])

    def most(self, distance: ArrayLike) -> Reals:
        """ω(r)(r'/r) or ω(r)(r'/r)²: the modulus at a larger distance r', at most."""
        return np.asarray(self.rate * np.asarray(distance, dtype=np.float64) ** GROWTH[self.experiment.metric])


# The gap that no test sees

Eta = Annotated[float, ETA]
PLACES = 121  # lower shares among which the easiest is looked for, from 0 to the highest


def _sums(differences: Reals, lower: Reals, n: int, epsilon: float) -> Reals:
    """The least sum of both errors between two shares, by difference and by the lower one.

    The number of yes has a monotone likelihood ratio, so that the best test has one threshold; the sum is 1 less the
    difference of two binomial distribution functions there.
    """
    pull = min(math.tanh(epsilon / 2), 1 - 1e-12)  # a share of 0 is reported now and then
    apart = differences[:, None]
    low = 0.5 + pull * (lower - 0.5)
    high = low + pull * apart
    up, down = np.log1p(pull * apart / low), -np.log1p(-pull * apart / (1 - low))
    with np.errstate(invalid="ignore"):
        threshold = np.floor(np.where(apart > 0, n * down / (up + down), 0.0))
    gap = no_more_than(threshold, n, low) - no_more_than(threshold, n, high)
    return np.asarray(1 - np.where(apart > 0, gap, 0.0), dtype=np.float64)


def _hardest(differences: Reals, n: int, epsilon: float) -> Reals:
    """The error sum by difference, at the hardest of all places."""
    return _sums(differences, hardest_share(differences, n, epsilon)[:, None], n, epsilon)[:, 0]


def _easiest(differences: Reals, n: int, epsilon: float) -> Reals:
    """The error sum by difference, at the easiest of many places, both ends among them."""
    lower = np.linspace(0, 1, PLACES) * (1 - differences[:, None])
    return np.asarray(_sums(differences, lower, n, epsilon).min(axis=1))


@dataclass(frozen=True)
class UnseenGap(Question["UnseenGapResult"], Declared):
    """How far apart may two shares be that every test of n randomized responses confuses with error sum η or more?"""

    epsilon: Epsilon
    n: Users = 100
    eta: Eta = 0.5

    def run(self, progress: Progress = no_progress) -> UnseenGapResult:
        differences = np.linspace(0, 1, POINTS)
        hardest = _hardest(differences, self.n, self.epsilon)
        common = np.maximum(1 - (math.tanh(self.epsilon / 2) * differences) ** 2, 0)
        affinity = common ** (self.n / 2)
        return UnseenGapResult(self, differences, hardest, affinity, self._where(_hardest), self._where(_easiest))

    def _where(self, sums: Callable[[Reals, int, float], Reals]) -> float:
        """The difference at which the error sum of the hardest or the easiest place falls to η; 1 where none does."""

        def above(difference: float) -> float:
            return float(sums(np.array([difference]), self.n, self.epsilon)[0]) - self.eta

        return 1.0 if above(1.0) >= 0 else brent_root(above, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class UnseenGapResult(Result):
    """The error sum of the best test along the difference, at its hardest place, and the affinity of n reports above.

    `gap` is where the sum falls to η there, Δ_A and Δ_2 alike; `nearest` where it does at the easiest place: no two
    shares that are closer are told apart.
    """

    experiment: UnseenGap
    differences: Reals
    hardest: Reals
    affinity: Reals
    gap: float
    nearest: float

    def masked(self) -> UnseenGapResult:
        """The result without both differences."""
        return replace(self, gap=math.nan, nearest=math.nan)

    @property
    def unseen(self) -> float:
        """2(1-η)/√(n(e^ε-1)²): the total variation below which no reports of this level show a difference."""
        asked = self.experiment
        return min(SHARPER * float(tv_gap(asked.n, asked.epsilon, asked.eta)), 1.0)

    @property
    def height(self) -> float:
        """The error sum at the gap: η, or what is left of it between the shares 0 and 1."""
        return max(self.experiment.eta, float(self.hardest[-1])) if self.gap == 1 else self.experiment.eta


# The choice of η

COSTS = ("squared", "absolute")
CostOfError = Annotated[str, Choice("l", COSTS)]


@dataclass(frozen=True)
class ChoiceOfEta(Question["ChoiceOfEtaResult"], Declared):
    """Which η makes the largest lower bound for the mean of n numbers from -1 to 1 at this level?"""

    epsilon: Epsilon
    n: Users = 100
    eta: Eta = 0.5
    cost_of_error: CostOfError = "squared"

    def run(self, progress: Progress = no_progress) -> ChoiceOfEtaResult:
        etas = np.linspace(0, 1, 201)[1:-1]
        return ChoiceOfEtaResult(self, etas, self.errors(etas))

    def errors(self, eta: ArrayLike) -> Reals:
        """The error of the loss l(½ω)·η/2, ω the modulus at 2(1-η)/√(n(e^ε-1)²)."""
        etas = np.asarray(eta, dtype=np.float64)
        half = bounded_tv(WIDTH, SHARPER * tv_gap(self.n, self.epsilon, etas)) / 2
        power = 1 / loss_of(self.cost_of_error).power
        return np.asarray(half * (etas / 2) ** power, dtype=np.float64)

    @property
    def best(self) -> float:
        """1/(1 + the loss's power); larger where even worlds with nothing in common are confused that often."""
        whole = 1 - 1 / (SHARPER * float(tv_gap(self.n, self.epsilon, 0.0)))
        return max(whole, 1 / (1 + loss_of(self.cost_of_error).power))


@dataclass(frozen=True, eq=False)
class ChoiceOfEtaResult(Public):
    """The lower bound along η, as the error that has this loss."""

    experiment: ChoiceOfEta
    etas: Reals
    errors: Reals

    @property
    def here(self) -> float:
        """The bound at the present η."""
        return float(self.experiment.errors(self.experiment.eta))

    @property
    def top(self) -> float:
        """The bound at the best η."""
        return float(self.experiment.errors(self.experiment.best))


# Regular losses

GROWING: Mapping[str, Callable[[float], Loss]] = MappingProxyType(
    {
        "squared": lambda corner: Squared(),
        "absolute": lambda corner: Absolute(),
        "huber": Huber,
        "root": lambda corner: Root(),
        "exponential": lambda corner: Exponential(),
    }
)
Growing = Annotated[str, Choice("l", tuple(GROWING))]
TimesAsLarge = Annotated[float, Interval("f", 1, 10, (1.1, 3), scale="log", open_low=True)]
ERRORS = (0.01, 100.0)


@dataclass(frozen=True)
class LossGrowth(Question["LossGrowthResult"], Declared):
    """How many times as much does an error cost that is `factor` times as large?"""

    loss: Growing = "squared"
    factor: TimesAsLarge = 1.5
    corner: LossScale = 1.0

    def run(self, progress: Progress = no_progress) -> LossGrowthResult:
        errors = np.geomspace(*ERRORS, POINTS)
        return LossGrowthResult(self, errors, self.ratio(errors))

    def ratio(self, error: ArrayLike) -> Reals:
        """l(f·t)/l(t)."""
        t, loss = np.asarray(error, dtype=np.float64), GROWING[self.loss](self.corner)
        if self.loss == "exponential":  # e^{(f-1)t}(1 - e^{-ft})/(1 - e^{-t}), which no large t breaks
            return np.asarray(np.exp((self.factor - 1) * t) * np.expm1(-self.factor * t) / np.expm1(-t))
        return np.asarray(loss(self.factor * t) / loss(t), dtype=np.float64)

    @property
    def top(self) -> float:
        """sup over t of l(f·t)/l(t): f to the power of the loss at 0, or infinity."""
        loss = GROWING[self.loss](self.corner)
        return math.inf if loss.regularity is None else float(self.factor**loss.power)


@dataclass(frozen=True, eq=False)
class LossGrowthResult(Public):
    """The ratio of the two costs along the error."""

    experiment: LossGrowth
    errors: Reals
    ratios: Reals


# Smoothness

Smoothness = Annotated[float, Interval(r"\beta", 0, 4, (0.25, 3), open_low=True)]
Steepness = Annotated[float, Interval("C", 0, 100, (0.25, 4), scale="log", open_low=True)]


@dataclass(frozen=True)
class SmoothnessBand(Question["SmoothnessBandResult"], Declared):
    """How far may a density leave its straight or bent course near a place, and how fast is it estimated there?"""

    beta: Smoothness = 1.0
    bound: Steepness = 1.0

    def run(self, progress: Progress = no_progress) -> SmoothnessBandResult:
        places = np.linspace(-1, 1, POINTS)
        return SmoothnessBandResult(self, places, self.off(places))

    @property
    def derivatives(self) -> int:
        """b = ⌈β⌉ - 1, the derivatives that every density of the class has."""
        return math.ceil(self.beta) - 1

    def off(self, place: ArrayLike) -> Reals:
        """C|x|^β/(β(β-1)…(β-b+1)): the farthest from the polynomial of order b that has its derivatives at 0."""
        falling = math.prod(self.beta - order for order in range(self.derivatives))
        return np.asarray(self.bound * np.abs(place) ** self.beta / falling, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class SmoothnessBandResult(Public):
    """The allowed departure along the place, and the powers of n with which the error at the place falls."""

    experiment: SmoothnessBand
    places: Reals
    off: Reals

    @property
    def private(self) -> float:
        """β/(2β+2): the error falls like n to minus this power at a bounded level."""
        return self.experiment.beta / (2 * self.experiment.beta + 2)

    @property
    def direct(self) -> float:
        """β/(2β+1): the same without privacy."""
        return self.experiment.beta / (2 * self.experiment.beta + 1)


# The integral of the squared density

ELBOWS = MappingProxyType({"direct": 0.25, "listening": 0.5, "silent": 0.75})
DensitySmoothness = Annotated[float, Interval("s", 0, 2, (0.1, 1.4), open_low=True)]
SMOOTHEST = 1.5


@dataclass(frozen=True)
class QuadraticElbows(Question["QuadraticElbowsResult"], Declared):
    """How fast does the error of ∫p² fall for a density of smoothness s: directly, with and without listening?"""

    s: DensitySmoothness = 0.4

    def run(self, progress: Progress = no_progress) -> QuadraticElbowsResult:
        grid = np.linspace(0, SMOOTHEST, POINTS)
        smooth = np.unique(np.concatenate([grid, list(ELBOWS.values())]))
        curves = {name: quadratic_exponent(smooth, elbow) for name, elbow in ELBOWS.items()}
        return QuadraticElbowsResult(self, smooth, curves)


def quadratic_exponent(s: ArrayLike, elbow: float) -> Reals:
    """min(½, s/(s + e)), e the elbow: 4s/(4s+1), 2s/(2s+1), 4s/(4s+3) below it.

    With bins of width 1/k the bias is k^{-2s}. The noise is √k/n of direct observations, k/n where the later people are
    asked about the estimate of the earlier ones, clipped at the height k/√n of its noise, and k^{3/2}/n where everybody
    reports alone; at the best k both are n^{-s/(s+e)}.
    """
    smooth = np.asarray(s, dtype=np.float64)
    return np.asarray(np.minimum(0.5, smooth / (smooth + elbow)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class QuadraticElbowsResult(Public):
    """The powers of n with which the error of ∫p² falls, along the smoothness."""

    experiment: QuadraticElbows
    smooth: Reals
    curves: dict[str, Reals]

    def here(self, name: str) -> float:
        """The power at the present smoothness."""
        return float(quadratic_exponent(self.experiment.s, ELBOWS[name]))
