"""The exercises about lower bounds: their inequalities and numbers by another route, at both ends of every control."""

from __future__ import annotations

import math
import re
from itertools import product

import numpy as np
import pytest
from scipy import optimize, stats

from explorer.exercises import EXERCISES, exercises_of
from explorer.figures.theme import Look
from explorer.scenes import scene
from explorer.text import languages
from ldpcore.experiments.exercises import bounds
from ldpcore.laws import divergences
from ldpcore.limits.bounds import lower_bound, private_lower_bound
from ldpcore.limits.confusion import confusion, widest_confused
from ldpcore.limits.errorlosses import Absolute, Squared
from ldpcore.limits.problems import BoundedMoment, SmoothDensity
from tests.finitemodels import FiniteModel
from tests.rationing import crossed, shared
from tests.scenes import answered, declared, settings

NEAR = np.geomspace(1e-6, 0.5, 60)
MODULI = list(bounds.MODULI)
CROWDS, LEVELS, SUMS = (1, 2, 3, 10, 100, 10**6), (0.01, 1.0, 10.0), (0.05, 0.5, 0.95)


def modulus(model: str, metric: str, distance: float = 0.1) -> bounds.ModulusOfMeanResult:
    return bounds.ModulusOfMean(model, metric, distance).run()


# Moduli (Definition 2.1, Aufgaben 2.9, 2.10 and 3.5, Lemma 3.18)


@pytest.mark.parametrize("metric", bounds.METRICS)
@pytest.mark.parametrize("distance", [0.01, 0.1, 0.5])
def test_the_modulus_of_bounded_numbers_is_that_of_a_linear_program(metric: str, distance: float) -> None:
    model, asked = FiniteModel((-1.0, 0.0, 1.0)), modulus("bounded", metric, distance)
    for value, near in ((asked.here, distance), (asked.twice, 2 * distance)):
        found = model.tv(near) if metric == "tv" else model.hellinger(near, 300)
        assert value == pytest.approx(found, rel=2e-3)


@pytest.mark.parametrize("distance", [0.01, 0.1, 0.5])
def test_the_modulus_of_heavy_numbers_is_no_less_than_two_worlds_show_and_no_more_than_a_program_finds(
    distance: float,
) -> None:
    far = math.sqrt(1 / distance)  # this share of the people is there in one world, at its mirror image in the other
    assert distance * far**2 == pytest.approx(1.0)
    assert modulus("heavy", "tv", distance).here == pytest.approx(2 * distance * far)
    places = tuple(np.linspace(-1, 1, 41) * 2 * far)
    assert FiniteModel(places, 2.0).tv(distance) <= modulus("heavy", "tv", distance).here + 1e-9
    wide = FiniteModel(tuple(np.linspace(-4, 4, 33)), 2.0).hellinger(distance, 150)
    assert wide == pytest.approx(modulus("heavy", "hellinger", distance).here, rel=5e-3)


@pytest.mark.parametrize(("model", "metric"), MODULI)
def test_twice_the_distance_gives_at_most_twice_the_modulus_or_four_times(model: str, metric: str) -> None:
    most = {"tv": 2, "hellinger": 4}[metric]
    for near in NEAR:
        found = modulus(model, metric, float(near))
        assert found.here <= found.twice <= most * found.here * (1 + 1e-12)
        assert float(found.most(2 * near)) == pytest.approx(most * found.here)


@pytest.mark.parametrize(("model", "metric"), MODULI)
@pytest.mark.parametrize("times", [2, 3, 7])
def test_a_whole_multiple_of_the_distance_raises_a_modulus_in_proportion_or_by_the_square(
    model: str, metric: str, times: int
) -> None:
    asked = bounds.ModulusOfMean(model, metric)
    power = bounds.GROWTH[metric]
    assert (asked.at(times * NEAR) <= times**power * asked.at(NEAR) * (1 + 1e-12)).all()


@pytest.mark.parametrize(("model", "metric"), MODULI)
def test_a_modulus_over_the_distance_or_its_square_cannot_tend_to_zero(model: str, metric: str) -> None:
    found = modulus(model, metric)
    asked, largest = found.experiment, {"tv": 1.0, "hellinger": math.sqrt(2)}[metric]
    least = float(asked.at(largest)) / largest ** bounds.GROWTH[metric]
    rates = [modulus(model, metric, float(near)).rate for near in NEAR]
    assert min(rates) >= least * (1 - 1e-12) > 0.4
    assert (found.floor(NEAR) <= asked.at(NEAR) * (1 + 1e-12)).all()


@pytest.mark.parametrize("metric", bounds.METRICS)
@pytest.mark.parametrize("distance", [0.01, 0.1, 0.3, 0.5])
def test_the_jump_is_attained_by_one_in_n_who_holds_n_and_by_no_fewer(metric: str, distance: float) -> None:
    n = bounds.ModulusOfMean("jump", metric, distance).one_in

    def apart(n: int) -> float:
        laws = np.array([1.0, 0.0]), np.array([1 - 1 / n, 1 / n])
        return (
            divergences.total_variation(*laws)
            if metric == "tv"
            else math.sqrt(float(divergences.squared_hellinger(*laws)))
        )

    assert apart(n) <= distance * (1 + 1e-9)
    assert n == 1 or apart(n - 1) > distance
    assert modulus("jump", metric, distance).here == n * (1 / n) == 1
    assert float(bounds.jumping(0.0)) == 0 < float(bounds.jumping(1e-12)) == 1


def test_mixtures_of_the_laws_that_make_the_jump_have_no_mean_above_one() -> None:
    rng = np.random.default_rng(5)
    n = np.arange(1, 60)
    for weights in rng.dirichlet(np.full(60, 0.2), 200):
        law = np.concatenate([[weights[0] + (weights[1:] * (1 - 1 / n)).sum()], weights[1:] / n])
        assert law.sum() == pytest.approx(1)
        assert -1e-12 <= float(law[1:] @ n) <= 1 + 1e-12


# The gap (Notation of chapter 3, Lemmata 3.2 and 3.17)


def least_errors(low: float, high: float, n: int, epsilon: float) -> float:
    """The least sum of both errors between two shares, over all outcomes."""
    heads, pull = np.arange(n + 1), math.tanh(epsilon / 2)
    laws = [stats.binom.pmf(heads, n, 0.5 + pull * (share - 0.5)) for share in (low, high)]
    return float(np.minimum(*laws).sum())


@pytest.mark.parametrize(("n", "epsilon"), crossed([1, 2, 3, 10, 100, 501], LEVELS, 3))
def test_the_error_sums_are_those_of_all_outcomes(n: int, epsilon: float) -> None:
    differences = np.array([0.0, 1e-3, 0.1, 0.5, 0.999, 1.0])
    lower = np.linspace(0, 1, bounds.PLACES) * (1 - differences[:, None])
    sums = bounds._sums(differences, lower, n, epsilon)
    for row, lows, difference in zip(sums, lower, differences, strict=True):
        exact = [least_errors(float(low), float(low + difference), n, epsilon) for low in lows]
        assert row == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize(("n", "epsilon", "eta"), shared(product(CROWDS, LEVELS, SUMS), 2))
def test_the_gap_is_where_the_best_test_errs_by_eta_and_every_inequality_about_it_holds(
    n: int, epsilon: float, eta: float
) -> None:
    found = bounds.UnseenGap(epsilon, n, eta).run()
    assert found.unseen <= found.nearest * (1 + 1e-9) <= found.gap * (1 + 2e-9)
    assert (found.hardest <= found.affinity + 1e-9).all()
    assert (np.diff(found.hardest) <= 1e-9).all() and found.hardest[0] == pytest.approx(1)
    if found.gap < 1:
        assert confusion(found.gap, n, epsilon) == pytest.approx(eta, abs=1e-6)
        assert found.gap == pytest.approx(widest_confused(eta, n, epsilon), rel=1e-6)
        if n <= 100:
            lows = np.linspace(0, 1 - found.gap, 151)
            sums = [least_errors(float(low), float(low) + found.gap, n, epsilon) for low in lows]
            assert eta - 2e-3 <= max(sums) <= eta + 1e-9
        assert found.height == eta
    else:
        assert confusion(1.0, n, epsilon) >= eta - 1e-9
        assert found.height == pytest.approx(max(eta, confusion(1.0, n, epsilon)), abs=1e-9)


def test_mixtures_are_no_harder_than_the_two_ends() -> None:
    """The best threshold against all shares below 0.4 and all above 0.6 errs most at both ends."""
    n, epsilon = 25, 1.0
    heads, pull = np.arange(n + 1), math.tanh(epsilon / 2)

    def law(share: float) -> np.ndarray:
        return np.asarray(stats.binom.pmf(heads, n, 0.5 + pull * (share - 0.5)))

    ends = float(np.minimum(law(0.4), law(0.6)).sum())
    below, above = np.linspace(0, 0.4, 9), np.linspace(0.6, 1, 9)
    columns = [*(-law(float(share)) for share in below), *(law(float(share)) for share in above)]
    # The least sum of the largest errors, over all tests: errors a below and b above, a test t of the outcome.
    table = np.array([np.concatenate([-c, [-1, 0]]) for c in columns[:9]])
    more = np.array([np.concatenate([-c, [0, -1]]) for c in columns[9:]])
    answer = optimize.linprog(
        np.concatenate([np.zeros(n + 1), [1, 1]]),
        np.vstack([table, more]),
        np.concatenate([np.zeros(9), -np.ones(9)]),
        bounds=[(0, 1)] * (n + 1) + [(0, 1)] * 2,
    )
    assert answer.fun == pytest.approx(ends, abs=1e-8)


def test_the_affinity_that_is_drawn_is_that_of_the_nearest_pair() -> None:
    found = bounds.UnseenGap(1.0, 100, 0.5).run()
    for place in (20, 80, 150):
        delta, pull = float(found.differences[place]), math.tanh(0.5)
        pairs = [(low, low + delta) for low in np.linspace(0, 1 - delta, 31)]
        laws = [[np.array([1 - q, q]) for q in (0.5 + pull * (np.array(pair) - 0.5))] for pair in pairs]
        most = max(1 - float(divergences.squared_hellinger(*two)) / 2 for two in laws)
        assert found.affinity[place] == pytest.approx(most**100, rel=1e-9)


def test_four_times_as_many_people_halve_all_four_numbers() -> None:
    few, many = (bounds.UnseenGap(1.0, n, 0.5).run() for n in (10_000, 40_000))
    for name in ("gap", "nearest", "unseen"):
        assert getattr(many, name) == pytest.approx(getattr(few, name) / 2, rel=2e-2)


# The choice of η (Bemerkung 3.5)


@pytest.mark.parametrize(("n", "epsilon", "cost"), list(product((1, 100, 10**6), LEVELS, bounds.COSTS)))
def test_the_best_eta_is_the_largest_bound_of_all_and_is_what_the_limits_say(n: int, epsilon: float, cost: str) -> None:
    asked = bounds.ChoiceOfEta(epsilon, n, 0.5, cost)
    found = asked.run()
    assert (found.errors <= found.top * (1 + 1e-12)).all()
    loss = {"squared": Squared(), "absolute": Absolute()}[cost]
    known = private_lower_bound(BoundedMoment(), loss, n * math.expm1(epsilon) ** 2)
    assert loss(found.top) == pytest.approx(known.value, rel=1e-3)
    assert known.eta == pytest.approx(asked.best, abs=5e-3)


@pytest.mark.parametrize("eta", SUMS)
def test_eta_changes_the_constant_and_not_the_slope(eta: float) -> None:
    few, many = (float(bounds.ChoiceOfEta(1.0, n).errors(eta)) for n in (10**4, 10**6))
    assert few / many == pytest.approx(10)
    printed = lower_bound(BoundedMoment(), Absolute(), 10**4, 1.0, eta)
    assert float(bounds.ChoiceOfEta(1.0, 10**4, eta, "absolute").errors(eta)) >= printed.value * (1 - 1e-9)


def test_a_third_gains_what_the_task_says() -> None:
    asked = bounds.ChoiceOfEta(1.0, 10**4)
    assert float(asked.errors(1 / 3) / asked.errors(1 / 2)) == pytest.approx(1.089, abs=5e-4)
    assert float(asked.errors(1 / 3) / asked.errors(1 / 2)) ** 2 == pytest.approx(1.185, abs=5e-4)
    assert asked.best == pytest.approx(1 / 3)
    assert bounds.ChoiceOfEta(1.0, 10**4, 0.5, "absolute").best == pytest.approx(1 / 2)


# The elbows of ∫p² (Butucea, Rohde, Steinberger 2023)


@pytest.mark.parametrize(("name", "elbow"), [("direct", 1 / 4), ("listening", 1 / 2), ("silent", 3 / 4)])
def test_each_speed_reaches_one_half_at_its_elbow(name: str, elbow: float) -> None:
    assert bounds.ELBOWS[name] == elbow
    assert float(bounds.quadratic_exponent(elbow, elbow)) == 0.5
    assert float(bounds.quadratic_exponent(elbow - 1e-6, elbow)) < 0.5
    assert float(bounds.quadratic_exponent(10.0, elbow)) == 0.5


@pytest.mark.parametrize("s", [0.05, 0.2, 0.4, 0.6, 0.74])
def test_the_speeds_are_those_of_bias_and_noise_at_the_best_number_of_bins(s: float) -> None:
    for name, noise, written in (("direct", 0.5, 4 * s + 1), ("listening", 1.0, 4 * s + 2), ("silent", 1.5, 4 * s + 3)):
        log_n, log_k = 400.0, np.linspace(0, 3000, 300_001)
        least = float(np.maximum(-2 * s * log_k, noise * log_k - log_n).min())
        power = float(bounds.quadratic_exponent(s, bounds.ELBOWS[name]))
        assert power == pytest.approx(min(0.5, -least / log_n), abs=1e-4)
        assert power == pytest.approx(min(0.5, 4 * s / written))


def test_silence_never_helps() -> None:
    found = bounds.QuadraticElbows(0.4).run()
    assert (found.curves["silent"] <= found.curves["listening"]).all()
    assert (found.curves["listening"] <= found.curves["direct"]).all()


# Losses (Definition 3.9, Aufgabe 3.2)


@pytest.mark.parametrize("corner", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("factor", [1.1, 1.5, 3.0])
def test_hubers_loss_is_regular_with_the_number_of_the_square_and_no_smaller(factor: float, corner: float) -> None:
    asked = bounds.LossGrowth("huber", factor, corner)
    t = np.geomspace(1e-4, 1e4, 4001)

    def huber(t: np.ndarray) -> np.ndarray:
        return np.where(t <= corner, t**2 / 2, corner * (t - corner / 2))

    ratio = huber(factor * t) / huber(t)
    assert asked.ratio(t) == pytest.approx(ratio)
    assert ratio.max() == pytest.approx(asked.top) == pytest.approx(factor**2)
    assert (ratio[factor * t <= corner] == pytest.approx(asked.top)) and ratio[-1] == pytest.approx(factor, rel=2e-3)
    assert (np.diff(ratio) <= 1e-9).all()


@pytest.mark.parametrize(("loss", "printed"), [("squared", 2.25), ("absolute", 1.5), ("root", 1.2247)])
def test_powers_have_the_same_ratio_everywhere(loss: str, printed: float) -> None:
    asked = bounds.LossGrowth(loss, 1.5)
    assert asked.ratio(np.geomspace(1e-3, 1e3, 50)) == pytest.approx(np.full(50, asked.top))
    assert round(asked.top, 4) == printed


def test_the_exponential_loss_has_no_number() -> None:
    asked = bounds.LossGrowth("exponential", 1.5)
    t = np.array([0.01, 1.0, 10.0, 100.0])
    assert asked.ratio(t) == pytest.approx(np.expm1(1.5 * t) / np.expm1(t))
    assert math.isinf(asked.top) and (np.diff(asked.ratio(t)) > 0).all() and asked.ratio(100.0) > 1e20
    assert np.isfinite(bounds.LossGrowth("exponential", 3.0).run().ratios).all()


# Smoothness (Beispiel 3.8)


@pytest.mark.parametrize(("beta", "bound"), [(0.25, 4.0), (0.5, 1.0), (1.0, 0.25), (1.5, 1.0), (2.0, 4.0), (3.0, 1.0)])
def test_the_band_is_reached_by_a_function_of_the_class_and_passed_by_none(beta: float, bound: float) -> None:
    asked = bounds.SmoothnessBand(beta, bound)
    b = math.ceil(beta) - 1
    assert asked.derivatives == b
    # The b-th derivative C·sign(x)^b|x|^{β-b}, integrated b times from 0 on the right: nothing in the class is farther.
    x = np.linspace(0, 1, 200_001)
    grown = bound * x ** (beta - b)
    for _ in range(b):
        grown = np.concatenate([[0], np.cumsum((grown[1:] + grown[:-1]) / 2)]) * (x[1] - x[0])
    for place in (0.25, 0.5, 1.0):
        assert float(asked.off(place)) == pytest.approx(float(np.interp(place, x, grown)), rel=1e-4)


@pytest.mark.parametrize("beta", [0.25, 0.5, 1.0, 2.0, 3.0])
def test_the_speeds_at_a_place_are_those_of_the_problem_on_the_page_limits(beta: float) -> None:

    found, known = bounds.SmoothnessBand(beta).run(), SmoothDensity(beta, 0).exponents
    assert 2 * found.private == pytest.approx(known.private)
    assert 2 * found.direct == pytest.approx(known.direct)
    assert found.private / found.direct == pytest.approx((2 * beta + 1) / (2 * beta + 2))


# What is said


OTHER_ENDS: dict[str, tuple[object, ...]] = {
    "modulus": tuple(product(bounds.MODELS, bounds.METRICS, (0.01, 0.5))),
    "gap": tuple(product((1, 2, 10**6), SUMS)),
    "eta": tuple(product((1, 10**6), (0.05, 0.95), bounds.COSTS)),
    "elbows": (0.05, 0.25, 0.5, 0.75, 1.5),
    "losses": tuple(product(bounds.GROWING, (1.1, 3.0), (0.1, 10.0))),
    "smooth": tuple(product((0.25, 1.0, 1.5, 2.0, 3.0), (0.25, 4.0))),
}


@pytest.mark.parametrize("slug", OTHER_ENDS)
@pytest.mark.parametrize("language", languages())
def test_every_text_is_filled_at_both_ends_of_every_control(slug: str, language: str) -> None:
    page = declared("exercises")
    asked = next(each.asked for each in settings() if each.view.slug == slug and each.page.slug == "exercises")
    for place, own in enumerate(OTHER_ENDS[slug]):
        for level in LEVELS:
            for truth in shared((True, False), 2, place + LEVELS.index(level) + languages().index(language)):
                seen = scene(page, page.views[slug], asked, level, Look(truth=truth), language, answered, own)
                said = " ".join((seen.answer, seen.note, seen.alt))
                assert seen.figure is not None
                assert "@{" not in said and not re.search(r"\bnan\b", said) and "∞" not in said, (own, level, said)


def test_the_exercises_stand_under_one_topic_and_lead_to_their_pages() -> None:
    mine = [each for each in EXERCISES if each.topic == "bounds"]
    assert [each.slug for each in mine] == list(OTHER_ENDS)
    assert {each.slug for each in exercises_of("limits")} >= {"modulus", "gap", "eta", "losses", "smooth"}
    assert "elbows" in {each.slug for each in exercises_of("protocols")}


@pytest.mark.parametrize("n", [10**8, 10**10])
def test_the_gap_that_no_test_of_many_people_sees_is_that_of_two_bells(n: int) -> None:
    """At the hardest place 2Φ(-√n tanh(ε/2) Δ) = η: 0.0627 is Φ⁻¹(0.525)."""
    gap = bounds.UnseenGap(0.01, n, 0.95).run().gap
    assert gap == pytest.approx(0.06270677794321385 / (math.sqrt(n) * math.tanh(0.005)), rel=1e-6)
