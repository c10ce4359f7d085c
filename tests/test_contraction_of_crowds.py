"""How far apart many private reports can be: no channel passes the bound, and two answers come near it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ldpcore.laws.contraction import information_constant, largest_distance
from ldpcore.laws.divergences import squared_hellinger, total_variation
from ldpcore.laws.products import RepeatedPair, distance_of
from tests.rationing import ALL, shared

ALPHAS = (0.1, 0.5, 1.0, 3.0, 8.0)
CROWDS = (1, 2, 3, 10, 100, 3000)
DRAWN = 20 if ALL else 6  # random channels


def channels(alpha: float, k: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Channels of a level: every subset told by one bit, all answers by one of k, and random ones inside the cone."""
    e, made = math.exp(alpha), []
    for subset in range(1, 2 ** (k - 1)):
        inside = np.array([subset >> x & 1 for x in range(k)], dtype=float)
        yes = (1 + (e - 1) * inside) / (1 + e)
        made.append(np.column_stack([yes, 1 - yes]))
    made.append((1 + (e - 1) * np.eye(k)) / (e + k - 1))
    for _ in range(DRAWN):
        rows = rng.uniform(1, e, (k, 3))
        rows[:, 2] = rows[:, :2].sum(axis=1).max() * math.sqrt(e)
        made.append(rows / rows.sum(axis=1, keepdims=True))
    return [each for each in made if (each.max(axis=0) <= e * (1 + 1e-12) * each.min(axis=0)).all()]


@pytest.mark.parametrize("alpha", shared(ALPHAS, 2))
def test_no_channel_of_the_level_passes_the_bound(alpha: float) -> None:
    rng = np.random.default_rng(7)
    for k in (2, 3, 4):
        p, q = rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k))
        apart, square = total_variation(p, q), squared_hellinger(p, q)
        for place, channel in enumerate(channels(alpha, k, rng)):
            for n in shared(CROWDS, 2, place):
                most = largest_distance(alpha, apart, n, square)
                assert distance_of(p @ channel, q @ channel, n).low <= most + 1e-9
                assert most <= largest_distance(alpha, apart, n) <= 1  # knowing less of the laws allows more


@pytest.mark.parametrize("alpha", [0.1, 0.5, 1.0])
def test_the_bound_is_much_nearer_than_pinskers_alone(alpha: float) -> None:
    p, q = (0.55, 0.45), (0.45, 0.55)
    apart, n = total_variation(p, q), 100
    pinsker = math.sqrt(information_constant(alpha) * n / 2) * apart
    bound = largest_distance(alpha, apart, n, squared_hellinger(p, q))
    yes = math.exp(alpha) / (1 + math.exp(alpha))
    bits = np.array([[yes, 1 - yes], [1 - yes, yes]])
    reached = distance_of(np.array(p) @ bits, np.array(q) @ bits, n).high
    assert pinsker > 1.5 * bound and reached <= bound < 1.3 * reached


def test_of_two_reports_the_fewest_people_are_exactly_the_fewest() -> None:
    crowd = RepeatedPair.of((0.51, 0.49), (0.49, 0.51))
    fewest = crowd.fewest(0.8)
    assert fewest is not None
    assert crowd.distance(fewest).low >= 0.8 > crowd.distance(fewest - 1).high
