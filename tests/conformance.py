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
from typing import Any

import numpy as np
import pytest
from scipy import integrate

from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms.base import (
    CategoryRandomizer,
    CentralRelease,
    FrequencyOracle,
    LocalRandomizer,
    Mechanism,
    Tally,
)
from ldpcore.parameters import Choice, Interval, ParameterError, declarations
from ldpcore.populations import Population
from tests.statistics import accept_bounded_mean, accept_counts, accept_normal, accept_sample, accept_variance

Law = Callable[[type[Mechanism]], None]
LAWS: dict[type[Mechanism], list[Law]] = {
    kind: [] for kind in (Mechanism, CentralRelease, LocalRandomizer, CategoryRandomizer, FrequencyOracle)
}


def law_of(kind: type[Mechanism]) -> Callable[[Law], Law]:
    """Registers a law for every member of a kind."""

    def register(law: Law) -> Law:
        LAWS[kind].append(law)
        return law

    return register


def laws_for(member: type[Mechanism]) -> list[Law]:
    """The laws of all kinds that a member belongs to."""
    return [law for kind, laws in LAWS.items() if issubclass(member, kind) for law in laws]


def instances(member: type[Mechanism], which: str = "small") -> Iterator[Any]:
    """The member at every combination of its declared test values; combinations that it refuses are left out."""
    points = []
    for declared in declarations(member).values():
        if isinstance(declared, Choice):
            points.append(declared.options)
        else:
            points.append(getattr(declared, which) or declared.small)
    made = 0
    for values in itertools.product(*points):
        try:
            yield member(*values)
        except ParameterError:
            continue
        made += 1
    assert made, f"{member.slug} accepts none of its own test values"


def small_populations(k: int) -> Iterator[Population]:
    """Everybody alike, and an uneven three."""
    yield Population.of_categories([2] + [0] * (k - 1))
    yield Population.of_categories([2, 1] + [0] * (k - 2))


# --- every mechanism -------------------------------------------------------------------------------------------------


@law_of(Mechanism)
def loss_never_exceeds_the_level(member: type[Mechanism]) -> None:
    """The recomputed level is at most the claimed one."""
    for mechanism in instances(member):
        claim, real = mechanism.claim(), mechanism.guarantee()
        assert real.epsilon <= claim.epsilon * (1 + 1e-12), (mechanism, real)
        assert real.delta <= claim.delta * (1 + 1e-9) + 1e-15, (mechanism, real)


@law_of(Mechanism)
def loss_is_attained(member: type[Mechanism]) -> None:
    """At the witness the ratio of the densities is e^ε itself, and a level 0.1 per mille smaller is broken."""
    for mechanism in instances(member):
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
    for mechanism in instances(member):
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


def _quadrature(mechanism: Any, weight: Callable[[float], float], *points: float) -> float:
    """∫ weight(z) p(z | 0) dz, piece by piece between the points where a factor is not smooth."""
    reach = 60 * math.sqrt(mechanism.variance())
    pieces = itertools.pairwise(sorted({-reach, 0.0, reach, *points}))

    def weighted(z: float) -> float:
        return weight(z) * math.exp(mechanism.log_density(z, 0.0))

    return sum(integrate.quad(weighted, low, high, epsabs=1e-12, epsrel=1e-11, limit=200)[0] for low, high in pieces)


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
    for mechanism in instances(member):
        width = mechanism.mean_absolute_error()
        for z in (-3 * width, -0.2 * width, 0.0, 0.7 * width, 4 * width):
            mass = _quadrature(mechanism, lambda x, z=z: float(x <= z), z, -10 * width, 10 * width)
            assert math.isclose(mass, float(mechanism.cdf(z, 0.0)), rel_tol=1e-7)


@law_of(CentralRelease)
def hockey_stick_by_quadrature(member: type[CentralRelease]) -> None:
    """∫ max(p - e^ε q, 0) over a dense grid equals the closed form at several ε."""
    for mechanism in instances(member):
        one, other = mechanism.worst()
        spread = math.sqrt(mechanism.variance())
        grid = np.linspace(one - 12 * spread, other + 12 * spread, 200_001)
        densities = [np.exp([mechanism.log_density(z, center) for z in grid[::50]]) for center in (one, other)]
        for factor in (0.0, 0.25, 0.5, 0.9):
            epsilon = factor * mechanism.guarantee().epsilon
            excess = np.maximum(densities[0] - math.exp(epsilon) * densities[1], 0)
            numeric = float(integrate.trapezoid(excess, grid[::50]))
            assert math.isclose(numeric, mechanism.compare(one, other).delta(epsilon), abs_tol=3e-3)


@law_of(CentralRelease)
def release_follows_its_cdf(member: type[CentralRelease]) -> None:
    """50 000 releases stay within the Dvoretzky-Kiefer-Wolfowitz band (rate 1e-9 each)."""
    for seed, mechanism in enumerate(instances(member)):
        sample = np.sort(mechanism.release(7.0, np.random.default_rng(seed), 50_000))
        assert accept_sample(sample, mechanism.cdf(sample, 7.0)), mechanism


@law_of(CentralRelease)
def release_keeps_to_its_generator(member: type[CentralRelease]) -> None:
    """The same seed gives the same numbers, and nobody else's randomness is touched."""
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
            assert math.isclose(mechanism.guarantee().epsilon, mechanism.claim().epsilon, rel_tol=1e-9)
            assert 0 < mechanism.mean_absolute_error() < math.inf


# --- without a curator: one of k categories ---------------------------------------------------------------------------


@law_of(CategoryRandomizer)
def no_pair_of_values_exceeds_the_worst(member: type[CategoryRandomizer]) -> None:
    """The level holds for every pair of values, not only for the pair that the mechanism names as its worst."""
    for mechanism in instances(member):
        level = mechanism.guarantee().epsilon
        for pair in itertools.permutations(range(mechanism.k), 2):
            assert mechanism.compare(*pair).loss() <= level * (1 + 1e-12), (mechanism, pair)


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
def reports_tell_two_values_apart_as_often_as_their_laws(member: type[CategoryRandomizer]) -> None:
    """Guessing by the likelihood of 4 000 real reports is right (1 + TV)/2 of the time (Hoeffding, rate 1e-9 each)."""
    every = list(instances(member))
    for seed, mechanism in enumerate((every[0], every[len(every) // 2], every[-1])):
        rng, pair, score = np.random.default_rng(seed), mechanism.worst(), 0.0
        for value, other in (pair, pair[::-1]):
            for report in mechanism.privatize(np.full(2000, value), rng):
                own, foreign = (mechanism.log_density(report, one) for one in (value, other))
                score += 0.5 if math.isclose(own, foreign, abs_tol=1e-12) else float(own > foreign)
        expected = (1 + mechanism.compare(*pair).delta(0.0)) / 2
        assert accept_bounded_mean(score / 4000, expected, 4000), (mechanism, score / 4000, expected)


@law_of(CategoryRandomizer)
def reports_keep_to_their_generator(member: type[CategoryRandomizer]) -> None:
    """The same seed gives the same reports and tallies; values outside the domain are refused; state is untouched."""
    oracle = list(instances(member))[-1]
    before = np.random.get_state()[1].copy()  # noqa: NPY002 - this law watches the global state
    population = Population.uniform(oracle.k, 50)
    draws = [oracle.sample_tally(population, np.random.default_rng(5)).counts for _ in range(2)]
    assert np.array_equal(*draws) and draws[0].ndim == 1
    users = next(population.users())
    tallies = [oracle.tally(oracle.privatize(users, np.random.default_rng(5))).counts for _ in range(2)]
    assert np.array_equal(*tallies)
    for bad in ([oracle.k], [-1], [0.5], [[0]], ["a"]):
        with pytest.raises(ParameterError, match="values must be"):
            oracle.privatize(np.array(bad), np.random.default_rng(0))
    with pytest.raises(ParameterError, match="population must list"):
        oracle.sample_tally(Population.uniform(oracle.k + 1, 10), np.random.default_rng(0))
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@law_of(CategoryRandomizer)
def estimates_have_the_stated_mean_and_variance(member: type[CategoryRandomizer]) -> None:
    """2 000 tallies of 10⁶ people: mean (normal tail) and variance (χ²) of every estimable share, rate 1e-9 each."""
    for seed, mechanism in enumerate(instances(member)):
        population = Population.zipf(mechanism.k, 10**6)
        variance = mechanism.variance(population)
        able = np.isfinite(variance)
        if not able.any():
            continue
        tally = mechanism.sample_tally(population, np.random.default_rng(seed), 2000)
        errors = mechanism.estimate(tally)[able] - population.shares[able, None]
        for found, stated in zip(errors, variance[able], strict=True):
            if stated == 0:
                assert np.abs(found).max() < 1e-9, mechanism
            else:
                assert accept_normal(float(found.mean()), 0, math.sqrt(stated / 2000)), (mechanism, found.mean())
                assert accept_variance(found, stated), (mechanism, found.var(), stated)


@law_of(CategoryRandomizer)
def user_by_user_agrees_with_the_aggregate(member: type[CategoryRandomizer]) -> None:
    """The collector's route over 20 000 reports estimates the truth within its stated variance (rate 1e-9 each)."""
    for seed, mechanism in enumerate(instances(member)):
        population = Population.zipf(mechanism.k, 20_000)
        variance = mechanism.variance(population)
        able = np.isfinite(variance)
        if able.any():
            reports = mechanism.privatize(next(population.users()), np.random.default_rng(seed))
            errors = mechanism.estimate(mechanism.tally(reports))[able] - population.shares[able]
            for error, stated in zip(errors, variance[able], strict=True):
                assert accept_normal(error, 0, math.sqrt(stated) + 1e-12), (mechanism, error, stated)


@law_of(CategoryRandomizer)
def categories_survive_extremes(member: type[CategoryRandomizer]) -> None:
    """At the ends of the parameters and for n of 1 and 10¹²: silent, and a number wherever a variance is finite."""
    for mechanism in instances(member, "extreme"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert mechanism.guarantee().epsilon <= mechanism.claim().epsilon * (1 + 1e-6)
            assert 0 < mechanism.best_guess() <= 1 and mechanism.bits() > 0 and mechanism.operations() > 0
            for n in (1, 10**12):
                population = Population.zipf(mechanism.k, n)
                variance = mechanism.variance(population)
                assert (variance >= 0).all()
                if (able := np.isfinite(variance)).any():
                    tally = mechanism.sample_tally(population, np.random.default_rng(n))
                    assert np.isfinite(mechanism.estimate(tally)[able]).all()


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
    """From the channel: the own value is supported with probability p, every other with q."""
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
            estimate = oracle.estimate(Tally(expected, n))
            assert np.allclose(estimate, truth, rtol=0, atol=1e-9 / oracle.gap)
            none, all_of_them = (oracle.estimate(Tally(np.full(oracle.k, count), n)) for count in (0, n))
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
    """40 000 reports of one value: the sets they support follow the channel (exact tails, rate 1e-9 each)."""
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
    """The directly drawn tally has the law of tally(privatize(...)), covariances included (rate 1e-9 each)."""
    for seed, oracle in enumerate(instances(member)):
        if oracle.k > 3:
            continue
        for population in small_populations(oracle.k):
            draws = oracle.sample_tally(population, np.random.default_rng(seed), 20_000).counts
            assert draws.shape == (oracle.k, 20_000)
            assert follows_joint_law(draws, joint_law(oracle, population)), (oracle, population)


@law_of(FrequencyOracle)
def oracle_survives_extremes(member: type[FrequencyOracle]) -> None:
    """ε of 1e-6 and 50, k of 2 and 10 000, n of 1 and 10¹²: finite, silent, and still the level asked for."""
    for oracle in instances(member, "extreme"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert math.isclose(oracle.guarantee().epsilon, oracle.claim().epsilon, rel_tol=1e-6)
            assert 0 < oracle.gap <= 1 and 0 < oracle.best_guess() <= 1 and oracle.bits() > 0
            for n in (1, 10**12):
                population = Population.zipf(oracle.k, n)
                variance = oracle.variance(population)
                assert np.isfinite(variance).all() and (variance >= 0).all()
                assert np.isfinite(oracle.estimate(oracle.sample_tally(population, np.random.default_rng(n)))).all()
