"""The reader's settings on the page about means, and the question of each of its views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from explorer.facts import Count, Exact, Facts, Said
from explorer.facts.naming import title_of
from explorer.settings.numbers import ENDS, PeopleSource, people_between, relation, splitting, usual_source
from explorer.settings.questions import ConditionRow, condition, starting_values
from explorer.settings.recipes import CallRecipe, Made
from ldpcore.experiments import means
from ldpcore.experiments.means.family import Settings
from ldpcore.experiments.named import Named
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.people.scales import PublicScale, ScaledNumbers
from ldpcore.questions import Asking
from ldpcore.tables.table import shortened

if TYPE_CHECKING:
    pass

SIGNS = {"ge": ("≥", "<"), "is": ("=", "≠")}


@dataclass(frozen=True)
class Halves(Made):
    """Two groups of people, everybody's being public, their names, and the way they were parted."""

    first: ScaledNumbers
    second: ScaledNumbers
    names: tuple[str, ...]
    parted: CallRecipe | None = field(default=None, repr=False, compare=False)

    def recipe(self) -> CallRecipe | None:
        """The recipe by which the people are parted again."""
        return self.parted


@dataclass(frozen=True)
class Reported:
    """Reports that were really collected: their number, their mean, and the public bounds of the numbers."""

    n: int = 2000
    mean: float = 6.9
    low: float = 0.0
    high: float = 12.0


EXAMPLE = Reported()


def brought(asked: Means, own: Reported) -> Facts:
    """The kind of the reader's own reports."""
    ends = {"low": Exact(own.low), "high": Exact(own.high)}
    return {"n": Count(own.n), "mean": Exact(own.mean), "mechanism": title_of(asked.slug), **ends}


@dataclass(frozen=True)
class Means:
    """The source of the numbers, the mechanism (its level is the handle's), the confidence, and the seed."""

    source: PeopleSource = field(default_factory=usual_source)
    slug: str = "locallaplace"
    settings: Settings = ()
    confidence: float = 0.95
    seed: int = 1
    sampled: bool = False

    @property
    def numbers(self) -> ScaledNumbers:
        """The people."""
        return self.source.numbers

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer."""
        return self.source.asides(truth)

    def failing(self) -> bool:
        """Whether the level may fail with a probability δ."""
        return self.randomizer(1.0).claim().delta > 0

    def randomizer(self, level: float) -> NumberRandomizer:
        """The mechanism at a level; where its settings are refused there, with the usual ones."""
        return means.nearest(self.slug, level, self.settings)

    def named(self, question: Asking, *names: str) -> Asking:
        """A question that brings the name of the column along, and of its groups."""
        called = (self.source.heading, *names)
        return Named(question, called) if any(called) else question

    def several(self) -> bool:
        """Whether two groups can be made of them."""
        return self.numbers.n >= 2

    def survey(self, level: float) -> Asking:
        """Everybody reports once."""
        question = means.MeanSurvey(
            self.randomizer(level), self.numbers, seed=self.seed, confidence=self.confidence, sampled=self.sampled
        )
        return self.named(question)

    def real(self, level: float, own: Reported) -> means.RealMean:
        """The findings of reports that were really collected."""
        scale = PublicScale(own.low, own.high)
        return means.RealMean(self.randomizer(level), own.mean, own.n, scale, self.confidence, self.sampled)

    def report(self, level: float, places: tuple[float, float]) -> Asking:
        """One report, and two people who may have sent it, by their places between the bounds."""
        first, second = (2 * place - 1 for place in places)
        return self.named(
            means.OneReportTwoPeople(self.randomizer(level), first, second, self.seed, self.numbers.scale)
        )

    def best(self, level: float) -> Asking:
        """All mechanisms at one level."""
        return self.named(means.SideBySide(level, self.numbers, (), self.settings))

    def variance(self, level: float) -> tuple[Asking, Asking]:
        """The worth of a report, for every number."""
        return self.named(means.VarianceOverX(level, (), self.settings)), self.best(level)

    @property
    def unit(self) -> str:
        """The name of the column; none of invented people."""
        return self.source.heading

    def groups(self, level: float, halves: Halves) -> Asking:
        """The means of two groups."""
        question = means.TwoGroups(
            self.randomizer(level), halves.first, halves.second, seed=self.seed, confidence=self.confidence
        )
        return Named(question, (self.unit, *halves.names))

    def widths(self) -> tuple[float, tuple[float, float]]:
        """A telling width in the reader's unit, and the places of others."""
        span = 2 * self.numbers.scale.half
        return float(f"{0.02 * span:.0e}"), (float(f"{0.001 * span:.0e}"), float(f"{0.5 * span:.0e}"))

    def width(self) -> float:
        """The first width of a plan."""
        return self.widths()[0]

    def plan(self, level: float, width: float) -> Asking:
        """The level, or the people, that bring the mean within a width in the reader's unit."""
        others = tuple(slug for slug in means.slugs() if slug != self.slug)
        question = means.MeanPlan(
            level,
            self.numbers.n,
            width,
            self.confidence,
            self.numbers.scale,
            (self.slug, *others),
            self.settings,
            self.sampled,
        )
        return self.named(question)


def halved(settings: Means, column: str = "", value: str = "", shape: str = "bell") -> Halves:
    """Two groups: by a value of another column, of another shape, or, where there is neither, every other person."""
    source = settings.source
    if source.table is None:
        return _shapes(source, shape)
    for name in (column, *splitting(source.table, source.column)):
        for text in (value, *starting_values(source.table, name)) if name else ():
            if text and (groups := _split(source, name, text)) is not None:
                return replace(groups, parted=CallRecipe(halved, (settings, name, text)))
    values, scale = source.table.numbers(source.column), source.numbers.scale
    turns = [people_between(values[start::2], scale.low, scale.high) for start in (0, 1)]
    first, second = (turn or source.numbers for turn in turns)
    return Halves(first, second, ("rows",), CallRecipe(halved, (settings, column, value)))


def _split(source: PeopleSource, column: str, value: str) -> Halves | None:
    """The people with a value, or at least that, and the others; None where there are no two groups."""
    table = source.table
    assert table is not None
    kind = relation(table, column)
    one = condition(table, ConditionRow(column, kind, (value,))).rows(table)
    other = condition(table, ConditionRow(column, {"ge": "lt", "is": "not"}[kind], (value,))).rows(table)
    values, scale = table.numbers(source.column), source.numbers.scale
    groups = [people_between(values[rows], scale.low, scale.high) for rows in (one, other)]
    if groups[0] is None or groups[1] is None:
        return None
    return Halves(groups[0], groups[1], (shortened(table.head(column)), *SIGNS[kind], shortened(value, 24)))


def _shapes(source: PeopleSource, shape: str) -> Halves:
    """The two shapes where half of the invented people have another one."""
    n = source.numbers.n
    sizes = max(n - n // 2, 1), max(n // 2, 1)
    first, second = (
        ScaledNumbers.synthetic(name, size, *ENDS) for name, size in zip((source.shape, shape), sizes, strict=True)
    )
    return Halves(first, second, (source.shape, shape))
