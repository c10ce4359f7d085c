"""RAPPOR: its two levels, both noises and the cohorts by enumeration, and the words that it finds."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy import optimize, stats

from ldpcore.experiments.frequencies import FrequencyExperiment
from ldpcore.mechanisms.base import ReportTally
from ldpcore.mechanisms.bloom import bloom_design
from ldpcore.mechanisms.bloomfit import bloom_fit
from ldpcore.mechanisms.bloomrandomizer import BloomRandomizer
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.mechanisms.unary import SymmetricUnaryEncoding
from ldpcore.numerics.leastsquares import nonnegative
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from tests.conformance import follows_joint_law, instances
from tests.rationing import at_night
from tests.statistics import accept_counts, accept_normal, accept_variance


def rounds_of(rappor: Rappor, population: Population, rounds: int, rng: np.random.Generator) -> ReportTally:
    """Tallies of several reports of the same people, a column each, all from one draw of the lasting bits."""
    sizes, holders = rappor.design.holders(population.counts, 1, rng)
    lasting = rappor.lasting.draw(holders, sizes[:, None] - holders, rng)
    shape = (rappor.cohorts, rappor.m, rounds)
    ones = rng.binomial(lasting, rappor.q, shape) + rng.binomial(sizes[:, None] - lasting, rappor.p, shape)
    people = np.broadcast_to(sizes[:, None], (rappor.cohorts, 1, rounds))
    return ReportTally(np.concatenate([people, ones], axis=1).reshape(-1, rounds), population.n)


def test_two_hashes_and_f_of_one_half_have_the_lifelong_level_4_3944() -> None:
    for cohorts in (8, 64):
        rappor = Rappor.of_flips(0.5, 50, hashes=2, cohorts=cohorts)
        assert rappor.lifelong().epsilon == pytest.approx(4.3944, abs=5e-5)
        assert rappor.lifelong().epsilon == pytest.approx(4 * math.log(3), rel=1e-12)
        assert rappor.f == pytest.approx(0.5, rel=1e-14)


def test_both_levels_come_from_the_channel_and_equal_the_published_formulas() -> None:
    for f, hashes, p, q in ((0.5, 2, 0.5, 0.75), (0.25, 1, 0.4, 0.6), (0.75, 4, 0.1, 0.95), (0.1, 2, 0.0, 1.0)):
        rappor = Rappor.of_flips(f, 40, hashes=hashes, p=p, q=q)
        low, high = f / 2 * (p + q) + (1 - f) * p, f / 2 * (p + q) + (1 - f) * q
        once = hashes * math.log(high * (1 - low) / (low * (1 - high)))
        assert rappor.guarantee().epsilon == pytest.approx(once, rel=1e-10)
        forever = 2 * hashes * math.log((1 - f / 2) / (f / 2))
        assert rappor.lifelong().epsilon == pytest.approx(forever, rel=1e-12)
        assert rappor.claim().epsilon == pytest.approx(forever, rel=1e-12)
        assert rappor.guarantee().epsilon <= rappor.lifelong().epsilon * (1 + 1e-12)


def test_f_is_never_rounded_so_that_10_and_12_are_delivered_as_asked() -> None:
    assert Rappor.usual(10.0, 20, hashes=1).f == pytest.approx(0.013386, abs=5e-7)
    assert Rappor.usual(12.0, 20, hashes=1).f == pytest.approx(0.004945, abs=5e-7)
    for asked in (1e-6, 0.3, 10.0, 12.0, 50.0):
        assert Rappor.usual(asked, 20, hashes=1).lifelong().epsilon == pytest.approx(asked, rel=1e-9)


def test_a_level_is_recomputed_from_the_design_and_vanishes_where_two_words_collide() -> None:
    hashes = next(hashes for hashes in range(1, 10) if bloom_design(2, 2, hashes, 1).groups == ((0, 1),))
    narrow = Rappor(2.0, 2, 2, hashes, 1, 0.0, 1.0)
    assert narrow.guarantee().epsilon == 0 and narrow.collisions() == ((0, 1),)
    with pytest.raises(ParameterError, match=r"q must be greater than p = 0\.5; got 0\.5"):
        Rappor.usual(1.0, 5, q=0.5)


def test_one_hash_into_bits_of_ones_own_is_symmetric_unary_encoding() -> None:
    """Where no two words share a bit, the single-bit chances are those of basic RAPPOR."""
    rappor, basic = Rappor.usual(1.0, 10, hashes=1, p=0.0, q=1.0), SymmetricUnaryEncoding(1.0, 10)
    assert rappor.reported.kept == pytest.approx(basic.p, rel=1e-14)
    assert rappor.reported.raised == pytest.approx(basic.q, rel=1e-14)
    assert rappor.f == pytest.approx(2 / (1 + math.exp(0.5)))


def unit_tallies(randomizer: BloomRandomizer) -> np.ndarray:
    """What each report of the channel adds to the tally, a row per report."""
    reports = np.array(randomizer.channel().reports)
    return np.array([randomizer.tally(reports[index : index + 1]).counts for index in range(len(reports))])


def test_estimates_are_unbiased_and_variances_exact_by_enumeration() -> None:
    checked = 0
    for rappor in list(instances(Rappor, every=True))[::7]:
        channel, able = rappor.channel(), bloom_fit(rappor.design).solver[1]
        assert channel.matrix.sum(axis=1) == pytest.approx(np.ones(rappor.k), abs=1e-12)
        estimates = np.array(
            [rappor.estimate(tally) for tally in map(rappor.tally, np.array(channel.reports)[:, None])]
        )
        assert np.isnan(estimates[:, ~able]).all()
        means = channel.matrix @ estimates[:, able]
        assert means == pytest.approx(np.eye(rappor.k)[:, able], abs=1e-8)
        spread = channel.matrix @ estimates[:, able] ** 2 - means**2
        population = Population.of_categories(np.arange(rappor.k) + 1)
        exact = population.counts @ spread / population.n**2
        assert rappor.variance(population)[able] == pytest.approx(exact, rel=1e-8)
        assert np.isinf(rappor.variance(population)[~able]).all()
        checked += int(able.sum())
    assert checked > 20


def test_variance_of_a_share_is_that_of_an_average_word_among_equals() -> None:
    rappor = Rappor.usual(2.0, 12, m=32, cohorts=8)
    for share in (0.0, 0.2, 1.0):
        shares = np.full((12, 12), (1 - share) / 11)
        np.fill_diagonal(shares, share)
        fit = bloom_fit(rappor.design)
        exact = [fit.variances(row, *rappor.bit_variances(1))[word] for word, row in enumerate(shares)]
        assert rappor.variance_of_shares(share, 100) == pytest.approx(np.mean(exact) / 100, rel=1e-9)


def joint_law(randomizer: BloomRandomizer, population: Population) -> dict[tuple[int, ...], float]:
    """The exact law of the whole tally, by enumerating every person's cohort and bits."""
    matrix, steps = randomizer.channel().matrix, unit_tallies(randomizer)
    law: dict[tuple[int, ...], float] = {(0,) * steps.shape[1]: 1.0}
    for value in np.repeat(population.values, population.counts):
        after: Counter[tuple[int, ...]] = Counter()
        for (tally, weight), (step, chance) in itertools.product(law.items(), zip(steps, matrix[value], strict=True)):
            after[tuple((np.array(tally) + step).tolist())] += weight * float(chance)
        law = dict(after)
    return law


@pytest.mark.parametrize(("m", "hashes", "cohorts"), [(3, 2, 1), (2, 1, 2), (2, 2, 2)])
def test_bits_of_colliding_words_have_their_joint_law_without_simulating_anybody(
    m: int, hashes: int, cohorts: int
) -> None:
    rappor, population = Rappor(6.0, 3, m, hashes, cohorts, 0.1, 0.9), Population.of_categories([1, 1, 1])
    shared = rappor.design.bits.sum(axis=1)
    assert shared.max() > 1, "some bit is set by several words"
    law, rng = joint_law(rappor, population), np.random.default_rng(m)
    assert follows_joint_law(rappor.sample_tally(population, rng, 20_000).counts, law)
    values = next(population.users())
    users = np.stack([rappor.tally(rappor.privatize(values, rng)).counts for _ in range(1500)], axis=1)
    assert follows_joint_law(users, law)
    noise = rappor.reported
    sizes = rng.binomial(3, 1 / cohorts, (cohorts, 1, 20_000))
    ones = rng.binomial(
        sizes, noise.raised + noise.gap * rappor.design.bits.mean(axis=1)[:, :, None], (cohorts, m, 20_000)
    )
    careless = np.concatenate([sizes, ones], axis=1).reshape(-1, 20_000)
    assert not follows_joint_law(careless, law), "bits that forget who is in the cohort are rejected"


def test_rounds_share_the_lasting_bits_and_have_their_joint_law() -> None:
    rappor, population = Rappor(1.0, 2, 2, 1, 1, 0.1, 0.9), Population.of_categories([1, 1])
    bits = list(itertools.product((0, 1), repeat=2))
    law: dict[tuple[int, ...], float] = {(0, 0, 0, 0): 1.0}
    for value in (0, 1):
        after: Counter[tuple[int, ...]] = Counter()
        true = rappor.design.bits[0, value]
        for lasting, first, second in itertools.product(bits, repeat=3):
            chance = math.prod(
                (rappor.lasting.kept if own == kept else rappor.lasting.lowered)
                * math.prod((0.9 if kept == said else 0.1) for said in pair)
                for own, kept, *pair in zip(true, lasting, first, second, strict=True)
            )
            for tally, weight in law.items():
                after[tuple(map(sum, zip(tally, first + second, strict=True)))] += weight * chance
        law = dict(after)
    assert math.isclose(sum(law.values()), 1, rel_tol=1e-12)
    rng = np.random.default_rng(5)
    drawn = np.stack([rounds_of(rappor, population, 2, rng).counts[1:].T.ravel() for _ in range(4000)], axis=1)
    assert follows_joint_law(drawn, law)
    lasting = rappor.remember(np.repeat([0, 1], 4000), rng)
    sent = [np.unpackbits(rappor.report(lasting, rng)["bits"], axis=1, count=2) for _ in range(2)]
    people = np.concatenate(sent, axis=1)
    assert follows_joint_law((people[:4000] + people[4000:]).T, law)
    anew = rappor.sample_tally(population, rng, 8000).counts[1:]
    assert not follows_joint_law(np.concatenate([anew[:, :4000], anew[:, 4000:]]), law), "fresh noise is no memory"


def test_variance_of_the_mean_of_rounds_is_exact_and_does_not_fall_below_the_lasting_part() -> None:
    rappor, population = Rappor.usual(3.0, 4, m=16, cohorts=4), Population.zipf(4, 20_000)
    rng = np.random.default_rng(6)
    for rounds in (1, 5):
        stated = rappor.variance(population, rounds)
        means = np.stack([rappor.estimate(rounds_of(rappor, population, rounds, rng)).mean(axis=1) for _ in range(800)])
        for word in range(4):
            assert accept_variance(means[:, word] - population.shares[word], stated[word])
    assert (rappor.variance(population, 10**6) > rappor.forever().variance(population) * 0.999).all()


@at_night
def test_reports_of_users_and_aggregates_agree_at_moderate_n() -> None:
    """By day `conformance.py` compares both routes, and the tests above look at several rounds."""
    rappor, population = Rappor.usual(3.0, 30, cohorts=8), Population.zipf(30, 1000)
    rng, values = np.random.default_rng(7), next(population.users())
    routes = (
        rappor.estimate(rappor.sample_tally(population, rng, 1000)),
        np.stack([rappor.estimate(rappor.tally(rappor.privatize(values, rng))) for _ in range(300)], axis=1),
        np.stack(
            [rappor.estimate(rappor.tally(rappor.report(rappor.remember(values, rng), rng))) for _ in range(300)],
            axis=1,
        ),
    )
    stated = rappor.variance(population)
    for estimates in routes:
        for word in (0, 3, 29):
            errors = estimates[word] - population.shares[word]
            assert accept_normal(errors.mean(), 0, math.sqrt(stated[word] / len(errors)))
            assert accept_variance(errors, stated[word])


def test_cohorts_and_hashes_are_spread_evenly() -> None:
    design = bloom_design(2000, 16, 2, 8)
    for cohort, function in itertools.product(range(8), range(2)):
        assert accept_counts(np.bincount(design.positions[cohort, :, function], minlength=16), np.full(16, 1 / 16))
    together = design.positions[:, :, 0].astype(int) * 16 + design.positions[:, :, 1]
    assert accept_counts(np.bincount(together.ravel(), minlength=256), np.full(256, 1 / 256))


def test_it_recovers_the_words_it_can_and_no_others() -> None:
    """10⁶ people, 100 candidates: ten words of a tenth each but for one rare one; wrong with probability below 1e-8."""
    rappor, shares = Rappor.usual(6.0, 100), np.zeros(100)
    shares[[3, 14, 15, 26, 35, 58, 79, 89, 93]] = 0.11
    shares[50] = 0.0001
    shares[3] += 1 - shares.sum()
    population = Population.of_shares(shares, 10**6)
    tally = rappor.sample_tally(population, np.random.default_rng(8))
    found = rappor.recovered(tally, 1 - 1e-9)
    assert np.flatnonzero(found).tolist() == [3, 14, 15, 26, 35, 58, 79, 89, 93], "present and frequent, or not claimed"
    errors = np.sqrt(rappor.variance(population))
    assert 0.11 > 13 * errors.max() and errors.min() * 6 > 0.0001
    decoded = rappor.decode(tally)
    assert (decoded >= 0).all() and np.abs(decoded - shares).max() < 7 * errors.max()


def test_intervals_around_words_enclose_their_shares_alone_and_all_at_once() -> None:
    # 500 runs: at a true coverage of 0.945 fewer than `fewest` enclosed has probability 1e-9 (exact binomial).
    repeats, fewest = 500, stats.binom.isf(1 - 1e-9, 500, 0.945)
    rappor, population = Rappor.usual(3.0, 8, m=32, cohorts=4), Population.zipf(8, 20_000)
    alone, together, halved = np.zeros(8), 0, np.zeros(8)
    for seed in range(repeats):
        result = FrequencyExperiment(rappor, population, 1, seed).run()
        alone += (bounds := result.bounds()).encloses(population.shares)
        together += bool(result.bounds(simultaneous=True).encloses(population.shares).all())
        halved += 2 * np.abs(result.first - population.shares) <= bounds.high - result.first
    assert (alone >= fewest).all() and fewest <= together < 498
    assert (halved < fewest).all(), "intervals of half the width must fail"


def test_words_that_collide_are_named_and_share_their_total() -> None:
    rappor = Rappor(4.0, 12, 4, 1, 2, 0.25, 0.75)
    groups = rappor.collisions()
    assert groups and all(
        np.array_equal(rappor.design.bits[:, group[0]], rappor.design.bits[:, word])
        for group in groups
        for word in group
    )
    population = Population.zipf(12, 10**6)
    tally = rappor.sample_tally(population, np.random.default_rng(9), 3)
    twins = sorted(itertools.chain(*groups))
    assert np.isnan(rappor.estimate(tally)[twins]).all() and np.isinf(rappor.variance(population)[twins]).all()
    decoded = rappor.decode(tally)
    assert decoded.shape == (12, 3) and all(np.ptp(decoded[list(group)], axis=0).max() == 0 for group in groups)
    assert not rappor.recovered(rappor.sample_tally(population, np.random.default_rng(9)))[twins].any()


def test_the_nonnegative_fit_is_scipys() -> None:
    rng = np.random.default_rng(10)
    for rows, columns in ((30, 5), (200, 60), (80, 80)):
        matrix, target = rng.normal(size=(rows, columns)), rng.normal(size=rows)
        expected, _ = optimize.nnls(matrix, target)
        assert nonnegative(matrix.T @ matrix, matrix.T @ target) == pytest.approx(expected, abs=1e-7)
    assert nonnegative(np.eye(3), np.array([-1.0, 0.0, 2.0])).tolist() == [0, 0, 2]


def test_the_simulated_best_guess_of_many_bits_is_close_to_the_exact_one_of_few() -> None:
    exact = Rappor(3.0, 6, 8, 2, 3, 0.25, 0.75)
    matrix = exact.channel().matrix
    assert exact.best_guess() == pytest.approx(matrix.max(axis=0).sum() / 6, rel=1e-9)
    wide = Rappor.usual(3.0, 6, m=9)
    assert 1 / 6 < wide.best_guess() < 1 / (1 + 5 * math.exp(-wide.guarantee().epsilon))
