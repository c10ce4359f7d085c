"""A show of hands as people write it down: "560 no, 340 yes" or "340 ja von 900" becomes two whole numbers.

The numbers read stand beside the box. A text that leaves open which number is which asks for two fields; what cannot be
used otherwise gets one sentence, and the page goes on with what was counted before.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from explorer.facts import Count, Name
from explorer.pages.response.settings import ResponseSettings, TypedClass
from explorer.pages.response.widgets import lists
from explorer.settings.columns import ColumnAnswers
from explorer.settings.questions import PickableValues
from explorer.text import escaping
from explorer.ui import asking, cache, controls, links
from explorer.ui.parts.census import asks_sample
from explorer.ui.sessionkeys import ANSWERS
from explorer.ui.shown import Shown
from ldpcore.estimating.nonresponse import Silent
from ldpcore.reading.answers import MOST_PEOPLE, YES_WORDS, AnswersRefused, YesCount, read_answers
from ldpcore.tables.table import ColumnKind

KINDS: tuple[ColumnKind, ...] = ("truth", "category", "number")
ASKS = ("form", "share")  # reasons for which only the reader can say which number is which


def typed(shown: Shown, asked: ResponseSettings, first: TypedClass) -> TypedClass:
    """The counts, the number of the silent, the coins, and whether the people are a sample."""
    if controls.choice(shown, "reports", ("typed", "column")) == "column":
        counted = _of_column(shown, first)
        shown.private = True  # what is brought is the reader's, though each answer of it is private already
    else:
        counted = TypedClass(*answers(shown, "answers", first.yes, first.n))
        lists.counted_elsewhere(shown, "answers")
    silent = controls.number(shown, "silent", Silent, default=first.silent)
    way = design(shown, "design", first.design)
    return replace(counted, design=way, sampled=asks_sample(shown, first.sampled), silent=silent)


def _of_column(shown: Shown, first: TypedClass) -> TypedClass:
    """The number of rows of a column with a yes, and with any answer; a column of other than two answers is refused."""
    table = controls.dataset(shown)
    usual = next((name for name in table.of_kind(*KINDS) if table.distinct(name) == 2), None)
    column = asking.column(shown, table, "reports_column", KINDS, usual)
    listed = None if column is None else cache.run(ColumnAnswers(table, column, 3), "session")
    names, counts = (listed["names"], listed["counts"]) if listed else ((), ())
    if column is None or listed is None or not 1 <= len(names) <= 2 or listed["other"]:
        st.warning(shown.say("column answers"))
        return first
    likely = next((place for place, name in enumerate(names) if name.lower() in YES_WORDS | {"true", "1", "wahr"}), 0)
    box = f"own_{table.digest[:8]}_{table.columns.index(column)}_yes"
    meant = st.selectbox(shown.label("reports_yes"), names, likely, key=box)
    yes, n = counts[names.index(meant)], sum(counts)
    st.caption(shown.say("answers read", yes=Count(yes), n=Count(n)))
    if listed["missing"]:
        st.caption(shown.say("column silent", missing=Count(listed["missing"])))
    assert column is not None  # the column of these values
    label = cache.run(PickableValues(table, column), "session")[names.index(meant)]
    return TypedClass.of_column(table, column, label)


def answers(shown: Shown, name: str, yes: int, n: int) -> tuple[int, int]:
    """A box for the answers: key `<page>_<name>`, with the first numbers of yes and of people.

    The link carries two numbers and no word of a language; old links are read as they were written.
    """
    key, label, usual = f"{shown.slug}_{name}", shown.label(name), YesCount(yes, n)

    def worded(text: str) -> str:
        """A link's answers in the reader's words."""
        read = read_answers(text)
        if isinstance(read, AnswersRefused):
            raise links.UnusableError(f"{name} unusable", shown.slug)
        return lists.written(shown, name, read)

    default = lists.written(shown, name, usual)
    links.widget_value(key, label, default, worded, str)
    tip = shown.label(f"{name}_help")
    text = str(
        st.text_input(label, links.default(key, ""), 120, key, help=tip, placeholder=default, on_change=links.touch)
    )
    counted = _counted(shown, name, text, usual)
    links.record(key, f"{counted.yes}/{counted.n}", f"{yes}/{n}")
    return counted.yes, counted.n


def _counted(shown: Shown, name: str, text: str, usual: YesCount) -> YesCount:
    """The counts in a text, echoed; else the last ones, or those of two fields."""
    read, kept = read_answers(text), ANSWERS.of(name)
    if isinstance(read, YesCount):
        kept.keep(read)
        st.caption(shown.say(f"{name} read", yes=Count(read.yes), n=Count(read.n)))
        return read
    st.warning(escaping.markdown(_refusal(shown, name, text, read)), icon=":material/edit:")
    before: YesCount = kept.get() or usual
    return _fields(shown, name, before) if read.reason in ASKS else before


def _fields(shown: Shown, name: str, before: YesCount) -> YesCount:
    """Two numbers of their own, which begin with the last counts."""
    n_key, yes_key = f"{shown.slug}_{name}_n", f"{shown.slug}_{name}_yes"
    yes_place, n_place = st.columns(2)
    with n_place:
        n = int(
            st.number_input(shown.label(f"{name}_n"), 1, MOST_PEOPLE, before.n, 1, key=n_key, on_change=links.touch)
        )
    if yes_key in st.session_state:  # a crowd that has shrunk takes its yes along
        links.put(yes_key, min(st.session_state[yes_key], n))
    with yes_place:
        start = links.default(yes_key, links.LEAST, min(before.yes, n))
        yes = st.number_input(shown.label(f"{name}_yes"), 0, n, start, 1, key=yes_key, on_change=links.touch)
    return YesCount(int(yes), n)


def _refusal(shown: Shown, name: str, text: str, problem: AnswersRefused) -> str:
    """The reason why a text is no count of answers, in one sentence."""
    facts = {
        "text": Name(text[:60]),
        "most": Count(MOST_PEOPLE),
        "yes": Count(problem.yes or 0),
        "n": Count(problem.n or 0),
    }
    return shown.catalogue.label(f"{name}_{problem.reason}", shown.slug, facts)


def design(shown: Shown, name: str, first: str) -> str:
    """The coins or dice in people's hands, and below them the instruction."""
    chosen = controls.choice(shown, name, shown.labels.strings(f"{name}_options"), default=first)
    st.markdown(shown.catalogue.markdown(shown.slug, f"{name} {chosen}"))
    return chosen
