"""Staircase noise against its paper: how it is drawn there, what errs least, and its sums, by another route each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pytest
from scipy import optimize

from ldpcore.experiments.averaging.needed import least_releases
from ldpcore.experiments.counting.neighbors import TwoTables
from ldpcore.experiments.verify.mechanism import MechanismCheck
from ldpcore.experiments.verify.promises import TwoLaws
from ldpcore.laws.staircasesums import StaircaseSums
from ldpcore.laws.uniformsums import UniformSums
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.staircase import StaircaseMechanism
from ldpcore.mechanisms.staircasenoise import StaircaseNoise
from tests import conformance
from tests.rationing import ALL, shared
from tests.statistics import accept_normal, accept_sample

LEVELS = 0.05, 0.7, 2.5, 9.0


def of_the_paper(epsilon: float, n: int) -> np.ndarray:
    """A sign times (1 - B)(G + γU) + B(G + γ + (1 - γ)U), algorithm 1 of the paper, at the sensitivity 1."""
    rng = np.random.default_rng(2015)
    gamma, b = 1 / (1 + math.exp(epsilon / 2)), math.exp(-epsilon)
    geometric = rng.geometric(1 - b, n) - 1
    wide = rng.random(n) < (1 - gamma) * b / (gamma + (1 - gamma) * b)
    spot = rng.random(n)
    sizes = np.where(wide, geometric + gamma + (1 - gamma) * spot, geometric + gamma * spot)
    return np.where(rng.random(n) < 0.5, -sizes, sizes)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_noise_that_is_drawn_as_in_the_paper_follows_the_law(epsilon: float) -> None:
    """The band of Dvoretzky, Kiefer and Wolfowitz, at a false-alarm rate of 1e-10 each."""
    noise, drawn = StaircaseMechanism(epsilon, 3.0), 3 * np.sort(of_the_paper(epsilon, 200_000))
    assert accept_sample(drawn, noise.cdf(drawn, 0.0))
    assert accept_normal(
        float(np.abs(drawn).mean()), noise.mean_absolute_error(), noise.deviation_of_error / math.sqrt(200_000)
    )


@pytest.mark.parametrize("epsilon", LEVELS)
def test_sums_of_the_papers_noise_have_the_law_of_sums_that_are_drawn_at_once(epsilon: float) -> None:
    """Of seven, both within one band around the exact law (rate 1e-10 each)."""
    noise = StaircaseNoise(epsilon)
    single = np.abs(of_the_paper(epsilon, 140_000).reshape(-1, 7).sum(axis=1))
    at_once = np.abs(noise.totals(np.full(20_000, 7), np.random.default_rng(7)))
    sums, places = StaircaseSums(noise, 7), np.quantile(single, np.linspace(0.02, 0.98, 25 if ALL else 13))
    exact = np.array([sums.within(float(place)) for place in places])
    for sample in (single, at_once):
        seen = np.searchsorted(np.sort(sample), places, side="right") / len(sample)
        assert np.abs(seen - exact).max() < math.sqrt(math.log(2 / 1e-10) / (2 * len(sample)))
        assert accept_normal(float(sample.mean()), sums.mean_size(), math.sqrt(7 * noise.variance() / len(sample)))


def moment(epsilon: float, gamma: float, power: int) -> float:
    """E|X|^p of a staircase whose first step ends at γ, step by step from its density."""
    b, ends = math.exp(-epsilon), np.arange(math.ceil(60 / epsilon) + 2) + gamma
    height = (1 - b) / (gamma + b * (1 - gamma))
    edges = np.concatenate([[0.0], ends])
    falls = height * b ** np.arange(len(ends))
    return float((falls * np.diff(edges ** (power + 1)) / (power + 1)).sum())


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0, 8.0])
def test_no_other_first_step_errs_less_on_average_and_another_one_has_the_least_variance(epsilon: float) -> None:
    noise = StaircaseMechanism(epsilon)
    gammas = np.linspace(0.001, 0.999, 999)
    errors = [moment(epsilon, gamma, 1) for gamma in gammas]
    assert moment(epsilon, noise.noise.gamma, 0) == pytest.approx(1)
    assert moment(epsilon, noise.noise.gamma, 1) == pytest.approx(noise.mean_absolute_error())
    assert min(errors) >= noise.mean_absolute_error() * (1 - 1e-12)
    assert abs(gammas[int(np.argmin(errors))] - noise.noise.gamma) < 0.001
    b = math.exp(-epsilon)
    squares = optimize.minimize_scalar(lambda gamma: moment(epsilon, gamma, 2), bounds=(0, 1), method="bounded")
    published = -b / (1 - b) + math.cbrt(b - 2 * b**2 + 2 * b**4 - b**5) / (2 ** (1 / 3) * (1 - b) ** 2)
    assert squares.x == pytest.approx(published, abs=2e-4)
    assert squares.fun < noise.variance() and squares.x > noise.noise.gamma


@pytest.mark.parametrize(("narrow", "cells"), [(1, 4), (1, 3), (2, 5), (3, 7)])
def test_no_density_on_a_grid_that_keeps_the_level_errs_less(narrow: int, cells: int) -> None:
    """A linear program over all densities that fall from 0 on and keep ε between points that lie up to 1 apart.

    With γ = narrow/cells the staircase is one of them. The last length of 1 is repeated for ever, e^{-ε} times each.
    """
    gamma = narrow / cells
    epsilon = 2 * math.log(1 / gamma - 1)
    lengths = math.ceil(18 / epsilon)
    places, size, b = (np.arange(cells * lengths) + 0.5) / cells, cells * lengths, math.exp(-epsilon)
    last = places > lengths - 1
    mass = np.where(last, 1 / (1 - b), 1.0)
    cost = np.where(last, places / (1 - b) + b / (1 - b) ** 2, places)
    rows, falling = [], np.exp(-epsilon * places)
    for place in range(size):
        for lower, upper, factor in ((place + 1, place, 1.0), (place, place + cells, 1 / b)):
            row = np.zeros(size + cells)
            row[lower] += 1.0
            row[upper] -= factor
            row = row[:size] + b * np.append(np.zeros(size - cells), row[size:])  # what lies behind is repeated
            rows.append(row * falling / falling[place])
    found = optimize.linprog(
        cost * falling, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), A_eq=(mass * falling)[None], b_eq=[1.0]
    )
    assert found.fun == pytest.approx(StaircaseNoise(epsilon).mean_absolute(), rel=1e-6)


def ends_of_steps(noise: StaircaseNoise, reach: float) -> np.ndarray:
    """Both sides' ends of steps up to a distance."""
    ends = np.arange(math.ceil(reach)) + noise.gamma
    return np.concatenate([-ends[::-1], ends])


def convolved(noise: StaircaseNoise, width: float) -> float:
    """P(|X + Y| ≤ w), piece by piece between the ends of steps: on each a parabola, which Gauss's points add up."""
    reach = 45 / noise.rate + 3 + width
    own = ends_of_steps(noise, reach)
    turns = np.union1d(own, np.arange(-math.ceil(reach), math.ceil(reach)))
    edges = np.unique(np.concatenate([own, width - turns, -width - turns]))
    edges = edges[np.abs(edges) <= own[-1]]
    points, weights = np.polynomial.legendre.leggauss(3)
    half, middle = np.diff(edges)[:, None] / 2, (edges[1:] + edges[:-1])[:, None] / 2
    y = middle + half * points
    likely = noise.height * np.exp(-noise.rate * noise.steps(middle)) * half * weights

    def at_most(z: np.ndarray) -> np.ndarray:
        below = noise.beyond(np.abs(z)) / 2
        return np.where(z < 0, below, 1 - below)

    return float((likely * (at_most(width - y) - at_most(-width - y))).sum())


@pytest.mark.parametrize("epsilon", shared([0.1, 0.6, 2.0, 5.0, 12.0, 24.0, 50.0], 2))
def test_sums_of_two_are_those_of_a_convolution(epsilon: float) -> None:
    noise = StaircaseNoise(epsilon)
    spread = math.sqrt(noise.variance())
    for width in (0.4 * spread, noise.gamma, 1.0, 1 + noise.gamma, 2 * spread):
        assert StaircaseSums(noise, 2).within(width) == pytest.approx(convolved(noise, width), abs=1e-8)
    assert StaircaseSums(noise, 2).mean_size() == pytest.approx(noise.size_of_difference(1.0), rel=1e-7)


@pytest.mark.parametrize(("epsilon", "repeats"), shared([(20.0, 4), (8.0, 5), (0.3, 3), (40.0, 10**6), (14.0, 40)], 3))
def test_larger_sums_have_the_area_and_the_variance_that_they_must(epsilon: float, repeats: int) -> None:
    """E|S| = ∫ P(|S| > w) dw and E S² = 2 ∫ w P(|S| > w) dw, from chances and from sizes that are told apart."""
    noise = StaircaseNoise(epsilon)
    sums, narrow = StaircaseSums(noise, repeats), noise.gamma * math.sqrt(repeats)
    points, weights = np.polynomial.legendre.leggauss(4)
    near = np.linspace(0, 6 * narrow, 13) if narrow < 0.5 else np.zeros(1)
    top = 40 / epsilon + 9 * math.sqrt(repeats * noise.variance()) + 3
    edges = np.unique(np.concatenate([near, np.linspace(near[-1], top, 18)]))
    half = np.diff(edges)[:, None] / 2
    places = (edges[:-1, None] + half * (points + 1)).ravel()
    left = np.array([1 - sums.within(float(place)) for place in places]) * (half * weights).ravel()
    assert left.sum() == pytest.approx(sums.mean_size(), rel=2e-3)
    assert 2 * places @ left == pytest.approx(repeats * noise.variance(), rel=1e-2)


@pytest.mark.parametrize("n", [1, 2, 5, 11, 12, 13, 20, 21, 22, 23, 40, 10**4])
def test_one_more_uniform_number_averages_a_sum_over_its_range(n: int) -> None:
    """P(V₁ + … + V_{n+1} ≤ z) = ½ ∫ P(V₁ + … + V_n ≤ y) dy over [z - 1, z + 1], across both ways of computing them."""
    z = np.linspace(-1.2 * min(n, 4 * math.sqrt(n)), 1.2 * min(n, 4 * math.sqrt(n)), 31)
    sums = UniformSums(n)
    averaged = (sums.shortfall(z + 1) - sums.shortfall(z - 1)) / 2
    assert UniformSums(n + 1).at_most(z) == pytest.approx(averaged, abs=1e-11)


def test_an_average_of_more_releases_may_say_less_and_the_first_number_that_is_enough_is_found() -> None:
    """At ε = 14 an average of twelve stays within half a first step most often, and one of 16 less again."""
    noise = StaircaseMechanism(14.0)
    width = noise.noise.gamma / 2
    within = [noise.average_within(width, repeats) for repeats in range(1, 40 if ALL else 20)]
    assert int(np.argmax(within)) == 11 and within[15] < within[11]
    confidence = (max(within) + within[15]) / 2
    first = next(place for place, chance in enumerate(within, 1) if chance >= confidence)
    assert least_releases(noise, width, confidence, 10**12) == first == 11

    class TakenForPeaked(StaircaseMechanism):
        peaked = True

    assert least_releases(TakenForPeaked(14.0), width, confidence, 10**12) == 9391, "which a search by halves finds"


@pytest.mark.parametrize(("epsilon", "width", "confidence"), [(1.0, 0.5, 0.95), (3.0, 0.2, 0.99), (8.0, 0.01, 0.95)])
def test_no_smaller_number_of_releases_is_enough(epsilon: float, width: float, confidence: float) -> None:
    noise = StaircaseMechanism(epsilon)
    needed = least_releases(noise, width, confidence, 10**12)
    assert needed is not None and noise.average_within(width, needed) >= confidence
    assert all(noise.average_within(width, repeats) < confidence for repeats in range(1, needed))


@pytest.mark.parametrize(
    ("epsilon", "width", "confidence"),
    [(1.35, 0.1, 0.5), (2.5, 0.1, 0.8), (0.92, 0.35, 0.99), (0.17, 0.7, 0.5), (0.3, 1.5, 0.95)],
)
def test_no_smaller_number_of_releases_in_whole_numbers_is_enough(
    epsilon: float, width: float, confidence: float
) -> None:
    """By the law of one release, convolved: a single whole number may do where an average of a few does not."""
    needed = least_releases(DiscreteLaplaceMechanism(epsilon, 1, "add-remove"), width, confidence, 10**12)
    steps = np.arange(-400, 401)
    one, total = np.exp(-epsilon * np.abs(steps)) * math.tanh(epsilon / 2), np.ones(1)
    assert needed is not None
    for times in range(1, needed + 1):
        total = np.convolve(total, one)
        middle, most = len(total) // 2, math.floor(width * times + 1e-9)
        kept = total[max(middle - most, 0) : middle + most + 1].sum()
        assert (kept >= confidence) == (times == needed), times
        cut = max(middle - 2000, 0)  # what lies beyond adds up to zero in floats
        total = total[cut : len(total) - cut]


def test_more_of_a_level_never_widens_staircase_noise() -> None:
    levels = np.geomspace(0.01, 50, 400)
    for width in (1e-3, 0.2, 0.49, 0.5, 0.9, 1.0, 1.3, 7.5):
        beyond = np.array([float(StaircaseNoise(float(level)).beyond(width)) for level in levels])
        assert (np.diff(beyond) <= 1e-15).all(), width


def test_whoever_moves_the_answer_a_little_is_hidden_no_better() -> None:
    noise = StaircaseMechanism(1.5, 4.0)
    for moved, steps in ((0.001, 1), (2.0, 1), (4.0, 1), (4.001, 2), (8.0, 2), (10.0, 3)):
        laws = noise.compare(3.0, 3.0 + moved)
        assert laws.loss() == pytest.approx(1.5 * steps)
        assert laws.first.sum() == pytest.approx(1) and laws.second.sum() == pytest.approx(1)
        grid = np.linspace(-60, 60 + moved, 480_001)
        logs = [np.array([-1.5 * StaircaseNoise(1.5).steps((grid - at) / 4)]) for at in (0, moved)]
        apart = np.abs(np.exp(logs[0]) - np.exp(logs[1])).sum() * (grid[1] - grid[0]) * math.sinh(0.75) / 4 / 2
        assert laws.delta(0.0) == pytest.approx(apart, abs=1e-3)


def test_many_counts_keep_the_level_together_though_each_noise_loses_all_of_its_own_at_once() -> None:
    """One person moves two cells by one: noise made for a step of two would lose ε in each of them, 2ε together."""
    cells = StaircaseMechanism(1.5).of_counts(1.5, 2.0)
    losses = [cells.compare(0.0, moved).loss() for moved in (0.0, 1.0, 2.0)]
    assert losses == pytest.approx([0.0, 0.75, 1.5])
    assert 2 * StaircaseMechanism(1.5, 2.0).compare(0.0, 1.0).loss() == pytest.approx(3.0)


def test_its_densities_are_drawn_on_both_sides_of_every_jump() -> None:
    noise = StaircaseMechanism(2.0)
    for drawn in (MechanismCheck(noise).run().densities, TwoLaws(noise).run()):
        assert drawn is not None and drawn.reports is not None
        ratios = np.log(drawn.first / drawn.second)
        assert np.abs(ratios).max() == pytest.approx(2.0)
        steep = np.abs(np.diff(np.log(drawn.first))) > 1e-9
        assert steep.any() and (np.diff(drawn.reports)[steep] < 1e-10).all(), "every fall is upright"
    released = TwoTables(noise, 5.0, 0.0, 10.0).run()
    places, likely = released.curve(other=True)
    steep = np.abs(np.diff(np.log(likely))) > 1e-9
    assert steep.any() and (np.diff(places)[steep] < 1e-9).all()


@dataclass(frozen=True)
class EvenSteps(StaircaseNoise):
    """A planted mistake: the first step ends half-way at every level."""

    @cached_property
    def gamma(self) -> float:
        return 0.5


def test_planted_steps_of_another_width_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StaircaseMechanism, "noise", property(lambda self: EvenSteps(self.epsilon)))
    with pytest.raises(AssertionError):
        test_noise_that_is_drawn_as_in_the_paper_follows_the_law(2.5)
    with pytest.raises(AssertionError):
        test_no_other_first_step_errs_less_on_average_and_another_one_has_the_least_variance(2.5)


def test_noise_that_does_not_say_where_it_jumps_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StaircaseMechanism, "jumps", AdditiveNoise.jumps)
    with pytest.raises(AssertionError, match=r"the density of staircase must be smooth between .*`jumps`"):
        conformance.density_is_a_distribution_with_these_moments(StaircaseMechanism)


@pytest.mark.parametrize("part", ["_few_within", "_away"])
def test_planted_sums_that_forget_a_part_are_seen(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = vars(StaircaseSums)[part]
    monkeypatch.setattr(StaircaseSums, part, lambda self, *asked: whole(self, *asked) * (1 + 1e-6))
    with pytest.raises(AssertionError):
        test_sums_of_two_are_those_of_a_convolution(5.0)
