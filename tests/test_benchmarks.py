"""The benchmarks can be started, the core's table is whole, and the plain NumPy ways in it do the same work.

Of the chance draws here, about 150, each may miss seven standard errors with a chance of 3e-12: below 1e-9 together.
"""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from benchmarks import plain
from benchmarks.core import Aim, Found, Job, measured
from benchmarks.jobs import jobs
from ldpcore.accounting.composition import optimal_of
from ldpcore.estimating.adviser import comparable
from ldpcore.estimating.waves import WaveDecoder, WaveInBins
from ldpcore.experiments.means import family
from ldpcore.mechanisms.base import CategoryRandomizer, NumberRandomizer
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.people.populations import Population
from ldpcore.people.scales import numbers_of_shape
from tools.serving import ROOT

ERRORS = 7.0  # standard errors
ORACLES = {oracle.slug: oracle for oracle in comparable(1.0, 13)}
NUMBERS = {number.slug: number for number in family(1.0, settings=(("delta", 1e-5), ("steps", 100)))}


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py")))
def test_a_benchmark_finds_what_it_measures(name: str) -> None:
    assert importlib.import_module(f"benchmarks.{name}").__doc__


def test_every_job_of_the_core_has_a_name_of_its_own_and_an_aim() -> None:
    table = list(jobs())
    names = {job.name for job in table}
    assert len(names) == len(table) and all(str(job.aim) for job in table)
    for slug in ORACLES:
        assert any(name.startswith(f"shares, {slug}:") for name in names)
    for slug in NUMBERS:
        assert any(name.startswith(f"mean, {slug}:") for name in names)


@pytest.mark.parametrize("oracle", ORACLES.values(), ids=ORACLES)
def test_the_plain_way_estimates_the_shares(oracle: CategoryRandomizer) -> None:
    people = Population.zipf(13, 20_000)
    values = np.repeat(np.arange(13), people.counts)
    off = plain.shares(oracle, values, np.random.default_rng(1)) - people.shares
    assert (np.abs(off) <= ERRORS * np.sqrt(oracle.variance(people))).all()


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_the_plain_way_estimates_the_mean(number: NumberRandomizer) -> None:
    people = numbers_of_shape("skewed", 20_000)
    x = np.repeat(people.values, people.counts)
    off = plain.mean(number, x, np.random.default_rng(1)) - number.truth(people)
    assert np.abs(off) <= ERRORS * np.sqrt(number.variance(people))


def test_the_plain_way_finds_the_level_of_many_coins() -> None:
    coin = 64 * 400 / (1 << 18)  # on the grid, so that the plain way rounds nothing
    assert plain.level_of_coins(coin, 1000, 1e-6, 1 << 18) == pytest.approx(optimal_of(coin, 1000, 1e-6), rel=1e-6)


def test_the_plain_way_takes_the_steps_of_em() -> None:
    channel = WaveInBins(SquareWave(1.0), 8)
    counts = channel.sample(numbers_of_shape("bell", 1000), np.random.default_rng(1))
    fit = WaveDecoder(channel, "plain").decode(counts)
    assert fit.steps > 10
    assert plain.em(channel.matrix(), counts, fit.steps) == pytest.approx(fit.shares, abs=1e-9)


def test_both_ways_are_measured_in_turn() -> None:
    turns: list[str] = []
    found = measured(Job("a job", lambda: turns.append("ours"), lambda: turns.append("plain"), Aim(1 / 3)), rounds=2)
    assert found.plain is not None
    assert [turn for turn, before in zip(turns, ["", *turns], strict=False) if turn != before] == ["ours", "plain"] * 3


def test_a_plain_way_that_does_a_part_is_multiplied() -> None:
    job = Job("a job", lambda: None, lambda: None, Aim(9), part=0.1)
    found = Found(job, ours=0.5, plain=0.5, megabytes=None)
    assert found.times() == pytest.approx(10) and not found.missed()
    assert "| 500 ms | 5 s * | 10 |" in found.line()


def test_what_misses_its_aim_is_named() -> None:
    job = Job("a job", lambda: None, lambda: None, Aim(2, seconds=1.0, megabytes=10))
    assert not Found(job, 0.5, 1.0, 10.0).missed()
    assert Found(job, 0.5, 0.9, 10.0).missed() == ["a job: 1.8 times, aim 2 times, 1 s, 10 MB"]
    assert Found(job, 2.0, 9.0, 12.0).missed() == [
        f"a job: {told}, aim 2 times, 1 s, 10 MB" for told in ("2 s", "12 MB")
    ]
    assert Found(job, 2.0, 9.0, 12.0).line().endswith("**missed** |")
