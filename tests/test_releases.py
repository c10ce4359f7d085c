"""What is released of a reader's table: what one person moves, counted out; its key; the width of a mean in two."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from explorer.facts.lines import Release
from explorer.paper import opendp, releasing
from explorer.rooms.counting import released
from explorer.rooms.counting.settings import Counting
from explorer.scenes import run
from explorer.settings.cells import Cells, TableCells
from explorer.settings.cuts import Cut, Group
from explorer.settings.questions import Draft, Row, query
from explorer.settings.tables import Asked
from ldpcore.experiments import generator
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.reading.dialects import read_table
from ldpcore.tables.conditions import Where
from ldpcore.tables.queries import Mean
from ldpcore.tables.table import Table
from ldpcore.tables.units import ROWS, Unit, bounded

LEVEL = 0.75
LOW, HIGH = -2.0, 5.0
KINDS = [("north", -9), ("north", 9), ("south", -9), ("south", 9)]  # the rows that somebody may have
OTHERS = [("a", "north", 1), ("b", "south", 2), ("c", "north", 3)]
RELATIONS = ("add-remove", "replace-one")


def table(each: int) -> Table:
    """A table in which everybody has a few rows, of which so many count."""
    rows = [row for row in OTHERS for _ in range(max(each, 1))]
    text = "who,ward,pay\n" + "".join(f"{who},{ward},{pay}\n" for who, ward, pay in rows)
    own = read_table(text.encode(), "own.csv")[0]
    return bounded(own, Unit("who", each), generator(1, ROWS)) if each else own


def asked(verb: str, relation: str, each: int, somebody: bool = False, whole: bool = False) -> Counting:
    own = table(each)
    rows = (Row("ward", "is", ("north",)),) if somebody else ()
    draft = Draft(verb, "own" if rows else "everyone", rows, "pay", str(LOW), str(HIGH))
    return Counting(Asked.of(query(own, draft), own, relation), relation, whole=whole)


def lines(about: Counting, own: Any = None) -> Any:
    listing = released.cells if own else released.ratio if about.question.mean else released.single
    return listing(about, LEVEL, own, run)


def release(about: Counting, own: Any = None) -> Release:
    found = lines(about, own).release
    assert isinstance(found, Release)
    return found


def brought(each: int) -> list[tuple[tuple[str, int], ...]]:
    """All that one person may bring: at least a row, at most so many."""
    most = max(each, 1)
    return [rows for size in range(1, most + 1) for rows in itertools.combinations_with_replacement(KINDS, size)]


def parts(verb: str, somebody: bool, rows: Sequence[tuple[str, int]], people: int) -> np.ndarray:
    """What a person adds to each number that is released, by going through the rows."""
    selected = [pay for ward, pay in rows if ward == "north" or not somebody]
    total = sum(min(HIGH, max(LOW, pay)) for pay in selected)
    both = np.array([total, len(selected)])
    return {"count": both[1:], "sum": both[:1], "ratio": both, "mean": both[:1] / people}[verb]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("each", [0, 1, 3])
@pytest.mark.parametrize("verb", ["count", "sum", "mean"])
@pytest.mark.parametrize("somebody", [False, True])
def test_the_loss_of_the_worst_neighbors_is_the_level(verb: str, relation: str, each: int, somebody: bool) -> None:
    about = asked(verb, relation, each, somebody)
    found = release(about)
    people = len(OTHERS)
    adds = [parts(found.asked, somebody, rows, people) for rows in brought(each)]
    froms = adds if relation == "replace-one" else [np.zeros_like(adds[0])]
    loss = max(float((np.abs(one - other) / found.scales).sum()) for one in froms for other in adds)
    if found.asked == "ratio":  # the worst of the sum need not be the worst of the count
        assert loss <= LEVEL * (1 + 1e-12)
        for place in (0, 1):
            worst = max(float(abs(one - other)[place]) for one in froms for other in adds)
            assert worst == pytest.approx(found.moves[place])
    elif not (verb == "count" and loss == 0):
        assert loss == pytest.approx(LEVEL)
    assert sum(found.levels) == pytest.approx(LEVEL) and sum(found.levels) <= LEVEL * (1 + 1e-11)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("each", [0, 1, 3])
@pytest.mark.parametrize("whole", [False, True])
def test_the_loss_of_two_tables_of_cells_is_the_level(relation: str, each: int, whole: bool) -> None:
    about = asked("count", relation, each)
    cut = Cut(edges=(-5.0, 5.0))
    own = Cells.of(TableCells(about.question.table, ("ward", "pay"), Where(), False, (Cut(), cut)), whole=whole)
    found = release(about, own)
    assert len(found.scales) == 2

    def cells(rows: Sequence[tuple[str, int]]) -> tuple[np.ndarray, np.ndarray]:
        wards = np.array([sum(ward == name for ward, _ in rows) for name in ("north", "south")])
        return wards, np.array([sum(pay < 0 for _, pay in rows), sum(pay > 0 for _, pay in rows)])

    adds = [cells(rows) for rows in brought(each)]
    froms = adds if relation == "replace-one" else [cells(())]
    loss = max(
        sum(float(np.abs(a - b).sum()) / scale for a, b, scale in zip(one, other, found.scales, strict=True))
        for one in froms
        for other in adds
    )
    assert loss == pytest.approx(LEVEL) and sum(found.levels) == pytest.approx(LEVEL)


def test_a_key_tells_every_other_draw_and_no_other_view_of_the_same() -> None:
    about = asked("count", "add-remove", 0)

    def key(names: tuple[str, ...] = ("north",), **more: Any) -> str:
        cut = Cut(groups=(Group("some", names),), together=True)
        return release(about, Cells.of(TableCells(about.question.table, ("ward",), Where(), False, (cut,)), **more)).key

    assert key() == key(confidence=0.9) == key(page=2)
    assert len({key(), key(("south",)), key(whole=False)}) == 3, "the same names of cells, other people in them"
    keys = [
        release(asked(verb, relation, each, whole=whole)).key
        for verb in ("count", "sum", "mean")
        for relation in RELATIONS
        for each in (0, 1, 3)
        for whole in (False, True)
    ]
    assert len(set(keys)) == 24, "of sums and means in whole numbers there is nothing"


def test_the_widths_of_a_mean_in_two_hold_together() -> None:
    rng = np.random.default_rng(7)
    mean = Mean("pay", LOW, HIGH)
    total, count, noises = 260.0, 130.0, (LaplaceMechanism(0.4, 5.0), LaplaceMechanism(0.4, 1.0))
    widths = tuple(noise.width(0.975) for noise in noises)
    draws = total + rng.laplace(0, 12.5, 4000), count + rng.laplace(0, 2.5, 4000)
    held = 0
    for drawn in zip(*map(np.ndarray.tolist, draws), strict=True):
        near = abs(drawn[0] - total) <= widths[0] and abs(drawn[1] - count) <= widths[1]
        reach = released._far(mean, drawn, widths)
        assert not near or abs(mean.ratio(*drawn) - total / count) <= reach
        held += near
    assert 0.94 < held / 4000 < 0.965  # 0.975² = 0.951


def test_opendp_is_asked_with_what_one_person_moves() -> None:
    calls = {
        (verb, relation, each): opendp.call(release(asked(verb, relation, each)))
        for verb in ("count", "sum", "mean")
        for relation in RELATIONS
        for each in (0, 3)
    }
    assert calls["count", "add-remove", 3] == (
        "dp.binary_search_chain(lambda scale: dp.m.make_laplace("
        "dp.atom_domain(T=int), dp.absolute_distance(T=int), scale), d_in=3, d_out=0.75)"
    )
    assert "(-6.0, 15.0)" in calls["sum", "replace-one", 3] and "d_in=2, d_out=0.75" in calls["sum", "replace-one", 3]
    assert "size=len(values)" in calls["mean", "replace-one", 0] and "d_in=2" in calls["mean", "replace-one", 0]
    assert calls["mean", "add-remove", 0].count("d_out=0.375") == 2


def test_what_releases_cost_adds_up_for_one_unit_alone() -> None:
    one, other = release(asked("count", "add-remove", 0)), release(asked("sum", "add-remove", 0))
    assert releasing.together([one, other]) == 1.5
    assert releasing.together([one, release(asked("sum", "add-remove", 3))]) is None
    assert releasing.together([one, release(asked("sum", "replace-one", 0))]) is None
