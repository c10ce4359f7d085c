"""Rules applied to the unbiased estimate: each is named and says whether it is biased, none touches the level.

A `PostProcessor` maps raw estimates, (k,) or (k, R) with one column per repetition, to estimates of the same shape.
`POSTPROCESSORS` lists them all; two published names may mean one rule.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, ParameterError

CONSISTENCY = "Wang et al. (2020), Locally differentially private frequency estimation with consistency, NDSS"


class PostProcessor(Declared, ABC):
    """A rule applied to the unbiased estimates: free of privacy cost, and free of bias only where it says `unbiased`.

    A rule that lifts what is negative has a bias; one that is linear and leaves the true shares as they are has none.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    formula: ClassVar[str]
    reference: ClassVar[str]
    unbiased: ClassVar[bool] = False

    @abstractmethod
    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        """The processed estimates of n reports of this randomizer, in the shape of the raw ones."""

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        """Whether the rule is defined for what this randomizer reports."""
        return True


@dataclass(frozen=True)
class Raw(PostProcessor):
    """No rule: f' = f̂, without bias; shares may be negative and need not sum to one."""

    slug: ClassVar[str] = "raw"
    title: ClassVar[str] = "Raw"
    formula: ClassVar[str] = r"f'_v=\hat f_v"
    reference: ClassVar[str] = CONSISTENCY
    unbiased: ClassVar[bool] = True

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        return np.array(raw, dtype=np.float64)


@dataclass(frozen=True)
class Clip(PostProcessor):
    """The rule that sets negative shares to zero: f' = max(f̂, 0), which lifts rare values and the total."""

    slug: ClassVar[str] = "clip"
    title: ClassVar[str] = "Clip at zero"
    formula: ClassVar[str] = r"f'_v=\max(\hat f_v,0)"
    reference: ClassVar[str] = CONSISTENCY

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        return np.asarray(np.maximum(np.asarray(raw, dtype=np.float64), 0), dtype=np.float64)


@dataclass(frozen=True)
class ClipRenormalize(PostProcessor):
    """Clip, then divide by the total: f' = max(f̂, 0)/Σ max(f̂, 0), which shrinks the most frequent values.

    Where nothing is positive it says uniform.
    """

    slug: ClassVar[str] = "clip-renormalize"
    title: ClassVar[str] = "Clip and renormalize"
    formula: ClassVar[str] = r"f'_v=\frac{\max(\hat f_v,0)}{\sum_u\max(\hat f_u,0)}"
    reference: ClassVar[str] = CONSISTENCY

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        kept = np.maximum(np.asarray(raw, dtype=np.float64), 0)
        total = kept.sum(axis=0)
        uniform = np.full_like(kept, 1 / len(kept))
        np.divide(kept, total, out=uniform, where=np.broadcast_to(total > 0, kept.shape))
        return uniform


@dataclass(frozen=True)
class Norm(PostProcessor):
    """Add one constant to all shares so that they sum to one: f' = f̂ + (1 - Σf̂)/k; negative shares may remain.

    Linear, and it leaves shares that sum to one as they are: so it is unbiased, and never errs more than the raw
    estimates. Its squared errors sum to the raw ones less Var[Σf̂]/k: by a k-th part where values are independent.
    """

    slug: ClassVar[str] = "norm"
    title: ClassVar[str] = "Norm"
    formula: ClassVar[str] = r"f'_v=\hat f_v+\tfrac1k\bigl(1-\sum_u\hat f_u\bigr)"
    reference: ClassVar[str] = CONSISTENCY
    unbiased: ClassVar[bool] = True

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        estimate = np.asarray(raw, dtype=np.float64)
        return np.asarray(estimate + (1 - estimate.sum(axis=0)) / len(estimate), dtype=np.float64)


@dataclass(frozen=True)
class NormSub(PostProcessor):
    """Clip, shift the rest so that the total is one, and repeat until nothing is negative: f' = max(f̂ + δ, 0)."""

    slug: ClassVar[str] = "norm-sub"
    title: ClassVar[str] = "Norm-sub"
    formula: ClassVar[str] = r"f'_v=\max(\hat f_v+\delta,0),\quad \sum_v f'_v=1"
    reference: ClassVar[str] = CONSISTENCY

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        estimate = np.array(raw, dtype=np.float64)
        active = np.ones(estimate.shape, dtype=np.bool_)
        while True:  # each round drops at least one value, and the largest is never dropped
            size = active.sum(axis=0)
            shift = (1 - np.where(active, estimate, 0.0).sum(axis=0)) / size
            below = active & (estimate + shift < 0)
            if not below.any():
                return np.where(active, estimate + shift, 0.0)
            active &= ~below


@dataclass(frozen=True)
class NormMul(ClipRenormalize):
    """Multiply the positive shares by one factor so that the total is one: f' = γ max(f̂, 0), clip and renormalize."""

    slug: ClassVar[str] = "norm-mul"
    title: ClassVar[str] = "Norm-mul"
    formula: ClassVar[str] = r"f'_v=\gamma\max(\hat f_v,0),\quad \sum_v f'_v=1"


@dataclass(frozen=True)
class BaseCut(PostProcessor):
    """Only shares that noise alone would hardly reach: f' = f̂ where f̂ ≥ σ z_{1-β/k}, else 0; for finding top values.

    σ is the standard deviation of a value that nobody holds; with probability at least about 1-β no such value stays.
    """

    confidence: Confidence = 0.95

    slug: ClassVar[str] = "base-cut"
    title: ClassVar[str] = "Base-cut"
    formula: ClassVar[str] = r"f'_v=\hat f_v\,\mathbf 1\{\hat f_v\ge\sigma z_{1-\beta/k}\}"
    reference: ClassVar[str] = CONSISTENCY

    def threshold(self, randomizer: CategoryRandomizer, n: int) -> float:
        """σ z_{1-β/k}."""
        sigma = float(np.sqrt(randomizer.variance_of_shares(0.0, n)))
        return sigma * -float(scipy.special.ndtri((1 - self.confidence) / randomizer.k))

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        estimate = np.asarray(raw, dtype=np.float64)
        return np.where(estimate >= self.threshold(randomizer, n), estimate, 0.0)


@dataclass(frozen=True)
class SimplexProjection(PostProcessor):
    """The nearest point of the simplex: f' = argmin ‖f - f̂‖₂ over f ≥ 0, Σf = 1.

    It is norm-sub: the multiplier of Σf = 1 is the common shift, that of f ≥ 0 the clipping. Its squared error never
    exceeds the raw one, because the truth lies in the simplex and a projection onto a convex set only comes closer.
    """

    slug: ClassVar[str] = "projection"
    title: ClassVar[str] = "Projection on the simplex"
    formula: ClassVar[str] = r"f'=\arg\min_{f\ge0,\ \sum f=1}\lVert f-\hat f\rVert_2"
    reference: ClassVar[str] = "Duchi et al. (2008), Efficient projections onto the l1-ball for learning, ICML"

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        estimate = np.asarray(raw, dtype=np.float64)
        ordered = -np.sort(-estimate, axis=0)
        sizes = np.arange(1, len(estimate) + 1).reshape(-1, *[1] * (estimate.ndim - 1))
        shifts = (1 - np.cumsum(ordered, axis=0)) / sizes
        last = _last_true(ordered + shifts > 0)
        shift = np.take_along_axis(shifts, last[None], axis=0)[0]
        return np.asarray(np.maximum(estimate + shift, 0), dtype=np.float64)


@dataclass(frozen=True)
class MaximumLikelihood(PostProcessor):
    """The limit of EM, also called the iterative Bayesian update: f' = argmax over the simplex of the likelihood.

    Users are thought of as drawn from f. Where a report names one value the tally is multinomial and this is the
    likelihood itself, Σ C_v ln(q + (p-q)f_v). Elsewhere the tally has lost which values were supported together, and
    the product of its binomial margins stands in: Σ C_v ln x_v + (n - C_v) ln(1 - x_v), x_v = q + (p-q)f_v.
    Both are concave and separable, so that the limit is computed from one multiplier and no iteration of EM is run.
    """

    slug: ClassVar[str] = "em"
    title: ClassVar[str] = "Maximum likelihood (EM)"
    formula: ClassVar[str] = r"f'=\arg\max_{f\ge0,\ \sum f=1}\ \ell(f\mid C)"
    reference: ClassVar[str] = (
        "Agrawal, Aggarwal (2001), On the design and quantification of privacy preserving data mining algorithms, PODS"
    )

    def fits(self, randomizer: CategoryRandomizer) -> bool:
        return isinstance(randomizer, FrequencyOracle)

    @staticmethod
    def is_exact(randomizer: CategoryRandomizer) -> bool:
        """Whether the tally keeps the whole likelihood: exactly where a report names one value."""
        return isinstance(randomizer, DirectAnswer)

    def apply(self, raw: ArrayLike, randomizer: CategoryRandomizer, n: int) -> Reals:
        if not isinstance(randomizer, FrequencyOracle):
            raise ParameterError("likelihood_support", slug=randomizer.slug)
        estimate = np.asarray(raw, dtype=np.float64)
        support = np.clip(randomizer.q + randomizer.gap * estimate, 0, 1)
        if self.is_exact(randomizer):
            return _multinomial_limit(support, randomizer)
        columns = support.reshape(len(support), -1)
        return _binomial_limit(columns, randomizer).reshape(support.shape)


def _last_true(where: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The last row of each column that holds; the first row always does."""
    return np.asarray(len(where) - 1 - np.argmax(where[::-1], axis=0))


def _multinomial_limit(support: Reals, oracle: FrequencyOracle) -> Reals:
    """f_v = max(C_v/μ - q, 0)/(p-q): the stationary point, its multiplier found on the largest admissible set."""
    ordered = -np.sort(-support, axis=0)
    sizes = np.arange(1, len(support) + 1).reshape(-1, *[1] * (support.ndim - 1))
    multipliers = np.cumsum(ordered, axis=0) / (oracle.gap + sizes * oracle.q)
    last = _last_true(ordered > oracle.q * multipliers)
    chosen = np.take_along_axis(multipliers, last[None], axis=0)[0]
    return np.asarray(np.maximum(support / chosen - oracle.q, 0) / oracle.gap, dtype=np.float64)


def _binomial_limit(support: Reals, oracle: FrequencyOracle) -> Reals:
    """Solve c/x - (1-c)/(1-x) = μ for every value, and μ so that the shares sum to one: Newton kept in a bracket."""
    p, q, gap = oracle.p, oracle.q, oracle.gap
    tiny = np.finfo(float).tiny
    low, high = ((support / x - (1 - support) / max(1 - x, tiny)).max(axis=0) for x in (p, q))
    mu = np.zeros(support.shape[1])
    mu = np.where((mu > low) & (mu < high), mu, (low + high) / 2)
    for _ in range(100):
        x, root = _stationary(support, mu)
        inside = x > q
        excess = np.where(inside, x - q, 0.0).sum(axis=0) - gap
        if np.max(np.abs(excess)) <= 1e-13 * gap * len(support):
            break
        low, high = np.where(excess > 0, mu, low), np.where(excess > 0, high, mu)
        slope = np.where(inside, x * (1 - x) / root, 0.0).sum(axis=0)
        step = mu + np.divide(excess, slope, out=np.full_like(mu, np.inf), where=slope > 0)
        mu = np.where((step > low) & (step < high), step, (low + high) / 2)
    share = np.maximum(_stationary(support, mu)[0] - q, 0)
    return np.asarray(share / share.sum(axis=0), dtype=np.float64)


def _stationary(support: Reals, mu: Reals) -> tuple[Reals, Reals]:
    """The root x of μx² - (1+μ)x + c = 0 in [0, 1], and the root of its discriminant; nothing cancels."""
    root = np.sqrt(np.maximum((1 + mu) ** 2 - 4 * mu * support, 0)) + np.finfo(float).tiny
    small = np.divide(2 * support, 1 + mu + root, out=np.ones_like(support), where=1 + mu + root > 0)
    large = np.divide(1 + mu - root, 2 * mu, out=np.ones_like(support), where=np.broadcast_to(mu < -0.5, support.shape))
    return np.where(mu < -0.5, large, small), root


POSTPROCESSORS: tuple[PostProcessor, ...] = (
    Raw(),
    Clip(),
    ClipRenormalize(),
    Norm(),
    NormSub(),
    NormMul(),
    BaseCut(),
    SimplexProjection(),
    MaximumLikelihood(),
)


@dataclass(frozen=True)
class ErrorSplit:
    """The parts of an error, value by value: mean squared error = bias² + variance, over the same repetitions."""

    bias: Reals
    variance: Reals
    mean_squared_error: Reals
    repeats: int

    @classmethod
    def of(cls, estimates: Reals, truth: Reals) -> ErrorSplit:
        """The split of the errors of estimates (k, R) from the true shares (k,)."""
        mean = estimates.mean(axis=1)
        variance = ((estimates - mean[:, None]) ** 2).mean(axis=1)
        error = ((estimates - truth[:, None]) ** 2).mean(axis=1)
        return cls(mean - truth, variance, error, estimates.shape[1])

    def __add__(self, other: ErrorSplit) -> ErrorSplit:
        """The split of both sets of repetitions together: the difference between them joins the variance."""
        repeats = self.repeats + other.repeats
        mine, theirs = self.repeats / repeats, other.repeats / repeats
        between = mine * theirs * (self.bias - other.bias) ** 2
        return ErrorSplit(
            mine * self.bias + theirs * other.bias,
            mine * self.variance + theirs * other.variance + between,
            mine * self.mean_squared_error + theirs * other.mean_squared_error,
            repeats,
        )

    @property
    def bias_error(self) -> Reals:
        """The standard error of the measured bias."""
        return np.asarray(np.sqrt(self.variance / max(self.repeats - 1, 1)), dtype=np.float64)
