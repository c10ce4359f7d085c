"""The table of the core's jobs: name, the library's way, the plain NumPy way, and the aim.

Mechanisms are those of the registry, so that a new one has its lines here by itself. ε = 1 but in accounts, and there
are 1 024 values or cells. The library draws a billion people at once where that costs what a few do; the plain way
draws the reports of a million.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from benchmarks import plain
from benchmarks.core import Aim, Job
from ldpcore.accounting.releases import Account, AnyRelease, LaplaceRelease
from ldpcore.estimating.adviser import comparable
from ldpcore.estimating.waves import WaveDecoder, WaveInBins
from ldpcore.experiments.averaging.running import AveragingExperiment
from ldpcore.experiments.means import family
from ldpcore.experiments.vectors import METHODS, method
from ldpcore.laws.besttests import best_test, minimax_test
from ldpcore.mechanisms.base import CategoryRandomizer, LocalRandomizer, NumberRandomizer
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.partition import PartitionReports
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.people.curves import CurveModel
from ldpcore.people.populations import Population
from ldpcore.people.rows import NumberRows
from ldpcore.people.scales import numbers_of_shape
from ldpcore.protocols import Grid, NoisySteps, SearchByGroups, TwoStages, UniformCrowd
from ldpcore.reading.dialects import read_table

EPSILON, DELTA, K = 1.0, 1e-6, 1024
USERS, MANY, FEW = 10**6, 10**9, 20_000  # people of a crowd; at once; and for the slow plain ways
BINOMIALS = {"subset": 400, "hadamard": 60}  # draws of 2k binomials that a tally may cost, where 3 are too few
RNG = np.random.default_rng(1)


def jobs() -> Iterator[Job]:
    """The whole table, made job by job."""
    yield start()
    for oracle in comparable(EPSILON, K):
        yield from shares(oracle)
    for number in family(EPSILON, settings=(("delta", 1e-5), ("steps", 100))):
        yield from means(number)
    yield averaging()
    yield from regression()
    for slug in METHODS:
        yield from vectors(slug)
    yield from distributions()
    yield from protocols()
    yield from accounts()
    yield from best_tests()
    yield table()


def start() -> Job:
    """The start of the library with a first survey, beside that of the packages it is built on."""

    def running(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True)

    return Job(
        "start, and a first survey",
        lambda: running('import ldpcore; ldpcore.build("grr", 1.0, 3)'),
        lambda: running("import numpy, scipy.special"),
        Aim(1 / 4, seconds=1.0),
    )


def shares(oracle: CategoryRandomizer) -> Iterator[Job]:
    """The shares of many values: at once, beside the cheapest way by counts, and every user's report."""
    slug, crowd, everybody = oracle.slug, Population.zipf(K, MANY), Population.zipf(K, USERS)
    some = RNG.permutation(np.repeat(np.arange(K), everybody.counts))[:FEW]
    few = Population.of_categories(np.bincount(some, minlength=K))

    def at_once() -> object:
        return oracle.estimate(oracle.sample_tally(crowd, RNG))

    def reports() -> object:
        return plain.shares(oracle, some, RNG)

    def one_by_one() -> object:
        return oracle.estimate(oracle.user_by_user(few, RNG))

    yield Job(f"shares, {slug}: a billion at once", at_once, reports, Aim(5), FEW / USERS)
    least = Aim(1 / BINOMIALS.get(slug, 3))
    yield Job(f"shares, {slug}: beside 2k binomials", at_once, lambda: plain.binomials(crowd.counts, RNG), least)
    yield Job(f"shares, {slug}: one by one", one_by_one, reports, Aim(1 / 2))


def means(mechanism: NumberRandomizer) -> Iterator[Job]:
    """The mean of numbers with 201 different values: at once, and everybody's report."""
    slug, crowd, everybody = mechanism.slug, numbers_of_shape("skewed", MANY), numbers_of_shape("skewed", USERS)
    x = RNG.permutation(np.repeat(everybody.values, everybody.counts))

    def reports() -> object:
        return plain.mean(mechanism, x, RNG)

    yield Job(
        f"mean, {slug}: a billion at once",
        lambda: mechanism.estimate(mechanism.sample_tally(crowd, RNG)),
        reports,
        Aim(20, seconds=2e-3),
    )
    yield Job(
        f"mean, {slug}: one by one",
        lambda: mechanism.estimate(mechanism.user_by_user(everybody, RNG)),
        reports,
        Aim(1 / 4),
    )


def averaging() -> Job:
    """The path of running means: a trillion releases of ours, a million of the plain way."""
    noise = LaplaceMechanism(0.1)
    return Job(
        "running means: a trillion releases",
        lambda: AveragingExperiment(noise, 3, 10**12).run().average,
        lambda: plain.running_mean(3.0, noise.scale, USERS, RNG),
        Aim(100),
    )


def regression() -> Iterator[Job]:
    """A curve on many cells: the noise of all cells, and with everybody sorted into them."""
    mechanism, crowd = PartitionReports(EPSILON, 1 / K, 1, 1.2, 0.45), CurveModel().people(MANY, 1)
    scales = tuple(noise.scale for noise in mechanism.noises)

    def noise() -> object:
        return plain.noise_in_cells(scales, FEW, K, RNG)

    yield Job(
        "curve: noise of a billion", lambda: mechanism.noise_sums(MANY, None, RNG), noise, Aim(10_000), FEW / USERS
    )
    yield Job("curve: a billion at once", lambda: mechanism.sample_tally(crowd, RNG), noise, Aim(1000), FEW / USERS)


def vectors(slug: str) -> Iterator[Job]:
    """Ten numbers of each person: every report, in chunks of little memory, and at once where only sums are drawn."""
    mechanism = method(slug, EPSILON, 10)
    crowd, everybody = NumberRows.invented(10, MANY), NumberRows.invented(10, USERS)

    def one_by_one() -> object:
        return mechanism.user_by_user(everybody.people, RNG)

    yield Job(f"vectors, {slug}: one by one", one_by_one, None, Aim(seconds=3.0, megabytes=64))
    if type(mechanism).sample_tally is not LocalRandomizer.sample_tally:
        yield Job(
            f"vectors, {slug}: a billion at once",
            lambda: mechanism.sample_tally(crowd.people, RNG),
            one_by_one,
            Aim(100, seconds=0.05),
        )


def distributions() -> Iterator[Job]:
    """A distribution read back from square waves by EM, step for step beside products with the whole matrix."""
    for bins, times in ((64, 1 / 4), (K, 4)):
        channel = WaveInBins(SquareWave(EPSILON), bins)
        counts = channel.sample(numbers_of_shape("bell", USERS), np.random.default_rng(1))
        matrix = channel.matrix()
        for smoothing in ("plain", "smoothed"):
            decoder = WaveDecoder(channel, smoothing)
            steps = decoder.decode(counts).steps
            yield Job(
                f"distribution, {bins} bins, {smoothing}: {steps} steps",
                lambda decoder=decoder, counts=counts: decoder.decode(counts),
                lambda matrix=matrix, counts=counts: plain.em(matrix, counts, 100),
                Aim(times, seconds=2e-3 * steps),
                100 / steps,
            )


def protocols() -> Iterator[Job]:
    """Protocols that listen: a thousand runs of ten thousand people together, beside ten runs one after the other."""
    people, runs, crowd = 10_000, 1000, UniformCrowd()
    steps, stages = NoisySteps(EPSILON, crowd), TwoStages(EPSILON, crowd, people)
    search = SearchByGroups(EPSILON, crowd, people, Grid(0.1))
    ways = {
        "median by noisy steps": (lambda: steps.sample([people], runs, RNG), lambda: steps.run(people, RNG)),
        "mean in two stages": (lambda: stages.sample(runs, RNG), lambda: stages.run(RNG)),
        "search by groups": (lambda: search.sample(runs, RNG), lambda: search.run(RNG)),
    }
    for name, (together, one) in ways.items():
        yield Job(f"{name}: {runs:,} runs", together, one, Aim(20, seconds=1.0), 1 / runs)


def accounts() -> Iterator[Job]:
    """The level of many releases by convolution; coins beside the fast Fourier transform of NumPy."""
    times, points, odd = 10_000, 1 << 21, 0.0987654321987  # of which no short decimal number is a whole multiple
    coins, noise = (Account(((release, times),), DELTA) for release in (AnyRelease(odd), LaplaceRelease(0.1)))
    yield Job(
        f"account: {times:,} coins",
        lambda: coins.exact(points).level(DELTA),
        lambda: plain.level_of_coins(odd, times, DELTA, points),
        Aim(1 / 4, seconds=1.0),
    )
    yield Job(
        f"account: {times:,} times Laplace noise", lambda: noise.exact(1 << 20).level(DELTA), None, Aim(seconds=1.0)
    )


def best_tests() -> Iterator[Job]:
    """The best tests between families of laws: 400 linear programs of 64 outcomes and 64 laws."""
    programs = [(laws[:32], laws[32:]) for laws in RNG.dirichlet(np.ones(64), (400, 64))]
    yield Job("best tests, minimax: 400", lambda: [minimax_test(*both) for both in programs], None, Aim(seconds=5.0))
    yield Job(
        "best tests, size 0.05: 400", lambda: [best_test(*both, 0.05) for both in programs], None, Aim(seconds=5.0)
    )


def table() -> Job:
    """A table of a million people, read as an upload is, whose columns are then numbers and names."""
    scores, years = np.round(100 * RNG.random(USERS), 3).tolist(), RNG.integers(6, 21, USERS).tolist()
    places = np.array(["north", "east", "south", "west"])[RNG.integers(0, 4, USERS)].tolist()
    rows = (f"{score},{year},{place}\n" for score, year, place in zip(scores, years, places, strict=True))
    raw = ("score,schooling,region\n" + "".join(rows)).encode()
    return Job(
        f"table of {len(raw) / 2**20:.0f} MB",
        lambda: read_table(raw, "people.csv"),
        lambda: plain.table(raw),
        Aim(1 / 40, seconds=3.0, megabytes=4 * len(raw) / 2**20),
    )
