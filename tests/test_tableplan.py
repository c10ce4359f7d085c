"""A plan for whole tables: every cell within ±w at once, by formula, enumeration and simulation; its split."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
import pytest
from scipy import stats

from explorer.figures import marks
from explorer.figures.theme import Look
from explorer.scenes import results_of, scene
from ldpcore.experiments.counting.tableplan import TablePlan, TablePlanResult, all_within, all_within_whole
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests import scenes

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


def _level_by_search(sizes: tuple[int, ...], width: float, confidence: float) -> float:
    """The least level in all, by a search of its own: shares on a grid that closes in, and bisection along each."""

    def kept(levels: list[float]) -> bool:
        chance = 1.0
        for cells, level in zip(sizes, levels, strict=True):
            chance *= (1 - math.exp(-width * level)) ** cells
        return chance >= confidence

    def least(share: float) -> float:
        low, high = 0.0, 64.0
        for _ in range(60):
            middle = (low + high) / 2
            parts = [middle * share, middle * (1 - share)] if len(sizes) == 2 else [middle]
            low, high = (low, middle) if kept(parts) else (middle, high)
        return high

    if len(sizes) == 1:
        return least(1.0)
    best, reach = 0.5, 0.45
    while reach > 1e-6:
        best = min((best + reach * step / 10 for step in range(-10, 11)), key=least)
        reach /= 5
    return least(best)


@pytest.mark.parametrize("sizes", [(30,), (139,), (139, 2), (30, 139), (1, 1)])
@pytest.mark.parametrize("epsilon", [0.1, 2.0])
def test_level_and_width_are_those_of_an_independent_search(sizes: tuple[int, ...], epsilon: float) -> None:
    found = TablePlan(epsilon, tuple(tuple(range(size)) for size in sizes), 5.0, 0.95).run()
    assert found.needed == pytest.approx(_level_by_search(sizes, 5.0, 0.95), rel=1e-6)
    assert len(found.released[0]) == sizes[0]
    assert _level_by_search(sizes, found.reach, 0.95) == pytest.approx(epsilon, rel=1e-6)  # no narrower width would do


def test_two_tables_at_a_tenth_keep_all_cells_within_the_narrowest_width() -> None:
    sizes = (12, 3)

    def width(share: float) -> float:
        low, high = 1.0, 1e4
        for _ in range(50):
            middle = (low + high) / 2
            one, other = (1 - math.exp(-middle * 0.1 * part) for part in (share, 1 - share))
            inside = one ** sizes[0] * other ** sizes[1]
            low, high = (low, middle) if inside >= 0.95 else (middle, high)
        return high

    best = min(width(place / 1000) for place in range(1, 1000))
    for wished in (1.0, 5.0, 100.0):  # whatever is wished besides
        reach = TablePlan(0.1, tuple((7,) * size for size in sizes), wished).run().reach
        assert best * 0.9999 <= reach <= best * 1.0001


def test_no_other_split_of_the_level_does_better() -> None:
    question = TablePlan(1.5, ((1, 2), tuple(range(20)), (5,)))
    best = question.split(1.5)
    assert best.sum() == pytest.approx(1.5, rel=1e-12) and best[1] > best[0] > best[2]
    found, rng = question.run(), np.random.default_rng(9)
    assert (found.levels == best).all()
    for shares in rng.dirichlet([5, 5, 5], 2000):
        assert all_within(found.reach, 1.5 * shares, question.cells, 1.0) <= math.log(0.95) + 1e-12
    for shares in rng.dirichlet([5, 5, 5], 200):
        assert all_within(5.0, found.needed * shares, question.cells, 1.0) <= math.log(0.95) + 1e-12


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
    hidden, others = found.masked(), TablePlan(0.1, (SIX[::-1],), seed=3, people=1000).run().masked()
    assert hidden.experiment == others.experiment and len(set(hidden.experiment.tables[0])) == 1
    assert marks.round_up(hidden.experiment.roof) == marks.round_up(found.experiment.roof)  # the picture does not jump
    assert (found.masked().released[0] == found.released[0]).all()
    assert (found.masked().large[0] == found.large[0]).all()  # nothing true decides what is worth publishing


# Noise in whole numbers


def _kept_within(width: int, levels: Iterable[float], sizes: Iterable[int], sensitivity: int) -> float:
    """The chance that all cells are within a width, by adding up the law."""
    chance = 1.0
    for level, cells in zip(levels, sizes, strict=True):
        law = DiscreteLaplaceMechanism(float(level), sensitivity)
        chance *= sum(math.exp(law.log_density(j, 0)) for j in range(-width, width + 1)) ** cells
    return chance


@pytest.mark.parametrize("tables", [(SIX,), (SIX, (3, 4)), ((0,),)])
@pytest.mark.parametrize(("epsilon", "each"), [(0.3, 1), (2.0, 1), (1.0, 3), (30.0, 1)])
def test_whole_numbers_keep_the_least_whole_width_there_is(
    tables: tuple[tuple[int, ...], ...], epsilon: float, each: int
) -> None:
    found = TablePlan(epsilon, tables, each=each, whole=True).run()
    width, sizes = int(found.reach), [len(table) for table in tables]
    assert found.reach == width and all((released == np.rint(released)).all() for released in found.released)
    assert _kept_within(width, found.levels, sizes, each) >= 0.95
    assert width == 0 or _kept_within(width - 1, found.levels, sizes, each) < 0.95
    assert found.chance == pytest.approx(_kept_within(5, found.levels, sizes, each))
    again = TablePlan(dict(found.recommended[0].settings)["epsilon"], tables, each=each, whole=True).run()  # type: ignore[arg-type]
    assert again.kept and again.reach <= 5
    single = TablePlan(found.alone, ((0,),), each=each, whole=True).run()
    assert single.chance == pytest.approx(0.95)


def test_several_rows_of_a_person_take_so_many_times_the_level() -> None:
    for whole in (False, True):
        one, three = (TablePlan(1.0, (SIX,), each=each, whole=whole).run() for each in (1, 3))
        assert three.needed == pytest.approx(3 * one.needed) and three.alone == pytest.approx(3 * one.alone)
        assert three.experiment.sensitivity == 3 * one.experiment.sensitivity


def test_another_wish_does_not_move_what_is_released_at_a_level() -> None:
    """In theory the split does not depend on the width; nor may its last digits, or the same release is drawn anew."""
    tables = ((30, 20, 7), (40, 17))
    found = [
        TablePlan(tables=tables, epsilon=0.1, width=width, confidence=0.95, seed=3).run()
        for width in (3.0, 5.0, 7.7, 20.0, 61.0)
    ]
    noises = {tuple(each.experiment.noise(float(level)).epsilon for level in each.levels) for each in found}
    assert len(noises) == 1 and len({tuple(map(tuple, each.released)) for each in found}) == 1


@pytest.mark.parametrize(("language", "exact"), [("en", "comes out exact"), ("de", "genau, auch eine")])
def test_cells_are_said_to_come_out_exact_where_noise_moves_none_of_them_often_enough(
    language: str, exact: str
) -> None:
    """By the chance of nothing, cell for cell: where it falls short, a width around the counts is said."""
    (setting,) = (one for one in scenes.settings() if one.name == "counting.0.cells")
    met = set()
    for level in (*scenes.STOPS, 4.0, 6.0, 6.5):
        tested = scene(setting.page, setting.view, setting.asked, level, Look(), language, scenes.answered, setting.own)
        (plan,) = results_of(setting.view.question(setting.asked, level, setting.own), scenes.answered)[:1]
        assert isinstance(plan, TablePlanResult) and plan.experiment.whole
        untouched = math.prod(
            math.exp(DiscreteLaplaceMechanism(float(share), int(plan.experiment.sensitivity)).log_density(0, 0))
            ** cells
            for share, cells in zip(plan.levels, plan.experiment.cells, strict=True)
        )
        said = exact in scenes.without_marks(tested.note)
        assert said == (untouched >= plan.experiment.confidence) == (plan.reach == 0), level
        met.add(said)
    assert met == {True, False}
