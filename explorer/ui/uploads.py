"""Where a table of the reader's own is handed over, looked at, corrected and asked about; `session` keeps it."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import streamlit as st

from explorer.facts import All, Count, Name, Quantity, Said
from explorer.inbox import inbox
from explorer.memory import give_back
from explorer.shelf import LARGE
from explorer.text.escaping import markdown
from explorer.ui import links, session, tables, work
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ui.session import Own
from ldpcore.experiments import Progress
from ldpcore.files import ENCODINGS
from ldpcore.readings import SEPARATORS, THOUSANDS, Reading
from ldpcore.tables import Kind, Table, TableError, displayed, label, uniqueness
from ldpcore.workbooks import is_workbook

if TYPE_CHECKING:
    from ldpcore.dialects import Column, Understood

_REFUSED, _SETTLED = "_own_refused", "_own_header"
_SHOWN_COLUMNS, _SHOWN_ROWS = 12, 8
_MENDABLE = frozenset(  # what another reading may cure
    {
        "file_encoding",
        "file_no_rows",
        "file_unreadable",
        "file_wide",
        "line_longer",
        "line_cells",
        "quote_open",
        "cell_open",
        "cell_long",
    }
)
_AT_HAND = 30  # columns whose values are counted when a file is read
_SMALL, _PLACE = 1 << 20, "own_file"  # bytes that are read in the page's own thread; where longer work is asked for
Trouble = TableError | MemoryError
_Brought: TypeAlias = "tuple[Table, Understood, bytes]"


@dataclass(frozen=True)
class _Refused:
    """A file that could not be read: which upload it is, how it was tried, and what was wrong."""

    file_id: str
    problem: Trouble
    reading: Reading | None


def _words(key: str, /, **facts: Quantity) -> str:
    return catalogue().label(f"own.{key}", facts=facts)


def _say(key: str, /, **facts: Quantity) -> str:
    return catalogue().markdown(None, f"own.{key}", facts)


def bring(key: str) -> None:
    """Where a file is handed over, read with progress, and refused in one sentence; nothing else changes then.

    What another reading may cure can be read in another way at once.
    """
    st.markdown(_words("promise"))
    with st.container(key="framed"):  # seen inside a frame of another site alone
        st.caption(_words("framed"))
        st.link_button(_words("own_window"), links.address(), icon=":material/open_in_new:")
    generation = st.session_state.setdefault("_own_files", 0)
    file = st.file_uploader(_words("upload"), key=f"{key}_{generation}", help=_words("upload_help"))
    if file is None:
        return
    refused: _Refused | None = st.session_state.get(_REFUSED)
    if refused is None or refused.file_id != file.file_id:
        refused = st.session_state[_REFUSED] = _take(file, None)
    if refused is not None:
        st.error(_worded(refused.problem))
        if refused.reading is not None:
            wanted = _reading(refused.reading, (), f"{key}_{generation}_{file.file_id[:8]}")
            again = _take(file, wanted) if wanted != refused.reading else refused
            if again is not None and again is not refused:
                st.error(_worded(again.problem))


def _take(file: Any, wanted: Reading | None) -> _Refused | None:
    """Read a file and keep its table, and the page begins anew; else what was wrong with it, if that is known yet."""
    raw = file.getvalue()
    try:
        brought = _read(raw, file.name, wanted)
    except (TableError, MemoryError) as trouble:
        return _Refused(file.file_id, trouble, wanted or _tried(raw, file.name, trouble))
    if isinstance(brought, work.Waiting):
        return None
    if not isinstance(brought, work.Stopped):
        session.keep(*brought)
    # A fresh uploader, so that the same file can be brought again.
    st.session_state["_own_files"] += 1
    st.session_state.pop(_REFUSED, None)
    inbox().read(file.file_id)  # else the server would keep it as long as the session lasts
    st.rerun()
    return None


def _tried(raw: bytes, name: str, trouble: Trouble) -> Reading | None:
    """How a file was read that was refused; none where no other reading could help."""
    from ldpcore.dialects import proposed

    return proposed(raw, name) if isinstance(trouble, TableError) and trouble.key in _MENDABLE else None


def _worded(trouble: Trouble) -> str:
    """Why a file cannot be used, as Markdown."""
    return markdown(catalogue().refusal(trouble) if isinstance(trouble, TableError) else _words("too_large"))


def _read(raw: bytes, name: str, reading: Reading | None, sheet: str = "") -> _Brought | work.Waiting | work.Stopped:
    """The table of a file; a large file is read as long work, with a bar and Stop."""
    if len(raw) <= _SMALL and not is_workbook(raw):  # a workbook may hold much more than its size says
        return _brought(raw, name, reading)
    what = (len(raw), hashlib.blake2b(raw, digest_size=16).hexdigest(), repr(reading), sheet)
    outcome = work.carry_out(what, partial(_brought, raw, name, reading, sheet=sheet), _PLACE)
    if isinstance(outcome, work.Done):
        return outcome.answer
    if isinstance(outcome, work.Waiting):
        words = {key: catalogue().label(f"frame.{key}") for key in ("queued", "stop")}
        work.watch(working=_words("reading"), **words, place=_PLACE)
    return outcome


def _brought(
    raw: bytes, name: str, reading: Reading | None, progress: Progress | None = None, *, sheet: str = ""
) -> _Brought:
    """The table, how its file was understood, and the file, packed."""
    from ldpcore.dialects import read_table  # it needs pandas, which most readers never do

    try:
        table, understood = read_table(raw, name, reading, progress, sheet)
        for place, column in enumerate(table.columns):  # what every page asks of a column is counted here, once
            if progress is not None:
                progress(1.0)  # a reader who has left is not worked for
            (table.summary if place < _AT_HAND else table.distinct)(column)
        return table, understood, zlib.compress(raw, 1)
    finally:
        if len(raw) > LARGE:
            give_back()


def show(table: Table, key: str) -> None:
    """A look at the table: its first rows, the kinds of all columns and what is odd in them, who is alone with their
    values; and for an own one the means to correct how it was read and to forget it."""
    mine, place = session.own(), f"{key}_{table.digest[:8]}"
    if table.own and mine is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            size = {"rows": Count(table.n), "columns": Count(len(table.columns))}
            st.markdown(_say("understood", **size, name=Name(table.name)))
            st.button(_words("forget"), f"{key}_forget", on_click=caught(session.forget), icon=":material/delete:")
    else:
        st.caption(_words(f"about.{table.name}"))
    st.html(tables.table(_beginning(table), _words("first_rows")))
    st.html(tables.table(_columns(table, mine), _words("all_columns"), len(table.columns)))
    if table.own and mine is not None:
        _correct(mine, place)
    _alone(table, place)


def _columns(table: Table, mine: Own | None) -> list[list[str]]:
    """Every column with its kind and what is odd in it."""
    kinds = catalogue().labels("own.kinds")
    understood = mine.understood.columns if mine is not None and table.own else (None,) * len(table.columns)
    rows = [[_words("column"), _words("is_a"), _words("odd")]]
    for name, short, column in zip(table.columns, displayed(table.columns), understood, strict=True):
        missing = table.missing(name) if column is None else column.missing
        rows.append([short, str(kinds[table.kind(name)]), _oddities(column, missing)])
    return rows


def _oddities(column: Column | None, missing: int) -> str:
    """What a reader should look at before asking: empty and infinite cells, words among numbers."""
    counts = {"missing": missing}
    if column is not None:
        counts |= {"infinite": column.infinite, "not_numbers": column.not_numbers if column.kind == "number" else 0}
        counts |= {"mixed": column.numbers if column.mixed else 0}
    said = tuple(Said.of(f"own.odd_{name}", count=Count(count)) for name, count in counts.items() if count)
    return catalogue().write(All(said)) if said else ""


def ask_about_header(page: Any) -> None:
    """Where the first line may be names as well as people: the question, beside the answer, until it is settled."""
    mine = session.own()
    if mine is None or not mine.understood.header_in_doubt:
        return
    about, header = st.session_state.get(_SETTLED, ("", False))
    if about == mine.table.digest:
        with page.notice.container():
            settled = _settled(mine, header)
        if settled:
            return
    line = mine.table.columns if mine.understood.reading.header else mine.understood.first[0]
    with page.notice.container(horizontal=True, vertical_alignment="center"):
        st.markdown(_say("header_doubt", line=Name(" · ".join(displayed(line[:6], 24)))))
        for header in (True, False):
            key = "header_names" if header else "header_people"
            st.button(_words(key), key, on_click=_settle_header, args=(mine, header))


@caught
def _settle_header(mine: Own, header: bool) -> None:
    """The reader has said what the first line is: as it was taken, or the run that follows reads the file anew."""
    if header == mine.understood.reading.header:
        session.correct(replace(mine, understood=replace(mine.understood, header_in_doubt=False)))
    else:
        work.go_on(_PLACE)
        st.session_state[_SETTLED] = mine.table.digest, header


def _settled(mine: Own, header: bool) -> bool:
    """Read the file as the reader said; whether that goes on. Else it was stopped or has failed, which is said."""
    reading = replace(mine.understood.reading, header=header)
    try:
        brought = _read(mine.raw, mine.table.name, reading)
    except (TableError, MemoryError) as trouble:
        st.session_state.pop(_SETTLED)
        session.correct(replace(mine, tried=reading, problem=trouble))
        st.error(_worded(trouble))
        return False
    if isinstance(brought, work.Waiting):
        return True
    st.session_state.pop(_SETTLED)
    if isinstance(brought, work.Stopped):
        return False
    session.keep(*brought)
    st.rerun()
    return True


def _beginning(table: Table) -> list[list[str]]:
    """The names and kinds of the first columns, and their first cells, as text."""
    names = table.columns[:_SHOWN_COLUMNS]
    kinds = catalogue().labels("own.kinds")
    part = table.frame.iloc[:_SHOWN_ROWS, :_SHOWN_COLUMNS]
    cells = part.astype(object).mask(part.isna(), "").to_numpy().tolist()
    more = ["…"] if len(table.columns) > len(names) else []
    head = [[*displayed(names), *more], [*(str(kinds[table.kind(name)]) for name in names), *more]]
    return head + [[*map(_cell, row), *more] for row in cells]


def _cell(value: Any) -> str:
    """A cell of the table as text, cut where it is long."""
    text = label(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _correct(mine: Own, key: str) -> None:
    """The reading, each part of which can be overruled; a reading that fails leaves the table as it is."""
    wanted = _reading(mine.tried, mine.understood.sheets, key)
    wanted = replace(wanted, kinds=_kinds(mine, wanted, key))
    if wanted.sheet != mine.tried.sheet:
        _mend(mine, wanted, None)
    elif wanted != mine.tried:
        _mend(mine, wanted, wanted)
    elif mine.problem is not None:
        st.error(_worded(mine.problem))
    for sentence in _remarks(mine.understood):
        st.caption(sentence)


def _reading(reading: Reading, sheets: tuple[str, ...], key: str) -> Reading:
    """Controls for how a file is read; a workbook's cells are apart already."""
    named = catalogue().labels("own.marks")

    def mark(text: str) -> str:
        return str(named.get(text, text))

    left, right = st.columns(2, gap="small")
    with left:
        if reading.sheet:
            reading = replace(reading, sheet=_pick("sheet", sheets, reading.sheet, str, key))
        else:
            reading = replace(reading, separator=_pick("separator", SEPARATORS, reading.separator, mark, key))
        decimal = _pick("decimal", (".", ","), reading.decimal, mark, key)
        header = st.toggle(_words("header"), reading.header, f"{key}_header")
        signs = st.toggle(_words("signs"), reading.signs, f"{key}_signs", help=_words("signs_help"))
    with right:
        if not reading.sheet:
            reading = replace(reading, encoding=_pick("encoding", ENCODINGS, reading.encoding, str, key))
        thousands = _pick("thousands", THOUSANDS, reading.thousands, mark, key)
        skip = st.number_input(_words("skip"), 0, 1000, reading.skip, 1, key=f"{key}_skip")
        if not reading.sheet:
            quoted = st.toggle(_words("quotes"), bool(reading.quote), f"{key}_quotes", help=_words("quotes_help"))
            reading = replace(reading, quote=(reading.quote or '"') if quoted else "")
    return replace(
        reading, decimal=decimal, thousands=thousands, header=bool(header), signs=bool(signs), skip=int(skip)
    )


def _pick(name: str, options: tuple[str, ...], present: str, written: Callable[[str], str], key: str) -> str:
    """One part of the reading."""
    known = options if present in options else (*options, present)
    return str(st.selectbox(_words(name), known, known.index(present), written, f"{key}_{name}"))


def _kinds(mine: Own, wanted: Reading, key: str) -> tuple[tuple[str, Kind], ...]:
    """The kinds of columns that the reader overrules, one column at a time."""
    names = list(mine.table.columns)
    displayed_as = dict(zip(names, displayed(names), strict=True))
    left, right = st.columns(2, gap="small")
    column = left.selectbox(_words("column"), names, 0, lambda name: displayed_as[name], f"{key}_kind_of")
    kinds = dict(wanted.kinds)
    present = kinds.get(column, mine.table.kind(column))
    options: tuple[Kind, ...] = ("number", "category", "date", "truth")
    labels = catalogue().labels("own.kinds")
    place = f"{key}_kind_{names.index(column)}"
    kind = right.selectbox(_words("kind"), options, options.index(present), lambda slug: str(labels[slug]), place)
    return tuple(kinds.items()) if kind == present else tuple((kinds | {column: kind}).items())


def _mend(mine: Own, wanted: Reading, reading: Reading | None) -> None:
    """Read the same file in another way, and the page begins anew; one that was stopped may be gone on with.

    Another sheet is looked at afresh: its table may begin elsewhere, and write its numbers in another way.
    """
    try:
        brought = _read(mine.raw, mine.table.name, reading, wanted.sheet)
    except (TableError, MemoryError) as trouble:
        session.correct(replace(mine, tried=wanted, problem=trouble))
        st.error(_worded(trouble))
        return
    if isinstance(brought, work.Stopped):
        st.button(_words("read_again"), f"{_PLACE}_again", on_click=work.go_on, args=(_PLACE,), type="tertiary")
    elif not isinstance(brought, work.Waiting):
        session.keep(*brought)
        st.rerun()


def _remarks(understood: Understood) -> list[str]:
    """What was changed or may surprise: renamed columns, infinite and missing numbers, mixed columns."""
    columns = understood.columns
    counts = {
        "renamed": understood.renamed,
        "infinite": sum(column.infinite for column in columns),
        "missing": sum(column.missing for column in columns),
        "mixed": sum(column.mixed for column in columns),
    }
    return [_say(name, count=Count(count)) for name, count in counts.items() if count]


def _alone(table: Table, key: str) -> None:
    """How many rows are alone with their values: whoever knows the values knows the row."""
    names = list(table.columns)
    displayed_as = dict(zip(names, displayed(names), strict=True))
    chosen = st.multiselect(_words("alone"), names, format_func=lambda name: displayed_as[name], key=f"{key}_alone")
    if chosen:
        st.markdown(_say("alone_found", count=Count(uniqueness(table, chosen)), n=Count(table.n)))
