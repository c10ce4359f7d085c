"""The exercises about distances of laws: every number and every inequality that they tell, by another route."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from scipy import integrate, stats

from explorer.exercises import EXERCISES, TOPICS
from explorer.pages.exercises.facts import facts
from explorer.pages.exercises.facts.distances import below_one, coins_case, family_case, packing_case, ways_case
from explorer.pages.exercises.settings import Exercises
from ldpcore.experiments.exercises.distances import (
    CROWDS,
    FAMILY_LEVELS,
    FUNCTIONS_OF_ANSWERS,
    MIXED,
    PACKED_CROWDS,
    TWO_LAWS,
    DivergenceFamily,
    LogarithmStep,
    ManyCoins,
    MixedCoins,
    PackedTest,
    ThreeWays,
    reports_of,
    uniform_distance,
)
from ldpcore.laws import divergences
from ldpcore.laws.contraction import information_constant, pushed
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.parameters import ParameterError
from tests.cases import for_each
from tests.rationing import crossed

ENDS = (0.01, 1.0, 10.0)
MEASURES = ("kl", "tv", "chi2", "h2", "power")
ORDERS = (0.1, 0.5, 1.0, 2.0, 3.0, 5.0)
DIRECT: dict[str, Callable[..., float]] = {
    "kl": divergences.kullback_leibler,
    "tv": divergences.total_variation,
    "chi2": divergences.chi_square,
    "h2": divergences.squared_hellinger,
}


def test_the_page_of_exercises_opens_with_distances() -> None:
    assert TOPICS[0] == "distances" == Exercises().topic
    assert [each.slug for each in EXERCISES if each.topic == "distances"] == [
        *("families", "products", "hulls", "ways", "logarithm", "packing")
    ]


# One family of distances


@pytest.mark.parametrize("measure", DIRECT)
@pytest.mark.parametrize("epsilon", ENDS)
def test_the_function_that_is_drawn_makes_its_divergence(measure: str, epsilon: float) -> None:
    for laws in TWO_LAWS:
        result = DivergenceFamily(epsilon, measure, laws=laws).run()
        first, second = result.reports
        function = result.experiment.divergence.f
        assert float(second @ function(first / second)) == pytest.approx(
            DIRECT[measure](first, second), rel=1e-9, abs=1e-14
        )
        assert result.after == pytest.approx(DIRECT[measure](first, second), rel=1e-9)
        assert result.before == pytest.approx(DIRECT[measure](*TWO_LAWS[laws]))


@for_each("measure", MEASURES)
@for_each("order", ORDERS)
def test_every_function_is_convex_and_nothing_at_one(measure: str, order: float) -> None:
    function = DivergenceFamily(1.0, measure, order).divergence.f
    assert float(function(np.array([1.0]))[0]) == 0
    heights = function(np.linspace(0, 4.2, 421))
    assert np.isfinite(heights).all() and (np.diff(heights, 2) >= -1e-12).all()


def test_power_divergences_hold_those_that_have_a_name() -> None:
    p, q = np.random.default_rng(1).dirichlet(np.ones(5), 2)
    power = divergences.power_divergence
    assert power(0.5)(p, q) == pytest.approx(2 * divergences.squared_hellinger(p, q))
    assert power(1.0)(p, q) == pytest.approx(divergences.kullback_leibler(p, q))
    assert power(1 + 1e-7)(p, q) == pytest.approx(power(1.0)(p, q), rel=1e-5)
    assert power(2.0)(p, q) == pytest.approx(divergences.chi_square(p, q) / 2)
    for order in ORDERS[1:]:
        if order != 1:
            renyi = divergences.renyi(p, q, order)
            assert power(order)(p, q) == pytest.approx(math.expm1((order - 1) * renyi) / (order * (order - 1)))
    with pytest.raises(ParameterError):
        power(0.0)


@pytest.mark.parametrize("order", [0.1, 0.5, 0.9])
def test_a_small_order_forgives_what_the_second_law_excludes_and_a_large_one_does_not(order: float) -> None:
    p, q = TWO_LAWS["excluded"]
    exact = (sum(a**order * b ** (1 - order) for a, b in zip(p, q, strict=True)) - 1) / (order * (order - 1))
    assert divergences.power_divergence(order)(p, q) == pytest.approx(exact)
    for large in (1.0, 2.0, 5.0):
        assert math.isinf(divergences.power_divergence(large)(p, q))


@pytest.mark.parametrize(("order", "measure"), crossed(ORDERS, MEASURES))
def test_no_channel_of_the_level_leaves_more_than_is_said(measure: str, order: float) -> None:
    """Random channels whose columns differ by e^α at most, and randomized response of all answers."""
    rng = np.random.default_rng(7)
    for epsilon, laws in crossed((0.01, 0.5, 2.0, 10.0), [*TWO_LAWS]):
        result = DivergenceFamily(epsilon, measure, order, laws).run()
        assert result.after <= min(result.allowed * (1 + 1e-9), result.before)
        for _ in range(5):
            # Two levels of each column, so that rows sum to 1 in pairs of columns: b·e^α or b, and its complement.
            weights = rng.dirichlet(np.ones(3))
            high = 1 / (1 + math.exp(-epsilon))
            chosen = np.where(rng.random((4, 3)) < 0.5, high, 1 - high)
            channel = np.hstack([weights * chosen, weights * (1 - chosen)])
            columns = channel.max(axis=0) / channel.min(axis=0)
            assert columns.max() <= math.exp(epsilon) * (1 + 1e-9)
            left = result.experiment.value(*(pushed(law, channel) for law in TWO_LAWS[laws]))
            assert left <= result.allowed * (1 + 1e-7) + 1e-15


def test_the_limit_is_attained_by_two_answers_and_one_bit_in_total_variation() -> None:
    high = 1 / (1 + math.exp(-1.0))
    p, q = TWO_LAWS["swapped"]
    channel = np.where(np.array(p)[:, None] > np.array(q)[:, None], [high, 1 - high], [1 - high, high])
    result = DivergenceFamily(1.0, "tv").run()
    assert divergences.total_variation(pushed(p, channel), pushed(q, channel)) == pytest.approx(result.allowed)


def test_at_small_levels_a_kink_falls_with_the_level_and_a_parabola_with_its_square() -> None:
    for laws in TWO_LAWS:
        for measure, factor in (("tv", 10), ("kl", 100), ("chi2", 100), ("h2", 100), ("power", 100)):
            left = [DivergenceFamily(level, measure, 3.0, laws).run().after for level in (0.001, 0.01)]
            assert left[1] / left[0] == pytest.approx(factor, rel=0.05)


def test_the_curve_along_the_level_is_that_of_the_question_at_each_level() -> None:
    result = DivergenceFamily(1.0, "h2", laws="excluded").run()
    for place in (0, 10, len(FAMILY_LEVELS) - 1):
        there = DivergenceFamily(float(FAMILY_LEVELS[place]), "h2", laws="excluded").run()
        assert result.left[place] == pytest.approx(there.after)
    assert (np.diff(result.left) > 0).all()


def test_a_ratio_after_the_channel_is_an_average_of_ratios_before() -> None:
    for laws, epsilon in product(TWO_LAWS, ENDS):
        first, second = reports_of(laws, epsilon)
        assert np.abs(np.log(first / second)).max() <= epsilon + 1e-12
        grr = GeneralizedRandomizedResponse(epsilon, 4)
        by_hand = [grr.p * share + grr.q * (1 - share) for share in TWO_LAWS[laws][0]]
        assert first == pytest.approx(by_hand)


def test_which_sentence_is_told_of_a_divergence() -> None:
    told = {
        (measure, laws): family_case(DivergenceFamily(1.0, measure, 0.5, laws).run())
        for measure, laws in product(MEASURES, TWO_LAWS)
    }
    assert {case for (_, laws), case in told.items() if laws != "excluded"} == {"finite"}
    assert told["kl", "excluded"] == told["chi2", "excluded"] == "infinite"
    assert told["tv", "excluded"] == told["h2", "excluded"] == told["power", "excluded"] == "excluded"
    assert family_case(DivergenceFamily(1.0, "power", 5.0, "excluded").run()) == "infinite"


# Many people

COINS = ((0.5, 0.4), (0.0, 1.0), (1.0, 0.0), (0.0, 0.001), (0.3, 0.3))


@pytest.mark.parametrize("epsilon", ENDS)
@pytest.mark.parametrize("coins", COINS)
def test_many_reports_lie_between_the_bounds_of_the_affinity(epsilon: float, coins: tuple[float, float]) -> None:
    result = ManyCoins(epsilon, *coins).run()
    curves, yes = result.curves, math.exp(epsilon) / (1 + math.exp(epsilon))
    chances = [share * yes + (1 - share) * (1 - yes) for share in coins]
    for place in (0, 5, 20, 40, len(CROWDS) - 1):
        n = int(CROWDS[place])
        first, second = (stats.binom.pmf(np.arange(n + 1), n, chance) for chance in chances)
        assert curves["exact"][place] == pytest.approx(np.abs(first - second).sum() / 2, abs=1e-9)
        assert 1 - curves["least"][place] == pytest.approx(float(np.sqrt(first * second).sum()), abs=1e-9)
    assert (curves["least"] <= curves["exact"] + 1e-12).all()
    for above in ("root", "times", "pinsker"):
        assert (curves["exact"] <= curves[above] + 1e-12).all(), above
    assert result.here["exact"] <= 1 and curves["exact"][0] == pytest.approx(result.experiment.apart)


@pytest.mark.parametrize("epsilon", ENDS)
@pytest.mark.parametrize("coins", COINS)
def test_divergences_of_many_reports_add_up_below_the_bound_without_its_factor(
    epsilon: float, coins: tuple[float, float]
) -> None:
    asked = ManyCoins(epsilon, *coins, n=3)
    first, second = asked.reports
    words = [tuple(word) for word in product((0, 1), repeat=3)]
    laws = [np.array([math.prod(law[letter] for letter in word) for word in words]) for law in (first, second)]
    both = float(((laws[0] - laws[1]) * np.log(laws[0] / laws[1])).sum())
    assert asked.divergence == pytest.approx(both, rel=1e-6, abs=1e-15)
    assert asked.divergence <= asked.most_divergence / 2 * (1 + 1e-9)
    distance = divergences.total_variation([coins[0], 1 - coins[0]], [coins[1], 1 - coins[1]])
    assert asked.most_divergence == pytest.approx(2 * information_constant(epsilon) * 3 * distance**2)


def test_the_affinity_ends_at_nothing_and_one_and_makes_hellingers_distance() -> None:
    assert divergences.hellinger_affinity([1, 0], [0, 1]) == 0
    for coins in COINS:
        asked = ManyCoins(1.0, *coins)
        assert asked.affinity == pytest.approx(divergences.hellinger_affinity(*asked.reports))
        assert divergences.squared_hellinger(*asked.reports) == pytest.approx(2 * (1 - asked.affinity), abs=1e-15)


@pytest.mark.parametrize(("n", "printed"), [(10, 0.6513), (100, 0.6340), (1000, 0.6323)])
def test_uniform_numbers_are_nearly_as_far_apart_as_n_times_one(n: int, printed: float) -> None:
    inside = integrate.quad(lambda top: n * top ** (n - 1), 0, 1 - 1 / n)[0]  # the chance that the largest is below
    assert uniform_distance(n) == pytest.approx(1 - inside, rel=1e-6)
    told = facts(ManyCoins(1.0).run())
    assert getattr(told[f"uniform_{n}"], "value", None) == printed
    assert getattr(told["constant"], "value", None) == 1.582
    assert 1 / uniform_distance(n) <= math.e / (math.e - 1)
    assert uniform_distance(1) == 1


def test_coins_of_one_side_are_told_for_certain_where_a_report_is_the_truth_in_doubles() -> None:
    here = ManyCoins(50.0, 0.0, 1.0).run().here
    assert all(here[bound] == 1 for bound in ("exact", "least", "root", "times"))


def test_coins_that_are_the_same_are_called_so() -> None:
    assert coins_case(ManyCoins(1.0, 0.3, 0.3).run()) == "same"
    assert coins_case(ManyCoins(1.0, 0.3, 0.300001).run()) == "apart"


# Mixtures


@pytest.mark.parametrize("epsilon", ENDS)
@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_a_mixture_of_tosses_is_as_far_from_fair_ones_as_all_orders_say(epsilon: float, n: int) -> None:
    yes = 1 / (1 + math.exp(-epsilon))
    words = list(product((0, 1), repeat=n))
    heads = np.array([math.prod(yes if face else 1 - yes for face in word) for word in words])
    result = MixedCoins(epsilon, n=n).run()
    for place in (0, 13, 50, 100):
        mixture = MIXED[place] * heads + (1 - MIXED[place]) * heads[::-1]
        fair = np.full(2**n, 0.5**n)
        assert result.tossed[place] == pytest.approx(np.abs(mixture - fair).sum() / 2, abs=1e-12)
        assert result.experiment.affinity(float(MIXED[place])) == pytest.approx(float(np.sqrt(mixture * fair).sum()))
    assert result.alone == result.tossed[-1] == pytest.approx(result.tossed[0])
    assert result.once.min() == result.once[50] == 0
    assert result.here == pytest.approx(result.tossed.min())
    assert (result.tossed >= result.once - 1e-12).all()


def test_without_noise_a_mixture_of_n_tosses_lies_where_the_solution_says() -> None:
    for n in (1, 2, 5):
        assert MixedCoins(50.0, n=n).run().here == pytest.approx(1 - 2 / 2**n, abs=1e-12)
    assert MixedCoins(50.0, 0.0, 1).run().here == 0.5


@pytest.mark.parametrize("epsilon", ENDS)
@pytest.mark.parametrize("n", [1, 2, 10, 100])
def test_no_mixture_is_nearer_than_the_even_one(epsilon: float, n: int) -> None:
    asked = MixedCoins(epsilon, n=n)
    affinities = [asked.affinity(float(share)) for share in MIXED]
    assert max(affinities) == pytest.approx(asked.run().nearest_affinity, abs=1e-12)
    assert max(affinities) <= 1 + 1e-12 and (np.diff(affinities, 2) <= 1e-10).all()
    floors = [MixedCoins(epsilon, n=tosses).run().here for tosses in range(1, 12)]
    assert (np.diff(floors) >= -1e-12).all()


@pytest.mark.parametrize("seed", range(10))
def test_affinities_of_mixtures_of_products_are_at_most_the_product(seed: int) -> None:
    """Le Cam's inequality on families of two laws each; mixtures drawn, and the best ones found on a grid."""
    rng = np.random.default_rng(seed)
    first, second, third, fourth = rng.dirichlet(np.ones(3), (4, 2))
    weights = np.linspace(0, 1, 41)

    def mixtures(family: np.ndarray) -> np.ndarray:
        return np.outer(weights, family[0]) + np.outer(1 - weights, family[1])

    def largest(one: np.ndarray, other: np.ndarray) -> float:
        return float((np.sqrt(mixtures(one)) @ np.sqrt(mixtures(other)).T).max())

    bound = largest(first, second) * largest(third, fourth)
    for _ in range(200):
        joint = [
            np.einsum("ab,ai,bj->ij", rng.dirichlet(np.full(4, 0.5)).reshape(2, 2), one, other)
            for one, other in ((first, third), (second, fourth))
        ]
        assert float(np.sqrt(joint[0] * joint[1]).sum()) <= bound * (1 + 1e-3)  # the grid's bound is a little low


# Three ways


@pytest.mark.parametrize("laws", TWO_LAWS)
@pytest.mark.parametrize("epsilon", ENDS)
def test_total_variation_has_three_ways_and_is_half_of_the_largest_mean_difference(laws: str, epsilon: float) -> None:
    result = ThreeWays(epsilon, laws).run()
    p, q = reports_of(laws, epsilon)
    events = [sum(np.array(event) * (p - q)) for event in product((0, 1), repeat=4)]
    functions = [float(np.array(signs) @ (p - q)) / 2 for signs in product((-1, 0.3, 1), repeat=4)]
    assert [result.more, result.less, result.half] == pytest.approx([max(events)] * 3)
    assert max(functions) == pytest.approx(max(events))
    assert max(float(np.array(signs) @ p) / 2 for signs in product((-1, 1), repeat=4)) == pytest.approx(0.5)
    for name, values in FUNCTIONS_OF_ANSWERS.items():
        found = ThreeWays(epsilon, laws, name).run().by_function
        assert found == pytest.approx(abs(float(np.array(values) @ (p - q))) / 2, abs=1e-15)
        assert np.abs(values).max() <= 1 and found <= result.half + 1e-15


def test_the_laws_of_the_task_are_three_tenths_apart() -> None:
    assert divergences.total_variation(*TWO_LAWS["swapped"]) == pytest.approx(0.3)
    assert ThreeWays(50.0, "swapped").run().half == pytest.approx(0.3)


def test_which_sentence_is_told_of_a_function() -> None:
    found = {
        (laws, name): ways_case(ThreeWays(1.0, laws, name).run()) for laws in TWO_LAWS for name in ("ends", "half")
    }
    assert found["swapped", "ends"] == found["near", "ends"] == "none"
    assert found["swapped", "half"] == found["near", "half"] == "all"
    assert ways_case(ThreeWays(1.0, "near", "line").run()) == "part"


# A logarithm


def test_a_logarithm_stays_below_both_of_its_bounds() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.exponential(size=(2, 1000)) + 1e-9
    logarithm = np.abs(np.log(a / b))
    assert (logarithm <= np.abs(a - b) / np.sqrt(a * b) + 1e-12).all()
    assert (np.abs(a - b) / np.sqrt(a * b) <= np.abs(a - b) / np.minimum(a, b) + 1e-12).all()


@pytest.mark.parametrize("epsilon", ENDS)
def test_the_step_loses_what_the_report_of_randomized_response_says(epsilon: float) -> None:
    result = LogarithmStep(epsilon).run()
    a, b = 1 / (1 + math.exp(-epsilon)), 1 / (1 + math.exp(epsilon))
    assert result.linear == pytest.approx((a - b) / b)
    assert result.root == pytest.approx((a - b) / math.sqrt(a * b))
    curves = result.curves
    assert (curves["logarithm"] <= curves["root"]).all() and (curves["root"] <= curves["linear"]).all()
    for name, here in (("linear", result.linear), ("root", result.root)):
        assert np.interp(epsilon, result.levels, curves[name]) == pytest.approx(here, rel=2e-2)


# A packing


@pytest.mark.parametrize(("shares", "n"), [(2, 1), (3, 10), (9, 6)])
@pytest.mark.parametrize("epsilon", ENDS)
def test_errors_of_a_packing_are_those_of_all_reports_one_by_one(epsilon: float, shares: int, n: int) -> None:
    yes, pull = 1 / (1 + math.exp(-epsilon)), math.tanh(epsilon / 2)
    held = [place / (shares + 1) for place in range(1, shares + 1)]
    off = missed = best = 0.0
    for word in product((0, 1), repeat=n):
        estimate = 0.5 + (sum(word) / n - 0.5) / pull
        chances = [
            math.prod(
                share * yes + (1 - share) * (1 - yes) if told else share * (1 - yes) + (1 - share) * yes
                for told in word
            )
            for share in held
        ]
        away = [abs(estimate - share) for share in held]
        off += sum(p for p, far in zip(chances, away, strict=True) if far >= 0.5 / (shares + 1) - 1e-12) / shares
        nearest = min(range(shares), key=away.__getitem__)
        missed += (sum(chances) - chances[nearest]) / shares
        best += (sum(chances) - max(chances)) / shares
    found = PackedTest(epsilon, shares, n).errors(n)
    assert found["off"] == pytest.approx(off, abs=1e-9)
    assert found["missed"] == pytest.approx(missed, abs=1e-9)
    assert found["best"] == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("epsilon", ENDS)
@pytest.mark.parametrize("shares", [2, 3, 4, 9])
def test_what_is_proved_is_below_the_best_test_and_that_below_the_nearest_share(epsilon: float, shares: int) -> None:
    curves = PackedTest(epsilon, shares).run().curves
    assert (curves["proved"] <= curves["best"]).all()
    assert (curves["best"] <= curves["missed"] * (1 + 1e-9) + 1e-15).all()
    assert (curves["missed"] <= curves["off"] + 1e-12).all()
    assert (curves["proved"][:20] > 0).all() and len(curves["off"]) == len(PACKED_CROWDS)


def test_fanos_and_le_cams_bounds_hold_for_laws_that_are_drawn() -> None:
    """Both arguments on random laws: what they prove is never more than the error of the likeliest answer."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        m = int(rng.integers(2, 8))
        laws = rng.dirichlet(np.full(6, 0.4), m)
        best = 1 - laws.max(axis=0).sum() / m
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.nansum(laws * np.log(laws / laws.mean(axis=0))) / m
        even = m - m % 2
        assert np.minimum(laws[:even:2], laws[1:even:2]).sum() / m <= best + 1e-12
        assert 1 - (told + math.log(2)) / math.log(m) <= best + 1e-12


def test_the_nearest_share_is_wrong_only_where_the_estimate_is_off() -> None:
    """20 000 crowds; both shares within 7 standard errors of the exact ones: rate below 1e-10."""
    rng, pull = np.random.default_rng(3), math.tanh(0.5)
    share = rng.choice([0.25, 0.5, 0.75], 20_000)
    estimate = 0.5 + (rng.binomial(100, 0.5 + pull * (share - 0.5)) / 100 - 0.5) / pull
    off = np.abs(estimate - share) >= 0.125
    missed = np.array([0.25, 0.5, 0.75])[np.abs(estimate[:, None] - [0.25, 0.5, 0.75]).argmin(axis=1)] != share
    assert not (missed & ~off).any()
    found = PackedTest(1.0, 3, 100).run().here
    assert off.mean() == pytest.approx(found["off"], abs=7 * 0.5 / math.sqrt(20_000))
    assert missed.mean() == pytest.approx(found["missed"], abs=7 * 0.5 / math.sqrt(20_000))


def test_an_error_that_is_too_rare_is_told_so() -> None:
    assert packing_case(PackedTest(10.0, 9, 10**4).run()) == "rare"
    assert packing_case(PackedTest(0.01, 9, 10**4).run()) == "wrong"
    assert below_one(0.999963).digits == 6 and below_one(1 - 1e-9).value == 1.0 and below_one(0.4).digits == 3
