"""Mechanisms for one number, against the printed values of their papers, closed forms found another way, and time."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from ldpcore import broken
from ldpcore.laws.channels import GaussianShift
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.mechanisms.binary import AlphaBinary, CustomBit, DrawnFunction
from ldpcore.mechanisms.gaussiannoise import analytic_sigma
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.hybrid import THRESHOLD, HybridMechanism
from ldpcore.mechanisms.localgaussian import LocalGaussian
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from ldpcore.people.scales import PublicScale
from tests.cases import for_each
from tests.conformance import two_samples_agree
from tests.statistics import Counted, accept_counts, accept_variance

LEVELS = (0.1, 0.5, 1.0, 2.0, 4.0)
GRID = np.linspace(-1, 1, 41)


def mass(density: object, low: float, high: float, *inner: float) -> float:
    """An integral, piece by piece."""
    ends = sorted({low, high, *(point for point in inner if low < point < high)})
    return sum(integrate.quad(density, a, b, epsabs=1e-13, epsrel=1e-12)[0] for a, b in itertools.pairwise(ends))


# --- one bit ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "z0"), [(0.1, 20.0167), (1.0, 2.163953), (math.log(3), 2.0), (2.0, 1.313035)])
def test_what_a_bit_counts(epsilon: float, z0: float) -> None:
    e = math.exp(epsilon)
    assert OneBit(epsilon).z0 == pytest.approx(z0, rel=3e-6)
    assert OneBit(epsilon).z0 == pytest.approx((e + 1) / (e - 1), rel=1e-14)


def test_the_chance_of_a_plus_and_the_ratio_of_two_ends() -> None:
    bit = OneBit(1.0)
    assert float(bit.chances(0.5)) == pytest.approx(0.615529, abs=5e-7)
    # The ratio is e^α itself; without its denominator the printed middle term, 2e/(e + 1), would be 1.462.
    t = 1 / bit.z0
    assert (1 + t) / (1 - t) == pytest.approx(math.e, rel=1e-14)
    assert 2 * math.e / (math.e + 1) == pytest.approx(1.462, abs=5e-4)
    up, down = (float(bit.chances(1.0, sign)) for sign in (1, -1))
    assert up / float(bit.chances(-1.0)) == pytest.approx(math.e, rel=1e-14) and up + down == pytest.approx(1)


@pytest.mark.parametrize(
    ("epsilon", "worst"), [(0.1, 400.667), (0.5, 16.671), (1.0, 4.683), (2.0, 1.724), (4.0, 1.076)]
)
def test_the_worst_variance_of_a_bit(epsilon: float, worst: float) -> None:
    assert OneBit(epsilon).worst_variance() == pytest.approx(worst, abs=6e-4)
    bit = OneBit(epsilon)
    for x in GRID:  # E[Z²] - E[Z]² of two points, ±z₀
        up = float(bit.chances(x))
        assert bit.z0**2 * (1 - (2 * up - 1) ** 2) == pytest.approx(float(bit.variance_at(x)), rel=1e-9)
        assert bit.z0 * (2 * up - 1) == pytest.approx(x, abs=1e-12)


@pytest.mark.parametrize("epsilon", [1e-6, 30.0, 50.0])
def test_a_bit_keeps_its_digits_at_both_ends(epsilon: float) -> None:
    bit = OneBit(epsilon)
    assert bit.guarantee().epsilon == pytest.approx(epsilon, rel=1e-9)
    assert float(bit.chances(-1.0)) == pytest.approx(1 / (1 + math.exp(epsilon)), rel=1e-9)
    assert float(bit.variance_at(1.0)) == pytest.approx(1 / math.sinh(epsilon / 2) ** 2, rel=1e-9)


def test_a_function_that_is_multiplied_keeps_its_channel() -> None:
    xs, ys = (-1.0, -0.2, 0.4, 1.0), (-0.3, 0.8, -1.0, 0.5)
    one, more = (CustomBit(1.3, DrawnFunction(xs, tuple(factor * y for y in ys))) for factor in (1.0, 7.0))
    for x in GRID:
        assert np.allclose(one.chances(x), more.chances(x), rtol=1e-14)
        assert 7 * float(one.target(x)) == pytest.approx(float(more.target(x)), rel=1e-14)
        assert one.z0 * (2 * float(one.chances(x)) - 1) == pytest.approx(float(one.target(x)), abs=1e-13)
    assert more.z0 == pytest.approx(7 * one.z0) and more.worst_variance() == pytest.approx(49 * one.worst_variance())
    assert one.worst_variance() == pytest.approx(one.z0**2)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_the_identity_is_the_usual_bit_and_a_drawn_identity_too(epsilon: float) -> None:
    drawn = CustomBit(epsilon, DrawnFunction((-1.0, 1.0), (-1.0, 1.0)))
    for other in (AlphaBinary(epsilon, "identity"), drawn):
        assert np.allclose(other.chances(GRID), OneBit(epsilon).chances(GRID), rtol=1e-13)
        assert other.guarantee().epsilon == pytest.approx(epsilon, rel=1e-12)


@pytest.mark.parametrize("function", ["identity", "square", "cube", "absolute", "positive"])
def test_two_values_are_told_apart_by_the_distance_of_their_functions(function: str) -> None:
    for epsilon, x, y in itertools.product(LEVELS, (-1.0, 0.2, 1.0), (-0.5, 0.0, 0.9)):
        bit = AlphaBinary(epsilon, function)
        expected = abs(float(bit.target(x) - bit.target(y))) / (2 * bit.z0)
        assert bit.compare(x, y).delta(0.0) == pytest.approx(expected, abs=1e-14)


def test_a_function_that_reaches_one_end_only_keeps_a_stricter_level() -> None:
    for epsilon in LEVELS:
        expected = math.log((math.exp(epsilon) + 1) / 2)  # ½ against 1/(e + 1)
        assert AlphaBinary(epsilon, "square").guarantee().epsilon == pytest.approx(expected, rel=1e-12)


def test_what_cannot_be_a_function_is_refused() -> None:
    for xs, ys in (
        ((0.0,), ()),
        ((1.0, 0.0), (1.0, 1.0)),
        ((0.0, 2.0), (1.0, 1.0)),
        ((0.0,), (0.0,)),
        ((0.0,), (math.inf,)),
        ((), ()),
    ):
        with pytest.raises(ParameterError, match=r"xs|ys"):
            DrawnFunction(xs, ys)


# --- noise -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "variance"), [(0.1, 800), (0.5, 32), (1.0, 8), (2.0, 2), (4.0, 0.5)])
def test_local_laplace_noise_has_scale_two_over_the_level_and_not_a_half_of_it(epsilon: float, variance: float) -> None:
    noise = LocalLaplace(epsilon)
    assert noise.worst_variance() == pytest.approx(variance)
    assert noise.noise.scale == 2 / epsilon
    for z, x in itertools.product((-3.0, 0.1, 2.0), (-1.0, 0.5)):
        density = epsilon / 4 * math.exp(-epsilon / 2 * abs(z - x))
        assert noise.log_density(z, x) == pytest.approx(math.log(density))


def test_noise_on_a_number_nobody_clipped_has_no_level_but_clipping_restores_it() -> None:
    assert broken.UnclippedLocalLaplace(1.0).guarantee().epsilon == math.inf
    for x in (1.0, 2.0, 2.1, 10.0):
        ratio = 0.5 / (0.5 * math.exp(-x / 2))  # P(z ≤ 0 | 0) / P(z ≤ 0 | x), unclipped
        assert (ratio > math.e * (1 + 1e-12)) == (x > 2)
        clipped = float(LocalLaplace(1.0).cdf(0.0, 0.0) / LocalLaplace(1.0).cdf(0.0, x))
        assert clipped == pytest.approx(math.exp(0.5)) and clipped < math.e
    assert LocalLaplace(1.0).compare(1e9, -1e9).loss() == pytest.approx(1)


def normal_delta(sigma: float, epsilon: float) -> float:
    """E_γ of two normal laws 2 apart by the integral of a positive function, in the logarithm of what is small."""
    start = epsilon * sigma**2 / 2  # where the ratio is e^ε; beyond, P - e^ε Q = P (1 - e^(ε - 2z/σ²))

    def gain(z: float) -> float:
        return math.exp(-((z - 1) ** 2) / (2 * sigma**2)) * -math.expm1(epsilon - 2 * z / sigma**2)

    ends = [start + step * sigma for step in (0, 0.25, 0.5, 1, 2, 4, 8, 16)] + [
        1 + step * sigma for step in (-2, 0, 2, 8)
    ]
    inner = sorted(end for end in ends if end >= start)
    total = sum(integrate.quad(gain, a, b, epsabs=0, epsrel=1e-12)[0] for a, b in itertools.pairwise(inner) if b > a)
    return total / (sigma * math.sqrt(2 * math.pi))


@for_each("epsilon", [0.1, 0.5, 1.0, 2.0, 5.0, 10.0])
@for_each("delta", [1e-12, 1e-9, 1e-5, 1e-2, 0.3])
def test_the_analytic_sigma_undoes_the_delta_of_normal_noise(epsilon: float, delta: float) -> None:
    sigma = 2 * analytic_sigma(epsilon, delta)  # for numbers that lie 2 apart
    assert GaussianShift(sigma, 2.0).delta(epsilon) == pytest.approx(delta, rel=1e-9)
    assert GaussianShift(sigma, 2.0).delta(epsilon) <= delta
    assert normal_delta(sigma, epsilon) == pytest.approx(delta, rel=1e-8)
    mechanism = LocalGaussian(epsilon, delta, "analytic")
    assert mechanism.guarantee().epsilon == pytest.approx(epsilon, rel=1e-9)
    assert GaussianShift(sigma * (1 - 1e-6), 2.0).delta(epsilon) > delta, "no smaller σ will do"


def test_the_printed_sigma_and_the_formula_of_its_delta() -> None:
    assert LocalGaussian(1.0, 1e-5, "analytic").sigma == pytest.approx(7.46126, abs=5e-6)
    s = 7.46126
    formula = stats.norm.cdf(1 / s - s / 2) - math.e * stats.norm.cdf(-1 / s - s / 2)
    assert GaussianShift(s, 2.0).delta(1.0) == pytest.approx(formula, rel=1e-9)


@pytest.mark.parametrize("delta", [1e-9, 1e-5, 1e-2])
def test_the_classical_sigma_is_larger_and_ends_at_level_one(delta: float) -> None:
    for epsilon in (0.1, 0.5, 1.0):
        classical = LocalGaussian(epsilon, delta, "classical")
        assert classical.sigma == pytest.approx(2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon)
        assert classical.sigma > LocalGaussian(epsilon, delta, "analytic").sigma
        assert classical.guarantee().delta <= delta * (1 + 1e-9) and classical.guarantee().epsilon < epsilon
    with pytest.raises(ParameterError, match=r"epsilon must be at most 1 for the classical σ; got 1\.5"):
        LocalGaussian(1.5, delta, "classical")


def test_the_classical_formula_breaks_its_promise_far_beyond_its_range() -> None:
    for epsilon, delta in ((10.0, 0.1), (30.0, 1e-5)):
        sigma = 2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
        assert GaussianShift(sigma, 2.0).delta(epsilon) > 1.5 * delta


@pytest.mark.parametrize("sigma_of", [0.5, 5.0, 500.0])
def test_no_sigma_makes_normal_noise_pure(sigma_of: float) -> None:
    delta = GaussianShift(sigma_of, 2.0).delta(1.0)
    assert GaussianShift(sigma_of, 2.0).loss() == math.inf
    if 0 < delta < 1:
        mechanism = LocalGaussian(1.0, max(delta, 1e-300), "analytic")
        for level in (1.0, 10.0, 500.0):
            z = mechanism.report_betraying(level)
            loss = mechanism.log_density(z, 1.0) - mechanism.log_density(z, -1.0)
            assert loss == pytest.approx(level, rel=1e-6)


@pytest.mark.parametrize("delta", [0.0, 1.0, -1e-9, 2.0, math.nan])
def test_no_chance_of_failure_and_a_sure_one_are_refused(delta: float) -> None:
    with pytest.raises(ParameterError, match="delta must be greater than 0 and less than 1"):
        LocalGaussian(1.0, delta, "analytic")


@pytest.mark.parametrize(("epsilon", "steps"), [(0.1, 1), (1.0, 2), (1.0, 100), (4.0, 7)])
def test_geometric_noise_sums_to_one_and_has_its_variance(epsilon: float, steps: int) -> None:
    mechanism, rate = LocalGeometric(epsilon, steps), epsilon / steps
    j = np.arange(-int(60 / rate), int(60 / rate) + 1)
    law = np.exp(mechanism.noise.logs(j))
    q = math.exp(-rate)
    assert law.sum() == pytest.approx(1, rel=1e-12)
    assert (law * j**2).sum() == pytest.approx(2 * q / (1 - q) ** 2, rel=1e-10)
    assert float(mechanism.variance_at(-1.0)) == pytest.approx((2 / steps) ** 2 * 2 * q / (1 - q) ** 2, rel=1e-10)
    assert float(mechanism.variance_at(-1.0)) < 8 / epsilon**2
    assert mechanism.guarantee().epsilon == pytest.approx(epsilon, rel=1e-12)


def test_geometric_noise_on_many_steps_is_laplace_noise_and_its_reports_are_whole() -> None:
    assert float(LocalGeometric(1.0, 10_000).variance_at(0.0)) == pytest.approx(8, rel=1e-6)
    reports = LocalGeometric(1.0, 10).privatize(np.array([-1.0, 0.2, 0.23, 1.0]), np.random.default_rng(1))
    assert reports.dtype.kind == "i"


def test_whole_numbers_of_a_public_range_are_sent_as_whole_numbers() -> None:
    scale, mechanism = PublicScale(18, 65), LocalGeometric.between(1.0, 18, 65)
    ages = np.array([18, 40, 65])
    assert mechanism.steps == 47 and mechanism.place(scale.inward(ages))[0].tolist() == [0, 22, 47]
    assert not mechanism.place(scale.inward(ages))[1].any()
    reports = mechanism.privatize(scale.inward(ages), np.random.default_rng(1))
    assert scale.outward(mechanism.decoded(reports)) == pytest.approx(18 + reports)
    for low, high in ((0.5, 2), (0, math.inf), (3, 3)):
        with pytest.raises(ParameterError):
            LocalGeometric.between(1.0, low, high)


def test_a_number_between_two_whole_ones_is_rounded_without_bias() -> None:
    mechanism = LocalGeometric(50.0, 1)
    low, chance = mechanism.place(0.4)
    assert (int(low), float(chance)) == (0, pytest.approx(0.7))
    for whole in (-1.0, 1 / 3 - 1 / 3, 1.0):
        assert float(LocalGeometric(1.0, 6).place(whole)[1]) == 0


# --- piecewise and hybrid --------------------------------------------------------------------------------------------


def test_the_printed_values_at_level_one() -> None:
    piecewise = PiecewiseMechanism(1.0)
    assert piecewise.reach == pytest.approx(4.082988, abs=5e-7)
    assert piecewise.worst_variance() == pytest.approx(5.2236, abs=5e-5)
    assert float(piecewise.variance_at(0.0)) == pytest.approx(3.6821, abs=5e-5)
    assert HybridMechanism(1.0).worst_variance() == pytest.approx(4.2890, abs=5e-5)
    assert OneBit(1.0).worst_variance() == pytest.approx(4.6827, abs=5e-5)
    assert LocalLaplace(1.0).worst_variance() == pytest.approx(8)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_the_piecewise_density_is_the_papers(epsilon: float) -> None:
    s = math.exp(epsilon / 2)
    big = (s + 1) / (s - 1)
    for x in (-1.0, -0.3, 0.0, 0.8, 1.0):
        low = (big + 1) / 2 * x - (big - 1) / 2
        high = low + big - 1
        mechanism = PiecewiseMechanism(epsilon)
        assert mechanism.piece(x) == pytest.approx((low, high), abs=1e-12)
        inside, outside = s / (s + 1) / (big - 1), 1 / (s + 1) / (big + 1)
        assert mechanism.log_density((low + high) / 2, x) == pytest.approx(math.log(inside), abs=1e-12)
        for z in (1e-9 - big, big - 1e-9, low - 1e-6, high + 1e-6):
            if abs(z) <= big and not low - 1e-9 <= z <= high + 1e-9:
                assert mechanism.log_density(z, x) == pytest.approx(math.log(outside), abs=1e-12)
        near = mass(lambda z: math.exp(mechanism.log_density(z, x)), low + 1e-12, high - 1e-12)  # noqa: B023
        assert near == pytest.approx(s / (s + 1), rel=1e-9)
        variance = x**2 / (s - 1) + (s + 3) / (3 * (s - 1) ** 2)
        assert float(mechanism.variance_at(x)) == pytest.approx(variance, rel=1e-12)
    assert PiecewiseMechanism(epsilon).worst_variance() == pytest.approx(4 * s / (3 * (s - 1) ** 2), rel=1e-12)


def test_the_pull_is_not_the_probability_of_the_piece() -> None:
    mechanism = PiecewiseMechanism(1.0)
    s = math.exp(0.5)
    assert mechanism.pull == pytest.approx(1 - 1 / s) and mechanism.pull < s / (s + 1)
    inside = mechanism.pull + (1 - mechanism.pull) * mechanism.width / (2 * mechanism.reach)
    assert inside == pytest.approx(s / (s + 1), rel=1e-12)


def test_the_threshold_of_the_hybrid_is_where_its_best_weight_leaves_zero() -> None:
    assert pytest.approx(0.6093525, abs=5e-8) == THRESHOLD

    def worst(weight: float, epsilon: float) -> float:
        variances = weight * PiecewiseMechanism(epsilon).variance_at(GRID) + (1 - weight) * OneBit(epsilon).variance_at(
            GRID
        )
        return float(variances.max())

    for epsilon in (0.3, 0.6, 0.62, 1.0, 3.0):
        best = optimize.minimize_scalar(
            lambda weight, epsilon=epsilon: worst(weight, epsilon),
            bounds=(0, 1),
            method="bounded",
            options={"xatol": 1e-10},
        )
        found = min(best.fun, worst(0.0, epsilon))
        assert HybridMechanism(epsilon).worst_variance() == pytest.approx(found, rel=1e-6)
    assert worst(1e-4, THRESHOLD * 1.001) < worst(0.0, THRESHOLD * 1.001)
    assert worst(1e-4, THRESHOLD * 0.999) > worst(0.0, THRESHOLD * 0.999)


@pytest.mark.parametrize("epsilon", [0.61, 0.7, 1.0, 2.5, 10.0, 50.0])
def test_the_hybrids_variance_is_the_same_for_everybody_above_its_threshold(epsilon: float) -> None:
    hybrid = HybridMechanism(epsilon)
    mixed = hybrid.weight * PiecewiseMechanism(epsilon).variance_at(GRID) + math.exp(-epsilon / 2) * OneBit(
        epsilon
    ).variance_at(GRID)
    assert np.ptp(mixed) <= 1e-12 * mixed.max() and np.allclose(hybrid.variance_at(GRID), mixed, rtol=1e-12)
    assert hybrid.worst_variance() < PiecewiseMechanism(epsilon).worst_variance()
    assert hybrid.worst_variance() < OneBit(epsilon).worst_variance()


def test_the_hybrid_is_one_bit_below_its_threshold() -> None:
    hybrid, bit = HybridMechanism(0.6), OneBit(0.6)
    assert hybrid.weight == 0 and hybrid.support() is None
    assert np.allclose(hybrid.variance_at(GRID), bit.variance_at(GRID))
    reports = hybrid.privatize(np.zeros(1000), np.random.default_rng(1))
    assert set(np.abs(reports)) == {bit.z0}


# --- all of them -----------------------------------------------------------------------------------------------------

MEMBERS = of_kind(NumberRandomizer)
USUAL = [
    LocalLaplace(1.0),
    OneBit(1.0),
    AlphaBinary(1.0, "square"),
    PiecewiseMechanism(1.0),
    HybridMechanism(1.0),
    HybridMechanism(0.5),
    LocalGaussian(1.0, 1e-5, "analytic"),
    LocalGeometric(1.0, 10),
    SquareWave(1.0),
]
NAMED = {"ids": lambda given: f"{given.slug}:{given.epsilon:g}" if isinstance(given, NumberRandomizer) else None}


def test_every_registered_mechanism_is_here() -> None:
    assert {type(mechanism) for mechanism in USUAL} == set(MEMBERS) and len(MEMBERS) == 8


@given(epsilon=st.floats(1e-6, 50), x=st.floats(-1, 1), y=st.floats(-1, 1))
@settings(max_examples=60, deadline=None)
def test_no_report_betrays_more_than_the_level_whatever_the_numbers(epsilon: float, x: float, y: float) -> None:
    for mechanism in (LocalLaplace(epsilon), OneBit(epsilon), PiecewiseMechanism(epsilon), HybridMechanism(epsilon)):
        assert mechanism.compare(x, y).loss() <= epsilon * (1 + 1e-9)
        low = mechanism.support() or (-1.0, 1.0)
        for z in np.linspace(max(low[0], -20), min(low[1], 20), 23):
            one, other = mechanism.log_density(float(z), x), mechanism.log_density(float(z), y)
            if max(one, other) > -math.inf:
                assert abs(one - other) <= epsilon * (1 + 1e-9)


@pytest.mark.parametrize("mechanism", USUAL, **NAMED)
def test_numbers_beyond_the_ends_are_treated_as_the_ends(mechanism: NumberRandomizer) -> None:
    for beyond, end in ((7.0, 1.0), (-1e300, -1.0), (math.inf, 1.0)):
        assert np.array_equal(
            mechanism.privatize(np.full(50, beyond), np.random.default_rng(3)),
            mechanism.privatize(np.full(50, end), np.random.default_rng(3)),
        )
        assert float(mechanism.variance_at(beyond)) == float(mechanism.variance_at(end))
        wide, inner = (Population(np.array([x, 0.1]), np.array([5, 5])) for x in (beyond, end))
        assert float(mechanism.truth(wide)) == float(mechanism.truth(inner))


def exact_sum_law(mechanism: NumberRandomizer, population: Population, reach: int) -> tuple[np.ndarray, np.ndarray]:
    """The law of an integer tally by convolving everybody's own law."""
    law, start = np.ones(1), 0
    for value in np.repeat(population.values, population.counts):
        if isinstance(mechanism, LocalGeometric):
            spots = np.arange(-reach, reach + 1)
            own = np.exp([mechanism.log_density(int(z), value) for z in spots])
            start -= reach
        else:
            own = mechanism.compare(value, value).first
        law = np.convolve(law, own)
    return np.arange(start, start + len(law)), law


@pytest.mark.parametrize(
    "mechanism",
    [
        OneBit(1.0),
        AlphaBinary(2.0, "square"),
        AlphaBinary(0.5, "positive"),
        LocalGeometric(2.0, 3),
        LocalGeometric(1.0, 1),
    ],
    **NAMED,
)
def test_integer_tallies_have_the_convolved_law_and_those_of_another_level_have_not(
    mechanism: NumberRandomizer,
) -> None:
    """40 000 tallies of six people, 2 000 of their own reports (exact binomial tails of every cell, rate 1e-10)."""
    population = Population(np.array([-1.0, 0.2, 1.0]), np.array([2, 1, 3]))
    values, law = exact_sum_law(mechanism, population, 60)
    rng = np.random.default_rng(5)
    drawn = mechanism.sample_tally(population, rng, 40_000).counts
    route = [int(mechanism.tally(mechanism.privatize(next(population.users()), rng)).counts) for _ in range(2000)]
    for sample in (drawn, np.array(route)):
        observed = np.bincount(sample - values[0], minlength=len(law) + 1)[: len(law) + 1]
        assert accept_counts(observed, np.append(law, 0.0))
    # The control: noise of a level that is a fifth too high.
    wrong = replace(mechanism, epsilon=1.2 * mechanism.epsilon).sample_tally(population, rng, 40_000).counts
    observed = np.bincount(np.clip(wrong - values[0], 0, len(law)), minlength=len(law) + 1)
    assert not accept_counts(observed, np.append(law, 0.0))


@pytest.mark.parametrize(
    "mechanism", [LocalLaplace(1.0), PiecewiseMechanism(1.0), PiecewiseMechanism(4.0), HybridMechanism(1.0)], **NAMED
)
def test_continuous_tallies_agree_with_people_one_by_one_and_a_normal_number_does_not(
    mechanism: NumberRandomizer,
) -> None:
    """30 000 tallies of two people: both routes within bands of one law, and the stated variance (rate 1e-10 each)."""
    rng = np.random.default_rng(8)
    population = Population.of_numbers([-0.4, 0.9])
    drawn = mechanism.sample_tally(population, rng, 30_000).counts
    reports = mechanism.privatize(np.tile([-0.4, 0.9], 30_000), rng).reshape(-1, 2).sum(axis=1)
    assert two_samples_agree(np.round(drawn, 9), np.round(reports, 9))
    alone = mechanism.sample_tally(Population.of_numbers([0.9]), rng, 30_000).counts
    assert not two_samples_agree(rng.normal(0.9, alone.std(), 30_000), alone), "one report is far from normal"
    many = Population.of_numbers(np.linspace(-1, 1, 250))
    totals = mechanism.sample_tally(many, rng, 4000)
    errors = mechanism.estimate(totals) - float(mechanism.truth(many))
    assert accept_variance(errors, float(mechanism.variance(many)))
    assert not accept_variance(errors, 1.3 * float(mechanism.variance(many)))


def test_the_pull_of_the_table_in_place_of_the_right_one_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, population = PiecewiseMechanism(1.0), Population.of_numbers([1.0, 1.0])
    reports = mechanism.privatize(np.ones(100_000), np.random.default_rng(1)).reshape(-1, 2).sum(axis=1)
    s = math.exp(0.5)
    monkeypatch.setattr(PiecewiseMechanism, "pull", property(lambda self: s / (s + 1)))
    assert not two_samples_agree(mechanism.sample_tally(population, np.random.default_rng(2), 50_000).counts, reports)


@pytest.mark.parametrize("mechanism", USUAL, **NAMED)
def test_repetitions_of_many_different_numbers_keep_memory_bounded_and_agree(mechanism: NumberRandomizer) -> None:
    population = Population.of_numbers(np.linspace(-1, 1, 100_001))
    tally = mechanism.sample_tally(population, np.random.default_rng(1), 30)
    assert tally.counts.shape == (30,) and tally.n == 100_001
    errors = mechanism.estimate(tally) - float(mechanism.truth(population))
    assert accept_variance(errors, float(mechanism.variance(population)))


@pytest.mark.parametrize("mechanism", [OneBit(1.0), PiecewiseMechanism(1.0), HybridMechanism(1.0)], **NAMED)
def test_a_billion_people_on_few_numbers_cost_no_more_draws_than_a_thousand(mechanism: NumberRandomizer) -> None:
    draws: list[int] = []
    for n in (1000, 10**9):
        rng = Counted(1)
        mechanism.sample_tally(Population(np.linspace(-1, 1, 201), Population.uniform(201, n).counts), rng, 10)  # type: ignore[arg-type]
        draws.append(rng.drawn)
    assert 0 < draws[1] <= 20 * draws[0]
