"""Divergences against independent routes: every event, every test, quadrature, products, and each other."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats

from ldpcore.laws import divergences as d
from ldpcore.laws.channels import Finite, Pair
from ldpcore.parameters import ParameterError

MASS = st.one_of(st.just(0.0), st.floats(1e-6, 1.0))


@st.composite
def pairs_of_laws(draw: st.DrawFn, largest: int = 6, positive: bool = False) -> tuple[np.ndarray, np.ndarray]:
    size = draw(st.integers(2, largest))
    mass = st.floats(1e-4, 1.0) if positive else MASS
    weights = [np.array(draw(st.lists(mass, min_size=size, max_size=size))) for _ in range(2)]
    for law in weights:
        law[0] += 1e-3 * (not law.any())
    return weights[0] / weights[0].sum(), weights[1] / weights[1].sum()


def events(size: int) -> np.ndarray:
    return np.array(list(itertools.product((0, 1), repeat=size)), dtype=float)


@given(pairs_of_laws(), st.floats(0, 4))
def test_hockey_stick_and_total_variation_are_the_best_of_all_events(laws: tuple, epsilon: float) -> None:
    p, q = laws
    every = events(len(p))
    gamma = math.exp(epsilon)
    assert math.isclose(d.hockey_stick(p, q, gamma), (every @ p - gamma * (every @ q)).max(), abs_tol=1e-12)
    assert math.isclose(d.total_variation(p, q), np.abs(every @ p - every @ q).max(), abs_tol=1e-12)
    assert math.isclose(d.hockey_stick(p, q, 1.0), d.total_variation(p, q), abs_tol=1e-12)


@given(pairs_of_laws())
def test_testing_affinity_is_the_best_of_all_tests_and_one_minus_total_variation(laws: tuple) -> None:
    p, q = laws
    every = events(len(p))
    assert math.isclose(d.testing_affinity(p, q), (every @ p + (1 - every) @ q).min(), abs_tol=1e-12)
    assert math.isclose(d.testing_affinity(p, q), 1 - d.total_variation(p, q), abs_tol=1e-12)


@given(pairs_of_laws())
def test_total_variation_is_the_positive_part_the_negative_part_and_half_the_absolute_difference(laws: tuple) -> None:
    p, q = laws
    up, down = np.maximum(p - q, 0).sum(), np.maximum(q - p, 0).sum()
    assert math.isclose(up, down, abs_tol=1e-12)
    assert math.isclose(d.total_variation(p, q), up, abs_tol=1e-12)


@given(pairs_of_laws())
def test_max_divergence_is_the_largest_log_ratio_of_all_events(laws: tuple) -> None:
    p, q = laws
    every = events(len(p))[1:]
    first, second = every @ p, every @ q
    if ((second == 0) & (first > 0)).any():
        assert d.max_divergence(p, q) == math.inf
    else:
        held = first > 0
        brute = np.log(first[held] / second[held]).max()
        assert math.isclose(d.max_divergence(p, q), max(brute, 0), rel_tol=1e-9, abs_tol=1e-12)


@given(pairs_of_laws())
def test_each_f_divergence_equals_its_own_formula_also_where_a_law_is_zero(laws: tuple) -> None:
    p, q = laws
    direct = {
        "kl": d.kullback_leibler(p, q),
        "tv": d.total_variation(p, q),
        "chi2": d.chi_square(p, q),
        "h2": d.squared_hellinger(p, q),
    }
    assert {generator.slug for generator in d.F_DIVERGENCES} == set(direct)
    for generator in d.F_DIVERGENCES:
        assert generator(p, p) == pytest.approx(0, abs=1e-15)
        assert math.isclose(generator(p, q), direct[generator.slug], rel_tol=1e-9, abs_tol=1e-9), generator.slug


@given(pairs_of_laws(), st.floats(1, 20))
def test_the_hockey_stick_is_the_f_divergence_of_a_bent_line(laws: tuple, gamma: float) -> None:
    bent = d.FDivergence("hockey-stick", lambda t: np.maximum(t - gamma, 0), 1.0)
    assert math.isclose(bent(*laws), d.hockey_stick(*laws, gamma), abs_tol=1e-12)


def test_an_f_divergence_without_its_slope_is_refused_only_where_the_slope_matters() -> None:
    bare = d.FDivergence("chi2", lambda t: (t - 1) ** 2)
    assert bare([0.5, 0.5], [0.25, 0.75]) == pytest.approx(0.25**2 / 0.25 + 0.25**2 / 0.75)
    with pytest.raises(ParameterError, match="slope of f at infinity must be given"):
        bare([0.5, 0.5], [0.0, 1.0])


def test_infinity_comes_back_exactly_where_the_second_law_excludes_what_the_first_allows() -> None:
    full, half = [0.5, 0.5], [1.0, 0.0]
    assert d.kullback_leibler(full, half) == d.chi_square(full, half) == d.max_divergence(full, half) == math.inf
    assert d.renyi(full, half, 2) == d.renyi(full, half, math.inf) == math.inf
    assert d.kullback_leibler(half, full) == pytest.approx(math.log(2))
    assert d.max_divergence(half, full) == pytest.approx(math.log(2))
    assert d.chi_square(half, full) == pytest.approx(1)
    assert d.renyi(full, half, 0.5) == pytest.approx(math.log(2))
    assert d.renyi([1, 0], [0, 1], 0.5) == math.inf
    assert d.hockey_stick(full, half, math.inf) == 0.5
    assert d.squared_hellinger([1, 0], [0, 1]) == 2
    assert d.hellinger_affinity([1, 0], [0, 1]) == d.testing_affinity([1, 0], [0, 1]) == 0
    assert d.total_variation([1, 0], [0, 1]) == 1


@given(pairs_of_laws())
def test_inequalities_between_the_divergences_hold(laws: tuple) -> None:
    p, q = laws
    tv, kl, hellinger = d.total_variation(p, q), d.kullback_leibler(p, q), math.sqrt(d.squared_hellinger(p, q))
    overlap, affinity = d.testing_affinity(p, q), d.hellinger_affinity(p, q)
    assert tv <= d.pinsker(kl) + 1e-9
    assert hellinger**2 / 2 - 1e-9 <= tv <= hellinger + 1e-9
    assert overlap - 1e-9 <= affinity <= math.sqrt(overlap * (2 - overlap)) + 1e-9
    assert hellinger <= math.sqrt(kl) + 1e-7
    assert kl <= math.log1p(d.chi_square(p, q)) + 1e-9
    assert kl <= d.max_divergence(p, q) + 1e-9
    assert math.isclose(hellinger**2, 2 * (1 - affinity), abs_tol=1e-9)


def test_pinsker_is_the_right_one_and_the_printed_one_fails_for_a_nearly_fair_coin() -> None:
    p, q = [0.5, 0.5], [0.51, 0.49]
    kl, tv = d.kullback_leibler(p, q), d.total_variation(p, q)
    assert tv == pytest.approx(0.01)
    assert d.pinsker(kl) == pytest.approx(0.010001, abs=5e-7) and tv <= d.pinsker(kl)
    assert kl / math.sqrt(2) == pytest.approx(0.00014145, abs=5e-9) and kl / math.sqrt(2) < tv
    assert d.pinsker(1e9) == 1 and d.pinsker(math.inf) == 1


@given(pairs_of_laws(largest=4), st.integers(2, 3))
def test_affinity_multiplies_and_divergence_adds_over_independent_repetitions(laws: tuple, times: int) -> None:
    p, q = laws
    products = [p, q]
    for _ in range(times - 1):
        products = [np.outer(product, law).ravel() for product, law in zip(products, laws, strict=True)]
    assert math.isclose(d.hellinger_affinity(*products), d.hellinger_affinity(p, q) ** times, abs_tol=1e-9)
    assert d.kullback_leibler(*products) == pytest.approx(times * d.kullback_leibler(p, q), rel=1e-9, abs=1e-9)
    assert d.renyi(*products, 2) == pytest.approx(times * d.renyi(p, q, 2), rel=1e-9, abs=1e-9)
    assert d.total_variation(*products) <= times * d.total_variation(p, q) + 1e-9


@given(pairs_of_laws(positive=True), st.integers(0, 2**32 - 1))
def test_no_channel_raises_a_divergence_and_a_private_one_contracts_as_proved(laws: tuple, seed: int) -> None:
    p, q = laws
    channel = np.random.default_rng(seed).dirichlet(np.ones(5), len(p))
    after = p @ channel, q @ channel
    shrink = math.tanh(Finite(channel).loss() / 2)
    assert d.total_variation(*after) <= shrink * d.total_variation(p, q) + 1e-12
    for divergence in (d.kullback_leibler, d.chi_square, d.squared_hellinger):
        assert divergence(*after) <= shrink**2 * divergence(p, q) * (1 + 1e-9) + 1e-12
    for gamma in (1.0, 1.5, 3.0):
        assert d.hockey_stick(*after, gamma) <= d.hockey_stick(p, q, gamma) + 1e-12


@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.0, 2.0])
def test_randomized_response_has_the_divergences_of_one_private_bit(alpha: float) -> None:
    e = math.exp(alpha)
    p, q = np.array([e, 1]) / (e + 1), np.array([1, e]) / (e + 1)
    assert d.total_variation(p, q) == pytest.approx(math.tanh(alpha / 2), rel=1e-12)
    assert d.kullback_leibler(p, q) == pytest.approx(alpha * math.tanh(alpha / 2), rel=1e-12)
    assert d.chi_square(p, q) == pytest.approx((e - 1) ** 2 / e, rel=1e-12)
    assert d.max_divergence(p, q) == pytest.approx(alpha, rel=1e-12)
    assert d.testing_affinity(p, q) == pytest.approx(2 / (1 + e), rel=1e-12)
    for order in (0.5, 1.5, 2.0, 10.0):
        formula = math.log((e**order + e ** (1 - order)) / (1 + e)) / (order - 1)
        assert d.renyi(p, q, order) == pytest.approx(formula, rel=1e-10)


@given(pairs_of_laws(), st.floats(0.05, 8), st.floats(0.05, 8))
def test_renyi_rises_with_its_order_from_kullback_leibler_at_one_to_the_max_divergence(
    laws: tuple, one: float, other: float
) -> None:
    low, high = sorted((one, other))
    assert d.renyi(*laws, low) <= d.renyi(*laws, high) * (1 + 1e-9) + 1e-9
    assert d.renyi(*laws, 8) <= d.max_divergence(*laws) + 1e-9
    kl = d.kullback_leibler(*laws)
    if math.isfinite(kl):
        assert d.renyi(*laws, 1 + 1e-7) == pytest.approx(kl, rel=1e-4, abs=1e-6)
    if math.isfinite(d.max_divergence(*laws)):
        assert d.renyi(*laws, 1e6) == pytest.approx(d.max_divergence(*laws), abs=2e-5)


def test_finely_binned_normals_approach_the_integrals_of_their_densities() -> None:
    edges = np.concatenate([[-np.inf], np.linspace(-9, 10, 6001), [np.inf]])
    p, q = (np.diff(stats.norm.cdf(edges, center)) for center in (0.0, 1.0))
    p, q = p / p.sum(), q / q.sum()

    def integral(f) -> float:
        return integrate.quad(lambda x: f(stats.norm.pdf(x), stats.norm.pdf(x, 1)), -9, 10, limit=200)[0]

    assert d.kullback_leibler(p, q) == pytest.approx(integral(lambda a, b: a * math.log(a / b)), abs=1e-5)
    assert d.kullback_leibler(p, q) == pytest.approx(0.5, abs=1e-5)
    assert d.squared_hellinger(p, q) == pytest.approx(
        integral(lambda a, b: (math.sqrt(a) - math.sqrt(b)) ** 2), abs=1e-5
    )
    assert d.total_variation(p, q) == pytest.approx(integral(lambda a, b: abs(a - b) / 2), abs=1e-5)
    assert d.hockey_stick(p, q, 2.0) == pytest.approx(integral(lambda a, b: max(a - 2 * b, 0)), abs=1e-5)
    assert d.renyi(p, q, 3) == pytest.approx(1.5, abs=1e-4)


@given(pairs_of_laws(), st.floats(0, 5))
def test_a_pair_of_report_laws_has_the_same_loss_and_delta(laws: tuple, epsilon: float) -> None:
    p, q = laws
    pair = Pair(p, q)
    assert pair.loss() == pytest.approx(max(d.max_divergence(p, q), d.max_divergence(q, p)), rel=1e-9, abs=1e-12)
    both = max(d.hockey_stick(p, q, math.exp(epsilon)), d.hockey_stick(q, p, math.exp(epsilon)))
    assert pair.delta(epsilon) == pytest.approx(both, abs=1e-12)


def test_nearly_equal_laws_keep_their_digits() -> None:
    h = 1e-7
    p, q = [0.5 + h, 0.5 - h], [0.5, 0.5]
    assert d.kullback_leibler(p, q) == pytest.approx(2 * h**2, rel=1e-2)
    assert d.renyi(p, q, 2) == pytest.approx(4 * h**2, rel=1e-2)


@pytest.mark.parametrize(
    ("p", "q", "sentence"),
    [
        ([0.5, 0.5], [1.0], "must list the same outcomes"),
        ([0.5, 0.6], [0.5, 0.5], "must sum to 1"),
        ([1.5, -0.5], [0.5, 0.5], "must be at least 0"),
        ([math.nan, 1.0], [0.5, 0.5], "must be at least 0"),
    ],
)
def test_what_is_no_law_is_refused_by_name(p: list, q: list, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        d.total_variation(p, q)


def test_gamma_below_one_and_orders_of_zero_are_refused() -> None:
    with pytest.raises(ParameterError, match="gamma must be at least 1"):
        d.hockey_stick([1.0], [1.0], 0.5)
    with pytest.raises(ParameterError, match="order must be greater than 0"):
        d.renyi([1.0], [1.0], 0.0)
