"""Who is asked, and through which mechanism: a column of a table or a made-up crowd, and every mechanism that fits.

with page.controls():
    crowd = crowds.crowd(page)
    member = crowds.chosen(page, crowd)
    others = crowds.compared(page, crowd)
...
    randomizer = crowds.randomizer(page, member, epsilon, crowd)    # where the page follows the level
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import streamlit as st

from explorer.naming import short
from explorer.numbers import people, significant
from explorer.ui import asking, cache, controls
from explorer.ui.frame import Page
from explorer.ui.prose import fill
from ldpcore.adviser import candidates
from ldpcore.estimators import POSTPROCESSORS
from ldpcore.experiments.frequencies import (
    Axis,
    ColumnFamily,
    ErrorCurve,
    Exponent,
    Metric,
    PopulationFamily,
    TwoPointFamily,
    UniformFamily,
    Width,
    ZipfFamily,
)
from ldpcore.experiments.repetitions import at_once
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.parameters import Confidence, DomainSize, Interval, Probability, Repeats, Users, declarations
from ldpcore.populations import Population
from ldpcore.tables import Kind, Table, displayed, shortened

MOST_ANSWERS = 4096  # of a column are told apart; the others are put together
MOST_COMPARED = 8
MOST_REPEATS = 1000
OFTEN = 20  # repetitions at least, where bias is told from variance
LISTED = 100  # answers that can be picked from a list
SPANS = MappingProxyType({"epsilon": (0.1, 10.0), "n": (100.0, 1e9), "k": (2.0, 4096.0)})
SOURCES = ("zipf", "uniform", "two", "column")
KINDS: tuple[Kind, ...] = ("category", "truth", "number", "date")


@dataclass(frozen=True)
class Crowd:
    """Everybody's true answers, the shape they follow for other k and n, and how the answers are called."""

    population: Population
    family: PopulationFamily
    names: tuple[str, ...] = field(repr=False)
    own: bool = False

    @property
    def scope(self) -> cache.Scope:
        """Where results may be kept: what derives from an upload stays in its session."""
        return "session" if self.own else "global"


@dataclass(frozen=True)
class ColumnAnswers:
    """The answers in one column: the most frequent ones by name, and the others together."""

    table: Table = field(repr=False)
    column: str
    limit: int = MOST_ANSWERS

    def run(self) -> dict[str, Any]:
        """Names short enough for a figure and all different, counts, and what is left over or empty."""
        found = self.table.categories(self.column, self.limit)
        return {
            "names": displayed(found.labels, 24), "counts": found.counts, "other": found.other,
            "missing": found.missing, "distinct": int(self.table.column(self.column).nunique()),
        }  # fmt: skip


@dataclass(frozen=True)
class FirstRepeated:
    """The first column whose values repeat, as answers do and names do not; if possible one of more than two."""

    table: Table = field(repr=False)

    def run(self) -> str | None:
        """Its name; None where every column is a list of different values, or of one."""
        sizes = {column: self.table.column(column).nunique() for column in self.table.of_kind(*KINDS)}
        repeated = [column for column, size in sizes.items() if 2 <= size <= self.table.n / 2]
        return next((column for column in repeated if sizes[column] > 2), next(iter(repeated), None))


def crowd(page: Page) -> Crowd:
    """The controls of the crowd; what cannot be asked gets one sentence, and a made-up crowd in its place."""
    source = controls.choice(page, "source", SOURCES)
    found = _of_column(page) if source == "column" else None
    if found is not None:
        return found
    k = controls.number(page, "k", DomainSize, default=20, high=MOST_ANSWERS)
    n = controls.number(page, "n", Users, default=10_000, high=10**9)
    family = _made_up(page, source)
    return Crowd(family.of(k, n), family, tuple(str(number) for number in range(1, k + 1)))


def _made_up(page: Page, source: str) -> PopulationFamily:
    """The shape of a made-up crowd."""
    if source == "uniform":
        return UniformFamily()
    if source == "two":
        return TwoPointFamily(controls.number(page, "share", Probability, default=0.1))
    with page.more():
        return ZipfFamily(controls.number(page, "exponent", Exponent, default=1.0, high=3))


def _of_column(page: Page) -> Crowd | None:
    """The answers in a column; None, and a sentence, where there are not at least two different ones."""
    table: Table = controls.dataset(page)
    scope: cache.Scope = "session" if table.own else "global"
    column = asking.column(page, table, kinds=KINDS, default=cache.run(FirstRepeated(table), scope))
    if column is None:
        st.warning(page.phrase("column_absent"))
        return None
    found = cache.run(ColumnAnswers(table, column), scope)
    told = {"column": shortened(column), "n": people(table.n), "missing": people(found["missing"])}
    if found["distinct"] < 2:
        value = {"value": found["names"][0] if found["names"] else ""}
        st.warning(fill(page.label("column_single" if found["names"] else "column_empty"), told | value))
        return None
    _remark(page, found, told)
    other = bool(found["other"])
    names = found["names"] + ((page.label("other"),) if other else ())
    population = Population.of_categories(found["counts"] + ((found["other"],) if other else ()))
    return Crowd(population, ColumnFamily(population), names, table.own)


def _remark(page: Page, found: dict[str, Any], told: dict[str, str]) -> None:
    """What was put together, and what was left out."""
    if found["other"]:
        counted = {"distinct": people(found["distinct"]), "kept": people(len(found["names"]))}
        st.caption(fill(page.label("column_cut"), told | counted | {"others": people(found["other"])}))
    if found["missing"]:
        st.caption(fill(page.label("column_missing"), told))


def fits(member: type[CategoryRandomizer], k: int) -> bool:
    """Whether a mechanism is declared by a level and serves k categories."""
    declared = declarations(member)
    size = declared.get("k")
    serves = size.admits(k) if isinstance(size, Interval) else getattr(member, "k", None) == k
    return "epsilon" in declared and serves


def chosen(page: Page, asked: Crowd) -> type[CategoryRandomizer]:
    """One of the registered mechanisms that fit."""
    k = asked.population.k
    return controls.member(page, CategoryRandomizer, fits=lambda member: fits(member, k))  # type: ignore[type-abstract]


def randomizer(page: Page, member: type[CategoryRandomizer], epsilon: float, asked: Crowd) -> CategoryRandomizer:
    """The mechanism at a level; one whose reports keep a stricter level than was asked for says so."""
    found = controls.mechanism(page, member, epsilon=epsilon, k=asked.population.k)
    level = found.guarantee().epsilon
    if level < epsilon * (1 - 1e-9):
        st.caption(fill(page.label("stricter"), {"level": significant(level, 4)}))
    return found


def compared(page: Page, asked: Crowd) -> tuple[str, ...]:
    """The slugs that are compared with each other; none where the reader looks at one mechanism."""
    members = (member for member in of_kind(CategoryRandomizer) if fits(member, asked.population.k))  # type: ignore[type-abstract]
    named = {member.slug: short(member) for member in members}
    if controls.switch(page, "compare"):
        return controls.several(page, "among", named, tuple(named)[:MOST_COMPARED], MOST_COMPARED)
    return ()


def repeats(page: Page, member: type[CategoryRandomizer], asked: Crowd) -> int:
    """How often everybody is asked anew: a hundred times where that takes a blink, once where it takes longer."""
    name, default = ("repeats", 100) if at_once(member, asked.population.k) else ("long_repeats", 1)
    return int(controls.number(page, name, Repeats, default=default, high=MOST_REPEATS))


def curve(
    asked: Crowd, chosen: CategoryRandomizer, among: tuple[str, ...], axis: tuple[str, str], seed: int
) -> ErrorCurve:
    """The error of those that are compared, of the chosen one, or of all where it is not declared by a level alone."""
    own: Any = chosen
    slugs = tuple(member.slug for member in candidates(own.epsilon, chosen.k))
    shown = among or ((chosen.slug,) if chosen.slug in slugs else slugs[:MOST_COMPARED])
    along, metric = axis
    low, high = SPANS[along]
    n = asked.population.n
    return ErrorCurve(shown, asked.family, chosen.k, n, own.epsilon, along, low, high, metric, seed=seed)


def person(page: Page, asked: Crowd) -> int:
    """Whose report is looked at: an answer by its place. One out of a table of the reader's own stays off the link.

    A number stands in quotes, for it is not one of the places.
    """
    listed = {str(place): f"“{name}”" if name.isdecimal() else name for place, name in enumerate(asked.names[:LISTED])}
    if asked.own:
        return int(st.selectbox(page.label("value"), listed, format_func=listed.__getitem__))
    return int(controls.choice(page, "value", listed))


def axes(page: Page) -> tuple[str, str]:
    """Along what the error is drawn, and which error."""
    along, metric = controls.beside(
        lambda: controls.choice(page, "along", Axis), lambda: controls.choice(page, "metric", Metric)
    )
    return along, metric


def rule(page: Page, chosen: CategoryRandomizer) -> tuple[str, str]:
    """What follows the raw estimate, first a rule that everybody would think of; and how it is shown."""
    found = {rule.slug: rule.title for rule in POSTPROCESSORS if rule.fits(chosen)}
    last = {"raw": found.pop("raw")}
    slug, view = controls.beside(
        lambda: controls.choice(page, "rule", found | last),
        lambda: controls.choice(page, "after_view", ("shares", "split")),
    )
    return slug, view


def precision(page: Page) -> tuple[float, float, float]:
    """Which share is to be known, how precisely, and how surely."""
    share, width, confidence = controls.beside(
        lambda: controls.number(page, "plan_share", Probability, default=0.1),
        lambda: controls.number(page, "width", Width, default=0.01, low=0.0001, high=0.5),
        lambda: controls.number(page, "confidence", Confidence, default=0.95, low=0.5, high=0.999),
    )
    return share, width, confidence
