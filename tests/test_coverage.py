"""The law of all intervals: each holds at least as often as it says, whoever the people are and however few.

Everything in `ldpcore` that makes an interval is found by what it returns, and has its case here. Mechanisms come from
the registry; crowds are those that are worst for a mean: all alike at an end and in the middle, two points, few who
stand out. Where reports are counted, every number of reports is gone through with its exact probability; elsewhere
rounds are drawn at once. A drawn case fails where so many misses have a probability below 1e-12 at the stated
confidence; with the some thousand cases the whole file gives a false alarm less often than 1e-8.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import math
import pkgutil
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pytest
import scipy

import ldpcore
from ldpcore.estimating.adviser import comparable
from ldpcore.estimating.confidences import quantile
from ldpcore.estimating.intervals import Bounds, count_law, exact_bounds, score_interval, share_interval
from ldpcore.estimating.meanintervals import bit_interval, mean_difference, mean_interval, mean_reach
from ldpcore.experiments import means, vectors
from ldpcore.experiments.response.classes import CuratorSurvey
from ldpcore.experiments.response.design import interval_of
from ldpcore.mechanisms.base import FrequencyOracle, NumberRandomizer
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.mechanisms.hybrid import HybridMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.locallaplace import LocalLaplace
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.people.populations import Population
from ldpcore.people.rows import NumberRows
from ldpcore.people.scales import PublicScale, ScaledNumbers
from tests.rationing import crossed, shared
from tests.statistics import coverage

SIZES = (1, 2, 3, 10, 30, 100, 10**4)
LEVELS = (0.1, 1.0, 3.0, 10.0)
CONFIDENCES = (0.5, 0.95, 0.999)
ROUNDS = 4000
RATE = 1e-12


# --- every maker of intervals is found -------------------------------------------------------------------------------


def makers() -> Iterator[str]:
    """Every function, method and property of ldpcore that returns `Bounds`, or two ends and is called an interval."""
    for module in pkgutil.walk_packages(ldpcore.__path__, "ldpcore."):
        held = importlib.import_module(module.name)
        for name, member in vars(held).items():
            if getattr(member, "__module__", None) != module.name:
                continue
            inner = vars(member).items() if inspect.isclass(member) else [("", member)]
            for own, each in inner:
                function = each.func if isinstance(each, cached_property) else getattr(each, "fget", each)
                if not inspect.isfunction(function):
                    continue
                called, returned = f"{name}.{own}".strip("."), str(function.__annotations__.get("return"))
                named = "interval" in called.rpartition(".")[2] and returned == "tuple[float, float]"
                if returned == "Bounds" or named:
                    yield called


# What makes an interval, and the test below that goes through it; what only cuts, rescales or hands on others' is shown
# by the test of the result that a reader sees.
CASES = {
    "mean_interval": "test_means",
    "bit_interval": "test_bits_by_enumeration",
    "mean_difference": "test_differences",
    "exact_bounds": "test_shares_by_enumeration",
    "exact_interval": "test_answers_by_enumeration",
    "interval_of": "test_answers_by_enumeration",
    "share_interval": "test_shares_by_enumeration",
    "_bounds": "test_shares_by_enumeration",  # or hands on that of a mean
    "_bounds_of": "test_shares_by_enumeration",
    "_of_coins": "test_shares_by_enumeration",  # exact bounds of "yes", turned round for "no"
    "score_interval": "test_the_score_interval_is_a_guess_that_nobody_is_shown",
    "plug_in_interval": "test_intervals_from_estimated_variances_hold_about_as_often_as_they_say",
    "worst_case": "test_nonresponse",
    "Bounds.clamped": "test_cutting_loses_no_truth",
    "Bounds.within": "test_cutting_loses_no_truth",
    "CuratorSurveyResult.interval": "test_a_curators_interval",
    "MeanSurveyResult.intervals": "test_what_the_pages_show",
    "MeanSurveyResult.interval_of": "test_what_the_pages_show",
    "MeanSurveyResult.interval": "test_what_the_pages_show",
    "TwoGroupsResult.intervals": "test_what_the_pages_show",
    "TwoGroupsResult.interval": "test_what_the_pages_show",
    "TwoGroupsResult.interval_of": "test_what_the_pages_show",
    "TwoGroupsResult._interval": "test_what_the_pages_show",
    "VectorSurveyResult.bounds": "test_several_means_at_once",
    "DecodingResult.bounds": "test_intervals_from_estimated_variances_hold_about_as_often_as_they_say",
    "Enclosing.bounds": "test_shares_by_enumeration",
    "RealReports.around": "test_shares_by_enumeration",
    "FrequencyResult.bounds": "test_shares_by_enumeration",
    "RealAnswers.enclosing": "test_answers_by_enumeration",
    "WaveQuantiles.interval": "test_whatever_the_crowd_its_quantile_is_inside_while_the_chances_are",
}


def test_nothing_makes_an_interval_that_has_no_case() -> None:
    found = sorted(makers())
    assert len(found) >= 25 and sorted(CASES) == sorted(set(found)), set(found) ^ set(CASES)
    elsewhere = {
        "test_nonresponse",
        "test_intervals_from_estimated_variances_hold_about_as_often_as_they_say",
        "test_whatever_the_crowd_its_quantile_is_inside_while_the_chances_are",
    }
    assert {name for name in CASES.values() if name not in globals()} <= elsewhere


# --- means -----------------------------------------------------------------------------------------------------------


def crowds(n: int) -> Iterator[Population]:
    """The people that are worst for an interval of a mean, the last but one being skewed."""
    for value in (-1.0, 0.0, 0.3):
        yield Population(np.array([value]), np.array([n]))
    few = max(1, n // 10)
    for low, high, many in ((-1.0, 1.0, n // 2), (-1.0, 1.0, few), (-0.5, 1.0, few)):
        if 0 < many < n:
            yield Population(np.array([low, high]), np.array([n - many, many]))


def drawn(mechanism: Any, people: Population, seed: int = 1, rounds: int = ROUNDS) -> Reals:
    """Estimates of so many rounds."""
    return np.asarray(mechanism.estimate(mechanism.sample_tally(people, np.random.default_rng(seed), rounds)))


def too_many(missed: int, confidence: float, rounds: int = ROUNDS) -> bool:
    """Whether so many misses have a probability below the rate of false alarms."""
    return bool(scipy.special.bdtrc(missed - 1, rounds, 1 - confidence) < RATE)


def failures(
    mechanism: NumberRandomizer,
    maker: Callable[..., Bounds] = mean_interval,
    sizes: tuple[int, ...] = SIZES,
    rounds: int = ROUNDS,
    every: int = 1,
) -> Iterator[tuple[Any, ...]]:
    """Where the intervals of a mechanism hold too seldom; by day for every second crowd or so, in turn."""
    for first, n in enumerate(sizes):
        for place, people in shared(enumerate(crowds(n)), every, first):
            estimates, truth = drawn(mechanism, people, rounds=rounds), float(mechanism.truth(people))
            for confidence in CONFIDENCES:
                missed = int((~maker(estimates, mechanism, n, confidence).encloses(truth)).sum())
                if too_many(missed, confidence, rounds):
                    yield n, place, confidence, 1 - missed / rounds


MEMBERS = (*means.slugs(), "abm", "sw")


@pytest.mark.parametrize(("slug", "level"), crossed(MEMBERS, LEVELS, 4))
def test_means(slug: str, level: float) -> None:
    """Few people at every level, for whom intervals are hardest; each larger crowd at every other level."""
    settings = (("function", "square"),) if slug == "abm" else ()
    mechanism, place = means.at(slug, level, settings), MEMBERS.index(slug) + LEVELS.index(level)
    sizes = (*SIZES[:3], *shared(SIZES[3:], 2, place))
    assert mechanism is not None and not [*failures(mechanism, sizes=sizes, every=2)]


def test_whole_numbers_of_few_steps() -> None:
    for level, steps in itertools.product(LEVELS, (1, 4)):
        assert not [*failures(LocalGeometric(level, steps), sizes=(1, 3, 30, 10**4), every=2)]


def normal_interval(estimate: Any, mechanism: Any, n: int, confidence: float = 0.95) -> Bounds:
    """What is wrong for few people: z times the worst standard error."""
    reach = quantile(confidence) * math.sqrt(mechanism.worst_variance() / n)
    return Bounds(np.asarray(estimate) - reach, np.asarray(estimate) + reach, confidence)


def test_a_planted_normal_interval_fails() -> None:
    for mechanism in (HybridMechanism(10.0), PiecewiseMechanism(10.0), LocalLaplace(1.0), OneBit(3.0)):
        assert any(failures(mechanism, normal_interval, SIZES[:5]))


@pytest.mark.parametrize(
    ("mechanism", "people", "confidence"),
    [
        (HybridMechanism(10.0), (100, "skewed"), 0.999),
        (HybridMechanism(10.0), (30, "constant"), 0.95),
        (PiecewiseMechanism(10.0), (100, "two-point"), 0.999),
        (LocalLaplace(1.0), (2, "constant"), 0.999),
        (HybridMechanism(3.0), (1, "constant"), 0.95),
    ],
)
def test_what_held_too_seldom_holds(mechanism: Any, people: tuple[int, str], confidence: float) -> None:
    """10 000 rounds each: so many misses of the normal law have a probability below 1e-23 in every one of them."""
    numbers = ScaledNumbers.synthetic(people[1], people[0]).people
    estimates, truth = drawn(mechanism, numbers, 5, 10_000), float(mechanism.truth(numbers))
    missed = int((~mean_interval(estimates, mechanism, people[0], confidence).encloses(truth)).sum())
    assert not too_many(missed, confidence, 10_000)
    plain = int((~normal_interval(estimates, mechanism, people[0], confidence).encloses(truth)).sum())
    assert too_many(plain, confidence, 10_000)


@pytest.mark.parametrize("level", LEVELS)
def test_bits_by_enumeration(level: float) -> None:
    """Every number of +1 with its exact probability, for the unequal coins of two-point and skewed people too."""
    mechanism = OneBit(level)
    for n in (1, 2, 3, *shared((10, 30, 100), 2, LEVELS.index(level))):
        estimates = mechanism.z0 * (2 * np.arange(n + 1) / n - 1)
        for people in (*crowds(n), Population(np.array([0.9, 1.0]), np.array([1, max(n - 1, 1)]))):
            law = np.ones(1)
            for value, count in zip(people.values, people.counts, strict=True):
                own, chance = np.arange(count + 1), float(mechanism.chances(value))
                law = np.convolve(law, scipy.special.binom(count, own) * chance**own * (1 - chance) ** (count - own))
            if people.n != n:
                continue
            for confidence in CONFIDENCES:
                inside = bit_interval(estimates, mechanism.z0, n, confidence).encloses(float(mechanism.truth(people)))
                assert law[inside].sum() >= confidence - 1e-12, (n, people, confidence)


@pytest.mark.parametrize(("slug", "level"), crossed(means.slugs(), [0.1, 1.0, 10.0], 3))
def test_differences(slug: str, level: float) -> None:
    mechanism = means.at(slug, level)
    assert mechanism is not None
    for sizes in ((1, 2), (3, 30), (100, 10**4)):
        others = list(crowds(sizes[1]))[2:5]
        pairs = zip(crowds(sizes[0]), itertools.cycle(others))
        for first, second in shared(pairs, 2, LEVELS.index(level) + sizes[0]):
            one, other = drawn(mechanism, first), drawn(mechanism, second, 2)
            truth = float(mechanism.truth(first) - mechanism.truth(second))
            for confidence in CONFIDENCES:
                bounds = mean_difference(one, other, mechanism, sizes, confidence)
                assert not too_many(int((~bounds.encloses(truth)).sum()), confidence), (sizes, confidence)


@pytest.mark.parametrize(("slug", "level"), crossed(means.slugs(), LEVELS, 4))
def test_people_drawn_at_random(slug: str, level: float) -> None:
    """Everybody's mean, from people at both ends, and from few at one end: another sample in every round."""
    mechanism = means.at(slug, level)
    assert mechanism is not None
    rng = np.random.default_rng(3)
    for n, share in crossed((1, 3, 30, 1000), (0.5, 0.1)):
        people = rng.binomial(n, share, ROUNDS)
        counts = np.stack([n - people, people])
        if isinstance(mechanism, LocalGeometric):
            noise = mechanism.noise.sums(n, ROUNDS, rng) + mechanism.steps * people
            estimates = 2 * noise / n / mechanism.steps - 1
        elif slug == "gaussian":
            estimates = (2 * people - n + mechanism.noise_sums(n, ROUNDS, rng)) / n  # type: ignore[attr-defined]
        else:
            estimates = mechanism.counted(np.array([[-1.0], [1.0]]) * np.ones(ROUNDS), counts, rng) / n
        for confidence in CONFIDENCES:
            bounds = mean_interval(estimates, mechanism, n, confidence, sampled=True)
            assert not too_many(int((~bounds.encloses(2 * share - 1)).sum()), confidence), (n, share, confidence)


# --- several means at once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slug", "level"), crossed(vectors.METHODS, [0.1, 1.0, 10.0], 3))
def test_several_means_at_once(slug: str, level: float) -> None:
    for d, n in crossed((1, 2, 5), (1, 3, 30, 1000)):
        mechanism, rounds = vectors.method(slug, level, d), 1000 if n > 3 else ROUNDS
        rows = np.stack([np.ones(d), -np.ones(d)]) if n > 1 else np.ones((1, d))
        people = Population(rows, np.array([n - n // 2, n // 2][: len(rows)]))
        errors = np.abs(drawn(mechanism, people, 4, rounds) - mechanism.truth(people)[:, None])
        for confidence in CONFIDENCES:
            reach = mean_reach(mechanism, n, 1 - (1 - confidence) / d)
            assert not too_many(int((errors > reach).any(axis=0).sum()), confidence, rounds), (d, n, confidence)


def test_the_intervals_of_a_vector_survey_hold_all_means_together() -> None:
    rows, held = NumberRows.invented(3, 30), 0
    for seed in range(300):
        result = vectors.VectorSurvey(1.0, rows, vectors.METHODS[seed % len(vectors.METHODS)], 0.5, seed).run()
        held += bool(result.bounds.encloses(result.truth).all())
        assert (result.bounds.low >= -1).all() and (result.bounds.high <= 1).all()
    assert not too_many(300 - held, 0.5, 300)


# --- shares ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "level"), crossed([2, 30], LEVELS, 3))
def test_shares_by_enumeration(k: int, level: float) -> None:
    oracles = [each for each in comparable(level, k) if isinstance(each, FrequencyOracle)]
    assert len(oracles) >= 5
    for oracle, (n, confidence) in crossed(oracles, crossed(SIZES, CONFIDENCES)):
        for held in sorted({0, min(1, n), n // 2, n} if n <= 100 else {1, n // 2}):
            covered = coverage(oracle, n, held, confidence=confidence)
            assert covered >= confidence - 1e-9, (oracle, n, held, confidence)
            bounds = exact_bounds(np.array([held]), n, oracle.p, oracle.q, confidence)
            assert bounds.low[0] <= bounds.high[0]


def test_the_score_interval_is_a_guess_that_nobody_is_shown() -> None:
    """The planted mistake among the shares: by the normal law they hold too seldom."""
    assert min(coverage(RandomizedResponse(3.0), n, 0, score_interval) for n in (3, 10, 30)) < 0.95


@pytest.mark.parametrize("level", LEVELS)
def test_sums_of_laplace_noise_are_shares_too(level: float) -> None:
    (noisy,) = (each for each in comparable(level, 3) if each.slug == "she")
    for n in (1, 2, 10, 1000):
        population = Population.of_categories(np.array([n - n // 3, n // 3, 0]))
        estimates = drawn(noisy, population)
        for confidence in CONFIDENCES:
            bounds = share_interval(estimates, noisy, n, confidence)
            for row, share in enumerate(population.shares):
                missed = int((~Bounds(bounds.low[row], bounds.high[row], confidence).encloses(share)).sum())
                assert not too_many(missed, confidence), (n, row, confidence)
        people = np.random.default_rng(8).binomial(n, 0.2, ROUNDS)
        sampled = estimates[2] + people / n  # nobody holds the last value: noise alone
        for confidence in CONFIDENCES:
            missed = int((~share_interval(sampled, noisy, n, confidence, sampled=True).encloses(0.2)).sum())
            assert not too_many(missed, confidence), (n, confidence)


@pytest.mark.parametrize("level", LEVELS)
def test_answers_by_enumeration(level: float) -> None:
    design = RandomizedResponse(level)
    for n, confidence in itertools.product((1, 2, 3, *shared((10, 30, 100), 2, LEVELS.index(level))), CONFIDENCES):
        ends = np.array([interval_of(design, yes, n, confidence) for yes in range(n + 1)])
        for held in sorted({0, 1, n // 10, n // 2, n}):
            law = count_law(held, n, design.p, design.q)
            inside = (ends[:, 0] <= held / n + 1e-12) & (held / n - 1e-12 <= ends[:, 1])
            assert law.chances[inside[law.values().astype(int)]].sum() >= confidence - 1e-9, (n, confidence, held)


# --- what is shown ---------------------------------------------------------------------------------------------------


def test_cutting_loses_no_truth() -> None:
    bounds = Bounds(np.array([-3.0, -0.2, 0.5]), np.array([-1.5, 0.4, 4.0]), 0.95)
    for truth in (-1.0, -0.1, 0.0, 0.7, 1.0):
        assert np.array_equal(bounds.encloses(truth), bounds.encloses(truth) & bounds.within(-1, 1).encloses(truth))
        if 0 <= truth <= 1:
            assert np.array_equal(bounds.encloses(truth), bounds.encloses(truth) & bounds.clamped().encloses(truth))


def test_a_curators_interval() -> None:
    for level, n, confidence in itertools.product(LEVELS, (1, 10, 1000), CONFIDENCES):
        missed = 0
        for seed in range(60):
            low, high = CuratorSurvey(LaplaceMechanism(level), n // 3, n, confidence, seed).run().interval
            missed += not low - 1e-12 <= (n // 3) / n <= high + 1e-12
        assert not too_many(missed, confidence, 60)


def test_what_the_pages_show() -> None:
    """In the reader's unit, cut to the public bounds, and as often as is said."""
    scale = PublicScale(0, 1000)
    for level, n, shape in shared(itertools.product((0.1, 10.0), (1, 30), ("skewed", "constant"))):
        numbers = ScaledNumbers.synthetic(shape, n, scale.low, scale.high)
        for slug in means.slugs():
            mechanism = means.at(slug, level)
            assert mechanism is not None
            result = means.MeanSurvey(mechanism, numbers, ROUNDS).run()
            assert not too_many(ROUNDS - result.covered, 0.95)
            assert scale.low <= result.interval[0] <= result.interval[1] <= scale.high
            both = means.TwoGroups(mechanism, numbers, numbers, ROUNDS).run()
            assert not too_many(ROUNDS - both.covered, 0.95)
            assert -1000 <= both.interval[0] <= both.interval[1] <= 1000
            assert scale.low <= both.interval_of(0)[0] <= both.interval_of(1)[1] <= scale.high
