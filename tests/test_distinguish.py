"""The page about two worlds: its questions against printed values and independent routes, and what its pictures say."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.settings.drawnbars import bars
from ldpcore.costs import MEGABYTE
from ldpcore.experiments import distinguish as d
from ldpcore.laws import divergences
from ldpcore.parameters import ParameterError

LEVELS = (0.01, 0.5, 1.0, 3.0, 10.0)


@pytest.mark.parametrize("epsilon", LEVELS)
def test_one_report_of_two_people_attains_the_limit_of_its_level(epsilon: float) -> None:
    result = d.TellApart("grr", epsilon, d.WorldPair.people(2)).run()
    assert result.reached == pytest.approx(result.allowed, rel=1e-9)
    assert result.private == pytest.approx(result.bound, abs=1e-12)
    assert result.distance == pytest.approx(math.tanh(epsilon / 2), rel=1e-12)


def test_the_printed_power_stands_on_the_page() -> None:
    assert d.TellApart("grr", 1.0, d.WorldPair.people(2)).run().reached == pytest.approx(0.135914, abs=5e-7)


@settings(max_examples=20)
@given(st.sampled_from([member.slug for member in d.members(4)]), st.sampled_from(LEVELS), st.integers(0, 999))
def test_no_mechanism_lets_a_test_cross_the_limit_and_no_bar_its_mark(slug: str, epsilon: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    worlds = d.WorldPair.weights(rng.dirichlet(np.ones(4)).tolist(), rng.dirichlet(np.ones(4)).tolist())
    apart = d.TellApart(slug, epsilon, worlds).run()
    assert (apart.private <= apart.bound + 1e-9).all()
    assert (apart.private <= apart.direct + 1e-9).all()
    order, gamma = float(rng.choice([0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0])), float(rng.choice([1.0, 1.2, 2.0, 5.0]))
    for each in d.BeforeAfter(slug, epsilon, worlds, gamma, order).run().passed:
        assert each.after <= each.channel * (1 + 1e-9) + 1e-12, each
        assert each.channel <= each.allowed * (1 + 1e-9) + 1e-12, each
    for side in d.Inequalities(slug, epsilon, worlds).run().sides:
        assert side.smaller <= side.larger * (1 + 1e-9) + 1e-10, side


@pytest.mark.parametrize("slug", ["grr", "oue", "hadamard"])
def test_the_crowd_that_is_needed_is_the_smallest_that_is_enough(slug: str) -> None:
    result = d.ManyPeople(slug, 1.0, d.WorldPair.coins(0.3, 0.6)).run()
    assert result.needed is not None
    for n, enough in ((result.needed, True), (result.needed - 1, False)):
        there = d.ManyPeople(slug, 1.0, d.WorldPair.coins(0.3, 0.6), n).run().here
        assert (there.low >= d.RIGHT) == enough
    assert all(one.low <= two.high + 1e-9 for one, two in zip(result.private, result.private[1:], strict=False))
    assert all(here.low <= limit + 1e-9 for here, limit in zip(result.private, result.bound, strict=True))


def test_worlds_that_are_alike_are_told_apart_by_no_crowd() -> None:
    result = d.ManyPeople("grr", 1.0, d.WorldPair.coins(0.5, 0.5)).run()
    assert result.needed is None
    assert result.needed_direct is None


@pytest.mark.parametrize(
    "worlds", [d.WorldPair.coins(0.3, 0.6), d.WorldPair.bells(1.0, 6), d.WorldPair.coins(0.7, 0.2)]
)
def test_the_best_test_errs_least_against_its_own_hardest_mixtures(worlds: d.WorldPair) -> None:
    result = d.Minimax("grr", 1.0, worlds).run()
    assert sum(result.errors) == pytest.approx(result.test.attained, abs=1e-9)
    assert divergences.testing_affinity(*result.mixtures) == pytest.approx(result.test.attained, abs=1e-8)


def test_a_bell_sums_to_one_and_keeps_its_digits_in_the_tails() -> None:
    for shift in (0.0, 1.0, 3.0):
        assert sum(d.bell(shift, 12)) == pytest.approx(1, abs=1e-12)
        assert d.bell(shift, 12) == pytest.approx(d.bell(-shift, 12)[::-1], rel=1e-9)


def test_information_rises_with_the_level_and_never_exceeds_that_of_the_data() -> None:
    result = d.Information("grr", 1.0, d.WorldPair.people(2)).run()
    assert (np.diff(result.along) >= -1e-12).all()
    assert result.here == pytest.approx(0.11094, abs=5e-6)
    assert result.along.max() <= result.open == pytest.approx(math.log(2))


@pytest.mark.parametrize("text", ["", "1", "a b", "1 -2", "0 0", "nan 1", "1e999 1", "3,1,1,5", " ".join(["1"] * 13)])
def test_what_is_no_row_of_bars_is_refused(text: str) -> None:
    with pytest.raises(ParameterError):
        bars(text)


def test_bars_are_read_with_any_mark_between() -> None:
    assert bars("3 1;1 ; 5") == (3.0, 1.0, 1.0, 5.0)
    assert bars("0,5 0.25 2") == (0.5, 0.25, 2.0)
    with pytest.raises(ParameterError):
        d.WorldPair.weights((1, 2), (1, 2, 3))


def test_heights_of_any_size_are_two_worlds_and_a_crowd_of_them_is_told_apart_in_little_memory() -> None:
    worlds = d.WorldPair.weights(bars("1e308 1e308 0"), bars("5e-324 0 5e-324"))
    assert worlds.first == (0.5, 0.5, 0) and worlds.second == (0.5, 0, 0.5)
    far = d.WorldPair.weights(bars("1e40 26,54 0"), bars("2.2652172585387638e+284 7.92 0.1964"))
    crowd = d.ManyPeople("grr", 30.0, far, 10**9)
    tracemalloc.start()
    try:
        assert crowd.run() is not None
        assert tracemalloc.get_traced_memory()[1] <= 150 * MEGABYTE
    finally:
        tracemalloc.stop()
