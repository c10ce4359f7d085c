"""A plan for whole tables: every cell within ±w at once, by formula, enumeration and simulation; its split."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from ldpcore.experiments.counting.tableplan import TablePlan, all_within, all_within_whole
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism

SIX = (14, 9, 8, 5, 4, 120)
ROUNDS, RATE = 200_000, 1e-10


def test_six_counts_within_five_take_096_where_one_takes_06() -> None:
    found = TablePlan(0.6, (SIX,)).run()
    assert found.needed == pytest.approx(-math.log(1 - 0.95 ** (1 / 6)) / 5, rel=1e-9)
    assert found.alone == pytest.approx(math.log(20) / 5, rel=1e-12)
    (taken,) = found.recommended
    assert dict(taken.settings) == {"epsilon": 0.96} and round(found.alone, 2) == 0.6
    assert found.needed < math.log(120) / 5  # splitting what may go wrong (Bonferroni) asks for a little more


@pytest.mark.parametrize("tables", [(SIX,), (SIX, (3, 4)), ((1,), (2, 2), tuple(range(30)))])
@pytest.mark.parametrize("neighbors", ["add-remove", "replace-one"])
def test_all_cells_are_within_the_width_as_often_as_planned(
    tables: tuple[tuple[int, ...], ...], neighbors: str
) -> None:
    found = TablePlan(1.0, tables, 5.0, 0.95, neighbors).run()
    rng = np.random.default_rng(7)
    good = np.ones(ROUNDS, dtype=bool)
    for table, level in zip(tables, found.needed_levels, strict=True):
        noise = LaplaceMechanism(float(level), 2.0 if neighbors == "replace-one" else 1.0)
        for count in table:
            good &= np.abs(noise.release(np.full(ROUNDS, float(count)), rng) - count) <= 5
    assert stats.binomtest(int(good.sum()), ROUNDS, 0.95).pvalue > RATE
    assert stats.binomtest(int(good.sum()), ROUNDS, 0.96).pvalue < RATE  # and the test would see a percentage point


@pytest.mark.parametrize("tables", [(SIX,), (SIX, (3, 4))])
def test_whole_numbers_noise_keeps_the_width_as_often_at_its_own_level(tables: tuple[tuple[int, ...], ...]) -> None:
    found = TablePlan(1.0, tables).run()
    levels = found.needed_levels * (found.whole / found.needed)
    chance = 1.0
    for table, level in zip(tables, levels, strict=True):
        law = DiscreteLaplaceMechanism(float(level))
        within = sum(math.exp(law.log_density(j, 0)) for j in range(-5, 6))  # by enumeration
        chance *= within ** len(table)
    assert chance == pytest.approx(0.95, rel=1e-9)
    rng, good = np.random.default_rng(8), np.ones(ROUNDS, dtype=bool)
    for table, level in zip(tables, levels, strict=True):
        for count in table:
            good &= np.abs(DiscreteLaplaceMechanism(float(level)).release(np.full(ROUNDS, count), rng) - count) <= 5
    assert stats.binomtest(int(good.sum()), ROUNDS, 0.95).pvalue > RATE
    assert found.whole < found.needed


def test_one_replaced_doubles_the_level_and_tables_share_it() -> None:
    one, two = (TablePlan(1.0, (SIX,), neighbors=relation).run() for relation in ("add-remove", "replace-one"))
    assert two.needed == pytest.approx(2 * one.needed, rel=1e-12)
    both = TablePlan(1.0, (SIX, SIX)).run()
    assert both.needed == pytest.approx(2 * -math.log(1 - 0.95 ** (1 / 12)) / 5, rel=1e-9)
    assert both.levels.tolist() == pytest.approx([0.5, 0.5])


def test_no_other_split_of_the_level_does_better() -> None:
    question = TablePlan(1.5, ((1, 2), tuple(range(20)), (5,)))
    best = question.split(1.5)
    assert best.sum() == pytest.approx(1.5, rel=1e-12) and best[1] > best[0] > best[2]
    chance = all_within(5.0, best, question.cells, 1.0)
    rng = np.random.default_rng(9)
    for shares in rng.dirichlet([5, 5, 5], 2000):
        assert all_within(5.0, 1.5 * shares, question.cells, 1.0) <= chance + 1e-12
    needed = question.run()
    for shares in rng.dirichlet([5, 5, 5], 200):
        assert all_within(5.0, needed.needed * shares, question.cells, 1.0) <= math.log(0.95) + 1e-12


def test_what_the_present_level_gives_agrees_with_the_plan() -> None:
    found = TablePlan(0.7, (SIX, (3, 4))).run()
    assert math.exp(all_within(found.reach, found.levels, np.array([6.0, 2.0]), 1.0)) == pytest.approx(0.95)
    assert found.chance == pytest.approx(math.exp(all_within(5.0, found.levels, np.array([6.0, 2.0]), 1.0)))
    again = TablePlan(found.needed, (SIX, (3, 4))).run()
    assert again.reach == pytest.approx(5.0) and again.chance == pytest.approx(0.95)
    assert TablePlan(dict(found.recommended[0].settings)["epsilon"], (SIX, (3, 4))).run().kept  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [1e-6, 0.01, 50.0])
@pytest.mark.parametrize("width", [1e-3, 1.0, 1e6])
def test_a_plan_survives_extremes(level: float, width: float) -> None:
    found = TablePlan(level, ((0,), (10**6, 3)), width, 0.99).run()
    assert 0 < found.reach < math.inf and 0 <= found.chance <= 1 and found.levels.sum() == pytest.approx(level)
    assert all_within_whole(width, found.levels, np.array([1.0, 2.0]), 1.0) <= 0


def test_a_rounded_cell_steps_at_one_certain_person() -> None:
    for count in range(40):
        shown, more, following = TablePlan(1.0, ((count,),)).run().rounding

        def rounded(people: int) -> int:
            return 5 * ((people + 2) // 5)

        assert shown == rounded(count) == rounded(count + more - 1) and following == rounded(count + more) and more >= 1


def test_cells_are_kept_by_what_is_released_and_hidden_results_know_no_counts() -> None:
    found = TablePlan(0.1, (SIX,), seed=3, people=1000).run()
    assert found.worth == sum(bool(released > found.reach) for released in found.released[0])
    assert found.masked().experiment.tables == ((1000,) * 6,)
    assert (found.masked().released[0] == found.released[0]).all()
    assert (found.masked().large[0] == found.large[0]).all()  # nothing true decides what is worth publishing
