"""A plan for whole tables: every cell within ±w at once, by formula, enumeration and simulation; its split."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import optimize, special, stats

from explorer.figures import marks
from explorer.figures.theme import Look
from explorer.scenes import results_of, scene
from ldpcore.experiments.counting.tableplan import TablePlan, TablePlanResult, all_within
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests import scenes
from tests.cases import for_each
from tests.rationing import crossed
from tests.statistics import accept_normal
from tests.test_added_noise import MEMBERS, instances, named

SIX = (14, 9, 8, 5, 4, 120)
ROUNDS, RATE = 200_000, 1e-10
RELATIONS = "add-remove", "replace-one"
TABLES: list[tuple[tuple[int, ...], ...]] = [(SIX,), (SIX, (3, 4)), ((1,), (2, 2), tuple(range(30)))]


def plan(
    level: float,
    tables: tuple[tuple[int, ...], ...],
    *more: float,
    kind: type[AdditiveNoise] = LaplaceMechanism,
    each: int = 1,
    neighbors: str = "add-remove",
    **named: Any,
) -> TablePlan:
    """A plan with a noise of a kind, of so many rows of one person."""
    return TablePlan(kind.calibrated(level, float(each), neighbors), tables, *more, **named)


def taken(found: TablePlanResult) -> TablePlanResult:
    """What a plan finds at the level that it recommends."""
    level = float(dict(found.recommended[0].settings)["epsilon"])
    question = found.experiment
    return TablePlan(
        question.mechanism.at_level(level), question.tables, question.width, question.confidence, seed=question.seed
    ).run()


def smallest_sigma(level: float, delta: float, length: float) -> float:
    """The smallest σ of normal noise for an arrow of a length, by Balle and Wang's formula and SciPy's normal law."""

    def failing(sigma: float) -> float:
        half, far = length / (2 * sigma), level * sigma / length
        return float(stats.norm.cdf(half - far) - math.exp(level) * stats.norm.cdf(-half - far)) - delta

    return float(optimize.brentq(failing, length * 1e-2, length * 1e4, rtol=1e-13))


def test_six_counts_within_five_take_096_where_one_takes_06() -> None:
    found = plan(0.6, (SIX,)).run()
    assert found.needed == pytest.approx(-math.log(1 - 0.95 ** (1 / 6)) / 5, rel=1e-9)
    assert found.alone == pytest.approx(math.log(20) / 5, rel=1e-12)
    (level,) = found.recommended
    assert dict(level.settings) == {"epsilon": 0.96} and round(found.alone, 2) == 0.6
    assert found.needed < math.log(120) / 5  # splitting what may go wrong (Bonferroni) asks for a little more


Draw = Callable[[float, int, np.random.Generator], np.ndarray]
DRAWS: dict[type[AdditiveNoise], Draw] = {  # noise at a level, where one person moves all counts that share it by m
    LaplaceMechanism: lambda level, moved, rng: rng.laplace(0, moved / level, ROUNDS),
    DiscreteLaplaceMechanism: lambda level, moved, rng: (
        rng.geometric(-math.expm1(-level / moved), ROUNDS) - rng.geometric(-math.expm1(-level / moved), ROUNDS)
    ),
    GaussianMechanism: lambda level, moved, rng: rng.normal(0, smallest_sigma(level, 1e-6, math.sqrt(moved)), ROUNDS),
}


@pytest.mark.parametrize(("kind", "asked"), crossed(DRAWS, [*product(RELATIONS, TABLES)]))
def test_all_cells_are_within_the_width_as_often_as_planned(
    kind: type[AdditiveNoise], asked: tuple[str, tuple[tuple[int, ...], ...]]
) -> None:
    """By simulation with NumPy's own laws, at a false-alarm rate of 1e-10 each."""
    neighbors, tables = asked
    question = plan(1.0, tables, 5.0, 0.95, kind=kind, neighbors=neighbors)
    each = 2 if neighbors == "replace-one" else 1
    parts = question.split(question.needed) if kind.norm == 1 else [question.needed] * len(tables)
    moved = each if kind.norm == 1 else each * len(tables)
    rng, good = np.random.default_rng(7), np.ones(ROUNDS, dtype=bool)
    for table, level in zip(tables, parts, strict=True):
        for _ in table:
            good &= np.abs(DRAWS[kind](float(level), moved, rng)) <= 5
    assert stats.binomtest(int(good.sum()), ROUNDS, 0.95).pvalue > RATE
    assert stats.binomtest(int(good.sum()), ROUNDS, 0.96).pvalue < RATE  # and the test would see a percentage point


def test_whole_numbers_take_a_smaller_level_and_keep_the_width_as_often() -> None:
    for tables in TABLES:
        real, whole = plan(1.0, tables), plan(1.0, tables, kind=DiscreteLaplaceMechanism)
        assert whole.needed < real.needed and real.rival.needed == whole.needed and whole.rival.needed == real.needed
        chance = 1.0
        for table, level in zip(tables, whole.split(whole.needed), strict=True):
            law = DiscreteLaplaceMechanism(float(level))
            within = sum(math.exp(law.log_density(j, 0)) for j in range(-5, 6))  # by enumeration
            chance *= within ** len(table)
        assert chance == pytest.approx(0.95, rel=1e-9)


def test_one_replaced_doubles_the_level_and_tables_share_it() -> None:
    one, two = (plan(1.0, (SIX,), neighbors=relation).run() for relation in RELATIONS)
    assert two.needed == pytest.approx(2 * one.needed, rel=1e-12)
    both = plan(1.0, (SIX, SIX)).run()
    assert both.needed == pytest.approx(2 * -math.log(1 - 0.95 ** (1 / 12)) / 5, rel=1e-9)
    assert both.levels.tolist() == pytest.approx([0.5, 0.5])


@for_each("tables", TABLES)
@for_each("each", [1, 3])
@for_each("neighbors", RELATIONS)
@for_each(("level", "calibration"), [(0.3, "analytic"), (4.0, "analytic"), (0.3, "classical")])
def test_normal_noise_is_made_for_the_length_of_what_one_person_moves_and_all_tables_share_no_level(
    tables: tuple[tuple[int, ...], ...], each: int, neighbors: str, level: float, calibration: str
) -> None:
    """σ, the chance and the width by Balle and Wang's formula and the error function, the classical σ as it is read."""
    noise = GaussianMechanism(level, 1e-4, float(each), calibration, neighbors)
    found, cells = TablePlan(noise, tables).run(), sum(map(len, tables))
    length = each * math.sqrt(len(tables) * (2 if neighbors == "replace-one" else 1))
    sigma = length * math.sqrt(2 * math.log(1.25 / 1e-4)) / level
    if calibration == "analytic":
        sigma = smallest_sigma(level, 1e-4, length)
    assert found.levels.tolist() == [level] and found.experiment.noises[0].scale == pytest.approx(sigma, rel=1e-9)
    assert found.chance == pytest.approx(special.erf(5 / sigma / math.sqrt(2)) ** cells, rel=1e-8)
    assert special.erf(found.reach / sigma / math.sqrt(2)) ** cells == pytest.approx(0.95, rel=1e-9)
    assert found.lifted == pytest.approx(sigma / math.sqrt(2 * math.pi), rel=1e-9)  # E max(X, 0)
    again = taken(found)
    assert again.kept and again.reach <= 5 and [len(each) for each in found.released] == [len(each) for each in tables]


def test_above_one_the_classical_rule_gives_way_in_tables_as_for_one_count() -> None:
    classical, smallest = (
        TablePlan(GaussianMechanism.usual(2.0, 1e-4, 1.0, calibration), (SIX,))
        for calibration in ("classical", "analytic")
    )
    assert classical.noises[0].scale == smallest.noises[0].scale and classical.needed == pytest.approx(smallest.needed)
    wide = TablePlan(GaussianMechanism.usual(2.0, 1e-4, 1.0, "classical"), (SIX,), 30.0)
    assert wide.needed < 1 and math.sqrt(2 * math.log(1.25e4)) / wide.needed * stats.norm.isf(
        (1 - 0.95 ** (1 / 6)) / 2
    ) == pytest.approx(30, rel=1e-9)


@pytest.mark.parametrize("kind", MEMBERS)
def test_released_cells_have_the_noise_of_the_page(kind: type[AdditiveNoise]) -> None:
    """Fifteen thousand cells of two tables: how far they are off on average, at a false-alarm rate of 1e-10 each."""
    question = plan(0.5, ((7,) * 10_000, (3,) * 5000), kind=kind, neighbors="replace-one", seed=3)
    for table, part, released in zip(question.tables, question.parts, question.run().released, strict=True):
        noise = question.noises[part]
        spread = noise.deviation_of_error / math.sqrt(len(table))
        assert isinstance(noise, kind) and noise.whole == bool((released == np.rint(released)).all())
        assert accept_normal(float(np.abs(released - np.array(table)).mean()), noise.mean_absolute_error(), spread)


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
    found = plan(epsilon, tuple(tuple(range(size)) for size in sizes), 5.0, 0.95).run()
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
        reach = plan(0.1, tuple((7,) * size for size in sizes), wished).run().reach
        assert best * 0.9999 <= reach <= best * 1.0001


def test_no_other_split_of_the_level_does_better() -> None:
    question = plan(1.5, ((1, 2), tuple(range(20)), (5,)))
    best = question.split(1.5)
    assert best.sum() == pytest.approx(1.5, rel=1e-12) and best[1] > best[0] > best[2]
    found, rng = question.run(), np.random.default_rng(9)
    assert (found.levels == best).all()

    def kept(width: float, levels: np.ndarray) -> float:
        return math.prod((-math.expm1(-width * level)) ** size for level, size in zip(levels, (2, 20, 1), strict=True))

    for shares in rng.dirichlet([5, 5, 5], 2000):
        assert kept(found.reach, 1.5 * shares) <= 0.95 + 1e-12
    for shares in rng.dirichlet([5, 5, 5], 200):
        assert kept(5.0, found.needed * shares) <= 0.95 + 1e-12


@for_each("noise", [*instances(0.7), *instances(3.0, 2.0, "replace-one")], ids=named)
@for_each("tables", TABLES)
def test_what_the_present_level_gives_agrees_with_the_plan(
    noise: AdditiveNoise, tables: tuple[tuple[int, ...], ...]
) -> None:
    found = TablePlan(noise, tables).run()
    question, slack = found.experiment, 1 + 1e-8  # of levels in nine digits
    assert all_within(found.reach * slack, question.noises, question.sizes) >= math.log(0.95) - 1e-12
    assert found.reach == 0 or all_within(found.reach * 0.999 - 1e-9, question.noises, question.sizes) < math.log(0.95)
    assert found.chance == pytest.approx(
        math.prod(noise.within(5) ** size for noise, size in zip(question.noises, question.sizes, strict=True))
    )
    again = TablePlan(noise.at_level(found.needed * slack), tables).run()
    assert again.reach <= 5 * slack and again.chance >= 0.95 - 1e-9 and taken(found).kept
    less = TablePlan(noise.at_level(found.needed * 0.999), tables).run()
    assert less.chance < 0.95 and not less.kept


@for_each("level", [1e-6, 0.01, 50.0])
@for_each("width", [1e-3, 1.0, 1e6])
@for_each("kind", MEMBERS)
def test_a_plan_survives_extremes(kind: type[AdditiveNoise], level: float, width: float) -> None:
    for tables in (((0,), (10**6, 3)), ((5,) * 20_000,)):
        found = plan(level, tables, width, 0.99, kind=kind, each=1000).run()
        assert 0 <= found.reach < math.inf and 0 <= found.chance <= 1 and found.levels.sum() == pytest.approx(level)
        assert found.needed > 0 and found.alone > 0 and found.experiment.rival.needed > 0
        assert bool(found.recommended) == (found.needed <= 50 * (1 + 1e-9))


def test_a_rounded_cell_steps_at_one_certain_person() -> None:
    for count in range(40):
        shown, more, following = plan(1.0, ((count,),)).run().rounding

        def rounded(people: int) -> int:
            return 5 * ((people + 2) // 5)

        assert shown == rounded(count) == rounded(count + more - 1) and following == rounded(count + more) and more >= 1


@pytest.mark.parametrize("kind", MEMBERS)
def test_cells_are_kept_by_what_is_released_and_hidden_results_know_no_counts(kind: type[AdditiveNoise]) -> None:
    found = plan(0.1, (SIX,), kind=kind, seed=3, people=1000).run()
    assert found.worth == sum(bool(released > found.reach) for released in found.released[0])
    hidden, others = found.masked(), plan(0.1, (SIX[::-1],), kind=kind, seed=3, people=1000).run().masked()
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
    found = plan(epsilon, tables, kind=DiscreteLaplaceMechanism, each=each).run()
    width, sizes = int(found.reach), [len(table) for table in tables]
    assert found.reach == width and all((released == np.rint(released)).all() for released in found.released)
    assert _kept_within(width, found.levels, sizes, each) >= 0.95
    assert width == 0 or _kept_within(width - 1, found.levels, sizes, each) < 0.95
    assert found.chance == pytest.approx(_kept_within(5, found.levels, sizes, each))
    assert taken(found).kept and taken(found).reach <= 5
    single = plan(found.alone, ((0,),), kind=DiscreteLaplaceMechanism, each=each).run()
    assert single.chance == pytest.approx(0.95)


def test_several_rows_of_a_person_take_so_many_times_the_level_or_the_noise() -> None:
    for kind in (LaplaceMechanism, DiscreteLaplaceMechanism):
        one, three = (plan(1.0, (SIX,), kind=kind, each=each).run() for each in (1, 3))
        assert three.needed == pytest.approx(3 * one.needed) and three.alone == pytest.approx(3 * one.alone)
        assert three.experiment.sensitivity == 3 * one.experiment.sensitivity
    one, three = (plan(1.0, (SIX,), kind=GaussianMechanism, each=each).run() for each in (1, 3))
    assert three.reach == pytest.approx(3 * one.reach)


@pytest.mark.parametrize("kind", MEMBERS)
def test_another_wish_does_not_move_what_is_released_at_a_level(kind: type[AdditiveNoise]) -> None:
    """In theory the split does not depend on the width; nor may its last digits, or the same release is drawn anew."""
    tables = ((30, 20, 7), (40, 17))
    found = [plan(0.1, tables, width, kind=kind, seed=3).run() for width in (3.0, 5.0, 7.7, 20.0, 61.0)]
    assert len({each.experiment.noises for each in found}) == 1
    assert len({tuple(map(tuple, each.released)) for each in found}) == 1


@pytest.mark.parametrize(("language", "exact"), [("en", "comes out exact"), ("de", "genau, auch eine")])
def test_cells_are_said_to_come_out_exact_where_noise_moves_none_of_them_often_enough(
    language: str, exact: str
) -> None:
    """By the chance of nothing, cell for cell: where it falls short, a width around the counts is said."""
    (setting,) = (one for one in scenes.settings() if one.name == "counting.7.cells")
    met = set()
    for level in (*scenes.STOPS, 4.0, 6.0, 6.5):
        tested = scene(setting.page, setting.view, setting.asked, level, Look(), language, scenes.answered, setting.own)
        (found,) = results_of(setting.view.question(setting.asked, level, setting.own), scenes.answered)[:1]
        assert isinstance(found, TablePlanResult) and found.experiment.mechanism.whole
        untouched = math.prod(math.tanh(level / 2) ** len(table) for table in found.experiment.tables)
        said = exact in scenes.without_marks(tested.note)
        assert said == (untouched >= found.experiment.confidence) == (found.reach == 0), level
        met.add(said)
    assert met == {True, False}
