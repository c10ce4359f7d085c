"""The reader's own reports: counts that are pasted, or columns of a table; read, echoed or refused.

A refusal gets one sentence, and the page goes on with the last usable reports. A link carries the counts, as
plain numbers, and never a name; of a table of the reader's own it carries nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from explorer.facts import Count
from explorer.facts.naming import called, title_of
from explorer.pages.frequencies.settings import (
    EXAMPLE,
    KINDS,
    Around,
    BroughtReports,
    FirstRepeated,
    Frequencies,
    TableBits,
    counting,
)
from explorer.settings.columns import MOST_COLUMN_ANSWERS, ColumnAnswers
from explorer.text.escaping import markdown
from explorer.ui import asking, cache, controls, links
from explorer.ui.parts.census import asks_sample
from explorer.ui.sessionkeys import REPORTS
from explorer.ui.shown import Shown
from ldpcore.estimating.nonresponse import Silent
from ldpcore.experiments.frequencies import RealReports
from ldpcore.experiments.response import ClassSize
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.parameters import ParameterError
from ldpcore.reading.counted import LONGEST_TEXT, CountedError, read_counted
from ldpcore.tables.table import Table, shortened

LINKED = 40  # answers whose counts a link carries
SOURCES = ("typed", "column")


def reports(shown: Shown, asked: Frequencies) -> BroughtReports:
    """The counts, the numbers of people who reported and did not, the people meant, and the kind of intervals."""
    source = controls.choice(shown, "reports", SOURCES)
    counted = _typed(shown, asked) if source == "typed" else _of_table(shown, asked)
    shown.private = True  # what is brought is the reader's, though each report of it is private already
    if counting(asked.mechanism, 1.0, len(counted.counts)).slug != asked.mechanism.slug:
        st.warning(markdown(_words(shown, "uncounted", mechanism=title_of(asked.mechanism.slug))))
    silent = controls.number(shown, "silent", Silent, default=0)
    together = controls.choice(shown, "hold", ("alone", "together")) == "together"
    return replace(counted, around=Around(together, asks_sample(shown)), silent=silent)


def _words(shown: Shown, key: str, **facts: Any) -> str:
    return shown.catalogue.label(key, shown.slug, facts)


def _direct(asked: Frequencies, k: int) -> bool:
    """Whether every report names one answer."""
    return isinstance(counting(asked.mechanism, 1.0, k), DirectAnswer)


def _typed(shown: Shown, asked: Frequencies) -> BroughtReports:
    """The table in the box; an unusable one leaves the last counts."""
    key = f"{shown.slug}_counts"

    def lines(counts: tuple[int, ...]) -> str:
        names = [called(place, len(counts)) for place in range(len(counts))]
        return "\n".join(
            f"{shown.catalogue.write(name, shown.slug)}\t{n}" for name, n in zip(names, counts, strict=True)
        )

    def linked(text: str) -> str:
        if text.startswith("own-"):  # more answers than a link carries
            raise links.UnusableError("counts untold", shown.slug)
        cells = text[: 16 * LINKED].split("-")
        if not all(cell.isdecimal() for cell in cells) or not 2 <= len(cells) <= LINKED:
            raise links.UnusableError("counts unusable", shown.slug)
        return "\n".join(f"{place}\t{cell}" for place, cell in enumerate(cells, 1))

    usual, label = lines(EXAMPLE.counts), shown.label("counts")
    links.widget_value(key, label, usual, linked, str)
    text = st.text_area(
        label, links.default(key, ""), 150, LONGEST_TEXT, key, shown.label("counts_help"), on_change=links.touch
    )
    before: BroughtReports = REPORTS.get() or EXAMPLE
    try:
        counted = _checked(shown, asked, text)
    except (CountedError, ParameterError) as problem:
        st.warning(markdown(shown.catalogue.refusal(problem)), icon=":material/edit:")
        counted = before if sum(before.counts) == before.n or not _direct(asked, len(before.counts)) else EXAMPLE
    else:
        REPORTS.keep(counted)
        st.caption(shown.say("counts read", k=Count(len(counted.counts)), n=Count(counted.n)))
    k = len(counted.counts)
    short = "-".join(map(str, counted.counts)) if k <= LINKED else f"own-{k}"
    links.record(key, short, "-".join(map(str, EXAMPLE.counts)))
    return replace(counted, names=()) if text == usual else counted


def _checked(shown: Shown, asked: Frequencies, text: str) -> BroughtReports:
    """The table as the mechanism can have made it; bits and sets need the number of people who reported."""
    table = read_counted(text)
    k = len(table.counts)
    if table.total is not None:
        n = table.total
    elif _direct(asked, k):
        n = sum(table.counts)
    else:
        least = max(*table.counts, 1)
        n = controls.number(shown, "reports_n", ClassSize, default=max(EXAMPLE.n, least), low=least)
    RealReports(counting(asked.mechanism, 1.0, k), table.counts, n)
    return BroughtReports(table.counts, n, table.names or tuple(map(str, range(1, k + 1))))


def _of_table(shown: Shown, asked: Frequencies) -> BroughtReports:
    """A column of reported answers, or columns of bits, as the mechanism makes them."""
    table = controls.dataset(shown) if shown.table is None else shown.table
    columns = table.of_kind("truth", "number")
    try:
        direct = _direct(asked, 2)
        counted = _column(shown, table) if direct else _bits(shown, table, columns)
        RealReports(counting(asked.mechanism, 1.0, len(counted.counts)), counted.counts, counted.n)
    except (CountedError, ParameterError) as problem:
        st.warning(markdown(shown.catalogue.refusal(problem)), icon=":material/edit:")
        return EXAMPLE
    return counted


def _column(shown: Shown, table: Table) -> BroughtReports:
    """The number of each answer in a column, and the possible ones that nobody reported."""
    usual = cache.run(FirstRepeated(table), "session")
    column = asking.column(shown, table, "reports_column", KINDS, usual)
    if column is None:
        raise CountedError("counted_few", got=0)
    listed = cache.run(ColumnAnswers(table, column), "session")
    counts = listed["counts"] + ((listed["other"],) if listed["other"] else ())
    if not counts:
        raise CountedError("counted_few", got=0)
    least = max(len(counts), 2)
    box = f"own_{table.digest[:8]}_{table.columns.index(column)}_possible"
    label, tip, most = shown.label("possible"), shown.label("possible_help"), max(MOST_COLUMN_ANSWERS + 1, least)
    possible = int(st.number_input(label, least, most, least, 1, key=box, help=tip))
    more = range(1, possible - len(counts) + 1)
    unreported = tuple(_words(shown, "unreported", place=Count(place)) for place in more)
    _remark(shown, table, listed["missing"])
    return BroughtReports.of_column(table, column, shown.label("other"), unreported)


def _bits(shown: Shown, table: Table, columns: tuple[str, ...]) -> BroughtReports:
    """The number of rows that hold 1 in each of some columns."""
    box = f"own_{table.digest[:8]}_bits"
    bits = [name for name in columns if table.column(name).dropna().isin([0, 1]).all()][:LINKED]
    chosen = st.multiselect(shown.label("bit_columns"), columns, bits, shortened, key=box)
    if len(chosen) < 2:
        raise CountedError("counted_few", got=len(chosen))
    counted = cache.run(TableBits(table, tuple(chosen)), "session")
    _remark(shown, table, counted["missing"])
    return BroughtReports.of_bits(table, tuple(chosen))


def _remark(shown: Shown, table: Table, missing: int) -> None:
    """Say which rows and values were left out."""
    if missing:
        st.caption(shown.say("column reports", missing=Count(missing), n=Count(table.n)))
