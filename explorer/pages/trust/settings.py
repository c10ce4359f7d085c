"""The reader's settings on the page about trust, and the question of each of its views."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from explorer.facts import Count, Facts, Name, Names, Term
from explorer.settings.numbers import PeopleSource, usual_source
from explorer.settings.recipes import CallRecipe, Made
from explorer.settings.tables import table_fact
from ldpcore.experiments import trust
from ldpcore.experiments.named import Named
from ldpcore.people.populations import Population
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Asking
from ldpcore.tables.table import built_in, shortened

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

MOST_CANDIDATES = 12
KNOWN = frozenset("age birth dob gender plz postcode sex zip alter geburt geburtsjahr geschlecht postleitzahl".split())
VOTERS = 40  # of an invented vote: at level 1 the favorite is named about as often as not


@dataclass(frozen=True)
class CandidateVotes(Made):
    """The candidates, the number of votes for each, and their names; no names where the vote is invented."""

    counts: tuple[int, ...]
    names: tuple[str, ...] = ()
    counted: CallRecipe | None = field(default=None, repr=False, compare=False)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the votes are counted again."""
        return self.counted

    @classmethod
    def invented(cls, k: int = 8) -> CandidateVotes:
        """A close race of fruits."""
        counts = Population.zipf(k, VOTERS, 0.5).counts
        return cls(tuple(int(count) for count in counts))

    @classmethod
    def of_column(cls, table: Table, column: str) -> CandidateVotes:
        """The most frequent values of a column."""
        frequent = table.categories(column, MOST_CANDIDATES)
        names = tuple(shortened(label, 24) for label in frequent.labels)
        return cls(frequent.counts, names, CallRecipe(CandidateVotes.of_column, (table, column)))


@dataclass(frozen=True)
class KnownColumns:
    """A table in which people may be found, the columns that somebody may know, and the one that names persons."""

    table: Table = field(repr=False)
    columns: tuple[str, ...]
    who: str = ""

    @classmethod
    def first(cls, table: Table) -> KnownColumns:
        """The first columns that a neighbor knows."""
        return cls(table, known_first(table))

    def line(self) -> Facts:
        """The known columns, their table, and its unit."""
        columns = tuple(shortened(self.table.head(name)) for name in self.columns)
        return {
            "data": table_fact(self.table),
            "columns": Names(columns, 4),
            "known": Count(len(columns)),
            "one": Term(f"cases.{'column' if self.who else 'row'}"),
            "who": Name(shortened(self.who)),
        }


@dataclass(frozen=True)
class Trust:
    """The source of the averaged numbers, the δ of shuffled reports, the confidence, and the seed."""

    source: PeopleSource = field(default_factory=usual_source)
    delta: float = 1e-6
    confidence: float = 0.95
    seed: int = 1
    chosen: Table | None = field(default=None, repr=False, compare=False)  # though none of its columns may be averaged

    @property
    def numbers(self) -> ScaledNumbers:
        """The people."""
        return self.source.numbers

    @property
    def table(self) -> Table:
        """The table whose rows may be found: the one that is chosen, or the invented clinic."""
        return self.source.table or self.chosen or built_in("clinic")

    def named(self, question: Asking) -> Asking:
        """A question that brings the name of the column along."""
        called = self.source.heading
        return Named(question, (called,)) if called else question

    def now(self, level: float) -> Asking:
        """The three errors with the people there are."""
        return self.named(trust.ErrorsNow(level, self.numbers, self.delta))

    def curves(self, level: float) -> Asking:
        """The three errors along the number of people."""
        return self.named(trust.ErrorsOverPeople(level, self.numbers, self.delta))

    def pictures(self, level: float) -> Asking:
        """Two pictures of one survey, with a curator and without."""
        return self.named(trust.TwoPictures(level, self.numbers, self.seed))

    def first_known(self) -> KnownColumns:
        """The columns that a neighbor knows at first."""
        return KnownColumns.first(self.table)

    def alone(self, level: float, known: KnownColumns) -> trust.WhoIsAlone:
        """The people whom the absence of names does not hide."""
        return trust.WhoIsAlone(known.table, known.columns, known.who)

    def about_found(self, known: KnownColumns) -> Facts:
        """The table of the rows, and the known columns."""
        return known.line()

    def choose(self, level: float, vote: CandidateVotes) -> Named:
        """The choice of the favorite category."""
        return Named(trust.BestChoice(level, vote.counts), vote.names)

    def plan(self, level: float, width: float) -> tuple[Asking, Asking]:
        """The level that each model needs, and the people that the present one takes."""
        plan = trust.TrustPlan(self.numbers, width, self.confidence, self.delta)
        return self.named(plan), self.named(plan.at(level))


def known_first(table: Table, who: str = "") -> tuple[str, ...]:
    """The first columns that a neighbor knows, as age, sex and postcode, else the first two that name nobody."""
    telling = [name for name in table.columns if table.distinct(name) < max(2, table.n) and name != who]
    preferred = [name for name in telling if KNOWN & set(re.findall(r"\w+", name.lower().replace("_", " ")))]
    return tuple(preferred[:3] or (telling or list(table.columns))[:2])
