"""Doubts about a reader's file that its bytes leave open: asked beside the answer, until the reader settles them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from explorer.facts import Count, Exact, Facts, Name, Quantity
from explorer.ui import session, uploads, work
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ui.session import OwnTable
from explorer.ui.sessionkeys import SETTLED
from explorer.ui.shown import Shown
from explorer.ui.unread import Unread
from ldpcore.tables.table import displayed

if TYPE_CHECKING:
    from ldpcore.reading.dialects import Understood


def _words(key: str, /, **facts: Quantity) -> str:
    return catalogue().label(f"own.{key}", facts=facts)


def _say(key: str, /, **facts: Quantity) -> str:
    return catalogue().markdown(None, f"own.{key}", facts)


def ask(page: Shown) -> None:
    """Ask the doubts about the file, beside the answer, until they are settled."""
    mine = session.own()
    if mine is None:
        return
    if mine.understood.unsaved:
        page.notice.warning(_say("unsaved", count=Count(mine.understood.unsaved)), icon=":material/function:")
    about, settled = SETTLED.get()
    if settled is not None and about == mine.table.digest:
        with page.notice.container():
            if _settled(mine, settled):
                return
    if mine.understood.header_in_doubt:
        _ask_about_header(page, mine)
    elif mine.understood.number_in_doubt:
        _ask_about_number(page, mine)
    elif mine.understood.beside:
        _ask_about_rows(page, mine)


def _ask_about_header(page: Shown, mine: OwnTable) -> None:
    """Ask whether the first line of the file, which may be either, holds names or a person."""
    understood = mine.understood
    line = mine.table.columns if understood.reading.header else understood.first[0]
    with page.notice.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_say("header_doubt", line=Name(" · ".join(displayed(line[:6], 24)))))
        for header in (True, False):
            settled = replace(understood, reading=replace(understood.reading, header=header), header_in_doubt=False)
            _answer("header_names" if header else "header_people", mine, settled)


def _ask_about_number(page: Shown, mine: OwnTable) -> None:
    """Ask whether the mark in all numbers of the file parts thousands or decimals."""
    understood = mine.understood
    reading, text = understood.reading, understood.number_in_doubt
    mark, small = reading.decimal, float(text.replace(reading.decimal, "."))
    meant: Facts = {"small": Exact(small), "large": Exact(round(1000 * small))}
    thousands = replace(reading, decimal="," if mark == "." else ".", thousands=mark)
    with page.notice.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_say("number_doubt", text=Name(text), **meant))
        for key, wanted in (("number_large", thousands), ("number_small", reading)):
            _answer(key, mine, replace(understood, reading=wanted, number_in_doubt=""), **meant)


def _ask_about_rows(page: Shown, mine: OwnTable) -> None:
    """Ask whether the rows that look like totals, notes or nothing are people."""
    understood = mine.understood
    count, row = Count(understood.beside), " · ".join(filter(None, displayed(understood.beside_first, 24)))
    out = replace(understood, reading=replace(understood.reading, leave_out=True), beside=0, beside_first=())
    with page.notice.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_say("rows_doubt" if row else "rows_empty", count=count, line=Name(row)))
        _answer("rows_out", mine, out, count=count)
        _answer("rows_people", mine, replace(understood, beside=0, beside_first=()), count=count)


def _answer(key: str, mine: OwnTable, settled: Understood, **facts: Quantity) -> None:
    """A button that settles a doubt: its understanding, and how the file is read then."""
    st.button(_words(key, **facts), key, on_click=_settle, args=(mine.table.digest, settled))


@caught
def _settle(digest: str, settled: Understood) -> None:
    """Settle a doubt: the file was read that way already, or the next run reads it anew."""
    mine = session.own()
    if mine is None or mine.table.digest != digest:  # another has come meanwhile
        return
    if settled.reading == mine.understood.reading:
        session.correct(replace(mine, understood=settled))
    else:
        work.go_on(uploads.PLACE)
        SETTLED.keep((mine.table.digest, settled))


def _settled(mine: OwnTable, settled: Understood) -> bool:
    """Read the file as the reader said; whether that goes on. A stopped or failed reading is told."""
    brought = uploads.read_file(mine.raw, mine.table.name, settled.reading)
    if isinstance(brought, work.Waiting):
        return True
    SETTLED.take()
    if isinstance(brought, work.Stopped):
        return False
    if isinstance(brought, Unread):
        session.correct(replace(mine, tried=settled.reading, problem=brought.problem))
        st.error(uploads.worded(brought.problem))
        return False
    table, understood, packed = brought
    as_before = replace(  # the other doubts
        understood,
        header_in_doubt=settled.header_in_doubt,
        number_in_doubt=settled.number_in_doubt,
        beside=settled.beside,
        beside_first=settled.beside_first,
    )
    session.keep(table, as_before, packed)
    st.rerun()
    return True
