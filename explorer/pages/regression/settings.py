"""The reader's settings on the page about curves, and the question of each of its views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.facts import Count, Exact, Said
from explorer.settings.recipes import CallRecipe, Made
from ldpcore.estimating.regression import USUAL, ReportSplit, Tuning
from ldpcore.estimating.tunings import SWING, automatic, threshold_for
from ldpcore.experiments import regression
from ldpcore.experiments.named import Named
from ldpcore.parameters import ParameterError
from ldpcore.people.curves import ClassModel, CurveModel
from ldpcore.people.observed import ObservedPairs
from ldpcore.people.partitions import Partition
from ldpcore.people.scales import PublicScale
from ldpcore.questions import Asking, Progress, Question, Questions, no_progress
from ldpcore.tables.table import shortened

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

PLANNED = 1.0  # the level for which the cells are chosen and then kept, while the handle moves
MODES = ("kept", "anew", "own")
FINEST = 0.002  # as many steps as a screen shows
BESIDE = ("honest", "curator")  # what is drawn beside the private steps
PICTURES = ("crowd", "people")  # one crowd of classified people, or the errors of more people
CURVE = "curve"  # the page's own curve, where cells of a surface could be asked for instead
SINE, MOONS = CurveModel(), ClassModel()


@dataclass(frozen=True)
class ColumnPairs(Question[ObservedPairs | None]):
    """Two columns of a table between public bounds; None where nobody has a number in both."""

    table: Table = field(repr=False)
    columns: tuple[str, ...]
    bounds: tuple[tuple[float, float], ...]

    def run(self, progress: Progress = no_progress) -> ObservedPairs | None:
        """The pairs of numbers in the columns; the last column is the response."""
        numbers = [self.table.numbers(column) for column in self.columns]
        try:
            return ObservedPairs.of(tuple(numbers[:-1]), self.bounds[:-1], numbers[-1], PublicScale(*self.bounds[-1]))
        except ParameterError:
            return None


@dataclass(frozen=True)
class LabeledColumns(Question[ObservedPairs | None]):
    """Two columns between public bounds and a column of two labels; None where there are none, or not two."""

    table: Table = field(repr=False)
    columns: tuple[str, str]
    bounds: tuple[tuple[float, float], ...]
    label: str

    def run(self, progress: Progress = no_progress) -> ObservedPairs | None:
        """The labeled pairs; the label that comes first in the alphabet counts as −1."""
        names = labels_of(self.table, self.label)
        if len(names) != 2:
            return None
        plus = self.table.matches(self.label, [names[1]])
        labels = np.where(plus, 1.0, np.where(self.table.matches(self.label, [names[0]]), -1.0, np.nan))
        numbers = tuple(self.table.numbers(column) for column in self.columns)
        try:
            return ObservedPairs.of(numbers, self.bounds, labels)
        except ParameterError:
            return None


def labels_of(table: Table, column: str) -> tuple[str, ...]:
    """The different labels of a column, in the order of the alphabet; three are as good as more."""
    return tuple(sorted(table.categories(column, 3).labels))


@dataclass(frozen=True)
class Classes(Made):
    """The classified people, and the number of cells along each axis."""

    source: ClassModel | ObservedPairs = MOONS
    along: int = 0  # none: as many as fit the people and the level 1
    names: tuple[str, ...] = ()  # of the two columns and of the two labels
    read: LabeledColumns | None = field(default=None, repr=False, compare=False)
    picture: str = PICTURES[0]

    @classmethod
    def of_columns(cls, read: LabeledColumns, along: int = 0) -> Classes:
        """The people of two columns of numbers and a column of two labels; invented ones where there are none."""
        people = read.run()
        names = (*map(read.table.head, read.columns), *labels_of(read.table, read.label))
        return cls(along=along) if people is None else cls(people, along, names, read)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the columns are read again."""
        return None if self.read is None else CallRecipe(Classes.of_columns, (self.read, self.along))

    @property
    def invented(self) -> bool:
        """Whether the best rule is known."""
        return isinstance(self.source, ClassModel)


@dataclass(frozen=True)
class Regression(Made):
    """The curve, the number of people, their reports, and the choice of the cells; the level is the handle's."""

    source: CurveModel | ObservedPairs = SINE
    people: int = 10**7
    kind: ReportSplit = "both"
    mode: str = "kept"
    own: Tuning = USUAL
    seed: int = 1
    names: tuple[str, str] = ("", "")  # of the columns of a table
    old: bool = False  # whether other bounds are typed by now that cannot be used
    read: ColumnPairs | None = field(default=None, repr=False, compare=False)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the columns are read again."""
        if self.read is None:
            return None
        more = (("kind", self.kind), ("mode", self.mode), ("own", self.own), ("seed", self.seed))
        return CallRecipe(of_columns, (self.read.table, *self.read.columns, self.read.bounds), more)

    @property
    def invented(self) -> bool:
        """Whether the true curve is known."""
        return isinstance(self.source, CurveModel)

    def is_invented(self) -> bool:
        """Whether the curve is invented, as a method, which a view can be given."""
        return self.invented

    def sends_both(self) -> bool:
        """Whether everybody reports both their place and their response."""
        return self.kind == "both"

    @property
    def model(self) -> CurveModel:
        """The invented curve; of a table, the usual one."""
        return self.source if isinstance(self.source, CurveModel) else CurveModel()

    @property
    def n(self) -> int:
        """The number of people who take part."""
        return self.people if isinstance(self.source, CurveModel) else self.source.n

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer: bounds that are no longer the typed ones, people who are in no cell."""
        if isinstance(self.source, ObservedPairs):
            if self.old:
                box = self.source.boxes[0]
                yield Said.of("asking.old_bounds", low=Exact(box.low), high=Exact(box.high))
            if truth and (outside := self.source.outside):
                yield Said.of("asking.outside_box", outside=Count(outside), n=Count(self.n))

    def tuning(self, level: float) -> Tuning:
        """The public settings: chosen for the level 1 and kept, chosen anew at every level, or set by hand."""
        if self.mode == "own":
            return self.own
        rough = self.model.roughness if self.invented else SWING
        chosen = automatic(PLANNED if self.mode == "kept" else level, self.n, 1, rough, self.kind)
        if not self.invented:  # responses lie within their bounds
            chosen = replace(chosen, bound=1.0)
        return replace(chosen, threshold=threshold_for(level, self.n, chosen.side, 1, self.kind, chosen.part))

    def surface(self, level: float, function: str) -> tuple[CurveModel, Tuning]:
        """A surface in the place of the curve, and its cells, which nobody sets by hand."""
        model = CurveModel(function, self.model.design, self.model.scatter)
        chosen = PLANNED if self.mode == "kept" else level
        return model, automatic(chosen, self.n, 2, model.roughness, self.kind)

    def chosen(self, function: str = CURVE) -> str:
        """The choice of the curve's cells, or of those of a surface in its place."""
        return self.mode if function == CURVE or self.mode == "kept" else "anew"

    def cells(self, level: float, function: str = CURVE) -> int:
        """The number of cells at a level; one for all levels, unless they are chosen anew."""
        if function == CURVE:
            return Partition(self.tuning(level).side).k
        model, tuning = self.surface(level, function)
        return Partition(tuning.side, model.dimensions).k

    def named(self, question: Asking) -> Asking:
        """A question that brings the names of the columns along."""
        names = tuple(shortened(name) for name in self.names)
        return Named(question, names) if any(names) else question

    def collected(self, level: float) -> regression.CurveSurvey:
        """Everybody reports once, without the names of the columns."""
        return regression.CurveSurvey(self.source, self.n, level, self.tuning(level), self.kind, self.seed)

    def survey(self, level: float) -> Asking:
        """Everybody reports once."""
        return self.named(self.collected(level))

    def steps(self, level: float, beside: str) -> Questions:
        """The survey; beside it, where that is asked for, the people tell a curator the truth."""
        if beside != "curator":
            return self.survey(level)
        return self.survey(level), self.named(regression.CuratorCurve(self.collected(level)))

    def report(self, level: float, point: tuple[float, float]) -> Asking:
        """The report of one person."""
        return regression.OnePoint(level, *point, self.tuning(level), self.seed)

    def sides(self, level: float, function: str = CURVE) -> Asking:
        """The error along the side of the cells, of the curve or of a surface in its place."""
        if function == CURVE:
            return regression.ChoiceOfSide(self.model, self.n, level, self.tuning(level), self.kind)
        model, tuning = self.surface(level, function)
        return regression.ChoiceOfSide(model, self.n, level, tuning, self.kind)

    def classes(self, level: float, asked: Classes) -> Asking:
        """Two kinds of people, told apart by the sign of noisy sums; or how that errs along the number of people."""
        n = self.people if isinstance(asked.source, ClassModel) else asked.source.n
        if isinstance(asked.source, ClassModel) and asked.picture == "people":
            return regression.LabelErrors(asked.source, n, level, self.along(asked, n))
        question = regression.LabelSurvey(asked.source, n, level, self.along(asked, n), self.seed)
        return Named(question, tuple(shortened(name, 24) for name in asked.names)) if asked.names else question

    def along(self, asked: Classes, n: int) -> int:
        """The number of cells along each axis."""
        return asked.along or regression.cells_for(PLANNED, n)

    def plan(self, level: float, wish: float) -> Asking:
        """The level, or the people, that bring the curve within a typical error."""
        return regression.CurvePlan(self.model, self.n, level, wish, self.kind)


def of_columns(table: Table, x: str, y: str, bounds: tuple[tuple[float, float], ...], **more: Any) -> Regression:
    """Two columns of a table."""
    read = ColumnPairs(table, (x, y), bounds)
    pairs = read.run()
    assert pairs is not None
    return Regression(pairs, names=(table.head(x), table.head(y)), read=read, **more)
