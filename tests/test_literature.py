"""Slips of the literature that the pages name under *Why*: the right form and the wrong one, by another route."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import integrate

from explorer.text import languages, page_text
from ldpcore.laws import divergences
from ldpcore.laws.contraction import information_constant, pushed
from ldpcore.laws.divergences import kullback_leibler, total_variation
from ldpcore.limits.moduli import bounded_tv
from ldpcore.limits.problems import SmoothDensity
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.numerics import bumps

# What each page must say under *Why*, in all languages alike: formulas, and numbers with the point of formulas.
TOLD: dict[str, tuple[str, ...]] = {
    "means": ("1.462", "2.718", r"\frac{2e^\alpha/(e^\alpha+1)}{2/(e^\alpha+1)} = e^\alpha", r"e^{-\alpha|z-x|/2}"),
    "distinguish": (r"\sum_i \mathrm{TV}_i^2", "f(1) = 0", "f(0) = 0"),
    "protocols": ("N-3", r"|M-\theta(P)|", r"|M_{\theta(P)}|"),
    "limits": ("0.183", "9.515", r"b = \lceil\beta\rceil - 1", r"\lfloor\beta\rfloor", r"\mathrm E[X]\,\mathrm E[Y]"),
}


@pytest.mark.parametrize("page", TOLD)
@pytest.mark.parametrize("language", languages())
def test_the_right_form_and_the_wrong_one_stand_under_why(page: str, language: str) -> None:
    why = page_text(page, language)["why"].replace("{,}", ".")
    assert [form for form in TOLD[page] if form not in why] == []


# Means


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_the_chance_of_a_plus_moves_by_e_to_the_level_and_the_lost_denominator_makes_it_smaller(epsilon: float) -> None:
    z0 = (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)
    most, least = (1 + 1 / z0) / 2, (1 - 1 / z0) / 2
    kept = (2 * math.exp(epsilon) / (math.exp(epsilon) + 1)) / (2 / (math.exp(epsilon) + 1))
    assert most / least == pytest.approx(math.exp(epsilon)) == pytest.approx(kept)
    assert 2 * math.exp(epsilon) / (math.exp(epsilon) + 1) < math.exp(epsilon)


def test_the_printed_middle_term_has_the_printed_value() -> None:
    assert round(2 * math.e / (math.e + 1), 3) == 1.462
    assert round(math.e, 3) == 2.718


@pytest.mark.parametrize("epsilon", [0.5, 1.9, 2.1, 5.0])
def test_half_the_level_is_the_rate_of_local_noise_and_too_small_a_scale_below_two(epsilon: float) -> None:
    def density(z: float) -> float:
        return epsilon / 4 * math.exp(-epsilon * abs(z) / 2)

    assert 2 * integrate.quad(density, 0, math.inf)[0] == pytest.approx(1)
    assert 2 * integrate.quad(lambda z: z * density(z), 0, math.inf)[0] == pytest.approx(2 / epsilon)  # the scale
    assert 2 * integrate.quad(lambda z: z * z * density(z), 0, math.inf)[0] == pytest.approx(
        LocalLaplace(epsilon).noise_variance
    )
    loss = 2 / (epsilon / 2)  # from -1 to 1, over that scale
    assert (loss > epsilon) == (epsilon < 2)


# Telling apart


def kernels(epsilon: float, rng: np.random.Generator) -> np.ndarray:
    """A channel of three values and three reports that keeps a level."""
    weights = np.exp(rng.uniform(0, epsilon / 2, (3, 3)))  # normalizing adds as much again, at most
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("epsilon", [0.2, 0.7, 1.5])
def test_many_people_need_no_factor_of_two_alone_or_in_one_direction(epsilon: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    worlds = [(rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3))) for _ in range(2)]
    ways = [kernels(epsilon, rng) for _ in range(4)]
    silent = [(pushed(p, way), pushed(q, way)) for (p, q), way in zip(worlds, ways[:2], strict=True)]
    p, q = (np.outer(silent[0][world], silent[1][world]).ravel() for world in (0, 1))
    bound = information_constant(epsilon) * sum(total_variation(*pair) ** 2 for pair in worlds)
    assert kullback_leibler(p, q) + kullback_leibler(q, p) <= bound + 1e-12
    heard = [  # the second way to answer is chosen by what the first person sent
        np.concatenate([silent[0][world][report] * pushed(worlds[1][world], ways[1 + report]) for report in range(3)])
        for world in (0, 1)
    ]
    assert max(kullback_leibler(*heard), kullback_leibler(heard[1], heard[0])) <= bound + 1e-12


SHAPES: dict[str, Callable[[float], float]] = {
    "kullback_leibler": lambda t: t * math.log(t) if t else 0.0,
    "total_variation": lambda t: abs(t - 1) / 2,
    "chi_square": lambda t: (t - 1) ** 2,
    "squared_hellinger": lambda t: (math.sqrt(t) - 1) ** 2,
}


@pytest.mark.parametrize("name", SHAPES)
def test_each_divergence_is_the_mean_of_a_convex_function_that_is_zero_at_one(name: str) -> None:
    p, q = np.array([0.2, 0.5, 0.3]), np.array([0.4, 0.4, 0.2])
    shape = SHAPES[name]
    mean = sum(b * shape(a / b) for a, b in zip(p, q, strict=True))
    assert getattr(divergences, name)(p, q) == pytest.approx(mean, rel=1e-12)
    assert shape(1.0) == 0
    assert (shape(0.0) == 0) == (name == "kullback_leibler")
    grid = np.linspace(0.01, 4, 400)
    assert (np.diff([shape(float(t)) for t in grid], 2) >= -1e-12).all()


# Limits


def test_a_modulus_stops_rising_where_no_worlds_are_farther_apart() -> None:
    assert float(bounded_tv(2.0, 0.5)) == pytest.approx(1.0)
    assert float(bounded_tv(2.0, 1.0)) == float(bounded_tv(2.0, 5.0)) == 2.0


def test_a_product_moment_is_linear_in_the_law_and_a_covariance_is_not() -> None:
    places = np.array([[1.0, 1.0], [-1.0, -1.0]])  # everybody at one corner, or everybody at the other

    def moment(weights: np.ndarray) -> float:
        return float(weights @ places.prod(axis=1))

    def covariance(weights: np.ndarray) -> float:
        return moment(weights) - float(np.prod(weights @ places))

    one, other = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    mixed = (one + other) / 2
    assert moment(mixed) == (moment(one) + moment(other)) / 2 == 1
    assert covariance(one) == covariance(other) == 0
    assert covariance(mixed) == 1


@pytest.mark.parametrize("beta", [1.0, 2.0, 3.0])
def test_at_whole_smoothness_the_last_bounded_derivative_is_one_lower(beta: float) -> None:
    assert SmoothDensity(beta).smoothness == beta - 1
    assert SmoothDensity(beta + 0.5).smoothness == math.floor(beta + 0.5)


def test_the_width_of_the_first_world_upside_down_is_the_printed_one() -> None:
    u = np.linspace(-0.4999, 0.4999, 400_001)
    bump = np.exp(-1 / (1 - 4 * u**2))
    steepest = np.abs(np.gradient(np.gradient(bump, u), u)).max()
    right = 2 * steepest / (bump.sum() * (u[1] - u[0]))
    assert round(right ** (1 / 2.5), 3) == 9.515 == round(SmoothDensity(1.5, 0).spread, 3)
    assert round((4 / right) ** (1 / 2.5), 3) == 0.183  # two times the area over the steepest
    assert bumps.bump(0.0, 1) == bumps.bump(0.0, 3) == 0  # odd derivatives in the middle
