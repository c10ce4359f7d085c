"""The laws: small functions over the kinds of mechanism. A law asserts; a mechanism that breaks its promise fails it.

Order of trust: enumeration, quadrature, an independent formula, an identity, and sampling only for samplers.
"""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from scipy import integrate

from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms import KINDS
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import (
    CategoryRandomizer,
    CentralRelease,
    FrequencyOracle,
    LocalRandomizer,
    Mechanism,
    NumberRandomizer,
    ReportTally,
)
from ldpcore.mechanisms.pairs import PairRandomizer
from ldpcore.mechanisms.selector import Selector
from ldpcore.mechanisms.vectors import VectorRandomizer
from ldpcore.parameters import Choice, Interval, ParameterError, declarations
from ldpcore.people.populations import Population
from tests.pairs import few
from tests.rationing import ALL, shared
from tests.statistics import RATE, accept_bounded_mean, accept_counts, accept_normal, accept_sample, accept_variance

Law = Callable[[type[Mechanism]], None]
LAWS: dict[type[Mechanism], list[Law]] = {kind: [] for kind in (Mechanism, *KINDS)}


def law_of(kind: type[Mechanism]) -> Callable[[Law], Law]:
    """Registers a law for every member of a kind."""

    def register(law: Law) -> Law:
        LAWS[kind].append(law)
        return law

    return register


def laws_for(member: type[Mechanism]) -> list[Law]:
    """The laws of all kinds that a member belongs to."""
    return [law for kind, laws in LAWS.items() if issubclass(member, kind) for law in laws]


def instances(member: type[Mechanism], which: str = "small", *, every: bool = False) -> Iterator[Any]:
    """The member at its declared test values, any two of them that it accepts together in one of its instances.

    With `every` at all combinations. Those that it refuses are left out. By day each value of one of two parameters is
    met in one of its instances at least, at night with each of the other.
    """
    names, points = [], []
    for name, declared in declarations(member).items():
        names.append(name)
        points.append(declared.options if isinstance(declared, Choice) else getattr(declared, which) or declared.small)
    made = {}
    for values in itertools.product(*points):
        with suppress(ParameterError):
            made[values] = member(*values)
    assert made, f"{member.slug} accepts none of its own test values"
    if every or len(names) < 2 or (ALL and len(names) == 2):
        yield from made.values()
    else:
        yield from (made[values] for values in few(list(made), min(len(names) - 1, 2)))


def fewest(member: type[Mechanism], which: str = "small") -> Iterator[Any]:
    """The member as `instances` gives it; by day as few as meet each value of each parameter, for dear laws."""
    every = {tuple(each.parameters().values()): each for each in instances(member, which)}
    yield from every.values() if ALL else (every[values] for values in few(list(every), 1))


def small_populations(k: int) -> Iterator[Population]:
    """Everybody alike, and an uneven three."""
    yield Population.of_categories([2] + [0] * (k - 1))
    yield Population.of_categories([2, 1] + [0] * (k - 2))


# --- every mechanism -------------------------------------------------------------------------------------------------


@law_of(Mechanism)
def loss_never_exceeds_the_level(member: type[Mechanism]) -> None:
    """The recomputed level is at most the claimed one."""
    for mechanism in instances(member, every=True):
        claim, real = mechanism.claim(), mechanism.guarantee()
        assert real.epsilon <= claim.epsilon * (1 + 1e-12), (mechanism, real)
        assert real.delta <= claim.delta * (1 + 1e-9) + 1e-15, (mechanism, real)


@law_of(Mechanism)
def loss_is_attained(member: type[Mechanism]) -> None:
    """At the witness the ratio of the densities is e^ε itself, and a level 0.1 per mille smaller is broken."""
    for mechanism in instances(member, every=ALL):
        real, witness = mechanism.guarantee(), mechanism.witness()
        loss = mechanism.log_density(witness.report, witness.value) - mechanism.log_density(
            witness.report, witness.other
        )
        if real.delta == 0:
            assert math.isclose(loss, real.epsilon, rel_tol=1e-9), (mechanism, loss, real)
        laws = mechanism.compare(*mechanism.worst())
        # No level lies below 0, which means that a report tells nothing; where no finite level holds, 700 must fail.
        smaller = min(real.epsilon * 0.9999, 700.0)
        assert real.epsilon == 0 or laws.delta(smaller) > real.delta, mechanism


@law_of(Mechanism)
def hockey_stick_at_the_level_is_delta(member: type[Mechanism]) -> None:
    """E_γ at γ = e^ε is δ, and zero for a pure level; where no finite level holds, no γ brings it to zero."""
    for mechanism in instances(member, every=True) if ALL else fewest(member):
        real, laws = mechanism.guarantee(), mechanism.compare(*mechanism.worst())
        if math.isinf(real.epsilon):
            assert laws.delta(700.0) > 1e-12, mechanism
        else:
            assert math.isclose(laws.delta(real.epsilon), real.delta, abs_tol=1e-15), mechanism


@law_of(Mechanism)
def cutting_never_raises_the_loss(member: type[Mechanism]) -> None:
    """Events are post-processing: the finite laws lose at most what the mechanism loses."""
    for mechanism in instances(member):
        laws = mechanism.compare(*mechanism.worst())
        cut = laws.cut(8)
        assert math.isclose(cut.first.sum(), 1, rel_tol=1e-12) and math.isclose(cut.second.sum(), 1, rel_tol=1e-12)
        for epsilon in (0.0, 0.3, 1.0):
            assert cut.delta(epsilon) <= laws.delta(epsilon) + 1e-12


@law_of(Mechanism)
def is_a_value(member: type[Mechanism]) -> None:
    """Equal parameters make equal values, through copies and pickles."""
    for mechanism in instances(member):
        for twin in (member(**mechanism.parameters()), copy.deepcopy(mechanism), pickle.loads(pickle.dumps(mechanism))):
            assert twin == mechanism and hash(twin) == hash(mechanism) and fingerprint(twin) == fingerprint(mechanism)


@law_of(Mechanism)
def rejects_outside_its_domain(member: type[Mechanism]) -> None:
    """Every declared parameter is checked, and the error names it."""
    sound = next(iter(instances(member))).parameters()
    for name, declared in declarations(member).items():
        bad: list[Any] = ["abc", None, True]
        if isinstance(declared, Interval):
            bad += [math.nan, math.inf, -math.inf, declared.low - 1]
            bad += [declared.low] if declared.open_low else []
            bad += [declared.high * 2 + 1] if math.isfinite(declared.high) else []
        for value in bad:
            with pytest.raises(ParameterError, match=name):
                member(**{**sound, name: value})


@law_of(Mechanism)
def explains_itself(member: type[Mechanism]) -> None:
    """A slug for links, a proper name, a paper, and a docstring with its formula."""
    assert member.slug and member.slug == member.slug.lower() and " " not in member.slug
    assert member.title[0].isupper() and len(member.reference) > 20
    assert member.__doc__ and "=" in member.__doc__


# --- with a curator --------------------------------------------------------------------------------------------------


def _whole_numbers(mechanism: Any) -> range:
    """All whole numbers that a release of 0 can be but for a chance of e^-60."""
    reach = math.ceil(60 * math.sqrt(mechanism.variance())) + 60
    return range(-reach, reach + 1)


def _quadrature(mechanism: Any, weight: Callable[[float], float], *points: float) -> float:
    """∫ weight(z) p(z | 0) dz, piece by piece between the points where a factor is not smooth; of whole numbers Σ."""
    if mechanism.whole:
        return sum(weight(z) * math.exp(mechanism.log_density(z, 0.0)) for z in _whole_numbers(mechanism))
    reach = 60 * math.sqrt(mechanism.variance())
    jumps = mechanism.jumps(reach) if isinstance(mechanism, AdditiveNoise) else np.empty(0)
    pieces = itertools.pairwise(sorted({-reach, 0.0, reach, *points, *jumps.tolist(), *(-jumps).tolist()}))

    def weighted(z: float) -> float:
        return weight(z) * math.exp(mechanism.log_density(z, 0.0))

    try:
        return sum(
            integrate.quad(weighted, low, high, epsabs=1e-12, epsrel=1e-11, limit=200)[0] for low, high in pieces
        )
    except integrate.IntegrationWarning as rough:
        rule = "must be smooth between the distances that `jumps` of an AdditiveNoise gives"
        raise AssertionError(f"the density of {mechanism.slug} {rule}; got {jumps.tolist()[:4]} and {rough}") from rough


@law_of(CentralRelease)
def density_is_a_distribution_with_these_moments(member: type[CentralRelease]) -> None:
    """By quadrature the density has mass 1, mean 0, and the stated variance and mean absolute error."""
    for mechanism in instances(member):
        error, variance = mechanism.mean_absolute_error(), mechanism.variance()
        inner = [-10 * error, 10 * error]
        assert math.isclose(_quadrature(mechanism, lambda z: 1.0, *inner), 1, rel_tol=1e-8)
        assert abs(_quadrature(mechanism, lambda z: z, *inner)) < 1e-7 * error
        assert math.isclose(_quadrature(mechanism, abs, *inner), error, rel_tol=1e-8)
        assert math.isclose(_quadrature(mechanism, lambda z: z * z, *inner), variance, rel_tol=1e-7)


@law_of(CentralRelease)
def cdf_is_the_integral_of_the_density(member: type[CentralRelease]) -> None:
    """P(release <= z) by quadrature equals the stated cdf."""
    for place, mechanism in enumerate(instances(member)):
        width = mechanism.mean_absolute_error()
        for z in shared((-3 * width, -0.2 * width, 0.0, 0.7 * width, 4 * width), 2, place):
            mass = _quadrature(mechanism, lambda x, z=z: float(x <= z), z, -10 * width, 10 * width)
            assert math.isclose(mass, float(mechanism.cdf(z, 0.0)), rel_tol=1e-7)


@law_of(CentralRelease)
def hockey_stick_by_quadrature(member: type[CentralRelease]) -> None:
    """∫ max(p - e^ε q, 0) over a dense grid equals the closed form at several ε."""
    for mechanism in instances(member):
        one, other = mechanism.worst()
        spread = math.sqrt(mechanism.variance())
        grid = np.linspace(one - 12 * spread, other + 12 * spread, 4001)
        if mechanism.whole:
            grid = np.array(_whole_numbers(mechanism))
        densities = [np.exp([mechanism.log_density(z, center) for z in grid]) for center in (one, other)]
        for factor in (0.0, 0.25, 0.5, 0.9):
            epsilon = factor * mechanism.guarantee().epsilon
            excess = np.maximum(densities[0] - math.exp(epsilon) * densities[1], 0)
            numeric = float(excess.sum() if mechanism.whole else integrate.trapezoid(excess, grid))
            assert math.isclose(numeric, mechanism.compare(one, other).delta(epsilon), abs_tol=3e-3)


@law_of(CentralRelease)
def release_follows_its_cdf(member: type[CentralRelease]) -> None:
    """50 000 releases stay within the Dvoretzky-Kiefer-Wolfowitz band (rate 1e-10 each)."""
    for seed, mechanism in enumerate(instances(member)):
        sample = np.sort(mechanism.release(7.0, np.random.default_rng(seed), 50_000))
        if mechanism.whole:  # the band holds at the right ends of the steps, from below
            spots, last = np.unique(sample, return_index=True)
            seen = np.append(last[1:], len(sample)) / len(sample)
            assert np.abs(seen - mechanism.cdf(spots, 7.0)).max() <= math.sqrt(math.log(2 / 1e-9) / (2 * len(sample)))
            assert (sample == np.rint(sample)).all()
        else:
            assert accept_sample(sample, mechanism.cdf(sample, 7.0)), mechanism


@law_of(CentralRelease)
def release_keeps_to_its_generator(member: type[CentralRelease]) -> None:
    """Equal seeds give equal numbers, and nobody else's randomness is touched."""
    mechanism = next(iter(instances(member)))
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - this law watches the global state
    draws = [mechanism.release(np.array([1.0, 2.0]), np.random.default_rng(5), 3) for _ in range(2)]
    assert np.array_equal(*draws) and draws[0].shape == (2, 3)
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@law_of(CentralRelease)
def release_survives_extremes(member: type[CentralRelease]) -> None:
    """At the ends of the parameters everything stays finite and silent."""
    for mechanism in instances(member, "extreme"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.isfinite(mechanism.release(1e12, np.random.default_rng(0), 100)).all()
            real, claim = mechanism.guarantee(), mechanism.claim()
            assert real.epsilon <= claim.epsilon * (1 + 1e-9) + 1e-12
            assert claim.delta or math.isclose(real.epsilon, claim.epsilon, rel_tol=1e-9)
            assert 0 < mechanism.mean_absolute_error() < math.inf


# --- with a curator: a choice among candidates ------------------------------------------------------------------------


def score_lists(selector: Selector) -> Iterator[np.ndarray]:
    """Scores of all sorts: equal, in a row, far apart, of any size."""
    places = np.arange(selector.k, dtype=float)
    yield np.zeros(selector.k)
    yield selector.sensitivity * places
    yield selector.sensitivity * (-1) ** places / 3
    yield np.where(places == 1, 1e6, -1e6) * selector.sensitivity


@law_of(Selector)
def choices_are_a_law_that_sees_differences_only(member: type[Selector]) -> None:
    """Probabilities sum to 1, rank as the scores do, and stay when all scores move by the same amount."""
    for selector in instances(member):
        for scores in score_lists(selector):
            law = selector.probabilities(scores)
            assert math.isclose(law.sum(), 1, rel_tol=1e-12) and (law >= 0).all()
            assert (np.diff(law[np.argsort(scores, kind="stable")]) >= -1e-15).all()
            assert np.allclose(selector.probabilities(scores + 1e6), law, rtol=1e-7, atol=1e-15)


@law_of(Selector)
def no_neighboring_scores_exceed_the_level(member: type[Selector]) -> None:
    """Every list of scores against every list in which each score has moved by Δ either way or not at all."""
    for selector in instances(member):
        for scores in score_lists(selector):
            for moves in itertools.islice(itertools.product((-1, 0, 1), repeat=selector.k), 300):
                other = scores + selector.sensitivity * np.array(moves)
                assert selector.compare(scores, other).loss() <= selector.epsilon * (1 + 1e-9) + 1e-12


@law_of(Selector)
def select_follows_its_probabilities(member: type[Selector]) -> None:
    """40 000 choices have the stated law (exact binomial tails, rate 1e-9 each)."""
    for seed, selector in enumerate(instances(member)):
        for scores in score_lists(selector):
            chosen = selector.select(scores, np.random.default_rng(seed), 40_000)
            assert accept_counts(np.bincount(chosen, minlength=selector.k), selector.probabilities(scores)), selector


@law_of(Selector)
def a_better_score_is_never_less_likely(member: type[Selector]) -> None:
    """Raising one score raises its probability and lowers every other."""
    for selector in instances(member):
        for scores in list(score_lists(selector))[:3]:
            raised = scores + selector.sensitivity * (np.arange(selector.k) == 0)
            before, after = selector.probabilities(scores), selector.probabilities(raised)
            assert after[0] > before[0] and (after[1:] <= before[1:] * (1 + 1e-12)).all()


@law_of(Selector)
def selectors_refuse_what_is_no_list_of_scores(member: type[Selector]) -> None:
    """Too few, too many, nested, nameless or infinite scores are refused; the same seed makes the same choice."""
    selector = next(iter(instances(member)))
    for bad in ([1.0], [1.0] * (selector.k + 1), [[1.0] * selector.k], ["a"] * selector.k, [math.nan] * selector.k):
        with pytest.raises(ParameterError, match="scores must be"):
            selector.probabilities(bad)
    scores = np.arange(selector.k)
    draws = [selector.select(scores, np.random.default_rng(5), 9) for _ in range(2)]
    assert np.array_equal(*draws) and draws[0].shape == (9,)
    assert np.shape(selector.select(scores, np.random.default_rng(5))) == ()


@law_of(Selector)
def selectors_survive_extremes(member: type[Selector]) -> None:
    """Levels of 1e-6 and 50, two candidates and a thousand, scores to 10⁶ and beyond: nothing overflows."""
    for place, selector in enumerate(instances(member, "extreme")):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rows = (np.zeros(selector.k), np.linspace(-1e6, 1e6, selector.k), np.linspace(0, 1, selector.k))
            for scores in shared(rows, 2, place // 2):
                law = selector.probabilities(scores)
                assert math.isclose(law.sum(), 1, rel_tol=1e-9) and np.isfinite(law).all()
            assert math.isclose(selector.guarantee().epsilon, selector.epsilon, rel_tol=1e-7)


# --- without a curator: one person's value becomes one report ---------------------------------------------------------

MANY, SOME = np.polynomial.legendre.leggauss(60), np.polynomial.legendre.leggauss(40)
NUMBERS = (-1.0, -0.5, 0.0, 0.3, 1.0)


def inputs(mechanism: LocalRandomizer) -> tuple[Any, ...]:
    """True values of all sorts that a mechanism accepts: every category; numbers at, between and beyond the ends."""
    if isinstance(mechanism, CategoryRandomizer):
        return tuple(range(mechanism.k))
    if isinstance(mechanism, PairRandomizer):
        return tuple(places(mechanism))
    if isinstance(mechanism, VectorRandomizer):
        return tuple(tuple(row) for row in vectors(mechanism.d))
    return (*NUMBERS, 5.0, -1e9)


def places(mechanism: PairRandomizer) -> Iterator[tuple[float, ...]]:
    """People in the first cell, elsewhere and outside the box, whose responses are of all sizes."""
    for x, y in ((0.1, 1.0), (0.1, -9.0), (0.15, 0.0), (0.9, 0.6), (0.9, 1e9), (1.0, -0.3), (1.5, 0.2), (-0.1, -2.0)):
        yield (*[x] * mechanism.dimensions, y)


def vectors(d: int) -> np.ndarray:
    """Rows of d numbers: corners, the middle, an edge, one inside, and one far beyond the domain."""
    signs, last = np.where(np.arange(d) % 2, -1.0, 1.0), np.eye(d)[-1]
    return np.array(
        [np.ones(d), -np.ones(d), np.zeros(d), signs, np.ones(d) - 2 * last, 0.3 * signs, -0.5 * last, 5 * signs]
    )


def crowd(mechanism: LocalRandomizer, n: int) -> Population:
    """n people with values as uneven as they come."""
    if isinstance(mechanism, CategoryRandomizer):
        return Population.zipf(mechanism.k, n)
    if isinstance(mechanism, PairRandomizer):
        rows = np.array(list(places(mechanism)))
        return Population(rows, Population.zipf(len(rows), n).counts)
    if isinstance(mechanism, VectorRandomizer):
        rows = vectors(mechanism.d)[[0, 3, 5, 6]]
        return Population(rows, Population.of_shares([0.5, 0.2, 0.2, 0.1], n).counts)
    shares = np.array([0.4, 0.3, 0.15, 0.1, 0.05])
    return Population(np.array(NUMBERS), Population.of_shares(shares, n).counts)


def at_once(mechanism: LocalRandomizer) -> bool:
    """Whether the tally of a crowd is drawn at once, whatever its size."""
    return type(mechanism).sample_tally is not LocalRandomizer.sample_tally


def refused(mechanism: LocalRandomizer) -> Iterator[np.ndarray]:
    """Lists of values that no person can hold."""
    if isinstance(mechanism, CategoryRandomizer):
        yield from map(np.array, ([mechanism.k], [-1], [0.5], [[0]], ["a"]))
    elif isinstance(mechanism, PairRandomizer):
        row = [0.5] * (mechanism.dimensions + 1)
        yield from map(np.array, ([[*row[1:], math.nan]], [row[1:]], row, [["a"] * len(row)], [[*row, 0.5]]))
    elif isinstance(mechanism, VectorRandomizer):
        row = [0.5] * mechanism.d
        yield from map(
            np.array, (row, [[*row, 0.5]], [[math.nan, *row[1:]]], [["a", *row[1:]]], [[True] * mechanism.d])
        )
    else:
        yield from map(np.array, ([math.nan], [[0.5]], ["a"], [None], [True]))


@law_of(LocalRandomizer)
def no_pair_of_values_exceeds_the_worst(member: type[LocalRandomizer]) -> None:
    """The guarantee holds for every pair of values, not only for the pair that the mechanism names as its worst."""
    for mechanism in fewest(member):
        real = mechanism.guarantee()
        for pair in itertools.permutations(inputs(mechanism), 2):
            laws = mechanism.compare(*pair)
            if math.isfinite(real.epsilon):
                assert laws.delta(real.epsilon * (1 + 1e-12)) <= real.delta * (1 + 1e-9) + 1e-15, (mechanism, pair)
            if real.delta == 0:
                assert laws.loss() <= real.epsilon * (1 + 1e-12), (mechanism, pair)


@law_of(LocalRandomizer)
def reports_tell_two_values_apart_as_often_as_their_laws(member: type[LocalRandomizer]) -> None:
    """Guessing by the likelihood of 4 000 real reports is right (1 + TV)/2 of the time (Hoeffding, rate 1e-10 each).

    By day in one of two instances, in turn.
    """
    every = list(instances(member))
    for seed, mechanism in shared(enumerate((every[len(every) // 2], every[-1])), 2, len(member.slug) + 1):
        rng, pair, score = np.random.default_rng(seed), mechanism.worst(), 0.0
        for value, other in (pair, pair[::-1]):
            scores = dict[bytes, float]()  # of what was reported before
            for report in mechanism.privatize(np.repeat(np.asarray([value]), 2000, axis=0), rng):
                key = np.asarray(report).tobytes()
                if key not in scores:
                    own, foreign = (mechanism.log_density(report, one) for one in (value, other))
                    scores[key] = 0.5 if math.isclose(own, foreign, abs_tol=1e-12) else float(own > foreign)
                score += scores[key]
        expected = (1 + mechanism.compare(*pair).delta(0.0)) / 2
        assert accept_bounded_mean(score / 4000, expected, 4000), (mechanism, score / 4000, expected)


@law_of(LocalRandomizer)
def reports_keep_to_their_generator(member: type[LocalRandomizer]) -> None:
    """Equal seeds give equal reports and tallies; values outside the domain are refused; state is untouched.

    Two seeds of their own give 300 equal reports with a chance below 1e-19, forty equal tallies below 1e-26.
    """
    randomizer = list(instances(member))[-1]
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - this law watches the global state
    population = crowd(randomizer, 50)
    one = randomizer.sample_tally(population, np.random.default_rng(5)).counts
    several = [randomizer.sample_tally(population, np.random.default_rng(5), 40).counts for _ in range(2)]
    assert np.array_equal(*several) and several[0].shape == (*one.shape, 40)
    users = next(crowd(randomizer, 300).users())
    reports = [randomizer.privatize(users, np.random.default_rng(5)) for _ in range(2)]
    first, second = (np.asarray(report).tobytes() for report in reports)  # a coordinate nobody asked for is NaN
    assert first == second
    tallies = [randomizer.tally(report).counts for report in reports]
    assert np.array_equal(*tallies) and tallies[0].shape == one.shape
    for bad in refused(randomizer):
        with pytest.raises(ParameterError, match="values must be"):
            randomizer.privatize(bad, np.random.default_rng(0))
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@law_of(LocalRandomizer)
def estimates_have_the_stated_mean_and_variance(member: type[LocalRandomizer]) -> None:
    """2 000 tallies of 10⁶ people: mean (normal tail) and variance (χ²) of every estimate, rate 1e-10 each.

    Of 150 people where every report is drawn: their sum is normal enough for both.
    """
    for seed, mechanism in enumerate(fewest(member)):
        population = crowd(mechanism, 10**6 if at_once(mechanism) else 150)
        variance, truth = np.atleast_1d(mechanism.variance(population)), np.atleast_1d(mechanism.truth(population))
        tally = mechanism.sample_tally(population, np.random.default_rng(seed), 2000)
        if not (able := np.isfinite(variance)).any():
            continue
        errors = mechanism.estimate(tally).reshape(len(truth), 2000)[able] - truth[able, None]
        for sampled, stated in zip(errors, variance[able], strict=True):
            if stated == 0:
                assert np.abs(sampled).max() < 1e-9, mechanism
            else:
                assert accept_normal(float(sampled.mean()), 0, math.sqrt(stated / 2000)), (mechanism, sampled.mean())
                assert accept_variance(sampled, stated), (mechanism, sampled.var(), stated)


@law_of(LocalRandomizer)
def user_by_user_agrees_with_the_aggregate(member: type[LocalRandomizer]) -> None:
    """The collector's route over 20 000 reports estimates the truth within its stated variance (rate 1e-10 each)."""
    for seed, mechanism in enumerate(fewest(member)):
        population = crowd(mechanism, 20_000)
        variance, truth = np.atleast_1d(mechanism.variance(population)), np.atleast_1d(mechanism.truth(population))
        if (able := np.isfinite(variance)).any():
            reports = mechanism.privatize(next(population.users()), np.random.default_rng(seed))
            errors = np.atleast_1d(mechanism.estimate(mechanism.tally(reports)))[able] - truth[able]
            for error, stated in zip(errors, variance[able], strict=True):
                assert accept_normal(error, 0, math.sqrt(stated) + 1e-12), (mechanism, error, stated)


@law_of(LocalRandomizer)
def survives_extremes(member: type[LocalRandomizer]) -> None:
    """At the ends of the parameters and for n of 1 and 10¹²: silent, and a number wherever a variance is finite.

    With 10⁵ people where every report is drawn, by day with 10⁴.
    """
    for mechanism in fewest(member, "extreme"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert mechanism.guarantee().epsilon <= mechanism.claim().epsilon * (1 + 1e-6)
            for n in (1, 10**12 if at_once(mechanism) else 10**5 if ALL else 10**4):
                population = crowd(mechanism, n)
                variance = np.atleast_1d(mechanism.variance(population))
                assert (variance >= 0).all()
                if (able := np.isfinite(variance)).any():
                    tally = mechanism.sample_tally(population, np.random.default_rng(n))
                    assert np.isfinite(np.atleast_1d(mechanism.estimate(tally))[able]).all()


# --- without a curator: one of k categories ---------------------------------------------------------------------------


@law_of(CategoryRandomizer)
def another_number_of_categories_is_refused(member: type[CategoryRandomizer]) -> None:
    """A population must list exactly the categories of the mechanism."""
    for mechanism in instances(member):
        with pytest.raises(ParameterError, match="population must list"):
            mechanism.sample_tally(Population.uniform(mechanism.k + 1, 10), np.random.default_rng(0))


@law_of(CategoryRandomizer)
def best_guess_lies_between_chance_and_the_level(member: type[CategoryRandomizer]) -> None:
    """Guessing blindly succeeds with 1/k; no mechanism of level ε lets anyone do better than e^ε/(e^ε + k - 1)."""
    for mechanism in instances(member):
        most = 1 / (1 + (mechanism.k - 1) * math.exp(-mechanism.guarantee().epsilon))
        assert 1 / mechanism.k - 1e-12 <= mechanism.best_guess() <= most + 1e-12, mechanism


@law_of(CategoryRandomizer)
def best_guess_between_two_is_the_distance_of_their_laws(member: type[CategoryRandomizer]) -> None:
    """Among two values the best guess is right with probability (1 + TV)/2, and TV is δ at ε = 0."""
    for mechanism in instances(member):
        if mechanism.k == 2:
            assert math.isclose(mechanism.best_guess(), (1 + mechanism.compare(0, 1).delta(0.0)) / 2, rel_tol=1e-9)


@law_of(CategoryRandomizer)
def what_a_report_costs_is_stated_at_the_extremes(member: type[CategoryRandomizer]) -> None:
    """Bits, operations and the attacker's best guess are positive and finite at the ends of the parameters."""
    for mechanism in instances(member, "extreme"):
        assert 0 < mechanism.best_guess() <= 1
        assert 0 < mechanism.bits() < math.inf and 0 < mechanism.operations() < math.inf


# --- without a curator: reports that support sets of values -----------------------------------------------------------


@law_of(FrequencyOracle)
def rows_are_distributions(member: type[FrequencyOracle]) -> None:
    """Every row of the channel is non-negative and sums to one."""
    for oracle in instances(member):
        matrix = oracle.channel().matrix
        assert (matrix >= 0).all() and np.allclose(matrix.sum(axis=1), 1, rtol=0, atol=1e-12)


@law_of(FrequencyOracle)
def definition_is_the_channel(member: type[FrequencyOracle]) -> None:
    """ln Q(report | value) is the logarithm of the channel's entry, report by report."""
    for oracle in instances(member):
        channel = oracle.channel()
        for column, report in enumerate(channel.reports[:200]):
            for value in range(oracle.k):
                assert math.isclose(
                    math.exp(oracle.log_density(report, value)), channel.matrix[value, column], rel_tol=1e-9
                )


@law_of(FrequencyOracle)
def comparison_is_the_channel(member: type[FrequencyOracle]) -> None:
    """The short comparison of two values equals full enumeration, for every pair: loss and δ at five levels."""
    for oracle in instances(member):
        channel = oracle.channel()
        assert math.isclose(channel.loss(), oracle.guarantee().epsilon, rel_tol=1e-9)
        for value, other in itertools.permutations(range(oracle.k), 2):
            short, whole = oracle.compare(value, other), channel.pair(value, other)
            assert math.isclose(short.first.sum(), 1, abs_tol=1e-12)
            assert math.isclose(short.loss(), whole.loss(), rel_tol=1e-9)
            for epsilon in (0.0, 0.05, 0.5, 1.0, 2.0):
                assert math.isclose(short.delta(epsilon), whole.delta(epsilon), abs_tol=1e-12)


@law_of(FrequencyOracle)
def supports_follow_p_and_q(member: type[FrequencyOracle]) -> None:
    """From the channel: the true value is supported with probability p, every other with q."""
    for oracle in instances(member):
        channel = oracle.channel()
        expected = np.full((oracle.k, oracle.k), oracle.q)
        np.fill_diagonal(expected, oracle.p)
        assert np.allclose(channel.matrix @ channel.supports, expected, rtol=1e-11, atol=1e-13)
        assert math.isclose(oracle.gap, oracle.p - oracle.q, rel_tol=1e-9)


@law_of(FrequencyOracle)
def estimate_is_unbiased(member: type[FrequencyOracle]) -> None:
    """The estimate of the channel's expected tally is the truth, exactly, for every value and without clipping."""
    for oracle in instances(member):
        channel = oracle.channel()
        for population in small_populations(oracle.k):
            n = population.n
            expected = population.counts @ (channel.matrix @ channel.supports)
            truth = population.shares
            # `estimate` is affine, so its mean over the law of the tally is its value at the mean tally.
            estimate = oracle.estimate(ReportTally(expected, n))
            assert np.allclose(estimate, truth, rtol=0, atol=1e-9 / oracle.gap)
            none, all_of_them = (oracle.estimate(ReportTally(np.full(oracle.k, count), n)) for count in (0, n))
            assert np.allclose(all_of_them - none, 1 / oracle.gap), "an unbiased estimate is never clipped"


@law_of(FrequencyOracle)
def variance_is_exact(member: type[FrequencyOracle]) -> None:
    """Conditional on everybody's value, from the channel: Var of each value's estimate."""
    for oracle in instances(member):
        channel = oracle.channel()
        chance = channel.matrix @ channel.supports
        for population in small_populations(oracle.k):
            exact = (population.counts @ (chance * (1 - chance))) / (population.n * oracle.gap) ** 2
            assert np.allclose(oracle.variance(population), exact, rtol=1e-9)


@law_of(FrequencyOracle)
def best_guess_is_the_channels(member: type[FrequencyOracle]) -> None:
    """The attacker's success is the sum over reports of the largest column entry, divided by k."""
    for oracle in instances(member):
        assert math.isclose(oracle.best_guess(), oracle.channel().matrix.max(axis=0).sum() / oracle.k, rel_tol=1e-9)


@law_of(FrequencyOracle)
def privatize_follows_the_channel(member: type[FrequencyOracle]) -> None:
    """40 000 reports of one value: the sets they support follow the channel (exact tails, rate 1e-10 each)."""
    for seed, oracle in enumerate(instances(member)):
        channel, value = oracle.channel(), seed % oracle.k
        codes = 1 << np.arange(oracle.k)
        law = np.bincount(channel.supports @ codes, weights=channel.matrix[value], minlength=1 << oracle.k)
        reports = oracle.privatize(np.full(40_000, value), np.random.default_rng(seed))
        observed = np.bincount(oracle.supports(reports) @ codes, minlength=1 << oracle.k)
        assert accept_counts(observed, law), oracle
        assert np.array_equal(oracle.tally(reports).counts, oracle.supports(reports).sum(axis=0))


def joint_law(oracle: FrequencyOracle, population: Population) -> dict[tuple[int, ...], float]:
    """The exact law of the whole tally, by enumerating every user's report."""
    channel = oracle.channel()
    law: dict[tuple[int, ...], float] = {(0,) * oracle.k: 1.0}
    for value in np.repeat(population.values, population.counts):
        step: Counter[tuple[int, ...]] = Counter()
        for supported, chance in zip(channel.supports.astype(int).tolist(), channel.matrix[value], strict=True):
            step[tuple(supported)] += float(chance)
        after: Counter[tuple[int, ...]] = Counter()
        for tally, weight in law.items():
            for supported, chance in step.items():
                after[tuple(map(sum, zip(tally, supported, strict=True)))] += weight * chance
        law = dict(after)
    return law


def two_routes(
    oracle: FrequencyOracle, population: Population, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Tallies drawn at once, tallies counted person by person, and binomials with the right margins alone."""
    sampled = oracle.sample_tally(population, rng, 2000).counts
    values = next(population.users())
    by_users = np.stack([oracle.tally(oracle.privatize(values, rng)).counts for _ in range(400)], axis=1)
    own, others = population.counts[:, None], population.n - population.counts[:, None]
    margins = rng.binomial(own, oracle.p, (oracle.k, 2000)) + rng.binomial(others, oracle.q, (oracle.k, 2000))
    return sampled, by_users, margins


def follows_joint_law(draws: np.ndarray, law: dict[tuple[int, ...], float]) -> bool:
    """Whether drawn tallies (k, R) fit the exact joint law."""
    cells = {tally: index for index, tally in enumerate(law)}
    observed = np.zeros(len(cells) + 1, dtype=int)
    tallies, counts = np.unique(draws, axis=1, return_counts=True)
    for tally, count in zip(tallies.T.tolist(), counts, strict=True):
        observed[cells.get(tuple(tally), len(cells))] += count
    return accept_counts(observed, np.append(np.array(list(law.values())), 0.0))


@law_of(FrequencyOracle)
def sampled_tally_has_the_joint_law(member: type[FrequencyOracle]) -> None:
    """The directly drawn tally has the law of tally(privatize(...)), covariances included (rate 1e-10 each)."""
    for seed, oracle in enumerate(instances(member)):
        if oracle.k > 3:
            continue
        for population in shared(small_populations(oracle.k), 2, seed):
            draws = oracle.sample_tally(population, np.random.default_rng(seed), 20_000).counts
            assert draws.shape == (oracle.k, 20_000)
            assert follows_joint_law(draws, joint_law(oracle, population)), (oracle, population)


@law_of(FrequencyOracle)
def oracle_survives_extremes(member: type[FrequencyOracle]) -> None:
    """ε of 1e-6 and 50, k of 2 and 10 000, n of 1 and 10¹²: finite, silent, and still the level asked for.

    By day with the crowd at the first level alone, and with one person at the other.
    """
    for place, oracle in enumerate(instances(member, "extreme")):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert math.isclose(oracle.guarantee().epsilon, oracle.claim().epsilon, rel_tol=1e-6)
            assert 0 < oracle.gap <= 1 and 0 < oracle.best_guess() <= 1 and oracle.bits() > 0
            for n in shared((1, 10**12), 2, place + 1):
                population = Population.zipf(oracle.k, n)
                variance = oracle.variance(population)
                assert np.isfinite(variance).all() and (variance >= 0).all()
                assert np.isfinite(oracle.estimate(oracle.sample_tally(population, np.random.default_rng(n)))).all()


# --- without a curator: numbers --------------------------------------------------------------------------------------


def pieces(mechanism: NumberRandomizer, *values: float) -> Iterator[tuple[float, float]]:
    """Stretches on which the densities of the reports of these values are smooth; beyond 60 deviations lies nothing."""
    low, high = mechanism.support() or (0.0, 0.0)
    reach = 1 + 60 * math.sqrt(mechanism.worst_variance())
    ends = {max(low, -reach), min(high, reach)}
    for value in values:
        spread = math.sqrt(float(mechanism.variance_at(value)))
        center = float(np.clip(value, -1, 1))
        ends |= {*mechanism.breakpoints(value), *(center + step * spread for step in (-20, -6, -2, 0, 2, 6, 20))}
    inner = sorted(end for end in ends if max(low, -reach) <= end <= min(high, reach))
    yield from ((one, other) for one, other in itertools.pairwise(inner) if other > one)


def expected(mechanism: NumberRandomizer, value: float, weight: Callable[[np.ndarray], np.ndarray]) -> float:
    """E[weight(decoded report)]: a sum over what has a probability of its own, Gauss-Legendre for the rest."""
    reports, chances = mechanism.atoms(value)
    total = float(np.dot(weight(mechanism.decoded(reports)), chances))
    nodes, weights = MANY
    for low, high in pieces(mechanism, value):
        z = low + (high - low) * (nodes + 1) / 2
        density = np.exp([mechanism.log_density(float(point), value) for point in z])
        total += float(np.dot(weights * density, weight(mechanism.decoded(z)))) * (high - low) / 2
    return total


@law_of(NumberRandomizer)
def reports_have_mass_one_and_the_stated_moments(member: type[NumberRandomizer]) -> None:
    """By quadrature to 1e-9: mass 1, the target as mean, and the stated variance at every x, beyond the ends too.

    By day at every second x, and in the next instance at the others.
    """
    for place, mechanism in enumerate(instances(member)):
        for x in shared(inputs(mechanism), 2, place):
            target, variance = float(mechanism.target(x)), float(mechanism.variance_at(x))
            assert math.isclose(expected(mechanism, x, np.ones_like), 1, rel_tol=1e-9), (mechanism, x)
            mean = expected(mechanism, x, lambda z: z)
            assert math.isclose(mean, target, abs_tol=1e-9 * math.sqrt(variance)), (mechanism, x, mean)
            spread = expected(mechanism, x, lambda z, target=target: (z - target) ** 2)
            assert math.isclose(spread, variance, rel_tol=1e-9), (mechanism, x, spread, variance)


@law_of(NumberRandomizer)
def estimate_is_the_mean_of_what_reports_count(member: type[NumberRandomizer]) -> None:
    """One report is estimated as what it counts, however far out, and many as their mean: unbiased, never clipped."""
    for seed, mechanism in enumerate(instances(member)):
        reports = mechanism.privatize(np.resize(inputs(mechanism), 60), np.random.default_rng(seed))
        counted = mechanism.decoded(reports)
        for report, number in zip(reports, counted, strict=True):
            assert math.isclose(float(mechanism.estimate(mechanism.tally(np.array([report])))), number, rel_tol=1e-12)
        together = float(mechanism.estimate(mechanism.tally(reports)))
        assert math.isclose(together, counted.mean(), rel_tol=1e-9, abs_tol=1e-12 * float(np.abs(counted).max()))
    with pytest.raises(ParameterError, match="at least one report"):
        mechanism.estimate(ReportTally(np.zeros(()), 0))


@law_of(NumberRandomizer)
def cdf_is_the_sum_of_the_law(member: type[NumberRandomizer]) -> None:
    """P(report <= z) by summing and by quadrature equals the stated cdf, at breakpoints and between them."""
    for mechanism in instances(member):
        for x in (-1.0, 0.3, 5.0):
            reports, chances = mechanism.atoms(x)
            stretches = list(pieces(mechanism, x))
            spots = [*(np.mean(stretch) for stretch in stretches), *(stretch[0] for stretch in stretches)]
            for spot in [*spots[:40], *reports[len(reports) // 2 - 1 :][:4]]:
                total = float(chances[reports <= spot].sum())
                for low, high in stretches:
                    if low < (top := min(high, float(spot))):
                        total += integrate.quad(
                            lambda z, x=x, mechanism=mechanism: math.exp(mechanism.log_density(z, x)), low, top
                        )[0]
                assert math.isclose(total, float(mechanism.cdf(spot, x)), abs_tol=1e-9), (mechanism, x, spot)


@law_of(NumberRandomizer)
def comparison_is_the_quadrature_of_the_densities(member: type[NumberRandomizer]) -> None:
    """Σ and ∫ max(P - e^ε Q, 0) equal the comparison's δ for five pairs, each at one of four levels by day, to 1e-9."""
    for turn, mechanism in enumerate(instances(member)):
        level = mechanism.claim().epsilon
        for place, pair in enumerate(((1.0, -1.0), (-1.0, 0.3), (0.3, 0.0), (5.0, 0.5), (0.0, 0.0))):
            laws = mechanism.compare(*pair)
            for epsilon in shared((0.0, 0.4 * level, 0.99 * level, 1.3 * level), 4, place + turn):
                numeric = max(excess(mechanism, *pair, epsilon), excess(mechanism, *pair[::-1], epsilon))
                assert math.isclose(laws.delta(epsilon), numeric, rel_tol=1e-7, abs_tol=1e-9), (
                    mechanism,
                    pair,
                    epsilon,
                )


@lru_cache(maxsize=8)
def atom_logs(mechanism: NumberRandomizer, *values: float) -> dict[float, np.ndarray]:
    """ln of the probability of every report that has one of its own, given each of two values."""
    reports = np.union1d(*(mechanism.atoms(value)[0] for value in values))
    return {value: np.array([mechanism.log_density(z, value) for z in reports]) for value in values}


def excess(mechanism: NumberRandomizer, value: float, other: float, epsilon: float) -> float:
    """∫ max(p - e^ε q, 0), split where the ratio crosses e^ε (found by bisection, for it is monotone between jumps)."""

    def gain(z: float) -> float:
        return mechanism.log_density(z, value) - mechanism.log_density(z, other) - epsilon

    logs = atom_logs(mechanism, *sorted((value, other)))
    own, foreign = logs[value], logs[other]
    total = float((np.exp(own) * -np.expm1(np.minimum(epsilon - own + foreign, 0))).sum())
    nodes, weights = SOME
    for low, high in pieces(mechanism, value, other):
        inner = [low + (high - low) * share for share in (1e-9, 1 - 1e-9)]
        signs = [gain(z) > 0 for z in inner]
        ends = [low, high]
        if signs[0] != signs[1]:
            near, far = inner
            for _ in range(80):
                middle = (near + far) / 2
                near, far = (middle, far) if (gain(middle) > 0) == signs[0] else (near, middle)
            ends = [low, near] if signs[0] else [near, high]
        elif not signs[0]:
            continue
        z = ends[0] + (ends[1] - ends[0]) * (nodes + 1) / 2
        own, foreign = (np.array([mechanism.log_density(float(at), given) for at in z]) for given in (value, other))
        more = -np.expm1(np.minimum(epsilon - own + foreign, 0.0))
        total += float(np.dot(weights, np.exp(own) * more)) * (ends[1] - ends[0]) / 2
    return total


@law_of(NumberRandomizer)
def privatize_follows_the_law(member: type[NumberRandomizer]) -> None:
    """40 000 reports of one number stay within the Dvoretzky-Kiefer-Wolfowitz band of the cdf (rate 1e-10 each).

    Where reports repeat, the band holds at the right ends of their steps, from below.
    """
    for seed, mechanism in enumerate(instances(member)):
        x = inputs(mechanism)[seed % len(inputs(mechanism))]
        reports = np.sort(mechanism.privatize(np.full(40_000, x), np.random.default_rng(seed)))
        spots, last = np.unique(reports, return_index=True)
        seen = np.append(last[1:], len(reports)) / len(reports)
        band = math.sqrt(math.log(2 / 1e-9) / (2 * len(reports)))
        assert np.abs(seen - mechanism.cdf(spots, x)).max() <= band, (mechanism, x)


@law_of(NumberRandomizer)
def no_number_varies_more_than_the_worst(member: type[NumberRandomizer]) -> None:
    """The stated worst case is attained at the stated number and is the largest on a fine grid; averages keep below."""
    grid = np.linspace(-1, 1, 2001)
    for mechanism in instances(member):
        variances, worst = mechanism.variance_at(grid), mechanism.worst_variance()
        assert variances.shape == grid.shape and (variances > 0).all()
        assert variances.max() <= worst * (1 + 1e-12)
        assert math.isclose(float(mechanism.variance_at(mechanism.worst_x())), worst, rel_tol=1e-12)
        assert (mechanism.most_variance(mechanism.target(grid)) >= variances * (1 - 1e-12)).all()
        some, targets = variances[::50], mechanism.target(grid[::50])
        pairs, means = (some[:, None] + some) / 2, (targets[:, None] + targets) / 2
        assert (mechanism.most_variance(means) >= pairs * (1 - 1e-12)).all()


def two_samples_agree(one: np.ndarray, other: np.ndarray, rate: float = RATE) -> bool:
    """Whether two samples may come from one law: each within its own Dvoretzky-Kiefer-Wolfowitz band of it."""
    spots = np.union1d(one, other)
    steps = [np.searchsorted(np.sort(sample), spots, side="right") / len(sample) for sample in (one, other)]
    band = sum(math.sqrt(math.log(4 / rate) / (2 * len(sample))) for sample in (one, other))
    return float(np.abs(steps[0] - steps[1]).max()) <= band


@law_of(NumberRandomizer)
def sampled_tally_has_the_law_of_the_users_route(member: type[NumberRandomizer]) -> None:
    """The directly drawn tally of three people has the law of tally(privatize(...)) (two bands, rate 1e-10 each).

    A normal number of the same mean and variance must fail where the sum is far from normal.
    """
    every = list(instances(member))
    for seed, mechanism in enumerate(shared(every if len(every) <= 4 else every[::3], 2)):
        values = np.array([-0.5, 1.0, 1.0])
        rng = np.random.default_rng(seed)
        reports = mechanism.privatize(np.tile(values, 15_000 if ALL else 8000), rng).reshape(-1, 3)
        route = np.array([float(mechanism.tally(row).counts) for row in reports])
        drawn = mechanism.sample_tally(Population.of_numbers(values), rng, 30_000).counts.astype(float)
        scale = 1e-9 * max(float(np.abs(route).max()), 1.0)
        assert two_samples_agree(np.round(route / scale), np.round(drawn / scale)), mechanism


# --- without a curator: a place and a response ------------------------------------------------------------------------


@law_of(PairRandomizer)
def tallies_of_one_cell_have_the_law_of_the_users_route(member: type[PairRandomizer]) -> None:
    """Every estimate of three people, drawn at once, follows the law of their own reports (two bands, 1e-9 each)."""
    for seed, mechanism in enumerate(list(instances(member))[:: 7 if ALL else 14]):
        rows = np.array(list(places(mechanism)))[[0, 3, 6]]
        rng = np.random.default_rng(seed)
        reports = mechanism.privatize(np.tile(rows, (3000, 1)), rng)
        blocks = reports.reshape(3000, 3, -1)
        route = np.array([mechanism.estimate(mechanism.tally(block)) for block in blocks])
        drawn = mechanism.estimate(mechanism.sample_tally(Population(rows, np.ones(3, int)), rng, 3000)).T
        for one, other in zip(route.T, drawn.T, strict=True):
            assert two_samples_agree(one, other), mechanism


@law_of(PairRandomizer)
def a_report_says_nothing_of_empty_cells(member: type[PairRandomizer]) -> None:
    """There is noise in every cell: no number of a report is ever exactly what it would be without."""
    for mechanism in instances(member):
        rows = np.array(list(places(mechanism)))
        reports = mechanism.privatize(rows, np.random.default_rng(1))[:, -mechanism.partition.k :]
        assert len(np.unique(reports)) == reports.size, mechanism


@law_of(PairRandomizer)
def the_level_is_attained_by_enumerating_the_pairs(member: type[PairRandomizer]) -> None:
    """Over all pairs of cells, responses and the outside the largest loss is the level asked for."""
    for mechanism in instances(member):
        k, bound = mechanism.partition.k, mechanism.bound
        people = [(*mechanism.partition.middle(cell), y) for cell in range(min(k, 4)) for y in (-bound, 0.0, bound)]
        losses = [
            mechanism.compare(*pair).loss()
            for pair in itertools.permutations([*people, (*[2.0] * mechanism.dimensions, bound)], 2)
        ]
        assert math.isclose(max(losses), mechanism.epsilon, rel_tol=1e-12), mechanism


# --- without a curator: several numbers at once ----------------------------------------------------------------------


@law_of(VectorRandomizer)
def one_report_is_estimated_as_what_it_counts(member: type[VectorRandomizer]) -> None:
    """However far out: unbiased, never clipped; and many reports as the mean of what they count."""
    for seed, mechanism in enumerate(instances(member)):
        reports = mechanism.privatize(np.resize(vectors(mechanism.d), (40, mechanism.d)), np.random.default_rng(seed))
        counted = mechanism.decoded(reports)
        assert counted.shape == (40, mechanism.d) and np.isfinite(counted).all()
        for report, row in zip(reports[:8], counted, strict=False):
            assert np.allclose(mechanism.estimate(mechanism.tally(report[None])), row, rtol=1e-12)
        together = mechanism.estimate(mechanism.tally(reports))
        assert np.allclose(together, counted.mean(axis=0), rtol=1e-9, atol=1e-12 * float(np.abs(counted).max()))
    with pytest.raises(ParameterError, match="at least one report"):
        mechanism.estimate(ReportTally(np.zeros(mechanism.d), 0))


@law_of(VectorRandomizer)
def no_coordinate_varies_more_than_the_worst(member: type[VectorRandomizer]) -> None:
    """The stated worst variance is attained by some row and exceeded by none of a thousand."""
    for mechanism in instances(member):
        rows = np.random.default_rng(1).uniform(-1, 1, (1000, mechanism.d))
        seen = mechanism.variance_at(np.concatenate([rows, vectors(mechanism.d)]))
        assert seen.shape == (len(rows) + len(vectors(mechanism.d)), mechanism.d) and (seen >= 0).all()
        assert math.isclose(float(seen.max()), mechanism.worst_variance(), rel_tol=1e-12), mechanism


@law_of(VectorRandomizer)
def what_lies_outside_is_moved_to_the_edge(member: type[VectorRandomizer]) -> None:
    """A row beyond the domain is treated as the one at its edge, and moving it twice changes nothing."""
    for mechanism in instances(member):
        rows = np.concatenate([vectors(mechanism.d), 1e9 * vectors(mechanism.d)])
        moved = mechanism.inside(rows)
        assert np.allclose(mechanism.inside(moved), moved, rtol=1e-12) and np.abs(moved).max() <= 1e6
        draws = [mechanism.privatize(each, np.random.default_rng(2)) for each in (rows, moved)]
        assert np.array_equal(*draws, equal_nan=True)


@law_of(VectorRandomizer)
def turning_all_coordinates_changes_no_level(member: type[VectorRandomizer]) -> None:
    """Coordinates may be permuted and mirrored: the loss and the δ of two rows stay."""
    for mechanism in instances(member):
        rng = np.random.default_rng(mechanism.d)
        order, signs = rng.permutation(mechanism.d), rng.choice([-1, 1], mechanism.d)
        one, other = vectors(mechanism.d)[[5, 4]]
        laws = mechanism.compare(one, other), mechanism.compare((one * signs)[order], (other * signs)[order])
        assert math.isclose(laws[0].loss(), laws[1].loss(), rel_tol=1e-9)
        for epsilon in (0.0, 0.3, 1.0):
            # Noise without jumps is compared on finitely many events, which are merged in the order of coordinates.
            assert math.isclose(laws[0].delta(epsilon), laws[1].delta(epsilon), rel_tol=1e-2, abs_tol=1e-3)


@law_of(VectorRandomizer)
def comparison_is_what_reports_show(member: type[VectorRandomizer]) -> None:
    """δ(ε) = E[max(1 - e^(ε - loss), 0)] over 4 000 real reports of a row inside (Hoeffding, rate 1e-9 each)."""
    every = list(instances(member))
    for seed, mechanism in enumerate(shared((every[1], every[len(every) // 2], every[-1]), 3, len(member.slug))):
        one, other = vectors(mechanism.d)[[5, 1]]
        reports = mechanism.privatize(np.tile(one, (4000, 1)), np.random.default_rng(seed))
        losses = np.array([mechanism.log_density(z, one) - mechanism.log_density(z, other) for z in reports])
        laws = mechanism.compare(one, other)
        forth = laws.first * -np.expm1(np.minimum(-laws.ratios(), 0))
        gain = -np.expm1(np.minimum(-losses, 0))
        assert accept_bounded_mean(float(gain.mean()), float(forth.sum()), 4000), mechanism
        assert np.abs(losses).max() <= laws.loss() * (1 + 1e-9) + 1e-12
