"""The unit of the reader's own table, one person: asked once, beside the table, and held on every page."""

from __future__ import annotations

import streamlit as st

from explorer.facts import Count, Facts, Name, Quantity, Truth
from explorer.ui import links, session
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ui.shown import Shown, TypedRows
from ldpcore.parameters import Interval, declaration
from ldpcore.tables.table import Table, displayed
from ldpcore.tables.units import RowsOfOne, Unit, persons, suspected

KEY, EVERY_ROW = "each", "row"  # the link's parameter, and its text where every row is a person


def _words(key: str, /, **facts: Quantity) -> str:
    return catalogue().label(f"unit.{key}", facts=facts)


def _say(key: str, /, facts: Facts) -> str:
    return catalogue().markdown(None, f"unit.{key}", facts)


def chosen(page: Shown, table: Table, rows: TypedRows) -> Table:
    """The table as the page may read it: with one row of each person, as where everybody sends a report, with at most
    `rows`, or with all rows, where nothing is promised to anybody."""
    said, unit = session.unit() if table.own else (True, None)
    unit, page.table = _arrived(unit), table
    if not table.own:
        return table
    _column(table, unit)
    if not said and unit is None:
        _doubt(page, table)
    if unit is None:
        links.record(KEY, EVERY_ROW, EVERY_ROW)
        return table
    if rows == "several":
        _most(table, unit)
    links.record(KEY, str(unit.most), EVERY_ROW)
    if rows == "all":
        return table
    drawn = page.table = session.by_person(unit if rows == "several" else Unit(unit.column))
    _remark(page, table, drawn)
    return drawn


def who(table: Table) -> str:
    """The column that names the person of each row of the reader's own table; none where every row is one person."""
    unit = session.unit()[1] if table.own else None
    return "" if unit is None else unit.column


def _arrived(unit: Unit | None) -> Unit | None:
    """Note a link's number of rows per person; no link carries the column that names persons: the reader is asked."""
    texts = links.asked_of(KEY)
    links.ask_instead(KEY, None)
    declared = declaration(RowsOfOne)
    assert isinstance(declared, Interval)
    if texts and texts[-1].isdecimal() and declared.admits(int(texts[-1][:9])):
        if unit is None:
            links.complain(_say("linked", {"each": Count(int(texts[-1]))}))
        else:
            unit = Unit(unit.column, int(texts[-1]))
            session.protect(unit)
    return unit


def _column(table: Table, unit: Unit | None) -> None:
    """Ask for the column that names persons, if there is one."""
    names = dict(zip(table.columns, displayed(table.columns), strict=True))
    options = ["", *table.columns]
    key = f"own_{table.digest[:8]}_unit"

    @caught
    def choose() -> None:
        links.touch()
        picked = str(st.session_state[key])
        session.protect(Unit(picked, unit.most if unit else 1) if picked else None)

    held = unit.column if unit else ""
    first = 0 if _put(key, held) else options.index(held)
    st.selectbox(
        _words("who"),
        options,
        first,
        lambda name: names.get(name) or _words("every_row"),
        key,
        _words("help"),
        on_change=choose,
    )


def _put(key: str, held: object) -> bool:
    """Put a widget's new value, if a button or a link has meanwhile set one; whether it did."""
    if st.session_state.get(key, held) == held:
        return False
    st.session_state[key] = held
    return True


def _most(table: Table, unit: Unit) -> None:
    """Ask how many rows of each person count."""
    key = f"own_{table.digest[:8]}_each"

    @caught
    def choose() -> None:
        links.touch()
        session.protect(Unit(unit.column, int(st.session_state[key])))

    declared = declaration(RowsOfOne)
    assert isinstance(declared, Interval)
    begun = links.LEAST if _put(key, unit.most) else unit.most
    st.number_input(
        _words("most"), 1, int(declared.high), begun, 1, key=key, help=_words("most_help"), on_change=choose
    )


def _remark(page: Shown, table: Table, drawn: Table) -> None:
    """Say how many rows of how many people are used."""
    assert drawn.unit is not None
    counted = persons(table, drawn.unit.column)
    numbers = {"kept": drawn.n, "rows": table.n, "people": counted.people, "unnamed": counted.unnamed}
    facts: Facts = {name: Truth(Count(number)) for name, number in numbers.items()}
    st.caption(_say("kept", page.facts({**facts, "each": Count(drawn.each)})))


def _doubt(page: Shown, table: Table) -> None:
    """Ask, beside the answer, whether a column that looks like people's names is one, where some have several rows."""
    column = suspected(table)
    if column is None:
        return
    counted = persons(table, column)
    facts = {"column": Name(displayed([column])[0]), "rows": Count(counted.rows), "people": Count(counted.people)}
    with page.notice.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_say("doubt", facts))
        for key, unit in (("says", Unit(column)), ("every_row", None)):
            st.button(_words(key, **facts), f"unit_{key}", on_click=_settle, args=(table.digest, unit))


@caught
def _settle(digest: str, unit: Unit | None) -> None:
    """Settle the unit that the reader has chosen."""
    mine = session.own()
    if mine is not None and mine.table.digest == digest:  # else another has come meanwhile
        links.touch()
        session.protect(unit)
