"""Intervals for a mean hold the truth as often as they say: exactly where reports are whole, by many draws elsewhere.

Nominal 95 %, n = 100 and 1 000, on skewed, two-point and constant people. Where draws decide, the exact binomial tail
of the number of misses has a false-alarm rate of 1e-9 for each assertion.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.intervals import Bounds
from ldpcore.estimating.meanintervals import mean_difference, mean_interval, mean_reach
from ldpcore.laws.channels import Pair
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.mechanisms.binary import AlphaBinary
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.localgaussian import LocalGaussian
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.mechanisms.onebit import BinaryMechanism, OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.people.populations import Population
from ldpcore.people.scales import numbers_of_shape
from tests.rationing import ALL, crossed

PEOPLE = ("skewed", "two-point", "constant")
BITS = [OneBit(0.5), OneBit(1.0), OneBit(4.0), AlphaBinary(1.0, "square"), HybridMechanism(0.5)]
OTHERS = [
    LocalLaplace(0.5),
    LocalLaplace(4.0),
    PiecewiseMechanism(0.5),
    PiecewiseMechanism(4.0),
    HybridMechanism(1.0),
    HybridMechanism(4.0),
    LocalGaussian(1.0, 1e-5, "analytic"),
    LocalGeometric(1.0, 10),
]
NAMED = {"ids": lambda given: f"{given.slug}:{given.epsilon:g}" if isinstance(given, NumberRandomizer) else None}
RATE = 1e-9


def law_of_pluses(mechanism: NumberRandomizer, people: Population) -> np.ndarray:
    """The exact law of the number of +1: one binomial for each number, convolved."""
    bit = mechanism if isinstance(mechanism, BinaryMechanism) else mechanism.parts[1]
    law = np.ones(1)
    for value, count in zip(people.values, people.counts, strict=True):
        law = np.convolve(law, stats.binom.pmf(np.arange(count + 1), count, float(bit.chances(value))))
    return law


def z0_of(mechanism: NumberRandomizer) -> float:
    return mechanism.z0 if isinstance(mechanism, BinaryMechanism) else mechanism.parts[1].z0


@pytest.mark.parametrize("mechanism", BITS, **NAMED)
@pytest.mark.parametrize(("n", "shape"), crossed([1, 10, 100, 1000], [*PEOPLE]))
def test_intervals_from_bits_hold_the_truth_exactly_often_enough(
    mechanism: NumberRandomizer, n: int, shape: str
) -> None:
    people = numbers_of_shape(shape, n)
    law = law_of_pluses(mechanism, people)
    assert law.sum() == pytest.approx(1, rel=1e-9)
    estimates = z0_of(mechanism) * (2 * np.arange(n + 1) / n - 1)
    bounds = mean_interval(estimates, mechanism, n)
    covered = float(law[bounds.encloses(float(mechanism.truth(people)))].sum())
    assert covered >= 0.95
    # People drawn at random: the number is binomial, and the interval is not much wider than need be.
    truth = float(mechanism.truth(people))
    binomial = stats.binom.pmf(np.arange(n + 1), n, (truth / z0_of(mechanism) + 1) / 2)
    sampled = float(binomial[bounds.encloses(truth)].sum())
    assert 0.95 <= sampled and (sampled <= 0.97 or n < 1000)


def test_an_interval_half_as_wide_fails() -> None:
    mechanism, people = OneBit(1.0), numbers_of_shape("skewed", 1000)
    law, truth = law_of_pluses(mechanism, people), float(mechanism.truth(people))
    estimates = mechanism.z0 * (2 * np.arange(1001) / 1000 - 1)
    bounds = mean_interval(estimates, mechanism, 1000)
    half = Bounds((bounds.low + estimates) / 2, (bounds.high + estimates) / 2, 0.95)
    assert float(law[half.encloses(truth)].sum()) < 0.7


def covered_share(mechanism: NumberRandomizer, people: Population, rounds: int, seed: int) -> int:
    tally = mechanism.sample_tally(people, np.random.default_rng(seed), rounds)
    bounds = mean_interval(mechanism.estimate(tally), mechanism, people.n)
    return int(bounds.encloses(float(mechanism.truth(people))).sum())


@pytest.mark.parametrize(
    ("mechanism", "people"), crossed(OTHERS, [(n, shape) for shape in PEOPLE for n in (100, 1000)], 3), **NAMED
)
def test_intervals_from_numbers_hold_the_truth_often_enough(
    mechanism: NumberRandomizer, people: tuple[int, str]
) -> None:
    """As many misses as a coverage of 95 % would give with probability 1e-9 are too many."""
    n, shape = people
    rounds = 10_000 if ALL else 5000
    hits = covered_share(mechanism, numbers_of_shape(shape, n), rounds, 7)
    assert stats.binom.cdf(hits, rounds, 0.95) > RATE, hits / rounds


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("mechanism", OTHERS, **NAMED)
def test_intervals_are_hardly_wider_than_those_of_the_normal_law(
    mechanism: NumberRandomizer, confidence: float
) -> None:
    """The normal law's with the worst variance is what no interval for every crowd can be far below."""
    for n, most in ((10**4, 1.05 if confidence < 0.999 else 1.12), (10**6, 1.005), (10**9, 1.0005)):
        bounds = mean_interval(0.0, mechanism, n, confidence)
        normal = 2 * quantile(confidence) * math.sqrt(mechanism.worst_variance() / n)
        assert 0.999 <= float(bounds.high - bounds.low) / normal <= most, (mechanism, n)


@pytest.mark.parametrize("n", [100, 1000])
def test_the_coverage_of_geometric_noise_is_exact_by_convolution(n: int) -> None:
    """Two negative binomial laws, subtracted: no draws."""
    mechanism = LocalGeometric(1.0, 10)
    rate = mechanism.noise.rate
    p = -math.expm1(-rate)
    reach = int(12 * math.sqrt(n) / rate)
    middle = n * (1 - p) / p
    counts = np.arange(max(0, int(middle) - reach), int(middle) + reach)
    law = stats.nbinom.pmf(counts, n, p)
    noise = np.convolve(law, law[::-1])
    sums = np.arange(-(len(counts) - 1), len(counts))
    assert noise.sum() == pytest.approx(1, rel=1e-6)
    for x in (-1.0, 0.2, 1.0):
        estimates = x + 2 * sums / n / mechanism.steps
        covered = float(noise[mean_interval(estimates, mechanism, n).encloses(x)].sum())
        assert 0.95 <= covered <= 0.98


@pytest.mark.parametrize(("mechanism", "shape"), crossed([*OTHERS, OneBit(1.0)], PEOPLE, 4), **NAMED)
def test_with_people_drawn_at_random_the_wider_interval_holds_everybodys_mean(
    mechanism: NumberRandomizer, shape: str
) -> None:
    """Samples of 400 people: as few hits as a coverage of 95 % would give with probability 1e-9 are too few."""
    rng, law = np.random.default_rng(11), numbers_of_shape(shape, 10**6)
    truth, estimates, rounds = float(mechanism.truth(law)), [], 1000 if ALL else 500
    for _ in range(rounds):
        sample = Population(law.values, rng.multinomial(400, law.shares))
        estimates.append(float(mechanism.estimate(mechanism.sample_tally(sample, rng))))
    hits = int(mean_interval(estimates, mechanism, 400, sampled=True).encloses(truth).sum())
    assert stats.binom.cdf(hits, rounds, 0.95) > RATE


def test_a_large_crowd_costs_nothing_and_the_normal_half_width_comes_out() -> None:
    for mechanism in (OneBit(1.0), HybridMechanism(1.0), PiecewiseMechanism(1.0)):
        for n in (10**6, 10**9, 10**12):
            bounds = mean_interval(0.0, mechanism, n)
            expected = quantile(0.95) * math.sqrt(mechanism.worst_variance() / n)
            assert float(bounds.high - bounds.low) / 2 == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("n", [1, 2, 256, 257, 300, 3001])
def test_the_reach_of_bits_is_the_longest_arm_of_all_counts(n: int) -> None:
    """By SciPy's beta quantiles for every number of +1."""
    pluses, bit = np.arange(1, n + 1), OneBit(1.0)
    for confidence in (0.5, 0.95):
        arms = pluses / n - stats.beta.ppf((1 - confidence) / 2, pluses, n - pluses + 1)
        assert mean_reach(bit, n, confidence) == pytest.approx(2 * bit.z0 * arms.max(), rel=1e-12)


def test_a_difference_of_two_estimates_holds_the_true_one_often_enough() -> None:
    """20 000 pairs of groups of 100 and 500 people by one bit, rate 1e-10."""
    mechanism, rng = OneBit(1.0), np.random.default_rng(3)
    groups = [numbers_of_shape("skewed", 100), numbers_of_shape("bell", 500)]
    estimates = [mechanism.estimate(mechanism.sample_tally(group, rng, 20_000)) for group in groups]
    truth = float(mechanism.truth(groups[0]) - mechanism.truth(groups[1]))
    hits = int(mean_difference(*estimates, mechanism, (100, 500)).encloses(truth).sum())
    assert stats.binom.cdf(hits, 20_000, 0.95) > RATE


def test_hoeffding_unequal_coins_stray_less_than_equal_ones() -> None:
    """The reason why an interval made for a binomial number is right for unequal people: tails compared exactly."""
    mechanism, people = OneBit(2.0), numbers_of_shape("two-point", 200)
    law, mean = law_of_pluses(mechanism, people), float(people.mean_of(lambda x: x))
    equal = stats.binom.pmf(np.arange(201), 200, (mean / mechanism.z0 + 1) / 2)
    center = float((np.arange(201) * law).sum())
    for count in range(201):
        if count <= center - 1:
            assert law[: count + 1].sum() <= equal[: count + 1].sum() + 1e-12
        if count >= center + 1:
            assert law[count:].sum() <= equal[count:].sum() + 1e-12
    assert isinstance(mechanism.compare(1.0, -1.0), Pair)
