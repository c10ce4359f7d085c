"""A table of the reader's own on every page that takes one: what is set there, and what must not leave."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from explorer.pages.averaging.settings import Averaging
from explorer.pages.counting.settings import Counting
from explorer.pages.distinguish.settings import Distinguish, GroupsOfTable
from explorer.pages.frequencies.settings import Answering, Around, BroughtReports, Frequencies
from explorer.pages.means.settings import Means, halved
from explorer.pages.regression.settings import Classes, LabeledColumns, of_columns
from explorer.pages.response.settings import ResponseSettings, TypedClass
from explorer.pages.shapes.settings import Shapes
from explorer.pages.trust.settings import CandidateVotes, KnownColumns, Trust
from explorer.pages.vectors.settings import Columns, VectorsSettings
from explorer.settings.cells import Cells, TableCells
from explorer.settings.cuts import Cut, Group
from explorer.settings.noises import ChosenNoise
from explorer.settings.numbers import PeopleSource
from explorer.settings.questions import ConditionRow, QuestionDraft, query
from explorer.settings.tables import AnsweredQuestion
from ldpcore.estimating.adviser import member_at
from ldpcore.mechanisms import by_slug
from ldpcore.reading.dialects import read_table
from ldpcore.tables.table import Table
from tests import scenes

WARDS = ("Zebrawing", "Quokkahall", "Okapitower", "Ibexcourt")
MANY, FEW = 947, 611  # rows: neither number occurs in any picture by itself
FREE, SIZED = "add-remove", "replace-one"
WORDS = (*WARDS, "Numbat", "Wombat")


def staff(rows: int = MANY, turn: int = 0) -> bytes:
    """A file of people: wards, a yes or no, two numbers that nobody else has, and a name in every row."""
    lines = ["ward,ill,pay,age,name"]
    for row in range(rows):
        ward = WARDS[min(row * (turn + 3) % 7, 3)]
        ill = "yes" if (row + turn) % 11 < 4 else "no"
        pay = 20011 + 7 * ((row * 331 + 17 * turn) % 4391) + 0.25
        lines.append(f"{ward},{ill},{pay},{19 + (row * 7 + turn) % 61},Numbat Wombat {row}")
    return "\n".join(lines).encode()


def table(rows: int = MANY, turn: int = 0) -> Table:
    """The table of such a file."""
    return read_table(staff(rows, turn), "staff.csv")[0]


def settings(brought: Table) -> Iterator[scenes.Setting]:
    """Every view of every page that takes a table, about this one."""
    place = count()
    for slug, asked in _asked(brought):
        page = scenes.declared(slug)
        for view in (view for view in page.views.values() if view.only(asked)):
            for own in _own(brought, slug, view, asked):
                yield scenes.Setting(page, view, asked, next(place), own)


def _asked(brought: Table) -> Iterator[tuple[str, Any]]:
    """What the pages ask of the table."""
    ours = (ConditionRow("ward", "is", (WARDS[1],)), ConditionRow("age", "ge", ("30",)))
    for verb, relation in (("count", FREE), ("sum", FREE), ("mean", FREE), ("count", SIZED)):
        asked = AnsweredQuestion.of(
            query(brought, QuestionDraft(verb, "own", ours, "pay", "0", "60000")), brought, relation
        )
        yield "counting", Counting(asked, relation, noise=ChosenNoise("gauss" if relation == SIZED else "laplace"))
        if verb != "sum":
            yield "averaging", Averaging(asked, relation)
    pay = PeopleSource.of_column(brought, "pay", 0, 60000)
    yield "means", Means(pay)
    yield "trust", Trust(pay)
    yield "shapes", Shapes(pay)
    yield "distinguish", Distinguish.of_groups(GroupsOfTable(brought, "pay", "ward", WARDS[0], (0.0, 60000.0)), "grr")
    ward = Answering.of_column(brought, "ward")
    yield "frequencies", Frequencies(ward, _built("oue", ward.k), repeats=2)
    yield "frequencies", Frequencies(ward, _built("grr", ward.k), repeats=2)
    yield "regression", of_columns(brought, "age", "pay", ((0, 100), (0, 60000)))
    yield "vectors", VectorsSettings()
    yield "response", ResponseSettings()


def _built(slug: str, k: int) -> Any:
    member: Any = by_slug(slug)
    return member_at(member, 1.0, k)


def _own(brought: Table, slug: str, view: Any, asked: Any) -> list[Any]:
    """What a view alone asks of the table; else what it asks at first."""
    bounds = ((0.0, 100.0), (0.0, 60000.0))
    special: dict[tuple[str, str], list[Any]] = {
        ("means", "groups"): [halved(asked, "ward", WARDS[0]), halved(asked, "age", "61")] if slug == "means" else [],
        ("vectors", "mine"): [Columns.of(brought, ("age", "pay"), bounds)],
        ("trust", "choose"): [CandidateVotes.of_column(brought, "ward")],
        ("trust", "found"): [KnownColumns(brought, ("age", "ward")), KnownColumns(brought, ("name", "ill"))],
        ("response", "real"): [TypedClass.of_column(brought, "ill", "yes")],
        ("frequencies", "real"): [BroughtReports.of_column(brought, "ward", around=Around(True, True))],
        ("regression", "classes"): [Classes.of_columns(LabeledColumns(brought, ("age", "pay"), bounds, "ill"))],
    }
    if slug == "counting" and view.slug == "cells":
        where = asked.question.query.where
        ranges = Cut(edges=(30.0, 60.0)), Cut(groups=(Group("Numbat", WARDS[:2]),), together=True)
        plain = [TableCells(brought, names, where, len(names) == 2) for names in (("ward",), ("ward", "age"))]
        made = TableCells(brought, ("age", "ward"), where, True, ranges)
        return [*map(Cells.of, plain), Cells.of(made), Cells.of(TableCells.asked(brought, ("name",), where), page=3)]
    if (slug, view.slug) in special:
        return special[slug, view.slug]
    return [view.at_first(asked)]
