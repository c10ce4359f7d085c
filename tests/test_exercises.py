"""The exercises of the reference page: every number and every inequality that they tell, by another route."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import product
from urllib.parse import unquote

import numpy as np
import pytest
from scipy import integrate, stats

from explorer.facts import Count, Exact, Number, Share
from explorer.figures.theme import Look
from explorer.navigation import entries
from explorer.pages.reference.drawings import picture
from explorer.pages.reference.exercises import (
    ASKED,
    EXERCISES,
    FAIR,
    FIRST,
    LOSSES,
    OTHERS,
    SECOND,
    UNFAIR,
    Exercise,
    distance_after_bit,
    eta_weight,
    mixture,
    reported,
    shapes,
    smooth,
    three_ways,
    uniform_distance,
)
from explorer.pages.reference.widgets import written
from explorer.text import languages, listing, page_text
from explorer.text.catalogue import catalogue_of
from ldpcore.laws import divergences
from ldpcore.laws.contraction import pushed
from ldpcore.limits.moduli import bounded_hellinger, bounded_tv, heavy_tv
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.onebit import OneBit
from tests.finitemodels import FiniteModel


def curves(slug: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The lines of an exercise by name."""
    chosen = next(each for each in EXERCISES if each.slug == slug)
    return {curve.name: (curve.x, curve.y) for curve in chosen.curves()}


def told(slug: str, name: str) -> float:
    """A number of an exercise's text."""
    quantity = next(each for each in EXERCISES if each.slug == slug).facts()[name]
    assert isinstance(quantity, (Count, Exact, Number, Share))
    return quantity.value


# Every exercise


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.slug)
@pytest.mark.parametrize("language", languages())
def test_an_exercise_has_its_text_and_its_picture(exercise: Exercise, language: str) -> None:
    made = catalogue_of(language)
    title, text = written(exercise, made)
    words = made.words("reference", "exercise", {}, exercise.slug)
    drawn = picture(exercise.curves(), Look(), words)
    assert title and "@{" not in text and text.count("$") % 2 == 0
    assert all(words[curve.name] in drawn for curve in exercise.curves())
    assert "nan" not in drawn and "inf" not in drawn
    assert exercise.page in {entry.slug for entry in entries()}


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda each: each.slug)
@pytest.mark.parametrize("dark", [False, True])
def test_every_line_stays_inside_of_its_picture_and_has_a_dash_of_its_own(exercise: Exercise, dark: bool) -> None:
    words = catalogue_of("en").words("reference", "exercise", {}, exercise.slug)
    drawn = unquote(picture(exercise.curves(), Look(dark=dark), words))
    points = re.findall(r'points="([^"]+)"', drawn)
    assert len(points) == len(exercise.curves())
    for x, y in (pair.split(",") for line in points for pair in line.split()):
        assert 0 <= float(x) <= 480
        assert 0 <= float(y) <= 200
    dashes = re.findall(r'polyline [^>]*stroke-dasharray="([^"]*)"', drawn)
    assert len(set(dashes)) == len(dashes)


# Telling apart


def test_many_tosses_lie_between_the_bounds_of_the_affinity() -> None:
    drawn = curves("products")
    for place, n in enumerate(range(1, 101)):
        heads = np.arange(n + 1)
        gap = stats.binom.pmf(heads, n, 0.5) - stats.binom.pmf(heads, n, 0.4)
        assert drawn["exact"][1][place] == pytest.approx(np.abs(gap).sum() / 2, abs=1e-9)
        affinity = float(np.sqrt(stats.binom.pmf(heads, n, 0.5) * stats.binom.pmf(heads, n, 0.4)).sum())
        assert 1 - drawn["least"][1][place] == pytest.approx(affinity)
    low, exact = drawn["least"][1], drawn["exact"][1]
    assert (low <= exact + 1e-12).all()
    assert all((exact <= drawn[above][1] + 1e-12).all() for above in ("root", "times", "pinsker"))
    assert told("products", "exact") == pytest.approx(exact[-1])


def test_the_affinity_of_a_toss_is_the_one_that_is_told_and_ends_at_nothing_and_one() -> None:
    assert told("products", "affinity") == round(math.sqrt(0.2) + math.sqrt(0.3), 4)
    assert divergences.hellinger_affinity(FAIR, FAIR) == pytest.approx(1)
    assert divergences.hellinger_affinity([1, 0], [0, 1]) == 0
    squared = divergences.squared_hellinger(FAIR, UNFAIR)
    assert squared == pytest.approx(2 * (1 - math.sqrt(0.2) - math.sqrt(0.3)))


@pytest.mark.parametrize(("n", "printed"), [(10, 0.6513), (100, 0.6340), (1000, 0.6323)])
def test_uniform_numbers_are_nearly_as_far_apart_as_n_times_one(n: int, printed: float) -> None:
    inside = integrate.quad(lambda top: n * top ** (n - 1), 0, 1 - 1 / n)[0]  # the chance that the largest is below
    assert uniform_distance(n) == pytest.approx(1 - inside, rel=1e-6)
    assert told("products", f"uniform_{n}") == printed


def test_a_mixture_is_nearer_than_its_parts_and_betrays_itself_in_two_tosses() -> None:
    once, twice = curves("hulls")["once"][1], curves("hulls")["twice"][1]
    assert once[0] == once[-1] == told("hulls", "alone") == 0.5
    assert once.min() == once[50] == told("hulls", "mixed") == 0
    assert twice.min() == pytest.approx(told("hulls", "twice")) == pytest.approx(0.5)
    together = divergences.hellinger_affinity(np.full(4, 0.25), mixture(0.5, 2))
    assert together == pytest.approx(math.sqrt(0.5))
    assert together <= divergences.hellinger_affinity(FAIR, mixture(0.5, 1)) ** 2  # Le Cam: at most the product


@pytest.mark.parametrize("seed", range(20))
def test_total_variation_has_three_ways_and_is_half_of_the_largest_mean_difference(seed: int) -> None:
    p, q = np.random.default_rng(seed).dirichlet(np.ones(5), 2) if seed else (FIRST, SECOND)
    events = [sum(p[list(e)]) - sum(q[list(e)]) for e in (np.flatnonzero(b) for b in product((0, 1), repeat=len(p)))]
    functions = [float(np.array(signs) @ (p - q)) / 2 for signs in product((-1, 1), repeat=len(p))]
    assert three_ways(p, q) == pytest.approx([max(events)] * 3)
    assert max(functions) == pytest.approx(max(events))
    alone = max(float(np.array(signs) @ p) / 2 for signs in product((-1, 1), repeat=len(p)))
    assert alone == pytest.approx(told("ways", "alone"))  # where an event has probability 1


def test_what_the_three_ways_tell_is_three_tenths() -> None:
    assert [told("ways", name) for name in ("more", "less", "half")] == pytest.approx([0.3, 0.3, 0.3])


def test_a_logarithm_stays_below_its_distance() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.exponential(size=(2, 1000)) + 1e-9
    assert (np.abs(np.log(a / b)) <= np.abs(a - b) / np.minimum(a, b) + 1e-12).all()
    drawn = curves("logarithm")
    assert (drawn["logarithm"][1] <= drawn["distance"][1]).all()


NAMED: dict[str, Callable[..., float]] = {
    "kl": divergences.kullback_leibler,
    "tv": divergences.total_variation,
    "chi2": divergences.chi_square,
    "h2": divergences.squared_hellinger,
}


@pytest.mark.parametrize("name", NAMED)
def test_the_function_that_is_drawn_makes_its_divergence(name: str) -> None:
    p, q = np.random.default_rng(2).dirichlet(np.ones(6), 2)
    assert float(q @ shapes(p / q)[name]) == pytest.approx(NAMED[name](p, q))
    assert shapes(np.array([1.0]))[name][0] == 0
    assert (np.diff(curves("shapes")[name][1], 2) >= -1e-12).all()


def test_near_one_three_of_the_functions_are_parabolas_and_one_has_a_kink() -> None:
    t = np.array([0.999, 1.001])
    near = shapes(t)
    assert near["kl"] - (t - 1) == pytest.approx((t - 1) ** 2 / 2, rel=1e-2)
    assert near["h2"] == pytest.approx((t - 1) ** 2 / 4, rel=1e-2)
    assert near["tv"] == pytest.approx([5e-4, 5e-4])


# One bit


def test_two_laws_after_one_bit_are_as_far_apart_as_their_means_and_the_best_function_is_the_sign() -> None:
    for epsilon in (0.3, 1.0, 4.0):
        z0 = (math.exp(epsilon) + 1) / (math.exp(epsilon) - 1)
        after = {}
        for signs in product((-1.0, 0.0, 1.0), repeat=4):
            plus = (1 + np.array(signs) / z0) / 2
            reports = [pushed(law, np.column_stack([plus, 1 - plus])) for law in (ASKED, OTHERS)]
            after[signs] = divergences.total_variation(*reports)
            assert after[signs] == pytest.approx(distance_after_bit(np.array(signs), epsilon), abs=1e-12)
        best = max(after, key=lambda signs: after[signs])
        assert np.array_equal(np.abs(np.array(best)), np.ones(4))
        assert after[best] == pytest.approx(divergences.total_variation(ASKED, OTHERS) * math.tanh(epsilon / 2))
        assert RandomizedResponse(epsilon).p - (1 - RandomizedResponse(epsilon).p) == pytest.approx(1 / z0)
    assert told("bits", "best") == pytest.approx(0.4 * math.tanh(0.5), abs=1e-9)
    assert told("bits", "even") == pytest.approx(0.8 / 3 * math.tanh(0.5), abs=1e-9)
    assert told("bits", "last") == pytest.approx(0.3 * math.tanh(0.5), abs=1e-9)
    assert told("bits", "middle") == 0
    assert told("bits", "open") == pytest.approx(0.4)


# Limits


def test_a_third_is_the_best_eta_for_squared_errors_and_a_half_for_absolute_ones() -> None:
    eta = np.linspace(0, 1, 100_001)
    assert eta[eta_weight(eta, 2).argmax()] == pytest.approx(1 / 3, abs=1e-5)
    assert eta[eta_weight(eta, 1).argmax()] == pytest.approx(1 / 2, abs=1e-5)
    assert told("eta", "gain") == round((4 / 27) / (1 / 8), 3)
    assert told("eta", "best") == 0.333


def test_regular_losses_have_their_number_and_the_exponential_one_has_none() -> None:
    drawn = curves("losses")
    for name, most in (("squared", 2.25), ("absolute", 1.5), ("huber", 2.25), ("root", 1.2247)):
        assert told("losses", name) == most
        assert drawn[name][1].max() == pytest.approx(most, abs=1e-4)
    t = np.geomspace(1e-3, 1e3, 2001)
    huber = np.where(t <= 1, t**2 / 2, t - 0.5)
    wider = np.where(1.5 * t <= 1, (1.5 * t) ** 2 / 2, 1.5 * t - 0.5)
    assert (wider / huber).max() == pytest.approx(2.25)
    assert (wider / huber)[-1] == pytest.approx(1.5, abs=1e-2)
    ratio = [float(LOSSES["exponential"](1.5 * each) / LOSSES["exponential"](each)) for each in (1.0, 10.0, 40.0)]
    assert ratio[0] < ratio[1] < ratio[2] > 1e8


def test_the_moduli_that_are_told_are_those_of_a_linear_program_or_of_two_worlds() -> None:
    model = FiniteModel((-1.0, 0.0, 1.0))
    assert told("modulus", "tv") == pytest.approx(model.tv(0.1), abs=1e-6)
    assert told("modulus", "hellinger") == pytest.approx(model.hellinger(0.1), abs=5e-4)
    far = math.sqrt(1 / 0.1)  # a tenth of the people there, or at the mirror image: E X² = 1
    assert told("modulus", "heavy") == pytest.approx(2 * 0.1 * far, abs=1e-4)


def test_a_modulus_falls_no_faster_than_the_distance_or_its_square() -> None:
    distance = np.geomspace(1e-6, 1, 200)
    for modulus in (bounded_tv(2.0, distance), heavy_tv(2.0, 1.0, distance)):
        assert (modulus / distance >= modulus[-1] - 1e-12).all()
    hellinger = bounded_hellinger(2.0, distance)
    assert (hellinger / distance**2 >= hellinger[-1] - 1e-12).all()


@pytest.mark.parametrize("times", [2, 3, 7])
def test_a_larger_distance_raises_a_modulus_at_most_in_proportion_or_by_the_square(times: int) -> None:
    distance = np.geomspace(1e-6, 1.5, 200)
    assert (bounded_tv(2.0, times * distance) <= times * bounded_tv(2.0, distance) + 1e-12).all()
    assert (heavy_tv(2.0, 1.0, times * distance) <= times * heavy_tv(2.0, 1.0, distance) + 1e-12).all()
    assert (bounded_hellinger(2.0, times * distance) <= times**2 * bounded_hellinger(2.0, distance) + 1e-12).all()


@pytest.mark.parametrize("n", [2, 100, 10_000])
def test_a_modulus_can_jump_where_one_in_n_holds_n(n: int) -> None:
    zero, one_in_n = np.array([1.0, 0.0]), np.array([1 - 1 / n, 1 / n])
    assert divergences.total_variation(zero, one_in_n) == pytest.approx(1 / n)
    assert one_in_n @ np.array([0.0, n]) == pytest.approx(1.0)


@pytest.mark.parametrize(("name", "beta"), [("cusp", 0.5), ("kink", 1.0), ("bow", 2.0)])
def test_each_curve_is_as_smooth_as_it_says_and_no_smoother(name: str, beta: float) -> None:
    x = np.linspace(-1, 1, 801)
    height = smooth(x)[name]
    if beta > 1:
        height, beta = np.gradient(height, x, edge_order=2), beta - 1  # its slope, for b = 1
    apart, differ = np.abs(x[:, None] - x), np.abs(height[:, None] - height)
    allowed = differ[apart > 0] / apart[apart > 0] ** beta
    assert allowed.max() == pytest.approx(1.0, abs=1e-6)


def least_errors(low: float, high: float) -> float:
    """The least sum of both errors between two shares, from 100 people's randomized response at level 1."""
    heads, pull = np.arange(101), math.tanh(0.5)
    laws = [stats.binom.pmf(heads, 100, 0.5 + pull * (share - 0.5)) for share in (low, high)]
    return float(np.minimum(*laws).sum())


def test_the_gap_is_where_the_best_test_errs_by_a_half_and_the_affinity_lies_above() -> None:
    width = told("gap", "gap")
    lows = np.linspace(0, 1 - width, 61)
    assert max(least_errors(low, low + width) for low in lows) == pytest.approx(0.5, abs=2e-3)
    assert told("gap", "half") == width / 2
    drawn = curves("gap")
    assert (drawn["exact"][1] <= drawn["affinity"][1] + 1e-12).all()
    for each in (0.1, 0.4, 0.9):
        pull = math.tanh(0.5) * each / 2
        affinity = 2 * math.sqrt((0.5 + pull) * (0.5 - pull))
        assert drawn["affinity"][1][round(100 * each)] == pytest.approx(affinity**100)


def test_laws_nearer_than_the_nearest_pair_that_is_told_apart_differ_by_less_than_the_gap() -> None:
    shares = np.linspace(0, 1, 41)
    pairs = [(low, high) for low in shares for high in shares if low < high]
    nearest = min(high - low for low, high in pairs if least_errors(low, high) <= 0.5)
    assert nearest <= told("gap", "gap") + 0.025  # one step of the grid


def test_the_modulus_of_reports_is_that_of_all_pairs_of_means() -> None:
    z0 = 1 / math.tanh(0.5)
    mean = np.linspace(-1, 1, 2001)
    plus = (1 + mean / z0) / 2
    best = 0.0
    for place in range(0, 2001, 5):
        affinity = np.sqrt(plus * plus[place]) + np.sqrt((1 - plus) * (1 - plus[place]))
        best = max(best, float(np.abs(mean - mean[place])[2 - 2 * affinity <= 0.01].max()))
    assert told("reports", "private") == pytest.approx(best, abs=2e-3)
    assert told("reports", "factor") == pytest.approx(z0, abs=1e-3)
    everything = reported(np.array([0.3]), 50.0)
    assert float(everything[0]) == pytest.approx(float(bounded_hellinger(2.0, 0.3)))


def test_the_nearest_share_is_wrong_only_where_the_estimate_is_off() -> None:
    """20 000 crowds; both shares within 6 standard errors of the exact ones: rate below 1e-8."""
    rng, pull = np.random.default_rng(3), math.tanh(0.5)
    share = rng.choice([0.25, 0.5, 0.75], 20_000)
    estimate = 0.5 + (rng.binomial(100, 0.5 + pull * (share - 0.5)) / 100 - 0.5) / pull
    off = np.abs(estimate - share) >= 0.125
    missed = np.array([0.25, 0.5, 0.75])[np.abs(estimate[:, None] - [0.25, 0.5, 0.75]).argmin(axis=1)] != share
    assert not (missed & ~off).any()
    assert off.mean() == pytest.approx(told("packing", "off"), abs=6 * 0.5 / math.sqrt(20_000))
    assert missed.mean() == pytest.approx(told("packing", "missed"), abs=6 * 0.5 / math.sqrt(20_000))
    drawn = curves("packing")
    assert (drawn["missed"][1] <= drawn["off"][1]).all()


# What stands under Why, and in the glossary


def test_the_level_of_two_people_is_the_larger_one_and_not_the_sum() -> None:
    one, other = (RandomizedResponse(level).p for level in (0.5, 1.5))
    channels = [np.array([[p, 1 - p], [1 - p, p]]) for p in (one, other)]
    both = np.einsum("ij,kl->ikjl", *channels).reshape(2, 2, 4)
    first = np.abs(np.log(both[0] / both[1])).max()
    second = np.abs(np.log(both[:, 0] / both[:, 1])).max()
    assert max(first, second) == pytest.approx(1.5)
    for language, level in (("en", "1.5"), ("de", "1,5")):
        assert f"{level} " in page_text("protocols", language)["why"]


@pytest.mark.parametrize("language", languages())
def test_elbows_deployments_and_ratings_stand_under_why(language: str) -> None:
    why = {page: page_text(page, language)["why"] for page in ("protocols", "trust", "counting")}
    assert all(elbow in why["protocols"] for elbow in ("¼", "½", "¾"))
    assert all(name in why["trust"] for name in ("Google", "Chrome", "RAPPOR", "Apple", "Microsoft", "99 %"))
    assert r"$\varepsilon$" in why["counting"] and r"$\alpha$" in why["counting"]


def test_without_privacy_the_quadratic_functional_bends_at_a_quarter() -> None:
    """Without privacy ∫p² errs like n to minus 4β/(4β + 1), until half, which is reached at β = 1/4."""
    beta = np.linspace(0.01, 1, 9901)
    rate = np.minimum(4 * beta / (4 * beta + 1), 0.5)
    assert beta[rate >= 0.5 - 1e-12][0] == pytest.approx(0.25, abs=1e-4)


NOTIONS = ("k-anonymity", "l-diversity", "(ε, δ)", "zCDP", "Rényi", "Gaussian", "shuffle")


@pytest.mark.parametrize("language", languages())
def test_every_other_notion_of_privacy_has_words_of_its_own(language: str) -> None:
    terms = [term for term in listing("glossary", language)["terms"] if term["group"] == "notion"]
    for notion in NOTIONS:
        (found,) = [term for term in terms if notion in term["en"]]
        assert len(found["text"]) > 40


def test_one_bit_about_the_square_shows_how_different_people_are_and_one_about_the_number_does_not() -> None:
    lines, bit = curves("halves"), OneBit(1.0)
    for place in (0, 20, 60):
        deviation = float(lines["square"][0][place])
        held = np.array([-deviation, deviation])
        for name, asked in (("number", held), ("square", 2 * held**2 - 1)):
            assert lines[name][1][place] == pytest.approx(float(np.mean(bit.chances(asked))), rel=1e-12)
    assert np.ptp(lines["number"][1]) == 0 and (np.diff(lines["square"][1]) > 0).all()
    assert told("halves", "apart") == pytest.approx(math.e / (1 + math.e))
    assert told("halves", "alike") == pytest.approx(1 / (1 + math.e))
