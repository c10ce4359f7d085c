"""Tests between worlds, contraction, many users and guessing games, each against an independent route."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ldpcore.estimating.audit import best_power, power_bound
from ldpcore.laws import besttests as testing
from ldpcore.laws import contraction, divergences, guessing, products
from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.parameters import ParameterError
from tests.rationing import crossed

SEEDS = st.integers(0, 10_000)
LEVELS = (0.1, 0.5, 1.0, 2.0, 4.0)


def random_laws(rng: np.random.Generator, rows: int, outcomes: int) -> np.ndarray:
    """Random laws, some with outcomes that never come."""
    weights = rng.dirichlet(np.full(outcomes, 0.6), rows)
    weights[rng.random(weights.shape) < 0.1] = 0
    weights[:, 0] += 1e-3
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def response(epsilon: float) -> np.ndarray:
    return RandomizedResponse(epsilon).channel().matrix


@given(SEEDS)
def test_both_sides_of_the_minimax_identity_agree_and_no_mixture_does_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = random_laws(rng, int(rng.integers(1, 4)), 5), random_laws(rng, int(rng.integers(1, 4)), 5)
    best = testing.minimax_test(first, second)
    assert math.isclose(best.attained, best.certificate, abs_tol=1e-9)
    for _ in range(20):
        weights = rng.dirichlet(np.ones(len(first))), rng.dirichlet(np.ones(len(second)))
        assert divergences.testing_affinity(weights[0] @ first, weights[1] @ second) <= best.attained + 1e-9


@given(SEEDS)
def test_one_law_against_one_is_one_minus_total_variation(seed: int) -> None:
    p, q = random_laws(np.random.default_rng(seed), 2, 6)
    assert math.isclose(testing.minimax_test(p, q).attained, 1 - divergences.total_variation(p, q), abs_tol=1e-9)


def test_mixtures_can_be_nearer_than_any_of_their_members() -> None:
    first, second = [[1, 0, 0], [0, 1, 0]], [[0.5, 0.5, 0]]
    pairs = [divergences.testing_affinity(one, second[0]) for one in first]
    assert max(pairs) == pytest.approx(0.5)
    best = testing.minimax_test(first, second)
    assert best.attained == pytest.approx(1, abs=1e-12)
    assert best.first_weights == pytest.approx([0.5, 0.5], abs=1e-9)


@given(SEEDS, st.floats(0, 1))
def test_the_programs_best_test_is_that_of_neyman_and_pearson(seed: int, size: float) -> None:
    p, q = random_laws(np.random.default_rng(seed), 2, 6)
    best = testing.best_test(p, q, size)
    assert math.isclose(best.attained, float(best_power(Pair(q, p), size)), abs_tol=1e-9)
    assert math.isclose(best.attained, best.certificate, abs_tol=1e-9)
    assert float(best.chances @ p) <= size + 1e-9


@given(SEEDS, st.sampled_from([0.01, 0.05, 0.3, 1.0]))
def test_a_test_between_families_keeps_its_size_everywhere_and_its_certificate(seed: int, size: float) -> None:
    rng = np.random.default_rng(seed)
    first, second = random_laws(rng, 3, 6), random_laws(rng, 2, 6)
    best = testing.best_test(first, second, size)
    assert (first @ best.chances).max() <= size + 1e-9
    assert math.isclose(best.attained, best.certificate, abs_tol=1e-8)


def test_the_printed_powers_of_a_private_report() -> None:
    assert 0.05 * math.e == pytest.approx(0.135914, abs=5e-7)
    assert 1 - math.exp(-1) * 0.95 == pytest.approx(0.650515, abs=5e-7)
    corner = 1 / (1 + math.e)  # the size at which randomized response attains both lines
    no, yes = response(1.0)
    for size in (0.05, corner, 0.5):
        attained = testing.best_test(no, yes, size).attained
        assert attained == pytest.approx(float(power_bound(size, 1.0)), abs=1e-9)


def test_a_randomized_decision_has_the_chances_of_its_test() -> None:
    """Whoever hears the second report accuses by a coin of chance 0.05 (1 + e), and nobody else is accused."""
    no, yes = response(1.0)
    chances = testing.best_test(no, yes, 0.05).chances
    assert chances == pytest.approx([0, 0.05 * (1 + math.e)], abs=1e-9)
    assert no @ chances == pytest.approx(0.05, abs=1e-9) and yes @ chances == pytest.approx(0.05 * math.e, abs=1e-9)


@pytest.mark.parametrize("wrong", [[[0.5, 0.4]], [[-0.1, 1.1]], [[math.nan, 1.0]], []])
def test_what_is_no_law_is_refused(wrong: list[list[float]]) -> None:
    with pytest.raises(ParameterError):
        testing.minimax_test(wrong, [[0.5, 0.5]])
    with pytest.raises(ParameterError):
        testing.minimax_test([[0.5, 0.5, 0]], [[0.5, 0.5]])
    with pytest.raises(ParameterError):
        testing.best_test([[0.5, 0.5]], [[0.5, 0.5]], 1.5)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_randomized_response_contracts_as_much_as_its_level_allows(epsilon: float) -> None:
    factor = contraction.largest_contraction(epsilon)
    assert contraction.dobrushin(response(epsilon)) == pytest.approx(factor, rel=1e-12)
    assert contraction.strong_contraction(response(epsilon)) == pytest.approx(factor**2, rel=1e-9)


@settings(max_examples=15)
@given(SEEDS)
def test_nothing_grows_in_a_channel_and_the_strong_coefficient_is_the_largest_correlation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    channel = random_laws(rng, 3, 4)
    p, q = random_laws(rng, 2, 3)
    tv, strong = contraction.dobrushin(channel), contraction.strong_contraction(channel)
    one, other = contraction.pushed(p, channel), contraction.pushed(q, channel)
    assert divergences.total_variation(one, other) <= tv * divergences.total_variation(p, q) + 1e-12
    for measure in (divergences.kullback_leibler, divergences.chi_square, divergences.squared_hellinger):
        before, after = measure(p, q), measure(one, other)
        assert after <= strong * before * (1 + 1e-9) + 1e-12 or math.isinf(before)
    # An independent route: the second singular value of P(x, z)/√(P(x)P(z)), over inputs that hold two values.
    largest = 0.0
    for pair in itertools.combinations(range(3), 2):
        for beta in np.linspace(1e-6, 1 - 1e-6, 101):
            joint = np.array([beta, 1 - beta])[:, None] * channel[list(pair)]
            joint = joint[:, joint.sum(axis=0) > 0]
            scaled = joint / np.sqrt(np.outer(joint.sum(axis=1), joint.sum(axis=0)))
            largest = max(largest, float(np.linalg.svd(scaled, compute_uv=False)[1] ** 2))
    assert largest <= strong + 1e-9
    assert strong <= largest + 2e-3
    assert strong <= tv + 1e-12


@pytest.mark.parametrize(
    ("epsilon", "left", "right"),
    [(0.1, 0.0099917, 0.0135098), (0.5, 0.244919, 1.143960), (1.0, 0.924234, 11.80997), (2.0, 3.046377, 163.2802)],
)
def test_the_printed_numbers_of_the_information_inequality(epsilon: float, left: float, right: float) -> None:
    one, other = response(epsilon)
    both = divergences.kullback_leibler(one, other) + divergences.kullback_leibler(other, one)
    assert both == pytest.approx(left, rel=1e-5)
    assert both == pytest.approx(2 * epsilon * math.tanh(epsilon / 2), rel=1e-12)
    assert contraction.information_constant(epsilon) == pytest.approx(right, rel=1e-5)


@given(SEEDS, st.floats(0.01, 3))
def test_the_information_inequality_holds_for_every_two_worlds(seed: int, epsilon: float) -> None:
    p, q = random_laws(np.random.default_rng(seed), 2, 2)
    one, other = contraction.pushed(p, response(epsilon)), contraction.pushed(q, response(epsilon))
    both = divergences.kullback_leibler(one, other) + divergences.kullback_leibler(other, one)
    most = contraction.information_constant(epsilon) * divergences.total_variation(p, q) ** 2
    assert both <= most + 1e-12
    assert math.isfinite(both)


def sequences(law: np.ndarray, n: int) -> np.ndarray:
    """The probability of every sequence of n reports."""
    every = law
    for _ in range(n - 1):
        every = np.outer(every, law).ravel()
    return every


@given(SEEDS, st.integers(2, 4), st.integers(1, 5))
def test_many_users_are_as_far_apart_as_all_their_sequences(seed: int, k: int, n: int) -> None:
    p, q = random_laws(np.random.default_rng(seed), 2, k)
    distance = products.distance_of(p, q, n)
    slow = divergences.total_variation(sequences(p, n), sequences(q, n))
    assert distance.low - 1e-12 <= slow <= distance.high + 1e-12
    assert distance.high - distance.low <= 0.002
    assert distance.exact or len(products.by_ratio(p, q)[0]) > 2


@pytest.mark.parametrize("n", [100, 10_000, 10**6])
def test_ends_stay_narrow_for_many_users_and_hold_the_normal_limit(n: int) -> None:
    p = np.array([0.2, 0.3, 0.5])
    q = p + np.array([1.0, -2.0, 1.0]) * 0.3 / math.sqrt(n)
    distance = products.distance_of(p, q, n)
    assert distance.high - distance.low < 0.003
    shift = math.sqrt(n * divergences.chi_square(q, p))  # the sum of losses is nearly normal with this separation
    assert distance.low - 0.05 <= 2 * stats.norm.cdf(shift / 2) - 1 <= distance.high + 0.05


RARE = (((1e-40, 1e-284, 0.5), 0.0), ((1e-3, 1e-60, 0.5), 1e-3), ((1e-9, 1e-200, 0.25), 1e-9))


@pytest.mark.parametrize(("rare", "telling", "n"), [(*one, n) for one, n in crossed(RARE, [1, 7, 1000, 2**30])])
def test_a_rare_report_that_tells_everything_takes_no_memory_and_keeps_its_place_between_the_ends(
    n: int, rare: tuple[float, float, float], telling: float
) -> None:
    """Worlds that differ in it alone: n people are told apart where one of them sends it, but for e^-100."""
    p, q = ((1 - most - share, most, share) for share, most in zip(rare[:2], rare[2:] * 2, strict=True))
    distance = products.distance_of(p, q, n)
    exact = -math.expm1(n * math.log1p(-telling))
    assert distance.low - 1e-9 <= exact <= distance.high + 1e-9
    assert distance.high - distance.low <= 2e-3 + (n > 10**6) * telling


@pytest.mark.parametrize(("n", "printed"), [(10, 0.6513), (100, 0.6340), (1000, 0.6323)])
def test_the_printed_distances_of_two_uniform_laws(n: int, printed: float) -> None:
    # U[0, 1] against U[0, 1 - 1/n]: merged by their ratio, one piece that only the first law reaches.
    distance = products.distance_of([1 - 1 / n, 1 / n], [1, 0], n)
    assert distance.low == pytest.approx(printed, abs=5e-5)
    assert distance.low == pytest.approx(1 - (1 - 1 / n) ** n, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0])
def test_private_products_grow_with_the_root_of_their_number(epsilon: float) -> None:
    p, q = contraction.pushed([0.4, 0.6], response(epsilon)), contraction.pushed([0.5, 0.5], response(epsilon))
    for n in (1, 10, 1000, 10**6, 10**9):
        distance = products.distance_of(p, q, n)
        assert distance.exact
        assert distance.low <= contraction.largest_distance(epsilon, 0.1, n) + 1e-12
        assert distance.low <= math.sqrt(-math.expm1(2 * n * math.log(divergences.hellinger_affinity(p, q)))) + 1e-9


def test_the_printed_information_of_one_private_bit() -> None:
    worlds = response(1.0)
    told = guessing.mutual_information([0.5, 0.5], worlds)
    keep = math.e / (1 + math.e)
    entropy = -(keep * math.log(keep) + (1 - keep) * math.log(1 - keep))
    assert told == pytest.approx(0.11094, abs=5e-6)
    assert told == pytest.approx(math.log(2) - entropy, rel=1e-12)


def joint_information(prior: np.ndarray, worlds: np.ndarray) -> float:
    """Information by another route: the divergence of the joint law from the product of its margins."""
    joint = prior[:, None] * worlds
    margins = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return divergences.kullback_leibler(joint.ravel() / joint.sum(), margins.ravel() / margins.sum())


@given(SEEDS)
def test_both_formulas_of_information_agree_and_it_never_exceeds_the_choice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    worlds, prior = random_laws(rng, 4, 5), rng.dirichlet(np.ones(4))
    told = guessing.mutual_information(prior, worlds)
    assert math.isclose(told, joint_information(prior, worlds), abs_tol=1e-12)
    assert told <= math.log(4) + 1e-12


@given(SEEDS)
def test_le_cam_is_attained_and_fano_never_promises_too_much(seed: int) -> None:
    rng = np.random.default_rng(seed)
    worlds = random_laws(rng, 4, 5)
    guess = worlds.max(axis=0).sum() / 4  # the likeliest world for each report
    assert 1 - guess >= guessing.fano(guessing.mutual_information(np.full(4, 0.25), worlds), 4) - 1e-12
    two = worlds[:2]
    assert 1 - two.max(axis=0).sum() / 2 == pytest.approx(guessing.le_cam(divergences.total_variation(*two)), abs=1e-12)


def test_many_reports_tell_at_most_as_often_as_much_as_one() -> None:
    for epsilon in (0.1, 1.0):
        worlds = np.array([[0.2, 0.8], [0.5, 0.5], [0.8, 0.2]])
        pushed = worlds @ response(epsilon)
        one = guessing.mutual_information(np.full(3, 1 / 3), pushed)
        three = np.array([sequences(row, 3) for row in pushed])
        assert guessing.mutual_information(np.full(3, 1 / 3), three) <= 3 * one + 1e-12


def bits(epsilon: float, shift: float, d: int) -> np.ndarray:
    """The laws of d private bits, each with mean ±shift, in the order of corners."""
    ends = {sign: np.array([(1 - sign * shift) / 2, (1 + sign * shift) / 2]) @ response(epsilon) for sign in (-1, 1)}
    rows = []
    for corner in guessing.corners(d):
        law = np.ones(1)
        for sign in corner:
            law = np.outer(law, ends[sign]).ravel()
        rows.append(law)
    return np.array(rows)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_assouad_bounds_what_the_best_guess_of_a_corner_loses(d: int) -> None:
    worlds, delta = bits(1.0, 0.6, d), 0.5
    signs = np.array(guessing.corners(d)).T > 0
    halves = [(worlds[high].mean(axis=0), worlds[~high].mean(axis=0)) for high in signs]
    distances = [divergences.total_variation(*both) for both in halves]
    bound = guessing.assouad(delta, distances)
    # The loss 2δ·Hamming is least at the coordinates' own likeliest signs: each wrong in (1 - TV)/2 of cases.
    best = 2 * delta * sum((1 - distance) / 2 for distance in distances)
    assert bound == pytest.approx(best, rel=1e-12)
    assert guessing.separation(lambda one, other: 2 * delta * np.sum(np.array(one) != other), d, delta) is None


def test_assouads_condition_is_checked_and_its_first_breach_is_named() -> None:
    breach = guessing.separation(lambda one, other: 0.0 if one[0] == other[0] else 1.0, 2, 0.5)
    assert breach is not None
    assert (breach.loss, breach.needed) == (0.0, 1.0)
    assert breach.first[0] == breach.second[0]


def test_too_few_worlds_and_too_few_users_are_refused() -> None:
    with pytest.raises(ParameterError):
        guessing.fano(0.1, 2)
    with pytest.raises(ParameterError):
        products.distance_of([0.5, 0.5], [0.4, 0.6], 0)
    with pytest.raises(ParameterError):
        guessing.mutual_information([0.5, 0.5], [[1.0, 0.0]])
    assert guessing.fano(10.0, 3) == 0.0
