"""Divergences by quadrature against closed forms, against sums over fine cells, and where they are infinite."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.laws import divergences as d
from ldpcore.laws.channels import GaussianShift, LaplaceShift
from ldpcore.laws.densities import Densities
from ldpcore.parameters import ParameterError
from tests.rationing import shared

BY_SLUG = {each.slug: each for each in d.F_DIVERGENCES}


def cauchy(shift: float) -> object:
    return lambda z: -np.log(np.pi * (1 + (z - shift) ** 2))


@pytest.mark.parametrize("shift", shared([0.01, 0.5, 1.0, 3.0, 8.0], 2))
def test_normal_noise_has_its_closed_forms(shift: float) -> None:
    laws = Densities.normal(shift)
    closed = {
        "kl": shift**2 / 2,
        "tv": 2 * stats.norm.cdf(shift / 2) - 1,
        "h2": -2 * math.expm1(-(shift**2) / 8),
        "chi2": math.expm1(shift**2),
    }
    own = {
        "kl": laws.kullback_leibler(),
        "tv": laws.total_variation(),
        "h2": laws.squared_hellinger(),
        "chi2": laws.chi_square(),
    }
    assert laws.mass() == pytest.approx((1, 1), rel=1e-12)
    for slug, value in closed.items():
        assert own[slug] == pytest.approx(value, rel=1e-10), slug
        assert laws.divergence(BY_SLUG[slug]) == pytest.approx(value, rel=1e-9), slug
    for order in (0.5, 1.0, 2.0, 7.0):
        assert laws.renyi(order) == pytest.approx(order * shift**2 / 2, rel=1e-9)
    for gamma in (1.0, 1.3, 4.0):
        closed_form = GaussianShift(1.0, shift).delta(math.log(gamma))
        assert laws.hockey_stick(gamma) == pytest.approx(closed_form, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("shift", [0.01, 1.0, 5.0])
def test_laplace_noise_has_its_closed_forms(shift: float) -> None:
    laws = Densities.laplace(shift)
    assert laws.kullback_leibler() == pytest.approx(shift + math.expm1(-shift), rel=1e-10)
    assert laws.total_variation() == pytest.approx(-math.expm1(-shift / 2), rel=1e-12)
    assert laws.chi_square() == pytest.approx((2 * math.exp(shift) + math.exp(-2 * shift)) / 3 - 1, rel=1e-9)
    for gamma in (1.0, 1.3, 4.0):
        assert laws.hockey_stick(gamma) == pytest.approx(LaplaceShift(1.0, shift).delta(math.log(gamma)), abs=1e-12)


def test_quadrature_agrees_with_sums_over_a_hundred_thousand_cells() -> None:
    edges = np.linspace(-30, 30, 100_001)
    p, q = (np.diff(stats.norm.cdf(edges, *law)) for law in ((0.0, 1.3), (0.7, 1.5)))
    p, q = p / p.sum(), q / q.sum()
    laws = Densities.normal(0.7, 1.3, 1.5)
    assert laws.kullback_leibler() == pytest.approx(d.kullback_leibler(p, q), rel=1e-5)
    assert laws.total_variation() == pytest.approx(d.total_variation(p, q), rel=1e-5)
    assert laws.hockey_stick(1.1) == pytest.approx(d.hockey_stick(p, q, 1.1), rel=1e-5)
    assert laws.renyi(0.5) == pytest.approx(d.renyi(p, q, 0.5), rel=1e-5)


def test_infinity_comes_back_where_a_tail_is_too_heavy_or_a_support_too_small() -> None:
    wide = Densities.normal(0.0, 1.5, 1.0)  # p²/q rises without end; p ln(p/q) does not
    assert wide.chi_square() == wide.renyi(2.0) == wide.divergence(BY_SLUG["chi2"]) == math.inf
    assert wide.kullback_leibler() == pytest.approx(1.5**2 / 2 - 0.5 - math.log(1.5), rel=1e-9)
    assert wide.reversed().chi_square() < 1
    assert Densities.normal(0.0, 1.4, 1.0).chi_square() == pytest.approx(1 / (1.4 * math.sqrt(0.04)) - 1, rel=1e-9)
    heavy = Densities(cauchy(0.0), Densities.normal(0.0).first)  # type: ignore[arg-type]
    assert heavy.kullback_leibler() == heavy.divergence(BY_SLUG["kl"]) == math.inf
    assert heavy.divergence(BY_SLUG["tv"]) == pytest.approx(heavy.total_variation(), rel=1e-9)
    assert heavy.reversed().kullback_leibler() < 1
    both = Densities(cauchy(0.0), cauchy(1.0), (0.0, 1.0))  # type: ignore[arg-type]
    assert both.kullback_leibler() == pytest.approx(math.log(5 / 4), rel=1e-9)


def test_uniform_laws_lose_what_the_second_excludes() -> None:
    laws = Densities.uniform((0, 1), (0, 0.9))
    assert laws.kullback_leibler() == laws.chi_square() == laws.renyi(2.0) == math.inf
    assert laws.divergence(BY_SLUG["kl"]) == math.inf
    assert laws.total_variation() == pytest.approx(0.1, rel=1e-12)
    assert laws.divergence(BY_SLUG["tv"]) == pytest.approx(0.1, rel=1e-9)
    assert laws.squared_hellinger() == laws.divergence(BY_SLUG["h2"]) == pytest.approx(2 - 2 * math.sqrt(0.9), rel=1e-9)
    assert laws.reversed().kullback_leibler() == pytest.approx(-math.log(0.9), rel=1e-9)
    assert laws.reversed().chi_square() == pytest.approx(1 / 9 * 1.0, rel=1e-9)
    apart = Densities.uniform((0, 1), (2, 3))
    assert apart.total_variation() == pytest.approx(1) and apart.renyi(0.5) == math.inf


def test_what_is_no_order_no_factor_or_no_slope_is_refused() -> None:
    laws = Densities.uniform((0, 1), (0, 0.5))
    with pytest.raises(ParameterError):
        laws.hockey_stick(0.0)
    with pytest.raises(ParameterError):
        laws.renyi(0.0)
    with pytest.raises(ParameterError):
        laws.divergence(d.FDivergence("chi2", lambda t: (t - 1) ** 2))
    assert laws.hockey_stick(1.0) == pytest.approx(laws.total_variation(), rel=1e-12)
