"""The reader's own table and ledger: in this session's memory alone, and nowhere else.

Never on disk, never in a cache that others share, never in a link: a link says "with your own table of r × c" and no
more. `bring` is what `controls.dataset` shows; `forget` leaves nothing behind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.facts import Count, Facts, Name, Quantity
from explorer.text.escaping import markdown
from explorer.text.numerals import NARROW
from explorer.ui import cache, links, tables, work
from explorer.ui.language import catalogue
from ldpcore.accounting import Ledger
from ldpcore.files import ENCODINGS
from ldpcore.readings import SEPARATORS, THOUSANDS, Reading
from ldpcore.tables import Kind, Table, TableError, displayed, label, uniqueness

if TYPE_CHECKING:
    from ldpcore.dialects import Understood

_OWN, _NEW, _LEDGER, _MATRIX = "_own_table", "_own_is_new", "_own_ledger", "_own_matrix"
_SLUG = re.compile(r"own-(\d{1,12})x(\d{1,6})")
_SHOWN_COLUMNS, _SHOWN_ROWS = 12, 8


@dataclass(frozen=True)
class Own:
    """The table, how its file was understood, the file itself so that the reading can be corrected, and a complaint."""

    table: Table
    understood: Understood
    raw: bytes
    tried: Reading
    problem: TableError | MemoryError | None = None


def own() -> Own | None:
    """What the reader has brought, if anything."""
    return cast("Own | None", st.session_state.get(_OWN))


def slug() -> str | None:
    """How a link names the reader's table: by its size alone."""
    mine = own()
    return None if mine is None else f"own-{mine.table.n}x{len(mine.table.columns)}"


def _words(key: str, /, **facts: Quantity) -> str:
    return catalogue().label(f"own.{key}", facts=facts)


def _say(key: str, /, **facts: Quantity) -> str:
    return catalogue().markdown(None, f"own.{key}", facts)


def title() -> str:
    """The reader's table among the datasets."""
    mine = own()
    assert mine is not None
    return _words("title", **_size(mine.table))


def _size(table: Table) -> Facts:
    return {"rows": Count(table.n), "columns": Count(len(table.columns))}


def judge_link() -> None:
    """Before a dataset is chosen: a table just brought is the one, and a link that speaks of one is judged.

    Such a link can only be followed by whoever has the table; others are told so, and what to do.
    """
    asked = st.session_state.get("_asked", {})
    if st.session_state.pop(_NEW, False):
        asked.pop("data", None)
        st.session_state["data"] = slug()
    texts = asked.get("data", ())
    spoken = [match for text in texts if (match := _SLUG.fullmatch(text) or _titled().fullmatch(text))]
    if not spoken:
        return
    rows, columns = (int(re.sub(r"\D", "", group)) for group in spoken[0].groups())
    mine = own()
    if mine is not None and (mine.table.n, len(mine.table.columns)) == (rows, columns):
        asked["data"] = [cast("str", slug())]
        return
    del asked["data"]
    size = {"rows": Count(rows), "columns": Count(columns)}
    links.complain(catalogue().markdown(None, "frame.own_table", size))


def _titled() -> re.Pattern[str]:
    """The title as older addresses spell it."""
    size = rf"([\d{NARROW}]{{1,16}})"
    return re.compile(rf"Your own table \({size} × {size}\)")


def bring(key: str) -> None:
    """Where a file is handed over, read with progress, and refused in one sentence; nothing else changes then."""
    st.markdown(_words("promise"))
    generation = st.session_state.setdefault("_own_files", 0)
    file = st.file_uploader(_words("upload"), key=f"{key}_{generation}", help=_words("upload_help"))
    if file is None:
        return
    refused = st.session_state.get("_own_refused", ("", None))
    if refused[0] != file.file_id:
        problem = _take(file.name, file.getvalue())
        if problem is None:
            # A fresh uploader, so that the same file can be brought again.
            st.session_state["_own_files"] = generation + 1
            _release(file.file_id)
            st.rerun()
        refused = st.session_state["_own_refused"] = (file.file_id, problem)
    st.error(_worded(refused[1]))


def _release(file_id: str) -> None:
    """Take the file out of Streamlit's store, which would keep it as long as the session lasts."""
    context = get_script_run_ctx()
    remove = getattr(context and context.uploaded_file_mgr, "remove_file", None)
    if context is not None and remove is not None:
        remove(context.session_id, file_id)


def _worded(trouble: TableError | MemoryError) -> str:
    """Why a file cannot be used, as Markdown."""
    return markdown(catalogue().refusal(trouble) if isinstance(trouble, TableError) else _words("too_large"))


def _take(name: str, raw: bytes) -> TableError | MemoryError | None:
    """Read a file and keep it; what refuses it otherwise."""
    try:
        table, understood = _read(raw, name, None)
    except (TableError, MemoryError) as trouble:
        return trouble
    st.session_state[_OWN] = Own(table, understood, raw, understood.reading)
    st.session_state[_NEW] = True
    return None


def _read(raw: bytes, name: str, reading: Reading | None) -> tuple[Table, Understood]:
    """The table, with a bar that moves at most ten times a second."""
    from ldpcore.dialects import read_table  # it needs pandas, which most readers never do

    bar, last = st.progress(0.0, _words("reading")), monotonic()

    def progress(share: float) -> None:
        nonlocal last
        if monotonic() - last > 0.1:
            last = monotonic()
            bar.progress(min(max(share, 0.0), 1.0), _words("reading"))

    try:
        return read_table(raw, name, reading, progress)
    finally:
        bar.empty()


def show(table: Table, key: str) -> None:
    """A look at the table: its first rows with the kinds of its columns, how many rows are alone with their values, and
    for an own one the means to correct how it was read and to forget it."""
    mine, place = own(), f"{key}_{table.digest[:8]}"
    if table.own and mine is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(_say("understood", **_size(table), name=Name(table.name)))
            st.button(_words("forget"), f"{key}_forget", on_click=forget, icon=":material/delete:")
    st.html(tables.table(_beginning(table), _words("first_rows")))
    if table.own and mine is not None:
        _correct(mine, place)
    _alone(table, place)


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
    reading = mine.tried
    named = catalogue().labels("own.marks")

    def mark(text: str) -> str:
        return str(named.get(text, text))

    left, right = st.columns(2, gap="small")
    with left:
        separator = _pick("separator", SEPARATORS, reading.separator, mark, key)
        decimal = _pick("decimal", (".", ","), reading.decimal, mark, key)
        header = st.toggle(_words("header"), reading.header, f"{key}_header")
    with right:
        encoding = _pick("encoding", ENCODINGS, reading.encoding, str, key)
        thousands = _pick("thousands", THOUSANDS, reading.thousands, mark, key)
    wanted = replace(
        reading, separator=separator, encoding=encoding, decimal=decimal, thousands=thousands, header=bool(header)
    )
    wanted = replace(wanted, kinds=_kinds(mine, wanted, key))
    if wanted != reading:
        _reread(mine, wanted)
    elif mine.problem is not None:
        st.error(_worded(mine.problem))
    for sentence in _remarks(mine.understood):
        st.caption(sentence)


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


def _reread(mine: Own, wanted: Reading) -> None:
    """Read the same file in another way."""
    try:
        table, understood = _read(mine.raw, mine.table.name, wanted)
    except (TableError, MemoryError) as trouble:
        st.session_state[_OWN] = replace(mine, tried=wanted, problem=trouble)
        st.error(_worded(trouble))
        return
    st.session_state[_OWN] = Own(table, understood, mine.raw, wanted)
    st.session_state[_NEW] = True
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


def forget() -> None:
    """Forget the table, every question about it, and everything that was computed from it."""
    mine = own()
    state = st.session_state
    if mine is not None:
        del state[_OWN]
        state.get("_questions", {}).pop(mine.table.digest, None)
        # The conditions that were typed, and whatever else is kept under the table's name.
        for key in [key for key in state if isinstance(key, str) and mine.table.digest[:8] in key]:
            del state[key]
    for key in ("_own_refused", "data"):
        state.pop(key, None)
    for place in ("_project", "_known", "_starts"):
        state.get(place, {}).pop("data", None)
    state["_own_files"] = state.get("_own_files", 0) + 1
    for key in [key for key in state if isinstance(key, str) and key.endswith("_pins")]:
        del state[key]
    work.forget()
    cache.forget()


def ledger() -> Ledger:
    """The account that the reader is keeping."""
    return cast("Ledger", st.session_state.get(_LEDGER, Ledger.of("1")))


def keep_ledger(changed: Ledger) -> None:
    """The account after a change."""
    st.session_state[_LEDGER] = changed


def matrix() -> Any:
    """The matrix that the reader has typed or brought, as its page keeps it; None where there is none."""
    return st.session_state.get(_MATRIX)


def keep_matrix(typed: Any) -> None:
    """The matrix after a change, or None to forget it and what was computed from it."""
    if typed is None:
        st.session_state.pop(_MATRIX, None)
        work.forget()
        cache.forget()
    else:
        st.session_state[_MATRIX] = typed
