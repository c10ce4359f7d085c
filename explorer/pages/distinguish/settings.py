"""The reader's settings on the page about two worlds, and the question of each of its views."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.facts import Count, Facts, Name
from explorer.settings.numbers import relation, splitting
from explorer.settings.questions import ConditionRow, bounds, condition, starting_values
from explorer.settings.recipes import CallRecipe, Made
from explorer.settings.typed import AskError
from ldpcore.experiments import distinguish
from ldpcore.experiments.distinguish import MOST_OUTCOMES, WorldPair
from ldpcore.questions import Asking, Progress, Question, no_progress
from ldpcore.tables.table import shortened

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

KINDS = ("people", "coins", "bells", "groups", "bars")
CELLS = 8  # of a column of many numbers, equally wide between its public bounds
TEST = (0.05, 0.0)  # how often the test accuses wrongly, and how often the promise may fail
PICTURES = ("left", "many", "information", "sides")
LEFT = (PICTURES[0], 1.2, 2.0, 100)  # of distances the factor of E_γ and Rényi's order, of many people how many
GAME: tuple[int, int, distinguish.CornerLoss] = (3, 4, "each")  # people in each group, groups, and what a guess loses
Ends = tuple[float, float]


@dataclass(frozen=True)
class GroupsOfTable(Question["TableGroups | None"]):
    """The values of two groups of a table's rows in one column: rows with a value in another column, and the others."""

    table: Table = field(repr=False)
    column: str
    by: str
    value: str
    ends: tuple[float, float] = (0.0, 100.0)  # of the cells of a column of many numbers

    def run(self, progress: Progress = no_progress) -> TableGroups | None:
        """The number of each answer in each group; None where there are no two groups, or no two answers."""
        rows = parted(self.table, self.by, self.value)
        if rows is None:
            return None
        counts = [self._counts(chosen) for chosen in rows]
        if min(sum(each) for each in counts) == 0 or len(counts[0]) < 2:
            return None
        column, by = (shortened(self.table.head(name)) for name in (self.column, self.by))
        names = column, by, SIGNS[relation(self.table, self.by)], shortened(self.value)
        return TableGroups(WorldPair.weights(*counts), (sum(counts[0]), sum(counts[1])), names, self.table.own, self)

    def _counts(self, rows: Any) -> tuple[int, ...]:
        """The number of these rows with each answer: the frequent ones and the others, or cells of numbers."""
        if in_cells(self.table, self.column):
            values = self.table.numbers(self.column)[rows]
            inside = np.clip(values[np.isfinite(values)], *self.ends)
            return tuple(int(count) for count in np.histogram(inside, CELLS, self.ends)[0])
        listed = self.table.categories(self.column, MOST_OUTCOMES)
        labels = listed.labels[: MOST_OUTCOMES - 1] if listed.other else listed.labels
        held = self.table.counts(self.column, labels, rows)
        rest = int(self.table.column(self.column)[rows].count()) - sum(held)
        return (*held, rest) if listed.other else held


@dataclass(frozen=True)
class TableGroups:
    """Two groups of a table as worlds, their sizes, and the names of column, parting column, sign and value."""

    worlds: WorldPair
    sizes: tuple[int, int]
    names: tuple[str, str, str, str]
    own: bool = False
    parted: GroupsOfTable | None = field(default=None, repr=False, compare=False)

    def facts(self) -> Facts:
        """The facts of the line below the controls."""
        column, by, sign, value = map(Name, self.names)
        sizes = {"first_size": Count(self.sizes[0]), "second_size": Count(self.sizes[1])}
        return {"column": column, "by": by, "sign": sign, "value": value, "k": Count(self.worlds.k), **sizes}


SIGNS = {"ge": "≥", "is": "="}


def in_cells(table: Table, column: str) -> bool:
    """Whether the values of a column are numbers, and too many for an answer each."""
    return table.kind(column) == "number" and table.distinct(column) > MOST_OUTCOMES


def parted(table: Table, by: str, value: str) -> tuple[Any, Any] | None:
    """The rows with a value, or at least that, and the others; None where the value cannot be read."""
    kind = relation(table, by)
    try:
        one = condition(table, ConditionRow(by, kind, (value,))).rows(table)
        other = condition(table, ConditionRow(by, {"ge": "lt", "is": "not"}[kind], (value,))).rows(table)
    except AskError:
        return None
    return one, other


def grouped(table: Table, column: str, by: str = "", value: str = "", ends: Ends | None = None) -> TableGroups | None:
    """Two groups by a value of another column; the usual ones where the wished ones are none."""
    usual = bounds(table, column)
    low, high = (float(usual[0]), float(usual[1])) if ends is None else ends
    for name in (by, *splitting(table, column)):
        for text in (value, *starting_values(table, name)) if name else ():
            if text and (groups := GroupsOfTable(table, column, name, text, (low, high)).run()) is not None:
                return groups
    return None


@dataclass(frozen=True)
class Distinguish(Made):
    """Two worlds, and the mechanism that stands between them and the collector; its level is the handle's."""

    worlds: WorldPair = field(default_factory=lambda: WorldPair.people(2))
    kind: str = "people"
    slug: str = "grr"
    parted: GroupsOfTable | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_groups(cls, parted: GroupsOfTable, slug: str) -> Distinguish:
        """Two groups of a table as worlds; the usual two people where they are no groups."""
        groups = parted.run()
        return cls(slug=slug) if groups is None else cls(groups.worlds, "groups", slug, parted)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the groups are parted again."""
        parted = self.parted
        return None if parted is None else CallRecipe(Distinguish.of_groups, (parted, self.slug))

    def errors(self, level: float, test: tuple[float, float]) -> distinguish.TellApart:
        """Both errors of every test, one of which has this size; the promise may fail with this probability."""
        return distinguish.TellApart(self.slug, level, self.worlds, *test)

    def usual(self, level: float) -> distinguish.TellApart:
        """The usual test, which the page's answer is about."""
        return self.errors(level, TEST)

    def before(self, level: float, wish: tuple[str, float, float, int]) -> Asking:
        """The rest of the distances, with many people, in bits; or the inequalities between distances."""
        picture, gamma, order, n = wish
        if picture == "many":
            return distinguish.ManyPeople(self.slug, level, self.worlds, n)
        if picture == "information":
            return distinguish.Information(self.slug, level, self.worlds)
        if picture == "sides":
            return distinguish.Inequalities(self.slug, level, self.worlds)
        return distinguish.BeforeAfter(self.slug, level, self.worlds, gamma, order)

    def best(self, level: float) -> distinguish.Minimax:
        """The best test between two families."""
        return distinguish.Minimax(self.slug, level, self.worlds)

    def guess(self, level: float, game: tuple[int, int, distinguish.CornerLoss]) -> distinguish.Guessing:
        """The game of guessing the world of each group."""
        return distinguish.Guessing(self.slug, level, self.worlds, *game)
