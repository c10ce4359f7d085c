"""The declaration of an estimation problem: a model, a functional, moduli, its worst worlds and its estimators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from numpy.typing import ArrayLike

from ldpcore.limits.constructive import EstimatorRecipe
from ldpcore.limits.worlds import World
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, Interval, ParameterError, Users, declaration

NEAR = Interval(r"\varepsilon", 0, 1, (1e-6, 1), open_low=True)


@dataclass(frozen=True)
class Exponents:
    """The squared error falls like n^(-exponent), privately at a bounded level and directly."""

    private: float
    direct: float


class Problem(Declared, ABC):
    """A set of laws, and a number θ(P) that is to be estimated from n people who each hold a draw of P.

    `exact_tv` says whether the modulus of total variation is known exactly or from below only. `convex` is the model,
    `linear` the functional; θ is bounded in all of them.
    """

    slug: ClassVar[str]
    convex: ClassVar[bool] = True
    linear: ClassVar[bool] = True
    exact_tv: ClassVar[bool] = True
    direct_slug: str

    @abstractmethod
    def tv(self, distance: ArrayLike) -> Reals:
        """The modulus of total variation, or a lower bound on it."""

    @abstractmethod
    def hellinger(self, distance: ArrayLike) -> Reals:
        """The modulus of Hellinger's distance, or a lower bound on it."""

    @property
    @abstractmethod
    def exponents(self) -> Exponents:
        """The exponents with which the squared error falls."""

    @property
    @abstractmethod
    def guess(self) -> float:
        """A bound on the squared error of the best constant, which needs no answers."""

    def recipe(self, epsilon: float, n: int) -> EstimatorRecipe:
        """The private estimator, tuned to the level and the number of people."""
        declaration(Epsilon).check("epsilon", epsilon)
        declaration(Users).check("n", n)
        return self.tuned(epsilon, n)

    @abstractmethod
    def tuned(self, epsilon: float, n: int) -> EstimatorRecipe:
        """The private estimator for a level and a number of people that were checked."""

    @abstractmethod
    def direct(self, n: int) -> float:
        """The largest squared error of the usual estimator without privacy, or bias² + variance that bounds it."""

    @abstractmethod
    def pair(self, distance: float) -> tuple[World, World]:
        """Two worlds within this total variation that differ by `tv(distance)` in the answer."""

    @property
    @abstractmethod
    def range(self) -> tuple[float, float]:
        """The interval of numbers over which two worst worlds are drawn, for all levels alike."""

    def near(self, distance: float) -> float:
        """The distance, refused unless it lies between 0 and 1."""
        NEAR.check("distance", distance)
        return distance


def needs_more(beta: float, order: int) -> None:
    """Refuse a derivative that the smoothness does not cover."""
    if beta <= order:
        raise ParameterError("beta_small", order=order, got=beta)
