"""Whoever should lie once in 10^17 times does: coins and tallies keep chances that no float near 1 can hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ldpcore.estimating.adviser import tuned_anew
from ldpcore.experiments.response import ClassSurvey, coins_of
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.numerics.tosses import heads_among
from ldpcore.people.populations import Population
from tests.conformance import instances
from tests.statistics import accept_normal

MEMBERS: tuple[type[Any], ...] = of_kind(FrequencyOracle)  # type: ignore[type-abstract]
PEOPLE, ROUNDS, LEVEL = 10**17, 300, 37.0  # e^-37 = 8.5e-17, less than half of the last digit of 1


def tuned(member: type[Any]) -> CategoryRandomizer:
    oracle = tuned_anew(list(instances(member))[-1], LEVEL)
    assert oracle is not None
    return oracle


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.slug)
def test_tallies_of_very_many_people_lack_as_many_as_lie(member: type[Any]) -> None:
    """300 tallies of 10^17 people who hold one value: their misses and the others' hits, rate 1e-10 each (normal)."""
    oracle: Any = tuned(member)
    population = Population.of_categories([PEOPLE] + [0] * (oracle.k - 1))
    counts = oracle.sample_tally(population, np.random.default_rng(5), ROUNDS).counts
    (own, foreign), p, q = oracle.spreads, oracle.p, oracle.q
    missed = float(sum(PEOPLE - int(count) for count in counts[0]))
    assert accept_normal(missed, PEOPLE * ROUNDS * own / p, math.sqrt(PEOPLE * ROUNDS * own))
    assert missed > 0
    for row in counts[1:]:
        hits = float(sum(map(int, row)))
        assert accept_normal(hits, PEOPLE * ROUNDS * q, math.sqrt(PEOPLE * ROUNDS * foreign))


class WithoutFloats(np.random.Generator):
    """Refuses the uniform floats of 53 bits, which meet no chance below 10^-16."""

    def random(self, *args: Any, **named: Any) -> Any:
        raise AssertionError("a uniform float decides a coin")


@pytest.mark.parametrize("member", MEMBERS, ids=lambda member: member.slug)
def test_no_clients_coin_is_decided_by_a_uniform_float(member: type[Any]) -> None:
    oracle = tuned(member)
    oracle.privatize(np.zeros(1000, dtype=np.int64), WithoutFloats(np.random.PCG64(1)))


def test_heads_among_many_have_the_law_of_either_side() -> None:
    rng = np.random.default_rng(1)
    for heads, tails in ((1e-17, 1.0), (1.0, 1e-17)):
        rare = heads_among(10**18, heads, tails, rng, (10_000,))
        rare = rare if heads < tails else 10**18 - rare
        assert accept_normal(float(rare.sum()), 1e5, math.sqrt(1e5))


def test_a_class_of_very_many_lies_now_and_then_at_the_weakest_levels() -> None:
    """10^9 people at level 20: 2.1 lies among them on average, over 400 classes; rate 1e-10 by the normal tail."""
    lies = sum(
        10**9 - ClassSurvey(RandomizedResponse(20.0), 10**9, 10**9, seed=s).run().answered_yes for s in range(400)
    )
    mean = 400 * 1e9 * math.exp(-20) / (1 + math.exp(-20))
    assert accept_normal(float(lies), mean, math.sqrt(mean))


def test_the_second_coin_is_fair_also_where_the_first_nearly_always_asks_for_the_truth() -> None:
    for level in (0.1, 1.0, 37.0, 50.0):
        assert coins_of(RandomizedResponse(level))[1] == pytest.approx(0.5, rel=1e-12)
    assert coins_of(TwoCoins(0.75, 0.25)) == (0.5, 0.5)
    assert coins_of(TwoCoins(1.0, 0.0)) == (1.0, 0.0)
