"""The mean absolute error of a crowd's estimate: by enumeration, quadrature, closed forms and simulation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy import integrate, special, stats

from ldpcore.estimating import absoluteerrors
from ldpcore.estimating.absoluteerrors import count_error, mean_error
from ldpcore.experiments.means.family import family, slugs
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import FrequencyOracle, NumberRandomizer
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.parameters import declarations
from ldpcore.people.populations import Population, SmoothPopulation
from tests.rationing import crossed
from tests.statistics import RATE, accept_normal

LEVELS = 0.3, 1.0, 4.0
CROWDS = ((0, 1), (1, 1), (0, 2), (1, 3), (3, 5), (4, 9), (20, 40))


def oracles(level: float) -> Iterator[FrequencyOracle]:
    """Every oracle of two answers that a level makes."""
    for member in of_kind(FrequencyOracle):  # type: ignore[type-abstract]
        if member.serves(2):
            fixed = {"k": 2} if "k" in declarations(member) else {}
            yield member.starting(epsilon=level, **fixed)


def enumerated(oracle: FrequencyOracle, held: int, n: int) -> float:
    """E|ĉ - c| from the law of the tally, a convolution of two binomials of SciPy's."""
    own = stats.binom.pmf(np.arange(held + 1), held, oracle.p)
    foreign = stats.binom.pmf(np.arange(n - held + 1), n - held, oracle.q)
    estimates = (np.arange(n + 1) - n * oracle.q) / oracle.gap
    return float(np.convolve(own, foreign) @ np.abs(estimates - held))


@pytest.mark.parametrize("level", LEVELS)
def test_the_error_of_a_count_is_that_of_its_enumerated_law(level: float) -> None:
    found = list(oracles(level))
    assert any(isinstance(oracle, RandomizedResponse) for oracle in found)
    for oracle, (held, n) in itertools.product(found, CROWDS):
        assert count_error(oracle, held, n) == pytest.approx(enumerated(oracle, held, n), rel=1e-8), oracle


def test_a_count_of_many_people_is_enumerated_too() -> None:
    for level in LEVELS:
        rr = RandomizedResponse(level)
        assert count_error(rr, 882, 2584) == pytest.approx(enumerated(rr, 882, 2584), rel=1e-8)


def test_at_the_highest_level_a_count_errs_by_the_single_person_who_lies() -> None:
    # One of n lies with probability nq and is counted for 1/(p - q); the mean is m - (2m - n)q: 2 max(m, n - m) q.
    assert count_error(RandomizedResponse(50.0), 882, 2584) == pytest.approx(2 * 1702 * math.exp(-50), rel=1e-9, abs=0)
    assert count_error(RandomizedResponse(50.0), 2000, 2584) == pytest.approx(2 * 2000 * math.exp(-50), rel=1e-9, abs=0)


def single(member: NumberRandomizer, x: float) -> float:
    """E|Z - x| of one report, by quadrature of its density and the sum of its atoms."""
    places, chances = member.atoms(x)
    error = float(np.abs(member.decoded(places) - x) @ chances) if len(places) else 0.0
    ends = member.support()
    if ends is None:
        return error
    reach = 60 * math.sqrt(float(member.variance_at(x)))
    low, high = max(ends[0], x - reach), min(ends[1], x + reach)
    inner = [place for place in (*member.breakpoints(x), x) if low < place < high]
    for left, right in itertools.pairwise(sorted({low, *inner, high})):
        error += integrate.quad(lambda z: abs(z - x) * math.exp(member.log_density(z, x)), left, right, epsrel=1e-10)[0]
    return error


@pytest.mark.parametrize(("slug", "level"), crossed(slugs(), LEVELS))
def test_the_error_of_one_report_is_an_integral_over_its_law(slug: str, level: float) -> None:
    for member in family(level, (slug,)):
        for x in (-1.0, -0.37, 0.0, 1.0):
            error = mean_error(member, Population(np.array([x]), np.array([1])))
            assert error == pytest.approx(single(member, x), rel=2e-5)


@pytest.mark.parametrize("n", [1, 2, 7, 300])
def test_a_sum_of_laplace_noise_errs_by_a_ratio_of_gamma_functions(n: int) -> None:
    people = Population(np.array([0.3]), np.array([n]))
    closed = 2 * (2 / 0.7) * special.poch(n, 0.5) / math.sqrt(math.pi)
    assert mean_error(LocalLaplace(0.7), people) == pytest.approx(closed / n, rel=1e-8)


def test_bits_of_people_who_differ_are_enumerated() -> None:
    people = Population(np.array([-0.9, 0.2, 0.5]), np.array([2, 3, 1]))
    for level in LEVELS:
        member = OneBit(level)
        law = np.ones(1)
        for x, count in zip(people.values, people.counts, strict=True):
            up = float(member.chances(x))
            law = np.convolve(law, stats.binom.pmf(np.arange(count + 1), count, up))
        means = member.z0 * (2 * np.arange(7) - 6) / 6
        expected = law @ np.abs(means - float(people.values @ people.counts) / 6)
        assert mean_error(member, people) == pytest.approx(float(expected), rel=1e-8)


def test_whole_noise_on_rounded_numbers_is_convolved() -> None:
    member, places = LocalGeometric(2.0, 4), np.arange(-200, 201)
    noise = np.exp(member.noise.logs(places))
    whole = np.convolve(noise, noise)
    for x, y in ((0.1, 0.1), (-1.0, 1.0), (0.33, -0.6)):
        shares = [float(member.place(each)[1]) for each in (x, y)]
        rounded = np.convolve([1 - shares[0], shares[0]], [1 - shares[1], shares[1]])
        law = np.convolve(whole, rounded)
        away = np.arange(-400, 403) - sum(shares)
        expected = float(law @ np.abs(away)) * 2 / member.steps / 2
        assert mean_error(member, Population.of_numbers([x, y])) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("level", [1e-6, 0.001, 0.3, 20.0])
def test_one_or_two_reports_with_whole_noise_err_by_sums_of_powers(level: float) -> None:
    """E|Z| = 1/sinh r for noise of rate r, and of two P(Z + Z' = j) is in proportion to q^|j| (|j| + coth r), q = e^-r.

    At a low level it reaches over millions of steps, and the panels of the integral were as many.
    """
    member = LocalGeometric(level, 1000)
    rate = member.noise.rate
    q = math.exp(-rate)
    two = 2 * q * ((1 + q) ** 2 + 1 + q**2) / ((1 + q) ** 2 * -math.expm1(-2 * rate))
    for n, expected in ((1, 1 / math.sinh(rate)), (2, two)):
        error = mean_error(member, Population.of_numbers([1.0] * n))
        assert error == pytest.approx(2 / 1000 * expected / n, rel=1e-7)


@pytest.mark.parametrize("slug", slugs())
def test_simulated_crowds_err_as_much_as_is_said(slug: str) -> None:
    """A mean of 4 000 rounds, its standard error from the exact variance; false alarm below 1e-9 for each."""
    people, rounds = Population(np.linspace(-0.8, 0.9, 6), np.array([3, 9, 1, 4, 7, 16])), 4000
    for level in (0.2, 1.5, 5.0):
        for member in family(level, (slug,)):
            error = mean_error(member, people)
            assert error is not None
            tally = member.sample_tally(people, np.random.default_rng(48), rounds)
            drawn = np.abs(member.estimate(tally) - member.truth(people))
            spread = math.sqrt(max(float(member.variance(people)) - error**2, 0.0) / rounds)
            assert accept_normal(float(drawn.mean()), error, spread, RATE), (member, drawn.mean(), error)


def test_many_different_numbers_are_fitted_as_if_gone_through_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    people = Population.of_numbers(np.sort(np.random.default_rng(5).beta(2, 5, 400)) * 2 - 1)
    members = [member for level in (0.1, 1.0, 6.0) for member in family(level)]
    fitted = [mean_error(member, people) for member in members]
    monkeypatch.setattr(absoluteerrors, "LISTED", 1000)
    for member, error in zip(members, fitted, strict=True):
        assert error == pytest.approx(mean_error(member, people), rel=1e-5), member


def test_a_crowd_of_any_size_is_near_the_normal_law_and_costs_no_more() -> None:
    """The panels that are summed do not grow with the crowd, and a trillion people lose no digit that is told."""
    for n in (10**4, 10**9, 10**12):
        people = Population(np.array([-0.5, 0.25]), np.array([n // 3, n - n // 3]))
        for member in family(1.0):
            normal = math.sqrt(2 / math.pi * float(member.variance(people)))
            assert mean_error(member, people) == pytest.approx(normal, rel=3 / n + 1e-5), (member, n)
        rr = RandomizedResponse(1.0)
        normal = n * math.sqrt(2 / math.pi * float(rr.variance_of_shares(1 / 3, n)))
        assert count_error(rr, n // 3, n) == pytest.approx(normal, rel=3 / n + 1e-6)


def test_numbers_that_all_differ_are_summed_by_their_quantiles() -> None:
    smooth = SmoothPopulation("skewed", 5000)
    listed = Population.of_numbers(smooth.at(np.arange(5000)))
    for member in family(1.0):
        assert mean_error(member, smooth) == pytest.approx(mean_error(member, listed), rel=1e-6)


@pytest.mark.parametrize(
    ("panel", "check"),
    [
        ("whole", test_at_the_highest_level_a_count_errs_by_the_single_person_who_lies),
        ("real", lambda: test_a_sum_of_laplace_noise_errs_by_a_ratio_of_gamma_functions(2)),
    ],
)
def test_a_doubled_integral_is_noticed(panel: str, check: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(absoluteerrors.Spectrum, panel)
    monkeypatch.setattr(absoluteerrors.Spectrum, panel, lambda self: 2 * right(self))
    with pytest.raises(AssertionError):
        check()


def test_a_forgotten_rest_of_the_mean_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tally counts whole people, and its mean lies between two of them."""
    monkeypatch.setattr(absoluteerrors, "round", lambda value: value, raising=False)
    with pytest.raises(AssertionError):
        test_the_error_of_a_count_is_that_of_its_enumerated_law(1.0)
