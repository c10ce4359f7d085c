"""The height of a smooth density at a point, or one of its derivatives there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.limits.constructive import Bit, EstimatorRecipe, Window
from ldpcore.limits.problems.base import Exponents, Problem, needs_more
from ldpcore.limits.problems.heavy import MomentBound
from ldpcore.limits.worlds import Arch, Cusp, Smooth, World
from ldpcore.numerics import bumps
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.kernels import StepFunction, kernel
from ldpcore.numerics.quadrature import gauss_legendre
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Interval

Beta = Annotated[float, Interval(r"\beta", 0, 4, (0.5, 3), open_low=True)]
DerivativeOrder = Annotated[int, Interval("m", 0, 3, (0, 2), integer=True)]
EvaluationPoint = Annotated[float, Interval("x_0", -10, 10, (-3, 3))]
INTERPOLATED = 1e-4  # taken off, so that what is read between two entries of the table is a lower bound too
TABLE = (60, 180)  # narrow and wide widths of the bump for which Hellinger's distance is integrated
PANELS = 16  # parts of the bump, each integrated by itself: somewhere the density below it ends


@dataclass(frozen=True)
class SmoothDensity(Problem):
    """p^(m)(x₀) over the Hölder class H(β, C): |p^(b)(x) - p^(b)(y)| ≤ C|x - y|^{β-b}, b = ⌈β⌉ - 1, m < β.

    Privately the squared error falls like (n(e^ε-1)²)^{-(β-m)/(β+1)}, directly like n^{-2(β-m)/(2β+1)}. Its moduli are
    known from below: by a bump of width h that is moved from x₀ to its left.
    """

    beta: Beta = 1.0
    order: DerivativeOrder = 0
    bound: MomentBound = 1.0
    x0: EvaluationPoint = 0.0

    slug: ClassVar[str] = "density"
    exact_tv: ClassVar[bool] = False
    direct_slug = "kernel"

    def __post_init__(self) -> None:
        super().__post_init__()
        needs_more(self.beta, self.order)

    @property
    def smoothness(self) -> int:
        """b, the derivatives that every density of the class has."""
        return math.ceil(self.beta) - 1

    @property
    def exponents(self) -> Exponents:
        steps = self.beta - self.order
        return Exponents(steps / (self.beta + 1), 2 * steps / (2 * self.beta + 1))

    # The two worlds: p₀ = a₁κ₀((x - x₀)/a₂) in H(β, C/2), and p₀ with a bump (C/2)h^β a₀κ₀ moved.

    @property
    def spread(self) -> float:
        """a₂ = (2‖κ₀^(b+1)‖∞/(C‖κ₀‖₁))^{1/(β+1)}: then p₀ has the Hölder constant C/2, at most."""
        steepest = bumps.largest(self.smoothness + 1)[0]
        return float((2 * steepest / (self.bound * bumps.whole())) ** (1 / (self.beta + 1)))

    @property
    def part(self) -> float:
        """a₀ = 1/(2‖κ₀^(b+1)‖∞): κ = a₀κ₀ has the Hölder constant ½, at most."""
        return 1 / (2 * bumps.largest(self.smoothness + 1)[0])

    @property
    def slope(self) -> float:
        """|κ₀^(m)(u)| where it is largest; at 0 it vanishes for odd m, for κ₀ is even."""
        return bumps.largest(self.order)[0]

    @property
    def shift(self) -> float:
        """u ≥ 0, where |κ₀^(m)| is largest."""
        return bumps.largest(self.order)[1]

    @cached_property
    def widest(self) -> float:
        """The largest h for which the mass that the bump takes, up to h(u + ½) from x₀, is there."""
        height = 1 / (self.spread * bumps.whole())

        def left(log_h: float) -> float:
            h = math.exp(log_h)
            below = height * float(bumps.bump(h * (self.shift + 0.5) / self.spread))
            return float(below - self.raised(h) * float(bumps.bump(0.0)))

        top = math.log(0.5 * self.spread / (self.shift + 0.5))
        return math.exp(brent_root(left, top - 30, top)) * (1 - 1e-9)

    def raised(self, h: float) -> float:
        """(C/2)h^β a₀, what multiplies κ₀."""
        return float(self.bound / 2 * h**self.beta * self.part)

    def width_at(self, distance: ArrayLike) -> Reals:
        """The h at which the worlds are this far apart, TV = (C/2)h^{β+1} a₀‖κ₀‖₁; never wider than the widest."""
        area = self.bound / 2 * self.part * bumps.whole()
        return np.minimum((np.asarray(distance, dtype=np.float64) / area) ** (1 / (self.beta + 1)), self.widest)

    def difference(self, h: ArrayLike) -> Reals:
        """(C/2)h^{β-m} a₀|κ₀^(m)(u)|."""
        return np.asarray(
            self.bound / 2 * np.asarray(h) ** (self.beta - self.order) * self.part * self.slope, dtype=np.float64
        )

    def tv(self, distance: ArrayLike) -> Reals:
        return self.difference(self.width_at(distance))

    def hellinger(self, distance: ArrayLike) -> Reals:
        between, narrow = _hellinger_table(self)
        h = np.asarray(distance, dtype=np.float64)
        # The distance rises with the width by a smooth law, h^{β+½} for small ones, and the table is dense.
        logs = np.log(np.maximum(h, 1e-300))
        reached = between(np.clip(logs, *narrow.ends)) + np.minimum(logs - narrow.ends[0], 0) * narrow.slope
        return np.where(h > 0, self.difference(np.exp(reached - INTERPOLATED)), 0.0)

    def worlds(self, h: float) -> tuple[Smooth, Smooth]:
        """p₀ and p₁."""
        base = float(bumps.bump(0.0, self.order)) / (self.spread ** (self.order + 1) * bumps.whole())
        raised = self.raised(h)
        moved = raised * float(bumps.bump(self.shift, self.order)) / h**self.order
        return (
            Smooth(base, self.x0, self.spread),
            Smooth(base - moved, self.x0, self.spread, raised, h, self.shift),
        )

    def pair(self, distance: float) -> tuple[World, World]:
        return self.worlds(float(self.width_at(self.near(distance))))

    @property
    def range(self) -> tuple[float, float]:
        return self.x0 - 0.8 * self.spread, self.x0 + 0.6 * self.spread

    # Estimators: weights ψ on [-h, h] around x₀.

    @property
    def weights(self) -> StepFunction:
        """ψ with ∫ψ(u)u^j du = m! at j = m, 0 at all other j ≤ b."""
        return kernel(self.order, self.smoothness)

    def bias_at(self, h: float, weights: StepFunction | None = None, order: int | None = None) -> float:
        """C h^{β-m} Γ(β-b+1)/Γ(β+1) ∫|ψ||u|^β: the remainder of Taylor's formula, at most."""
        rest = math.gamma(self.beta - self.smoothness + 1) / math.gamma(self.beta + 1)
        reach = (weights or self.weights).reach(self.beta)
        return float(self.bound * h ** (self.beta - (self.order if order is None else order)) * rest * reach)

    def best(self, constant: float, power: float) -> float:
        """h with the least bias(h)² + constant·h^{-2·power}."""
        steps = self.beta - self.order
        return float((power * constant / (steps * self.bias_at(1.0) ** 2)) ** (1 / (2 * (steps + power))))

    def tuned(self, epsilon: float, n: int) -> EstimatorRecipe:
        amplitude = (self.weights.high - self.weights.low) / 2
        h = self.best(Bit(epsilon, amplitude).z0 ** 2 / n, self.order + 1)
        window = Window(self.weights.around(self.x0, h, self.order))
        return EstimatorRecipe(
            Bit(epsilon, amplitude / h ** (self.order + 1)),
            n,
            window,
            self.bias_at(h),
            self.rivals(h),
            h,
            shift=window.middle,
        )

    def rivals(self, h: float) -> tuple[World, ...]:
        """Worlds in which weights of this width err: as peaked as allowed where that is known, and moved bumps."""
        some: list[World] = []
        if self.beta <= 1:
            some.append(Cusp(self.beta, self.bound, self.x0))
        elif self.beta <= 2 and self.order == 0:
            some.append(Arch(self.beta, self.bound, self.x0))
        elif self.beta == 2 and self.order == 1:
            some.append(Arch(self.beta, self.bound, self.x0, steep=True))
        widths = sorted({min(factor * h, self.widest) for factor in (0.5, 1.0, 2.0, 4.0)})
        return *some, *(self.worlds(width)[1] for width in widths)

    @property
    def tallest(self) -> float:
        """The largest height of the class: sup ψ/h + bias(h) of the weights for the height, at the best h."""
        plain = kernel(0, self.smoothness)
        bias, beta = self.bias_at(1.0, plain, 0), self.beta
        h = (plain.high / (beta * bias)) ** (1 / (beta + 1))
        return float(plain.high / h + bias * h**beta)

    def direct(self, n: int) -> float:
        """bias² + sup p·∫ψ²·h^{-2m-1}/n of the kernel estimator, or by half its range, at the best h; or a constant."""
        # The variance of the weights is at most the mean of their square, and at most half of their range squared.
        square = self.tallest * self.weights.square / n
        half = ((self.weights.high - self.weights.low) / 2) ** 2 / n
        sums = []
        for constant, power in ((square, self.order + 0.5), (half, self.order + 1.0)):
            h = self.best(constant, power)
            sums.append(float(self.bias_at(h) ** 2 + constant * h ** (-2 * power)))
        return min(*sums, self.guess)

    @property
    def guess(self) -> float:
        """(sup p/2)² for the height; for a derivative the square of its largest value, bounded in the same way."""
        if self.order == 0:
            return (self.tallest / 2) ** 2
        high, steps = max(self.weights.high, -self.weights.low), self.beta - self.order
        h = ((self.order + 1) * high / (steps * self.bias_at(1.0))) ** (1 / (self.beta + 1))
        return float((high / h ** (self.order + 1) + self.bias_at(h)) ** 2)


@dataclass(frozen=True)
class _Narrow:
    """The logarithms of the distance between which the table stands, and its continuation below."""

    ends: tuple[float, float]
    slope: float


@lru_cache(maxsize=64)
def _hellinger_table(problem: SmoothDensity) -> tuple[Callable[[Reals], Reals], _Narrow]:
    """ln h at the logarithm of Hellinger's distance of the two worlds, from a hundred millionth of the widest on."""
    # Near the widest the bump reaches where there is hardly anything to take, and the distance bends.
    top = math.log(problem.widest)
    widths = np.concatenate([np.linspace(top - 18, top - 3, TABLE[0])[:-1], np.linspace(top - 3, top, TABLE[1])])
    h = np.exp(widths)[:, None]
    base, raised = problem.worlds(problem.widest)[0], problem.bound / 2 * h**problem.beta * problem.part
    squares = np.zeros(len(widths))
    nodes, weights = gauss_legendre(24)
    u = ((np.arange(PANELS)[:, None] + (nodes + 1) / 2) / PANELS - 0.5).ravel()
    weights = np.tile(weights, PANELS) / (2 * PANELS)
    for middle, sign in ((-1.0, 1.0), (0.0, -1.0)):
        # The difference is known by itself, not as one of two densities that hardly differ.
        before = base.curve(problem.x0 + h * (u + middle - problem.shift))
        moved = sign * raised * bumps.bump(u)
        total = np.sqrt(before) + np.sqrt(np.maximum(before + moved, 0))
        gaps = np.divide(moved, total, out=np.zeros_like(total), where=total > 0)
        squares += gaps**2 @ weights * h[:, 0]
    logs = np.log(squares) / 2
    ends = float(logs[0]), float(logs[-1])
    slope = float((widths[1] - widths[0]) / (logs[1] - logs[0]))
    return scipy.interpolate.PchipInterpolator(logs, widths), _Narrow(ends, slope)
