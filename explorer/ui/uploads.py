"""The upload of a table of the reader's own: its box, its correction and its columns; `session` keeps the table."""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import streamlit as st

from explorer.facts import All, Count, Name, Names, Quantity, Said
from explorer.host.inbox import inbox
from explorer.host.memory import give_back
from explorer.host.shelf import LARGE
from explorer.settings.typed import Habits
from explorer.text.escaping import markdown
from explorer.ui import links, mail, session, tables, typed, work
from explorer.ui.caught import caught
from explorer.ui.language import catalogue
from explorer.ui.session import OwnTable
from explorer.ui.sessionkeys import GAVE_WAY, REFUSED
from explorer.ui.unread import Trouble, Unread
from ldpcore.questions import Progress, no_progress
from ldpcore.reading.files import ENCODINGS, GZIP
from ldpcore.reading.foreign import opens_apart
from ldpcore.reading.readings import SEPARATORS, THOUSANDS, Reading
from ldpcore.tables.table import ColumnKind, Table, TableError, displayed, label, uniqueness

if TYPE_CHECKING:
    from ldpcore.reading.dialects import ReadColumn, Understood

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
_NAMED = 6  # other tables of a file that are named
_NAME_LINES = 5  # lines of names, one above the other
_AT_HAND = 30  # columns whose values are counted when a file is read
_SMALL, PLACE = 1 << 20, "own_file"  # bytes that are read in the page's own thread; where longer work is asked for
WORKBOOK = "workbook"  # what long work needs that opens one: the memory of another process, which only one may have
_Parsed: TypeAlias = "tuple[Table, Understood, bytes]"


def _words(key: str, /, **facts: Quantity) -> str:
    return catalogue().label(f"own.{key}", facts=facts)


def _say(key: str, /, **facts: Quantity) -> str:
    return catalogue().markdown(None, f"own.{key}", facts)


def upload_box(key: str) -> None:
    """The box that takes a file: read with progress, and refused in one sentence; nothing else changes then.

    A file that another reading may cure can be read in another way at once.
    """
    st.markdown(_words("promise"))
    with st.container(key="framed"):  # seen inside a frame of another site alone
        st.caption(_words("framed"))
        st.link_button(_words("own_window"), links.address(), icon=":material/open_in_new:")
    if mail.gave_way():  # a fresh uploader: the browser believes that the file is there
        session.fresh_uploader()
        GAVE_WAY.keep(session.uploader())
    generation = session.uploader()
    file = st.file_uploader(_words("upload"), key=f"{key}_{generation}", help=_words("upload_help"))
    if file is None:
        if GAVE_WAY.get() == generation:
            st.error(_words("gave_way"))
        return
    about, unread = REFUSED.get()
    unread = unread if about == file.file_id else _accept(file)
    if unread is not None:
        _retry_form(file, unread, f"{key}_{generation}_{file.file_id[:8]}")


def _retry_form(file: Any, unread: Unread, key: str) -> None:
    """The reason why a file cannot be used, above the means that may help: a choice there is tried at once."""
    complaint = st.container()
    if unread.reading is not None:
        wanted = _reading(unread.reading, unread.sheets, key)
        if wanted != unread.reading:
            unread = _accept(file, wanted, unread) or unread
    complaint.error(worded(unread.problem))


def _accept(file: Any, wanted: Reading | None = None, before: Unread | None = None) -> Unread | None:
    """Read a file, keep its table and begin the page anew; else the error, if it is known yet."""
    reading, sheet = _merge_reading(wanted, before.reading if before else None)
    brought = read_file(file.getvalue(), file.name, reading, sheet)
    if isinstance(brought, work.Waiting):
        return None
    if isinstance(brought, Unread):
        unread = replace(brought, reading=wanted, sheets=before.sheets) if before else brought
        REFUSED.keep((file.file_id, unread))
        return unread
    if not isinstance(brought, work.Stopped):
        session.keep(*brought)
    # A fresh uploader, so that the same file can be brought again.
    session.fresh_uploader()
    REFUSED.take()
    inbox().read(file.file_id)  # else the server would keep it as long as the session lasts
    st.rerun()
    return None


def _merge_reading(wanted: Reading | None, tried: Reading | None) -> tuple[Reading | None, str]:
    """The reading and the sheet to use: another sheet is looked at afresh, for its table may begin elsewhere, and write
    its numbers in another way."""
    if wanted is None:
        return None, ""
    return (None, wanted.sheet) if tried and wanted.sheet != tried.sheet else (wanted, "")


def worded(trouble: Trouble) -> str:
    """The reason why a file cannot be used, as Markdown."""
    return markdown(catalogue().refusal(trouble) if isinstance(trouble, TableError) else _words("too_large"))


def read_file(
    raw: bytes, name: str, reading: Reading | None, sheet: str = ""
) -> _Parsed | Unread | work.Waiting | work.Stopped:
    """The table of a file; one that is large, or may be, is read as long work, with a bar and Stop."""
    apart = opens_apart(raw)
    if len(raw) <= _SMALL and not apart and not raw.startswith(GZIP):
        return parsed(raw, name, reading)
    what = (len(raw), hashlib.blake2b(raw, digest_size=16).hexdigest(), repr(reading), sheet)
    needs = WORKBOOK if apart else ""
    outcome = work.carry_out(what, partial(parsed, raw, name, reading, sheet=sheet), PLACE, needs)
    if isinstance(outcome, work.Done):
        return outcome.answer
    if isinstance(outcome, work.Waiting):
        words = {key: catalogue().label(f"frame.{key}") for key in ("queued", "stop")}
        work.watch(working=_words("reading"), **words, place=PLACE)
    return outcome


def parsed(
    raw: bytes, name: str, reading: Reading | None, progress: Progress = no_progress, *, sheet: str = ""
) -> _Parsed | Unread:
    """The table, the understanding of its file, and the file, packed; or the error.

    The other readings to try follow from the file as opened: a workbook is not opened twice for it.
    """
    from ldpcore.reading.dialects import Opened  # it needs pandas, which most readers never do

    opened = None
    try:
        opened = Opened.of(raw, name, reading.sheet if reading else sheet, progress)
        table, understood = opened.read(reading, progress)
        for place, column in enumerate(table.columns):  # what every page asks of a column is counted here, once
            progress(1.0)  # a reader who has left is not worked for
            (table.summary if place < _AT_HAND else table.distinct)(column)
        return table, understood, zlib.compress(raw, 1)
    except (TableError, MemoryError) as problem:
        if not isinstance(problem, TableError):
            return Unread(MemoryError())
        trouble = TableError(problem.key, **problem.fields)  # the one that was raised holds on to all that was opened
        if opened is None or trouble.key not in _MENDABLE:
            return Unread(trouble)
        return Unread(trouble, reading or opened.proposal(), opened.sheets)
    finally:
        if len(raw) > LARGE:
            give_back()


def show(table: Table, key: str) -> None:
    """A look at the table: its first rows, the kinds and oddities of all columns, and rows alone with their values;
    and for an own one the means to correct how it was read and to forget it."""
    mine, place = session.own(), f"{key}_{table.digest[:8]}"
    if table.own and mine is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            size = {"rows": Count(table.n), "columns": Count(len(table.columns))}
            st.markdown(_say("understood", **size, name=Name(table.name)))
            st.button(_words("forget"), f"{key}_forget", on_click=caught(session.forget), icon=":material/delete:")
        _name_others(mine.understood)
    else:
        st.caption(_words(f"about.{table.name}"))
    st.html(tables.table(_beginning(table), _words("first_rows")))
    st.html(tables.table(_columns(table, mine), _words("all_columns"), len(table.columns)))
    if table.own and mine is not None:
        _correct(mine, place)
    _uniqueness(table, place)


def _name_others(understood: Understood) -> None:
    """Say which table of its file was read, and which others there are."""
    read = understood.reading.sheet
    others = tuple(name for name in understood.sheets if name != read)
    if others:
        st.caption(_say("others", sheet=Name(read), others=Names(others, _NAMED)))


def _columns(table: Table, mine: OwnTable | None) -> list[list[str]]:
    """Every column with its kind and its oddities."""
    kinds = catalogue().labels("own.kinds")
    understood = mine.understood.columns if mine is not None and table.own else (None,) * len(table.columns)
    rows = [[_words("column"), _words("is_a"), _words("odd")]]
    for name, short, column in zip(table.columns, displayed(table.columns), understood, strict=True):
        missing = table.missing(name) if column is None else column.missing
        rows.append([short, str(kinds[table.kind(name)]), _oddities(column, missing)])
    return rows


def _oddities(column: ReadColumn | None, missing: int) -> str:
    """The oddities of a column to look at before asking: empty and infinite cells, words among numbers."""
    counts = {"missing": missing}
    if column is not None:
        counts |= {"infinite": column.infinite, "not_numbers": column.not_numbers if column.kind == "number" else 0}
        counts |= {"mixed": column.numbers if column.mixed else 0}
    said = tuple(Said.of(f"own.odd_{name}", count=Count(count)) for name, count in counts.items() if count)
    return catalogue().write(All(said)) if said else ""


def _beginning(table: Table) -> list[list[str]]:
    """The names and kinds of the first columns, and their first cells, as text."""
    names = table.columns[:_SHOWN_COLUMNS]
    kinds = catalogue().labels("own.kinds")
    part = table.frame.iloc[:_SHOWN_ROWS, :_SHOWN_COLUMNS]
    cells = part.astype(object).mask(part.isna(), "").to_numpy().tolist()
    more = ["…"] if len(table.columns) > len(names) else []
    written = typed.habits(table)
    called = [catalogue().headed(table.head(name)) for name in names]
    head = [[*displayed(called), *more], [*(str(kinds[table.kind(name)]) for name in names), *more]]
    return head + [[*(_cell(cell, written) for cell in row), *more] for row in cells]


def _cell(value: Any, written: Habits) -> str:
    """A cell of the table as its reader writes numbers and days, cut where it is long."""
    text = label(value)
    if isinstance(value, float) and math.isfinite(value):
        text = written.spelled(int(value) if value.is_integer() and abs(value) < 2**53 else value)
    elif isinstance(value, datetime) and value.time() == time():
        text = written.spelled(value.date())
    return text if len(text) <= 60 else text[:59] + "…"


def _correct(mine: OwnTable, key: str) -> None:
    """The reading, each part of which can be overruled; a reading that fails leaves the table as it is."""
    wanted = _reading(mine.tried, mine.understood.sheets, key)
    wanted = replace(wanted, kinds=_kinds(mine, wanted, key))
    if wanted != mine.tried:
        _apply_correction(mine, wanted)
    elif mine.problem is not None:
        st.error(worded(mine.problem))
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
        most = max(_NAME_LINES, reading.name_lines)
        lines = st.number_input(_words("name_lines"), 1, most, reading.name_lines, 1, key=f"{key}_name_lines")
        out = st.toggle(_words("leave_out"), reading.leave_out, f"{key}_leave_out", help=_words("leave_out_help"))
        if not reading.sheet:
            quoted = st.toggle(_words("quotes"), bool(reading.quote), f"{key}_quotes", help=_words("quotes_help"))
            reading = replace(reading, quote=(reading.quote or '"') if quoted else "")
    reading = replace(reading, header=bool(header), skip=int(skip), name_lines=int(lines), leave_out=bool(out))
    return replace(reading, decimal=decimal, thousands=thousands, signs=bool(signs))


def _pick(name: str, options: tuple[str, ...], present: str, written: Callable[[str], str], key: str) -> str:
    """One part of the reading."""
    known = options if present in options else (*options, present)
    return str(st.selectbox(_words(name), known, known.index(present), written, f"{key}_{name}"))


def _kinds(mine: OwnTable, wanted: Reading, key: str) -> tuple[tuple[str, ColumnKind], ...]:
    """The kinds of columns that the reader overrules, one column at a time."""
    names = list(mine.table.columns)
    displayed_as = dict(zip(names, displayed(names), strict=True))
    left, right = st.columns(2, gap="small")
    column = left.selectbox(_words("column"), names, 0, lambda name: displayed_as[name], f"{key}_kind_of")
    kinds = dict(wanted.kinds)
    present = kinds.get(column, mine.table.kind(column))
    options: tuple[ColumnKind, ...] = ("number", "category", "date", "truth")
    labels = catalogue().labels("own.kinds")
    place = f"{key}_kind_{names.index(column)}"
    kind = right.selectbox(_words("kind"), options, options.index(present), lambda slug: str(labels[slug]), place)
    return tuple(kinds.items()) if kind == present else tuple((kinds | {column: kind}).items())


def _apply_correction(mine: OwnTable, wanted: Reading) -> None:
    """Read the file in another way, and begin the page anew; a stopped reading may be gone on with."""
    reading, sheet = _merge_reading(wanted, mine.tried)
    brought = read_file(mine.raw, mine.table.name, reading, sheet)
    if isinstance(brought, Unread):
        session.correct(replace(mine, tried=wanted, problem=brought.problem))
        st.error(worded(brought.problem))
    elif isinstance(brought, work.Stopped):
        st.button(_words("read_again"), f"{PLACE}_again", on_click=work.go_on, args=(PLACE,), type="tertiary")
    elif not isinstance(brought, work.Waiting):
        table, understood, packed = brought
        if _marks(understood.reading) == _marks(mine.understood.reading):  # a doubt that was not touched stays
            understood = replace(understood, number_in_doubt=mine.understood.number_in_doubt)
        if wanted.sheet == mine.tried.sheet and not wanted.leave_out:
            still = mine.understood
            understood = replace(understood, beside=still.beside, beside_first=still.beside_first)
        session.keep(table, understood, packed)
        st.rerun()


def _marks(reading: Reading) -> tuple[str, ...]:
    """The marks that decide how the numbers of a file are read."""
    return reading.sheet, reading.separator, reading.decimal, reading.thousands


def _remarks(understood: Understood) -> list[str]:
    """The changes and surprises of a reading: renamed columns, infinite and missing numbers, mixed columns."""
    columns = understood.columns
    counts = {
        "renamed": understood.renamed,
        "infinite": sum(column.infinite for column in columns),
        "missing": sum(column.missing for column in columns),
        "mixed": sum(column.mixed for column in columns),
        "unsaved": understood.unsaved,
    }
    return [_say(name, count=Count(count)) for name, count in counts.items() if count]


def _uniqueness(table: Table, key: str) -> None:
    """The number of rows alone with their values: the values give the row away."""
    names = list(table.columns)
    displayed_as = dict(zip(names, displayed(names), strict=True))
    chosen = st.multiselect(_words("alone"), names, format_func=lambda name: displayed_as[name], key=f"{key}_alone")
    if chosen:
        st.markdown(_say("alone_found", count=Count(uniqueness(table, chosen)), n=Count(table.n)))
