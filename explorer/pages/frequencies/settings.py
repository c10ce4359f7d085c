"""The reader's settings on the page about frequencies, and the question of each of its views."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypedDict

from explorer.facts import Count, Facts
from explorer.facts.naming import opened, title_of
from explorer.settings.columns import AnswerLabels, ColumnAnswers
from explorer.settings.recipes import CallRecipe, Made
from ldpcore.estimating.adviser import Adviser, candidates, member_at
from ldpcore.estimating.estimators import POSTPROCESSORS
from ldpcore.experiments import frequencies
from ldpcore.experiments.frequencies import ColumnFamily, PopulationFamily, ZipfFamily, collecting
from ldpcore.experiments.frequencies.decoding import Decoding
from ldpcore.experiments.frequencies.enclosing import Enclosing
from ldpcore.experiments.frequencies.weighing import Weighing
from ldpcore.experiments.named import Named, PerhapsNamed
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.people.populations import Population
from ldpcore.questions import Asking, Progress, Question, Questions, no_progress
from ldpcore.reading.counted import ones

if TYPE_CHECKING:
    from ldpcore.tables.table import ColumnKind, Table

KINDS: tuple[ColumnKind, ...] = ("category", "truth", "number", "date")
MOST_COMPARED = 8
OFTEN = 20  # repetitions at least, where bias is told from variance
TOP = 10
Wanted = tuple[float, float, float, bool]  # a share, how precisely, how surely, and whether people are sampled


@dataclass(frozen=True)
class Around:
    """The options around the estimates: intervals for all at once, for everybody behind the people, and a curator."""

    together: bool = False
    sampled: bool = False
    curator: bool = False


@dataclass(frozen=True)
class Ruled:
    """The rule after the raw estimate, and whether it is seen answer by answer or among all rules."""

    rule: str
    by: str = "shares"


ALONE = Around()
WEIGHED = ("mean", "error")  # which error counts at first, and what the bars show of each mechanism


class Ones(TypedDict):
    """The number of rows that hold 1, of all rows, and of rows with an empty cell."""

    counts: tuple[int, ...]
    n: int
    missing: int


@dataclass(frozen=True)
class FirstRepeated(Question[str | None]):
    """The first column whose values repeat, as answers do and names do not; if possible one of more than two."""

    table: Table = field(repr=False)

    def run(self, progress: Progress = no_progress) -> str | None:
        """The name of the column; None where every column is a list of different values, or of one."""
        sizes = {column: self.table.distinct(column) for column in self.table.of_kind(*KINDS)}
        repeated = [column for column, size in sizes.items() if 2 <= size <= self.table.n / 2]
        return next((column for column in repeated if sizes[column] > 2), next(iter(repeated), None))


@dataclass(frozen=True)
class Answering(Made):
    """The people who answer: the shape of their answers for any k and n, and the names of a column's answers."""

    source: str = "zipf"
    family: PopulationFamily = field(default_factory=ZipfFamily)
    k: int = 10
    n: int = 10_000
    names: tuple[str, ...] = field(default=(), repr=False)
    column: str = ""
    own: bool = False
    counted: CallRecipe | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_column(cls, table: Table, column: str, other: str = "other") -> Answering:
        """The people and their answers in a column; `other` is the name of the answers that are put together."""
        return cls.of_answers(table, column, ColumnAnswers(table, column).run(), other)

    @classmethod
    def of_answers(cls, table: Table, column: str, answers: AnswerLabels, other: str) -> Answering:
        """The crowd of a column whose answers are counted already."""
        from ldpcore.tables.table import shortened

        counts = answers["counts"] + ((answers["other"],) if answers["other"] else ())
        names = answers["names"] + ((other,) if answers["other"] else ())
        people = Population.of_categories(counts)
        made = CallRecipe(Answering.of_column, (table, column, other))
        own = bool(table.own)
        return cls("column", ColumnFamily(people), people.k, people.n, names, shortened(table.head(column)), own, made)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the answers are counted again."""
        return self.counted

    @property
    def population(self) -> Population:
        """Everybody's true answers."""
        return self.family.of(self.k, self.n)


@dataclass(frozen=True)
class TableBits(Question[Ones]):
    """Columns of 0 and 1, one for each answer: reports of bits in a table."""

    table: Table = field(repr=False)
    columns: tuple[str, ...]

    def run(self, progress: Progress = no_progress) -> Ones:
        """The number of rows that hold 1 in each column, of the rows without an empty cell."""
        whole = self.table.frame[list(self.columns)].dropna()
        counts = tuple(ones(whole[column].to_numpy(), column) for column in self.columns)
        return {"counts": counts, "n": len(whole), "missing": self.table.n - len(whole)}


@dataclass(frozen=True)
class BroughtReports(Made):
    """The reader's own reports, counted answer by answer, and the number of people who did not report."""

    counts: tuple[int, ...] = (325, 265, 220, 190)
    n: int = 1000
    names: tuple[str, ...] = field(default=(), repr=False)
    around: Around = ALONE
    silent: int = 0
    counted: CallRecipe | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of_column(
        cls,
        table: Table,
        column: str,
        other: str = "other",
        unreported: tuple[str, ...] = (),
        around: Around = ALONE,
        silent: int = 0,
    ) -> BroughtReports:
        """The number of each answer in a column, and the names of possible ones that nobody reported."""
        listed = ColumnAnswers(table, column).run()
        counts = listed["counts"] + ((listed["other"],) if listed["other"] else ())
        names = listed["names"] + ((other,) if listed["other"] else ()) + unreported
        made = CallRecipe(BroughtReports.of_column, (table, column, other, unreported))
        return cls(counts + (0,) * len(unreported), sum(counts), names, around, silent, made)

    @classmethod
    def of_bits(cls, table: Table, columns: tuple[str, ...], around: Around = ALONE, silent: int = 0) -> BroughtReports:
        """The number of rows that hold 1 in each of some columns of bits."""
        from ldpcore.tables.table import shortened

        counted = TableBits(table, columns).run()
        names = tuple(shortened(name, 24) for name in columns)
        made = CallRecipe(BroughtReports.of_bits, (table, columns))
        return cls(counted["counts"], counted["n"], names, around, silent, made)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the reports are counted again."""
        if self.counted is None:
            return None
        return replace(self.counted, named=(("around", self.around), ("silent", self.silent)))


EXAMPLE = BroughtReports()


def counting(mechanism: CategoryRandomizer, level: float, k: int) -> CategoryRandomizer:
    """The mechanism for `k` answers, where its reports can be counted answer by answer; else direct answers."""
    made = member_at(type(mechanism), level, k)
    return made if isinstance(made, FrequencyOracle) else GeneralizedRandomizedResponse(level, k)


def brought(asked: Frequencies, own: BroughtReports) -> Facts:
    """The kind of the reader's own reports."""
    made = counting(asked.mechanism, 1.0, len(own.counts))
    return {"n": Count(own.n), "k": Count(len(own.counts)), "mechanism": title_of(made.slug)}


def reading(answer: PerhapsNamed[frequencies.RealReportsResult]) -> str:
    """The case of the reader's own reports."""
    return str(opened(answer)[0].reading)


@dataclass(frozen=True)
class Frequencies:
    """The people, their mechanism (at level 1), its rivals, the number of repetitions, and the seed."""

    crowd: Answering = field(default_factory=Answering)
    mechanism: CategoryRandomizer = field(default_factory=lambda: GeneralizedRandomizedResponse(1.0, 10))
    among: tuple[str, ...] = ()
    repeats: int = 100
    seed: int = 1

    def at(self, level: float) -> CategoryRandomizer:
        """The mechanism at a level."""
        return frequencies.tuned_to(self.mechanism, level)

    def named(self, question: Asking) -> Asking:
        """A question about this crowd's answers, which brings their names along."""
        return Named(question, self.crowd.names) if self.crowd.names else question

    def collected(self, level: float) -> Asking:
        """Everybody reports once."""
        return self.named(frequencies.Survey(self.at(level), self.crowd.family, self.crowd.n, 1, self.seed))

    def real(self, level: float, reports: BroughtReports) -> Asking:
        """The findings of reports that were really collected."""
        counted, around = counting(self.mechanism, level, len(reports.counts)), reports.around
        question = frequencies.RealReports(
            counted, reports.counts, reports.n, together=around.together, sampled=around.sampled, silent=reports.silent
        )
        return Named(question, reports.names) if reports.names else question

    def with_curator(self, level: float, around: Around) -> Questions:
        """The estimated shares with their intervals, and beside them a trusted curator's release."""
        crowd, enclosing = self.crowd, Enclosing(around.together, around.sampled)
        curator = collecting.CuratorCounts(level, crowd.family, crowd.k, crowd.n, self.seed, enclosing.each(crowd.k))
        return self.collected(level), enclosing, curator if around.curator else None

    def blooms(self) -> bool:
        """Whether reports are Bloom bits that are decoded."""
        return isinstance(self.mechanism, Rappor)

    def decoding(self, level: float, around: Around) -> tuple[Asking, ...]:
        """The words in everybody's Bloom bits."""
        asked = self.at(level)
        assert isinstance(asked, Rappor)
        return self.named(Decoding(asked, self.crowd.population, seed=self.seed)), Enclosing(around.together)

    def rivals(self) -> tuple[str, ...]:
        """The rivals of the chosen mechanism, or all where that is not declared by a level alone."""
        slugs = tuple(member.slug for member in candidates(1.0, self.crowd.k))
        chosen = self.mechanism.slug
        among = self.among or (() if chosen in slugs else slugs[:MOST_COMPARED])
        return tuple(slug for slug in among if slug != chosen)

    def which(self, level: float, weighed: tuple[str, str]) -> Weighing:
        """The mechanisms in order of their error, and their other costs."""
        criterion, by = weighed
        return Weighing(Adviser(self.crowd.population, level, criterion=criterion), by)

    def advice(self, level: float) -> Adviser:
        """The best mechanism for these people, whatever criterion a view has been given."""
        return self.which(level, WEIGHED).adviser

    def top(self, level: float) -> tuple[Asking, Asking]:
        """The list of the most popular answers, half of all where there are few; and one survey."""
        size = TOP if self.crowd.k > TOP else max(self.crowd.k // 2, 1)
        listed = frequencies.TopTen(self.at(level), self.crowd.population, self.repeats, size, seed=self.seed)
        return self.named(listed), self.collected(level)

    def report(self, level: float, value: int) -> Asking:
        """One person's report."""
        return self.named(frequencies.CategoryReport(self.at(level), value, self.seed))

    def after(self, level: float, ruled: Ruled) -> Asking:
        """The estimates after a rule."""
        repeats = max(self.repeats, OFTEN)
        asked = frequencies.AfterEstimate(self.at(level), self.crowd.population, repeats, self.seed)
        return self.named(collecting.OneRule(asked, ruled.rule, ruled.by))

    def first_rule(self) -> Ruled:
        """The first rule to look at."""
        return Ruled(rules(self.mechanism)[0])

    def plan(self, level: float, wanted: Wanted) -> tuple[Asking, ...]:
        """The best mechanism and its level, the cost of one's own, and the mechanisms beside it."""
        k, n = self.crowd.k, self.crowd.n
        best, own = frequencies.BestMechanism(k, n, *wanted), frequencies.FrequencyPlan(self.at(level), n, *wanted)
        return best, own, frequencies.RivalPlans(self.rivals(), k, n, *wanted)


def rules(mechanism: CategoryRandomizer) -> tuple[str, ...]:
    """The rules after the raw estimate: first the most natural one, at last none."""
    following = [rule.slug for rule in POSTPROCESSORS if rule.fits(mechanism) and rule.slug != "raw"]
    return (*following, "raw")
