"""What one channel can tell: confusion against linear programs over mixtures, and the modulus of reports."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ldpcore.laws.besttests import minimax_test
from ldpcore.laws.products import distance_of
from ldpcore.limits import bounds, confusion
from ldpcore.limits.errorlosses import Absolute, Squared
from ldpcore.limits.problems import BoundedMoment, EventShare
from tests.rationing import ALL, crossed, shared


def tallies(shares: np.ndarray, n: int, epsilon: float) -> np.ndarray:
    yes = 0.5 + math.tanh(epsilon / 2) * (shares - 0.5)
    return np.asarray(stats.binom.pmf(np.arange(n + 1), n, yes[:, None]))


@pytest.mark.parametrize(("n", "epsilon"), [(4, 1.0), (20, 0.5), (20, 2.0)])
def test_mixtures_of_shares_are_confused_no_more_than_two_of_them(n: int, epsilon: float) -> None:
    for difference in (0.1, 0.4):
        best = 0.0
        for low in np.linspace(0, 1 - difference, 31 if ALL else 16):
            below, above = np.linspace(0, low, 6), np.linspace(low + difference, 1, 6)
            hulls = minimax_test(tallies(below, n, epsilon), tallies(above, n, epsilon))
            pair = minimax_test(tallies(below[-1:], n, epsilon), tallies(above[:1], n, epsilon))
            assert hulls.attained == pytest.approx(pair.attained, abs=1e-8)
            best = max(best, pair.attained)
        found = confusion.confusion(difference, n, epsilon)
        assert best - 1e-9 <= found <= best + 0.02


CROWDS, LEVELS = [1, 2, 3, 4, 5, 7, 10, 33, 101], [0.01, 0.5, 1.0, 1.5, 2.5, 10.0]


@pytest.mark.parametrize(("n", "epsilon"), crossed(CROWDS, LEVELS, 3))
def test_no_place_is_harder_than_the_hardest(n: int, epsilon: float) -> None:
    for difference in shared((0.01, 0.1, 0.3, 0.5, 0.9, 1.0), 2, CROWDS.index(n) // 3 + LEVELS.index(epsilon) // 3):
        lows = np.linspace(0, 1 - difference, 1001)
        sums = np.minimum(tallies(lows, n, epsilon), tallies(lows + difference, n, epsilon)).sum(axis=1)
        found = confusion.confusion(difference, n, epsilon)
        assert sums.max() - 1e-9 <= found <= sums.max() + 2e-3  # the tried places miss the hardest by little
        share = float(confusion.hardest_share(difference, n, epsilon))
        pair = tallies(np.array([share, share + difference]), n, epsilon)
        assert found == pytest.approx(np.minimum(*pair).sum(), abs=1e-9)


def test_confusion_is_whole_at_no_difference_and_falls() -> None:
    sums = [confusion.confusion(difference, 50, 1.0) for difference in (0.0, 0.05, 0.1, 0.3, 0.8, 1.0)]
    assert sums[0] == 1
    assert all(one > other for one, other in pairwise(sums))
    assert confusion.confusion(1.1, 50, 1.0) == 0


@pytest.mark.parametrize(("n", "epsilon"), crossed((10, 1000, 10**6), (0.1, 1.0, 4.0)))
def test_the_bound_for_these_bits_lies_between_that_for_all_and_what_they_achieve(n: int, epsilon: float) -> None:
    for problem, width in ((EventShare(), 1.0), (BoundedMoment(), 2.0)):
        for loss in (Squared(), Absolute()):
            least = confusion.least_loss(loss, n, epsilon, width)
            assert bounds.sharp_lower_bound(problem, loss, n, epsilon).value <= least * (1 + 1e-9)
            assert least <= float(loss.spread(min(problem.recipe(epsilon, n).risk_bound, problem.guess)))


def test_no_linear_estimate_beats_the_bound_for_its_bits() -> None:
    n, epsilon = 30, 1.0
    least = confusion.least_loss(Squared(), n, epsilon)
    pull, shares = math.tanh(epsilon / 2), np.linspace(0, 1, 101)
    laws, yes = tallies(shares, n, epsilon), np.arange(n + 1) / n
    for shrink in np.linspace(0, 1, 21):
        estimate = 0.5 + shrink * (yes - 0.5) / pull
        risks = (laws * (estimate - shares[:, None]) ** 2).sum(axis=1)
        assert risks.max() >= least


def reported_modulus(values: tuple[float, ...], odds: tuple[float, ...], distance: float, parts: int = 4001) -> float:
    """sup |θ(P₀) - θ(P₁)| over laws on these values whose one-bit reports are at most so far apart (Hellinger).

    θ is the mean of the values, `odds` the chance of a + from each. The largest mean at a chance a of + is a concave
    function of a, the smallest a convex one. With a = sin²u, b = sin²v the squared distance is 4sin²((u - v)/2).
    """
    f, q = np.array(values), np.array(odds)
    u = np.linspace(math.asin(math.sqrt(q.min())), math.asin(math.sqrt(q.max())), parts)
    reach = 2 * math.asin(min(distance / 2, 1.0))
    top, bottom = _hull(q, f, np.sin(u) ** 2), -_hull(q, -f, np.sin(u) ** 2)
    lowest = u[int(np.argmin(bottom))]
    nearest = np.interp(np.clip(lowest, u - reach, u + reach), u, bottom)
    return max(float((top - nearest).max()), 0.0)


def _hull(x: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The concave hull of points, at places between them: the largest of all chords."""
    chords = np.full(len(at), -np.inf)
    for one in range(len(x)):
        for other in range(one, len(x)):
            low, high = sorted((one, other), key=lambda place: float(x[place]))
            inside = (at >= x[low] - 1e-12) & (at <= x[high] + 1e-12)
            slope = (y[high] - y[low]) / (x[high] - x[low]) if x[high] > x[low] else 0.0
            heights = y[low] + slope * (at - x[low]) if x[high] > x[low] else np.full(len(at), max(y[low], y[high]))
            chords = np.where(inside, np.maximum(chords, heights), chords)
    return chords


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 4.0])
@pytest.mark.parametrize("distance", [0.01, 0.2, 0.6])
def test_the_modulus_of_reports_is_at_most_the_variations_at_a_larger_distance(epsilon: float, distance: float) -> None:
    values = (-1.0, -0.2, 0.5, 1.0)
    odds = tuple(0.5 + math.tanh(epsilon / 2) * value / 2 for value in values)
    found = reported_modulus(values, odds, distance)
    assert found <= float(BoundedMoment().tv(distance / math.tanh(epsilon / 2))) * (1 + 1e-3)
    # About the middle a bit of mean m has Hellinger's distance 2sin(asin(m/z₀)/2) from its mirror image.
    reach = math.sin(2 * math.asin(distance / 2)) / math.tanh(epsilon / 2)
    assert found == pytest.approx(min(2 * reach, 2.0), rel=2e-3)


@settings(max_examples=25)
@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0.05, 0.95)), min_size=2, max_size=4), st.floats(0.01, 0.3))
def test_the_modulus_of_reports_is_attained_and_grows_at_most_with_the_square(
    pairs: list[tuple[float, float]], distance: float
) -> None:
    values, odds = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
    found = reported_modulus(values, odds, distance)
    rng, best = np.random.default_rng(1), 0.0
    laws = rng.dirichlet(np.ones(len(values)) / 2, 400)
    plus, means = laws @ np.array(odds), laws @ np.array(values)
    affinity = np.sqrt(np.outer(plus, plus)) + np.sqrt(np.outer(1 - plus, 1 - plus))
    near = 2 - 2 * affinity <= distance**2
    best = float(np.abs(means[:, None] - means[None, :])[near].max())
    assert best <= found + 1e-3
    for times in (2, 3):
        larger = reported_modulus(values, odds, times * distance)
        assert larger <= times**2 * found * (1 + 1e-3) + 2e-3


def test_many_more_people_than_a_register_counts_are_told_apart_as_by_the_normal_law() -> None:
    for n in (10**6, 10**10, 10**15, 10**18):
        half = 0.5 / math.sqrt(n)
        found = distance_of((0.5 - half, 0.5 + half), (0.5 + half, 0.5 - half), n).high
        assert found == pytest.approx(2 * stats.norm.cdf(1) - 1, rel=2e-3)
