"""The numbers on a page: a column's between public bounds, or those of invented people of a shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.facts import Count, Exact, Facts, Name, Number, Said, precise
from explorer.facts.lines import ReleaseFacts
from explorer.settings.recipes import CallRecipe, Made
from explorer.settings.spacious import spacious
from ldpcore.fingerprints import fingerprint
from ldpcore.mechanisms.base import LocalRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError
from ldpcore.people.scales import Clipping, ScaledNumbers
from ldpcore.questions import Progress, Question, no_progress
from ldpcore.tables.queries import REPLACE
from ldpcore.tables.table import built_in, shortened

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

ENDS = (0.0, 100.0)  # of the invented people's scale
FEW = 30  # different values: a column of more tells people apart rather than groups
TELLING = 0.1  # of the mean: a bound that moves it by more is said beside the answer


@dataclass(frozen=True)
class ColumnNumbers(Question[ScaledNumbers | None]):
    """The numbers of a column between public bounds; None where the column holds none."""

    table: Table = field(repr=False)
    column: str
    low: float
    high: float

    def run(self, progress: Progress = no_progress) -> ScaledNumbers | None:
        """The numbers, scaled; missing and infinite ones are left out, and counted."""
        return people_between(self.table.numbers(self.column), self.low, self.high)


def people_between(values: Reals, low: float, high: float) -> ScaledNumbers | None:
    """People with these numbers between public bounds; None where nobody has one."""
    try:
        return ScaledNumbers.of(values, low, high)
    except ParameterError:
        return None


@dataclass(frozen=True)
class PeopleSource(Made):
    """The source of the averaged numbers: a column, or invented people of a shape; and the name of the unit."""

    numbers: ScaledNumbers
    shape: str = ""
    column: str = ""
    own: bool = False
    table: Table | None = field(default=None, repr=False, compare=False)
    old: bool = False  # whether other bounds are typed by now that cannot be used

    @classmethod
    def of_shape(cls, shape: str, n: int) -> PeopleSource:
        """Invented people."""
        return cls(ScaledNumbers.synthetic(shape, n, *ENDS), shape)

    @classmethod
    def of_column(cls, table: Table, column: str, low: float, high: float) -> PeopleSource:
        """A column that holds numbers."""
        numbers = ColumnNumbers(table, column, low, high).run()
        assert numbers is not None
        return cls(numbers, "", column, table.own, table)

    @property
    def heading(self) -> str:
        """The name of the column; empty for invented people."""
        return shortened(self.column if self.table is None else self.table.head(self.column))

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the numbers are read from their column again."""
        scale = self.numbers.scale
        read = (self.table, self.column, scale.low, scale.high)
        return None if self.table is None else CallRecipe(PeopleSource.of_column, read)

    def release(self, what: str, level: float, noise: LocalRandomizer, *more: object) -> ReleaseFacts | None:
        """The release of everybody's reports on an own table, whatever is read from them; none of other people's."""
        if self.table is None or not self.own:
            return None
        unit, scale = self.table.unit, self.numbers.scale
        key = fingerprint((self.table, self.column, scale, noise, *more))
        each, who = (unit.most, fingerprint(unit.column)) if unit else (0, "")
        question = Said.of(what, column=Name(self.heading), people=Said.of("asking.everybody"))
        slugs, delta = (noise.slug,), noise.claim().delta
        return ReleaseFacts(key, "reports", question, level, slugs, (), (), REPLACE, each, delta=delta, who=who)

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer: that other bounds are typed by now, and the bounds' effect on the mean."""
        if self.old:
            yield Said.of("asking.old_bounds", low=Exact(self.numbers.scale.low), high=Exact(self.numbers.scale.high))
        if truth and self.numbers.clipping is not None and telling(self.numbers.clipping):
            yield Said.of("asking.cut_mean", **cut(self.numbers.clipping))
        if truth and self.table is not None:
            yield from spacious(self.table, self.column, self.numbers.scale.low, self.numbers.scale.high)


def telling(clipping: Clipping) -> bool:
    """Whether bounds move a mean so far that it is said beside the answer."""
    return abs(clipping.bias) > TELLING * abs(clipping.mean)


def cut(clipping: Clipping) -> Facts:
    """The number of values that bounds move, and the change of their mean."""
    bias = Number(clipping.bias)
    return {"mean": precise(clipping.mean), "moved": Count(clipping.moved), "n": Count(clipping.n), "bias": bias}


def usual_source() -> PeopleSource:
    """The incomes of the built-in table."""
    return PeopleSource.of_column(built_in("income"), "income", 0, 100_000)


def splitting(table: Table, column: str) -> tuple[str, ...]:
    """The other columns by whose values people can be chosen apart."""
    names = [name for name in table.of_kind("category", "truth", "number") if name != column]
    return tuple(sorted(names, key=lambda name: table.distinct(name) > FEW))  # stable: as the table has them


def relation(table: Table, column: str) -> str:
    """The relation by which a column parts people: at a number, or by a label."""
    return "ge" if table.kind(column) == "number" else "is"
