"""What is released of a reader's table: what one person moves, counted out; its key; the width of a mean in two."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from explorer.facts import Count
from explorer.facts.lines import ReleaseFacts
from explorer.pages.counting import released
from explorer.pages.counting.settings import Counting
from explorer.paper import opendp, releases
from explorer.scenes import run
from explorer.settings import ledgers, linked
from explorer.settings.cells import Cells, TableCells
from explorer.settings.cuts import Cut, Group
from explorer.settings.noises import LAPLACE, ChosenNoise
from explorer.settings.numbers import PeopleSource
from explorer.settings.questions import ConditionRow, QuestionDraft, query
from explorer.settings.tables import AnsweredQuestion
from explorer.text.catalogue import catalogue_of
from ldpcore.accounting.columns import read_rows
from ldpcore.experiments import generator
from ldpcore.experiments.counting.ratios import RatioOfReleases, RatioOfReleasesResult
from ldpcore.experiments.counting.releasednumber import ReleasedNumberResult
from ldpcore.experiments.counting.releases import CountingResult
from ldpcore.experiments.means import nearest
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.reading.dialects import read_table
from ldpcore.tables.conditions import Where
from ldpcore.tables.table import Table
from ldpcore.tables.units import ROWS_DRAW, Unit, bounded

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
    return bounded(own, Unit("who", each), generator(1, ROWS_DRAW)) if each else own


def asked(verb: str, relation: str, each: int, somebody: bool = False, whole: bool = False) -> Counting:
    own = table(each)
    rows = (ConditionRow("ward", "is", ("north",)),) if somebody else ()
    draft = QuestionDraft(verb, "own" if rows else "everyone", rows, "pay", str(LOW), str(HIGH))
    noise = ChosenNoise("discretelaplace") if whole else LAPLACE
    return Counting(AnsweredQuestion.of(query(own, draft), own, relation), relation, noise=noise)


def lines(about: Counting, own: Any = None) -> Any:
    listing = released.cells if own else released.ratio if about.question.mean else released.single
    return listing(about, LEVEL, own, run)


def release(about: Counting, own: Any = None) -> ReleaseFacts:
    found = lines(about, own).release
    assert isinstance(found, ReleaseFacts)
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
    about = asked("count", relation, each, whole=whole)
    cut = Cut(edges=(-5.0, 5.0))
    own = Cells.of(TableCells(about.question.table, ("ward", "pay"), Where(), False, (Cut(), cut)))
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
    def key(names: tuple[str, ...] = ("north",), whole: bool = False, **more: Any) -> str:
        about, cut = asked("count", "add-remove", 0, whole=whole), Cut(groups=(Group("some", names),), together=True)
        return release(about, Cells.of(TableCells(about.question.table, ("ward",), Where(), False, (cut,)), **more)).key

    assert key() == key(confidence=0.9) == key(page=2)
    assert len({key(), key(("south",)), key(whole=True)}) == 3, "the same names of cells, other people in them"
    keys = [
        release(asked(verb, relation, each, whole=whole)).key
        for verb in ("count", "sum", "mean")
        for relation in RELATIONS
        for each in (0, 1, 3)
        for whole in (False, True)
    ]
    assert len(set(keys)) == 28, "of sums and of means in one there is nothing in whole numbers"


def test_the_widths_of_a_mean_in_two_hold_together() -> None:
    rng = np.random.default_rng(7)
    total, count, noises = 260.0, 130, (LaplaceMechanism(0.4, 5.0), LaplaceMechanism(0.4, 1.0))
    question = RatioOfReleases(*noises, total, count, LOW, HIGH)
    widths = tuple(noise.width(0.975) for noise in noises)
    draws = total + rng.laplace(0, 12.5, 4000), count + rng.laplace(0, 2.5, 4000)
    held = 0
    for drawn in zip(*map(np.ndarray.tolist, draws), strict=True):
        near = abs(drawn[0] - total) <= widths[0] and abs(drawn[1] - count) <= widths[1]
        result = RatioOfReleasesResult(question, np.array([0.0, 0.0]), drawn)
        reach, *parts = result.widths(0.95)
        assert parts == pytest.approx(widths)
        assert not near or abs(result.released - total / count) <= reach
        held += near
    assert 0.94 < held / 4000 < 0.965  # 0.975² = 0.951


@pytest.mark.parametrize("each", [0, 3])
def test_the_count_within_a_mean_in_two_can_be_whole_and_all_three_hold_as_often_as_is_said(each: int) -> None:
    """By the laws of both noises themselves; the loss is that of the mean with noise in real numbers."""
    about = asked("mean", "add-remove", each, whole=True)
    found, question = release(about), about.released_ratio(LEVEL)
    assert question is not None and found.noises == ("laplace", "discretelaplace")
    assert found.levels == release(asked("mean", "add-remove", each)).levels and sum(found.levels) <= LEVEL
    result = run(question)
    assert isinstance(result, RatioOfReleasesResult) and result.first[1].is_integer()
    _, far, wide = result.widths(0.95)
    law = question.count_noise
    inside = 1 - 2 * float(law.cdf(-wide - 1, 0.0)) if wide else 0.0
    assert wide.is_integer() and question.sum_noise.within(far) * inside >= 0.95
    rows = [[str(cell) for cell in row] for row in releases.file(lines(about), catalogue_of("en"), "counting")]
    assert [row[rows[0].index("Noise")] for row in rows[1:]] == [
        "Laplace mechanism and Discrete Laplace mechanism",
        "Laplace mechanism",
        "Discrete Laplace mechanism",
    ]


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
    assert releases.together([one, other]) == (1.5, 0.0)
    assert releases.together([one, release(asked("sum", "add-remove", 3))]) is None
    assert releases.together([one, release(asked("sum", "replace-one", 0))]) is None


@pytest.mark.parametrize(
    ("value", "written"), [(1_234_567.0, 1_234_567), (-9_876_543.0, -9_876_543), (12.3456789, 12.3457)]
)
def test_the_file_has_every_digit_of_a_large_release_and_of_its_width(value: float, written: float) -> None:
    row = released._row(asked("count", "add-remove", 0).question.fact(), value, 1234.0)
    _, number, within = releases._cells(row, catalogue_of("en"), "counting")
    assert (number, within) == (written, 1234)


def test_what_was_read_off_a_table_is_said_to_cost_more_than_any_level() -> None:
    one = release(asked("count", "add-remove", 0))
    for language, words in (("en", "no ε bounds"), ("de", "begrenzt kein ε")):
        write = catalogue_of(language).write
        for others in ((), (replace(one, neighbors="replace-one"),)):  # with a total, and without one
            assert words not in write(releases.cost([one, *others]))
            assert words in write(releases.cost([replace(one, read_off=True), *others]))


@pytest.mark.parametrize("level", [0.02, 0.3, 1.0, 7.0, 50.0])
@pytest.mark.parametrize("moved", [1, 2, 12])
def test_the_width_of_noise_in_whole_numbers_is_the_least_that_its_law_allows(level: float, moved: int) -> None:
    """Against the law summed up term by term."""
    noise = DiscreteLaplaceMechanism(level, moved)
    a = math.exp(-level / moved)
    for confidence in (0.5, 0.95, 0.999):
        width = noise.width(confidence)
        held = [(1 - a) / (1 + a) * (1 + 2 * sum(a**k for k in range(1, int(end) + 1))) for end in (width, width - 1)]
        assert held[0] >= confidence * (1 - 1e-12) and (width == 0 or held[1] < confidence)


def test_what_is_handed_on_is_the_first_release_that_the_pictures_show() -> None:
    about = asked("count", "add-remove", 0)
    handed, experiment = run(about.released_number(LEVEL)), run(about.experiment(LEVEL))
    assert isinstance(handed, ReleasedNumberResult) and isinstance(experiment, CountingResult)
    assert handed.released == experiment.releases[0] == run(about.law(LEVEL)).released  # type: ignore[attr-defined]
    whole = asked("count", "add-remove", 0, whole=True)
    handed = run(whole.released_number(LEVEL))
    assert isinstance(handed, ReleasedNumberResult)
    assert handed.released == run(whole.law(LEVEL)).released  # type: ignore[attr-defined]
    assert handed.released.is_integer() and handed.masked().experiment.answer == 0


def test_releases_are_lines_of_a_ledger_each_part_with_its_level_and_reports_with_their_delta() -> None:
    own = table(0)
    reports = PeopleSource.of_column(own, "pay", LOW, HIGH).release("asking.mean_of", 1.0, nearest("gaussian", 1.0))
    assert reports is not None and reports.delta == 1e-5
    ratio = release(asked("mean", "add-remove", 0, whole=True))
    left = [releases.Left(each, "2026-03-01 10:00 UTC") for each in (reports, ratio)]
    rows = releases.rows(left, catalogue_of("en"))
    assert [(row.kind, row.size, row.delta) for row in rows] == [
        ("any", 1.0, 1e-5),
        ("laplace", LEVEL / 2, 0.0),
        ("discrete", LEVEL / 2, 0.0),
    ]
    assert read_rows(ledgers.typed(rows)) == rows
    assert releases.together([reports]) == (1.0, 1e-5)
    assert "with δ = 1\u202f×\u202f10⁻⁵" in catalogue_of("en").write(releases.cost([reports]))
    assert releases.ledger(left).head == ("released", "level", "delta", "when")


@pytest.mark.parametrize("verb", ["count", "sum", "mean"])
def test_normal_noise_is_a_line_of_a_ledger_with_its_delta_and_costs_what_was_asked_for(verb: str) -> None:
    normal = release(replace(asked(verb, "add-remove", 0), noise=ChosenNoise("gauss").with_settings(delta=1e-7)))
    assert releases.together([normal]) == (LEVEL, 1e-7)
    rows = releases.rows([releases.Left(normal, "2026-03-01 10:00 UTC")], catalogue_of("en"))
    assert {(row.kind, row.delta) for row in rows} == {("gauss", 1e-7)}
    sigmas = [
        GaussianMechanism(row.size, row.delta, moved).sigma for row, moved in zip(rows * 2, normal.moves, strict=False)
    ]
    assert sigmas == pytest.approx(normal.scales, rel=1e-6)


@pytest.mark.parametrize("verb", ["count", "sum", "mean"])
def test_noise_that_says_no_level_by_its_scale_costs_what_was_asked_for(verb: str) -> None:
    stairs = release(replace(asked(verb, "add-remove", 0), noise=ChosenNoise("staircase")))
    assert releases.together([stairs]) == (LEVEL, 0.0)
    rows = releases.rows([releases.Left(stairs, "2026-03-01 10:00 UTC")], catalogue_of("en"))
    assert {row.kind for row in rows} == {"any"}
    assert math.fsum(row.size * row.times for row in rows) == pytest.approx(LEVEL)
    assert releases.about(stairs)["absent"] == Count(1)
    assert releases.about(release(asked(verb, "add-remove", 0)))["absent"] == Count(0)


def test_more_releases_than_a_link_can_say_are_told_by_what_they_cost() -> None:
    one = release(asked("count", "add-remove", 0))
    ones = [replace(one, level=place / 7919, scales=(7919 * one.moves[0] / place,)) for place in range(1, 1001)]
    rows = releases.rows([releases.Left(one, "2026-03-01 10:00 UTC") for one in ones * 2], catalogue_of("en"))
    assert linked.untold(linked.linked_lines([row for row in rows for _ in range(row.times)])) == 2000
    assert {(row.kind, row.name, row.times) for row in rows} == {("laplace", "", 2)} and len(rows) == 1000
