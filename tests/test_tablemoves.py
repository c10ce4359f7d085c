"""How far one person moves a whole table of counts, by enumeration, and what that costs with each noise."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from ldpcore.experiments.counting.tableplan import TablePlan
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.test_added_noise import MEMBERS, instances, named

RELATIONS = "add-remove", "replace-one"
CELLS = 3  # of each table
LEVEL, DELTA = 0.8, 1e-4


@cache
def bags(tables: int, rows: int) -> frozenset[tuple[int, ...]]:
    """The counts of all cells of all tables that the rows of one person make: each in one cell of a table, or none."""
    places = itertools.product(range(-1, CELLS), repeat=tables)
    kinds = [np.array([int(at == cell) for at in each for cell in range(CELLS)]) for each in places]
    return frozenset(
        tuple(map(int, sum(bag, np.zeros(tables * CELLS, dtype=int))))
        for size in range(rows + 1)
        for bag in itertools.combinations_with_replacement(kinds, size)
    )


@cache
def moves(tables: int, rows: int, relation: str) -> tuple[tuple[int, ...], ...]:
    """How all counts of two neighboring tables differ: one person comes or goes, or another is in their place."""
    brought = bags(tables, rows)
    if relation == "add-remove":
        return tuple(brought)
    pairs = {tuple(map(int, np.subtract(one, other))) for one in brought for other in brought}
    return tuple(pairs)


def plan(noise: AdditiveNoise, tables: int) -> TablePlan:
    """The plan for so many tables."""
    return TablePlan(noise, ((5,) * CELLS,) * tables)


@pytest.mark.parametrize(("tables", "rows"), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1)])
@pytest.mark.parametrize("norm", [1, 2])
def test_one_person_moves_all_cells_as_far_as_any_two_neighboring_tables_are_apart(
    norm: int, tables: int, rows: int
) -> None:
    """By going through all that two persons may bring: L1 is m T and 2 m T, L2 is m√T and m√(2T)."""
    for relation in RELATIONS:
        question = plan(LaplaceMechanism(1.0, float(rows), relation), tables)
        farthest = max(float(np.linalg.norm(each, norm)) for each in moves(tables, rows, relation))
        assert question.together(norm) == pytest.approx(farthest, rel=1e-12)
        moved = tables * (2 if relation == "replace-one" else 1)
        assert farthest == pytest.approx(rows * (moved if norm == 1 else math.sqrt(moved)))


def densities(noise: AdditiveNoise) -> tuple[np.ndarray, np.ndarray]:
    """Places four to each step of one, and ln of how likely the noise is there."""
    reach = math.ceil(12 / noise.epsilon) + 8
    places = np.arange(-reach, reach + 1) if noise.whole else np.arange(-4 * reach, 4 * reach + 1) / 4 + 1 / 32
    return places, np.array([noise.log_density(float(place), 0.0) for place in places])


def losses(noise: AdditiveNoise, most: int) -> list[float]:
    """The largest ratio of the laws of two releases, by how far their counts are apart, from the density alone."""
    _, logs = densities(noise)
    step = 1 if noise.whole else 4
    return [float(np.abs(logs[away * step :] - logs[: len(logs) - away * step]).max()) for away in range(most + 1)]


@pytest.mark.parametrize("kind", [kind for kind in MEMBERS if kind.norm == 1])
@pytest.mark.parametrize(("tables", "rows"), [(1, 1), (1, 3), (2, 1), (2, 2)])
@pytest.mark.parametrize("relation", RELATIONS)
def test_no_two_neighboring_tables_differ_by_more_than_the_level(
    kind: type[AdditiveNoise], tables: int, rows: int, relation: str
) -> None:
    """What all cells betray together, move by move, of every noise whose levels add up; Laplace noise attains it."""
    for noise in (each for each in instances(LEVEL, float(rows), relation) if isinstance(each, kind)):
        question = plan(noise, tables)
        each = [losses(question.noises[part], 2 * rows) for part in question.parts]
        worst = max(
            sum(each[place // CELLS][abs(move)] for place, move in enumerate(moved))
            for moved in moves(tables, rows, relation)
        )
        assert worst <= LEVEL * (1 + 1e-9), named(noise)
        if kind in (LaplaceMechanism, DiscreteLaplaceMechanism):
            assert worst == pytest.approx(LEVEL, rel=1e-8)


def test_noise_that_may_fail_says_by_which_norm_it_is_made_for_many_counts() -> None:
    """Levels of cells add up without a word only where noise always keeps them: a δ for each would add up too."""
    for noise in instances(LEVEL):
        assert not noise.failure or noise.norm == 2, f"{noise.slug} needs a proof of its own for whole tables"
    assert {kind.norm for kind in MEMBERS} == {1, 2}


STEP = 1 / 512  # of a privacy loss, in the accountant below


def loss_of(away: float, sigma: float, up: bool) -> tuple[np.ndarray, int]:
    """The law of the privacy loss of one cell that moves so far, by steps; rounded up or down. And its first step."""
    mean, spread = (away / sigma) ** 2 / 2, away / sigma
    low, high = math.floor((mean - 9 * spread) / STEP), math.ceil((mean + 9 * spread) / STEP)
    ends = (np.arange(low, high + 1) * STEP - mean) / spread
    below = np.array([math.erfc(-end / math.sqrt(2)) / 2 for end in ends])
    return np.diff(below), low + int(up)


def lost(moved: tuple[int, ...], sigma: float, level: float, up: bool) -> float:
    """δ at a level, of cells that all move: their losses convolved one by one, and E max(1 - e^{ε - L}, 0)."""
    law, first = np.ones(1), 0
    for move in filter(None, moved):
        one, start = loss_of(abs(move), sigma, up)
        law, first = np.convolve(law, one), first + start
    sums = (first + np.arange(len(law))) * STEP
    return float(law @ np.maximum(-np.expm1(np.minimum(level - sums, 0.0)), 0.0))


def farthest(tables: int, rows: int, relation: str) -> Iterator[tuple[int, ...]]:
    """The moves of the longest arrows, each kind of them once: the order and the signs of cells tell nothing."""
    kinds = {tuple(sorted(map(abs, moved))) for moved in moves(tables, rows, relation)}
    longest = sorted(kinds, key=lambda moved: -sum(move * move for move in moved))
    yield from longest[:3]


@pytest.mark.parametrize(("tables", "rows"), [(1, 1), (1, 2), (2, 1), (3, 1)])
@pytest.mark.parametrize("relation", RELATIONS)
def test_the_level_of_a_table_with_normal_noise_is_that_of_an_accountant_cell_by_cell(
    tables: int, rows: int, relation: str
) -> None:
    """Between losses that are rounded down and up; the smallest σ has just its δ, for the longest arrow."""
    noise = GaussianMechanism(LEVEL, DELTA, float(rows), "analytic", relation)
    sigma = plan(noise, tables).noises[0].scale
    for place, moved in enumerate(farthest(tables, rows, relation)):
        least, most = (lost(moved, sigma, LEVEL, up) for up in (False, True))
        assert least <= DELTA, moved
        if place == 0:
            assert least <= DELTA <= most <= 1.1 * DELTA and least >= 0.9 * DELTA
    classical = plan(noise.calibrated(LEVEL, float(rows), relation, delta=DELTA, calibration="classical"), tables)
    assert lost(next(farthest(tables, rows, relation)), classical.noises[0].scale, LEVEL, True) < DELTA
