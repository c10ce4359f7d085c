"""What the reader has set on the page about trust, and what each of its views asks then."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.settings.numbers import Source, usual_source
from explorer.settings.recipes import Made, Recipe
from ldpcore.experiments import trust
from ldpcore.experiments.named import Named
from ldpcore.people.populations import Population
from ldpcore.people.scales import Numbers
from ldpcore.questions import Asking
from ldpcore.tables.table import built_in, shortened

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

MOST_CANDIDATES = 12
ROWS_AT_ONCE = 200_000  # of a table whose crowds are looked up at once
VOTERS = 40  # of an invented vote: at level 1 the favorite is named about as often as not


@dataclass(frozen=True)
class Vote(Made):
    """Who may be chosen, how many hold each, and what they are called; no names where the vote is invented."""

    counts: tuple[int, ...]
    names: tuple[str, ...] = ()
    counted: Recipe | None = field(default=None, repr=False, compare=False)

    def recipe(self) -> Recipe | None:
        """How the votes are counted again."""
        return self.counted

    @classmethod
    def invented(cls, k: int = 8) -> Vote:
        """A close race of fruits."""
        counts = Population.zipf(k, VOTERS, 0.5).counts
        return cls(tuple(int(count) for count in counts))

    @classmethod
    def of_column(cls, table: Table, column: str) -> Vote:
        """The most frequent values of a column."""
        frequent = table.categories(column, MOST_CANDIDATES)
        names = tuple(shortened(label, 24) for label in frequent.labels)
        return cls(frequent.counts, names, Recipe(Vote.of_column, (table, column)))


@dataclass(frozen=True)
class Trust:
    """Whose numbers are averaged, what may go wrong where reports are shuffled, the confidence, and the seed."""

    source: Source = field(default_factory=usual_source)
    delta: float = 1e-6
    confidence: float = 0.95
    seed: int = 1

    @property
    def numbers(self) -> Numbers:
        """The people."""
        return self.source.numbers

    @property
    def table(self) -> Table:
        """The table whose rows may be found: the reader's, or the invented clinic."""
        return self.source.table or built_in("clinic")

    def named(self, question: Asking) -> Asking:
        """A question that brings the name of the column along."""
        called = shortened(self.source.column)
        return Named(question, (called,)) if called else question

    def curves(self, level: float) -> Asking:
        """The three errors along the number of people."""
        return self.named(trust.ErrorsOverPeople(level, self.numbers, self.delta))

    def pictures(self, level: float) -> Asking:
        """Two pictures of one survey, with a curator and without."""
        return self.named(trust.TwoPictures(level, self.numbers, self.seed))

    def first_known(self) -> tuple[str, ...]:
        """The columns that a neighbor knows at first."""
        return known_first(self.table)

    def alone(self, level: float, columns: tuple[str, ...]) -> trust.WhoIsAlone | trust.RowsAlone:
        """Whom the names' absence does not hide."""
        large = self.table.n > ROWS_AT_ONCE
        return trust.RowsAlone(self.table, columns) if large else trust.WhoIsAlone.of(self.table, columns)

    def choose(self, level: float, vote: Vote) -> Named:
        """Which category is the favorite."""
        return Named(trust.BestChoice(level, vote.counts), vote.names)

    def plan(self, level: float, width: float) -> tuple[Asking, Asking]:
        """The level that each model needs, and the people that the present one takes."""
        plan = trust.TrustPlan(self.numbers, width, self.confidence, self.delta)
        return self.named(plan), self.named(plan.at(level))


def known_first(table: Table) -> tuple[str, ...]:
    """The columns that a neighbor knows first: of the clinic age and sex, else the first two that are no names."""
    telling = [name for name in table.columns if table.distinct(name) < max(2, table.n)]
    preferred = [name for name in ("age", "sex") if name in telling]
    return tuple((preferred or telling or list(table.columns))[:2])
