"""Laws of what one person holds that are hard for an estimator: a few atoms, or densities with known areas.

A world knows the value θ that is asked for, its density or its atoms, and the mean of a function, exactly: of atoms by
their sum, of densities by the areas under them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics import bumps
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.kernels import StepFunction
from ldpcore.numerics.quadrature import gauss_legendre

POINTS = 160  # of Gauss and Legendre between two edges

Function = Callable[[Reals], Reals]


class World(ABC):
    """A law P, named by its slug, with its value θ(P)."""

    slug: str
    theta: float
    atoms: ClassVar[bool] = False

    @abstractmethod
    def curve(self, x: ArrayLike) -> Reals:
        """The density; of atoms the weight of an atom at x, else 0."""

    @abstractmethod
    def below(self, x: ArrayLike) -> Reals:
        """P(X ≤ x), for a law without atoms also P(X < x)."""

    def mean_of_steps(self, steps: StepFunction) -> float:
        """E ψ(X) of a function that is constant between edges."""
        return float(np.dot(np.diff(self.below(np.array(steps.edges))), steps.heights))

    @abstractmethod
    def sample(self, n: int, rng: np.random.Generator) -> Reals:
        """The values that n people hold."""


@dataclass(frozen=True)
class Atoms(World):
    """Finitely many values with their weights."""

    slug: str
    theta: float
    places: tuple[float, ...]
    weights: tuple[float, ...]

    atoms: ClassVar[bool] = True

    def curve(self, x: ArrayLike) -> Reals:
        equal = np.asarray(x, dtype=np.float64)[..., None] == np.array(self.places)
        return np.asarray(equal @ np.array(self.weights), dtype=np.float64)

    def below(self, x: ArrayLike) -> Reals:
        passed = np.asarray(x, dtype=np.float64)[..., None] >= np.array(self.places)
        return np.asarray(passed @ np.array(self.weights), dtype=np.float64)

    def mean(self, function: Function) -> float:
        """Σ weight·function(place)."""
        return float(np.dot(self.weights, function(np.array(self.places))))

    def sample(self, n: int, rng: np.random.Generator) -> Reals:
        return np.asarray(rng.choice(np.array(self.places), n, p=np.array(self.weights)), dtype=np.float64)


class Density(World):
    """A law with a density; it is drawn by inverting a fine table of its distribution function."""

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """The ends of the density."""

    def sample(self, n: int, rng: np.random.Generator) -> Reals:
        places = np.linspace(*self.ends, 4001)
        return np.asarray(np.interp(rng.random(n), self.below(places), places), dtype=np.float64)


@dataclass(frozen=True)
class Flat(Density):
    """The uniform law on [0, θ]."""

    theta: float
    slug: str = "uniform"

    @property
    def ends(self) -> tuple[float, float]:
        return 0.0, self.theta

    def curve(self, x: ArrayLike) -> Reals:
        places = np.asarray(x, dtype=np.float64)
        return np.asarray(((places >= 0) & (places <= self.theta)) / self.theta, dtype=np.float64)

    def below(self, x: ArrayLike) -> Reals:
        return np.asarray(np.clip(np.asarray(x, dtype=np.float64) / self.theta, 0, 1))


@dataclass(frozen=True)
class Cusp(Density):
    """The density (a - C|x - x₀|^β)₊ for β ≤ 1: as peaked at x₀ as the class allows, with θ its height a."""

    beta: float
    bound: float
    x0: float
    slug: str = "cusp"

    @property
    def radius(self) -> float:
        """r with 2C·r^{β+1}·β/(β+1) = 1, the area."""
        return float(((self.beta + 1) / (2 * self.bound * self.beta)) ** (1 / (self.beta + 1)))

    @property
    def theta(self) -> float:  # type: ignore[override]
        """a = C r^β."""
        return float(self.bound * self.radius**self.beta)

    @property
    def ends(self) -> tuple[float, float]:
        return self.x0 - self.radius, self.x0 + self.radius

    def curve(self, x: ArrayLike) -> Reals:
        away = np.abs(np.asarray(x, dtype=np.float64) - self.x0)
        return np.maximum(self.theta - self.bound * away**self.beta, 0.0)

    def below(self, x: ArrayLike) -> Reals:
        shift = np.asarray(x, dtype=np.float64) - self.x0
        away = np.minimum(np.abs(shift), self.radius)
        area = away * (self.theta - self.bound * away**self.beta / (self.beta + 1))
        return np.asarray(0.5 + np.sign(shift) * area)


@dataclass(frozen=True)
class Arch(Density):
    """A cap a - c|x|^β that goes over into its mirror image at r, for 1 < β ≤ 2: as curved as the class allows.

    c β 2^{2-β} = C, the Hölder constant of its slope; a = 2cr^β and 4c·r^{β+1} = 1, the area. x₀ is its top, where
    θ = a (`steep` False), or the place of the largest slope, where θ = cβr^{β-1} (`steep` True; sharp for β = 2).
    """

    beta: float
    bound: float
    x0: float
    steep: bool = False
    slug: str = "arch"

    @property
    def factor(self) -> float:
        """c."""
        return float(self.bound / (self.beta * 2 ** (2 - self.beta)))

    @property
    def radius(self) -> float:
        """r, half of the width on either side of its top."""
        return float((1 / (4 * self.factor)) ** (1 / (self.beta + 1)))

    @property
    def top(self) -> float:
        """The place where the density is highest."""
        return self.x0 + self.radius if self.steep else self.x0

    @property
    def theta(self) -> float:  # type: ignore[override]
        """The slope at x₀, or the height."""
        if self.steep:
            return float(self.factor * self.beta * self.radius ** (self.beta - 1))
        return float(2 * self.factor * self.radius**self.beta)

    @property
    def ends(self) -> tuple[float, float]:
        return self.top - 2 * self.radius, self.top + 2 * self.radius

    def curve(self, x: ArrayLike) -> Reals:
        away = np.minimum(np.abs(np.asarray(x, dtype=np.float64) - self.top), 2 * self.radius)
        height = 2 * self.factor * self.radius**self.beta
        outer = self.factor * (2 * self.radius - away) ** self.beta
        return np.where(away <= self.radius, height - self.factor * away**self.beta, outer)

    def below(self, x: ArrayLike) -> Reals:
        shift = np.asarray(x, dtype=np.float64) - self.top
        away, power = np.minimum(np.abs(shift), 2 * self.radius), self.beta + 1
        inner = away * 2 * self.factor * self.radius**self.beta - self.factor * away**power / power
        outer = 0.5 - self.factor * (2 * self.radius - away) ** power / power
        return np.asarray(0.5 + np.sign(shift) * np.where(away <= self.radius, inner, outer))


@dataclass(frozen=True)
class Smooth(Density):
    """κ₀((x - x₀)/a)/(a‖κ₀‖₁), and on it, where `height` is not 0, a bump moved from x₀ to its left.

    p(x) = p₀(x) + height·(κ₀(y + u + 1) - κ₀(y + u)), y = (x - x₀)/h: what is taken at one place is put at another.
    """

    theta: float
    x0: float
    width: float
    height: float = 0.0
    h: float = 1.0
    shift: float = 0.0

    @property
    def slug(self) -> str:  # type: ignore[override]
        """The name: whether a bump was moved."""
        return "bump" if self.height else "smooth"

    @property
    def ends(self) -> tuple[float, float]:
        reach = self.width / 2
        left = min(-reach, -self.h * (self.shift + 1.5)) if self.height else -reach
        return self.x0 + left, self.x0 + reach

    def curve(self, x: ArrayLike) -> Reals:
        away = np.asarray(x, dtype=np.float64) - self.x0
        base = bumps.bump(away / self.width) / (self.width * bumps.whole())
        y = away / self.h + self.shift
        return np.asarray(base + self.height * (bumps.bump(y + 1) - bumps.bump(y)))

    def below(self, x: ArrayLike) -> Reals:
        away = np.asarray(x, dtype=np.float64) - self.x0
        y = away / self.h + self.shift
        moved = self.height * self.h * (bumps.area(-0.5, y + 1) - bumps.area(-0.5, y))
        return np.asarray(bumps.area(-0.5, away / self.width) / bumps.whole() + moved)


def total_variation(first: World, second: World) -> float:
    """½ ∫ |p₀ - p₁|: of atoms by their sum, of densities by quadrature where no closed form is at hand."""
    return math.fsum(_apart(first, second, lambda p, q: np.abs(p - q))) / 2


def likelier(first: World, second: World) -> float:
    """P₀(A) of the set A where p₀ > p₁: whether somebody is in A is the question that tells the two apart best."""
    return math.fsum(_apart(first, second, lambda p, q: np.where(p > q, p, 0.0)))


def squared_hellinger(first: World, second: World) -> float:
    """∫ (√p₀ - √p₁)²."""
    return math.fsum(_apart(first, second, _between_roots))


def _between_roots(p: Reals, q: Reals) -> Reals:
    """(√p - √q)² as ((p - q)/(√p + √q))², which keeps its digits where p and q hardly differ."""
    total = np.sqrt(p) + np.sqrt(q)
    roots: Reals = np.divide(p - q, total, out=np.zeros_like(total), where=total > 0)
    return roots**2


def _apart(first: World, second: World, gap: Callable[[Reals, Reals], Reals]) -> list[float]:
    if isinstance(first, Atoms) and isinstance(second, Atoms):
        places = np.array(sorted({*first.places, *second.places}))
        return [float(part) for part in gap(first.curve(places), second.curve(places))]
    assert isinstance(first, Density)
    assert isinstance(second, Density)
    edges = sorted({*_edges(first), *_edges(second)})
    parts, (nodes, weights) = [], gauss_legendre(POINTS)
    for start, end in pairwise(edges):
        x = (start + end) / 2 + (end - start) / 2 * nodes
        p, q = np.maximum(first.curve(x), 0), np.maximum(second.curve(x), 0)
        parts.append(float(gap(p, q) @ weights) * (end - start) / 2)
    return parts


def _edges(world: Density) -> list[float]:
    """Places between which a density is smooth, so that quadrature is right."""
    low, high = world.ends
    if isinstance(world, Smooth) and world.height:
        # The moved bumps and the place where they leave each other.
        return [low, *(world.x0 + world.h * (place - world.shift) for place in (-1.5, -1.0, -0.5, 0.0, 0.5)), high]
    return [low, (low + high) / 2, high]
