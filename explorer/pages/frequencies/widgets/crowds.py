"""The people who are asked, and their mechanism: a column of a table or a made-up crowd, every fitting mechanism."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.facts import Count, Facts, Name
from explorer.facts.naming import called
from explorer.pages.frequencies.settings import (
    KINDS,
    MOST_COMPARED,
    Answering,
    Around,
    FirstRepeated,
    Frequencies,
    Ruled,
    Wanted,
    rules,
)
from explorer.settings.columns import MOST_COLUMN_ANSWERS, AnswerLabels, ColumnAnswers
from explorer.ui import asking, cache, controls, links
from explorer.ui.parts.census import asks_sample
from explorer.ui.shown import Shown
from ldpcore.estimating.adviser import Criterion
from ldpcore.experiments.frequencies import (
    FrequencyWidth,
    PopulationFamily,
    TwoPointFamily,
    UniformFamily,
    ZipfExponent,
    ZipfFamily,
)
from ldpcore.experiments.frequencies.collecting import By
from ldpcore.experiments.frequencies.weighing import WeighedQuantity
from ldpcore.experiments.repetitions import at_once
from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.parameters import Confidence, DomainSize, Probability, Repeats, Users, declarations

MOST_REPEATS = 1000
LISTED = 100  # answers that can be picked from a list
SOURCES = ("zipf", "uniform", "two", "column")


def crowd(shown: Shown) -> Answering:
    """The controls of the crowd; one that cannot be asked gets one sentence, and a made-up crowd in its place."""
    source = controls.choice(shown, "source", SOURCES)
    column_crowd = _of_column(shown) if source == "column" else None
    if column_crowd is not None:
        return column_crowd
    k = controls.number(shown, "k", DomainSize, default=10, high=MOST_COLUMN_ANSWERS)
    n = controls.number(shown, "n", Users, default=10_000, high=10**9)
    return Answering("zipf" if source == "column" else source, _made_up(shown, source), k, n)


def _made_up(shown: Shown, source: str) -> PopulationFamily:
    """The shape of a made-up crowd."""
    if source == "uniform":
        return UniformFamily()
    if source == "two":
        return TwoPointFamily(controls.number(shown, "share", Probability, default=0.1))
    with shown.more():
        return ZipfFamily(controls.number(shown, "exponent", ZipfExponent, default=1.0, high=3))


def _of_column(shown: Shown) -> Answering | None:
    """The answers in a column; None, and a sentence, where there are not at least two different ones."""
    from ldpcore.tables.table import shortened

    table = controls.dataset(shown)
    scope: cache.Scope = "session" if table.own else "global"
    column = asking.column(shown, table, kinds=KINDS, default=cache.run(FirstRepeated(table), scope))
    if column is None:
        st.warning(shown.say("column absent"))
        return None
    answers = cache.run(ColumnAnswers(table, column), scope)
    facts: dict[str, Any] = {
        "column": Name(shortened(table.head(column))),
        "n": Count(table.n),
        "missing": Count(answers["missing"]),
    }
    if answers["distinct"] < 2:
        value = {"value": Name(answers["names"][0] if answers["names"] else "")}
        st.warning(shown.say("column single" if answers["names"] else "column empty", **facts, **value))
        return None
    _remark(shown, answers, facts)
    return Answering.of_answers(table, column, answers, shown.label("other"))


def _remark(shown: Shown, answers: AnswerLabels, facts: Facts) -> None:
    """Say which answers were put together, and which were left out."""
    if answers["other"]:
        counted = {"distinct": Count(answers["distinct"]), "kept": Count(len(answers["names"]))}
        st.caption(shown.say("column cut", **facts, **counted, others=Count(answers["other"])))
    if answers["missing"]:
        st.caption(shown.say("column missing", **facts))


def fits(member: type[CategoryRandomizer], k: int) -> bool:
    """Whether a mechanism is declared by a level and serves k categories."""
    return "epsilon" in declarations(member) and member.serves(k)


def mechanism(shown: Shown, asked: Answering) -> CategoryRandomizer:
    """One of the registered mechanisms that fit, at level 1, with controls for its other parameters."""
    member = controls.member(shown, CategoryRandomizer, fits=lambda member: fits(member, asked.k))  # type: ignore[type-abstract]
    return controls.mechanism(shown, member, epsilon=1.0, k=asked.k)


def compared(shown: Shown, asked: Answering) -> tuple[str, ...]:
    """The mechanisms that are compared with each other; none where the reader looks at one."""
    slugs = (member.slug for member in of_kind(CategoryRandomizer) if fits(member, asked.k))  # type: ignore[type-abstract]
    named = {slug: shown.label(f"mechanisms.{slug}.short") for slug in slugs}
    if controls.switch(shown, "compare"):
        return controls.several(shown, "among", named, tuple(named)[:MOST_COMPARED], MOST_COMPARED)
    return ()


def repeats(shown: Shown, chosen: CategoryRandomizer) -> int:
    """The number of repetitions of the survey: a hundred where that takes a blink, one where it takes longer."""
    name, default = ("repeats", 100) if at_once(type(chosen), chosen.k) else ("long_repeats", 1)
    return int(controls.number(shown, name, Repeats, default=default, high=MOST_REPEATS))


def person(shown: Shown, asked: Frequencies, first: int) -> int:
    """The person whose report is looked at: an answer by its place. One from the reader's own table is not linked."""
    crowd, catalogue = asked.crowd, shown.catalogue
    listed = {}
    for place in range(min(crowd.k, LISTED)):
        answer = called(place, crowd.k, crowd.names)
        # A number stands in quotes, for it is not one of the places.
        number = isinstance(answer, Count) or (isinstance(answer, Name) and answer.text.isdecimal())
        written = catalogue.write(answer, shown.slug)
        listed[str(place)] = catalogue.label("numbered", shown.slug, {"number": answer}) if number else written
    if crowd.own:
        picked = links.first_value(f"{shown.slug}_value", str(first))  # by a click on a bar
        place = list(listed).index(picked) if picked in listed else 0
        return int(st.selectbox(shown.label("value"), list(listed), place, listed.__getitem__))
    return int(controls.choice(shown, "value", listed, default=str(first)))


def rule(shown: Shown, asked: Frequencies, first: Ruled) -> Ruled:
    """The rule after the raw estimate, and the way to look at it."""
    labels = {slug: shown.catalogue.label(f"rules.{slug}", shown.slug) for slug in rules(asked.mechanism)}
    chosen = controls.choice(shown, "rule", labels, default=first.rule)
    return Ruled(chosen, controls.choice(shown, "after_view", By, default=first.by))


def around(shown: Shown, asked: Frequencies, first: Around) -> Around:
    """The meaning of the intervals, and whether a curator stands beside."""
    together = controls.choice(shown, "hold", ("alone", "together")) == "together"
    return Around(together, asks_sample(shown, first.sampled), controls.switch(shown, "curator"))


def together(shown: Shown, asked: Frequencies, first: Around) -> Around:
    """Whether intervals hold one by one or all at once."""
    return Around(controls.choice(shown, "hold", ("alone", "together")) == "together")


def weighed(shown: Shown, asked: Frequencies, first: tuple[str, str]) -> tuple[str, str]:
    """The error that counts, and the quantity in the bars of the mechanisms."""
    criterion = controls.choice(shown, "criterion", Criterion, default=first[0])
    return criterion, controls.choice(shown, "cost", WeighedQuantity, default=first[1])


def precision(shown: Shown, asked: Frequencies, first: Wanted) -> Wanted:
    """The share to be known, its precision, the confidence, and the population."""
    share = controls.number(shown, "plan_share", Probability, default=first[0])
    width = controls.number(shown, "width", FrequencyWidth, default=first[1], low=0.0001, high=0.5)
    confidence = controls.number(shown, "confidence", Confidence, default=first[2], low=0.5, high=0.999)
    return share, width, confidence, asks_sample(shown, first[3])
