"""A ledger of mixed releases as people type it: a box of lines that stays in the session, and its errors.

A link carries the cost of each line (its kind, level, δ and number of times), and never its name.
"""

from __future__ import annotations

import streamlit as st

from explorer.facts import Count
from explorer.host.inbox import inbox
from explorer.pages.budget.settings import EXAMPLE, Budget
from explorer.paper import releases
from explorer.settings import ledgers, linked
from explorer.text.escaping import markdown
from explorer.ui import books, cache, links, mail, session
from explorer.ui.caught import caught
from explorer.ui.sessionkeys import LEDGER_ROWS, ROWS_FILES, ROWS_REFUSED, ROWS_TEXT, ROWS_WAITING
from explorer.ui.shown import Shown
from ldpcore.accounting.columns import read_rows
from ldpcore.accounting.lines import MOST_LETTERS, LedgerRow
from ldpcore.parameters import ParameterError
from ldpcore.reading.files import encoding_of, uncompressed
from ldpcore.reading.foreign import kind_of_file
from ldpcore.tables.table import TableError

_KEY, _LINKED, _PLACE = "budget_rows", "budget_ledger", "own_ledger_file"


def rows(shown: Shown, asked: Budget, first: tuple[LedgerRow, ...]) -> tuple[LedgerRow, ...]:
    """The lines of the box; an unreadable text stays in it, one sentence says why, and the last ledger stays too.

    Where the page has been set anew, an unreadable text gives way to the last ledger.
    """
    shown.private = cache.keep_private(True)  # what was typed stays in this session, with all that follows
    _arrived(shown)
    _opened(shown)
    text, usable = LEDGER_ROWS.get() or (EXAMPLE, first)
    before = ROWS_TEXT.get()
    typed = EXAMPLE if before is None else before
    if links.set_anew(_KEY) and typed != text:
        links.put(_KEY, text)
        typed = text
    typed = st.text_area(
        shown.label("rows"),
        links.default(_KEY, "", typed),
        height=170,
        max_chars=MOST_LETTERS,
        key=_KEY,
        help=shown.label("rows_help"),
        on_change=links.touch,
    )
    ROWS_TEXT.keep(typed)
    if typed != text:
        try:
            usable = read_rows(typed)
            LEDGER_ROWS.keep((typed, usable))
        except ParameterError as problem:
            st.error(markdown(shown.catalogue.refusal(problem)), icon=":material/block:")
    _file(shown)
    links.record(_LINKED, linked.linked_lines(usable), linked.linked_lines(read_rows(EXAMPLE)))
    return usable


def _arrived(shown: Shown) -> None:
    """Keep the ledger that a link brings; a page that is set anew asks for none, and keeps the one that was typed."""
    asked = bool(links.asked_of(_LINKED))
    text = links.requested(_LINKED, shown.label("rows"), EXAMPLE, _worded, str)
    if asked and text:
        text = _named(shown, text)
        LEDGER_ROWS.keep((text, read_rows(text)))
        ROWS_TEXT.keep(text)
        links.put(_KEY, text)


def _named(shown: Shown, text: str) -> str:
    """The lines of a link with their names and days, where they are this session's own releases."""
    mine = releases.rows(session.releases(), shown.catalogue)
    return ledgers.typed(mine) if mine and linked.linked_lines(mine) == linked.linked_lines(read_rows(text)) else text


def _file(shown: Shown) -> None:
    """Offer a file of lines, or of a table with named columns, in place of the typed text."""
    key = f"{shown.slug}_rows_file_{ROWS_FILES.get()}"
    with st.popover(shown.label("rows_file"), icon=":material/upload_file:", width="stretch"):
        st.file_uploader(
            shown.label("rows_file"), key=key, on_change=_bring, args=(key,), help=shown.label("rows_file_help")
        )
    if (refused := ROWS_REFUSED.take()) is not None:
        shown.notice.error(markdown(shown.catalogue.refusal(refused)), icon=":material/block:")


@caught
def _bring(key: str) -> None:
    """Read the file and delete it."""
    file = st.session_state[key]
    if file is None or mail.gave_way():
        return
    ROWS_FILES.keep(ROWS_FILES.get() + 1)
    inbox().read(file.file_id)
    try:
        raw = uncompressed(file.getvalue(), file.name)
        if kind_of_file(raw):  # a process opens it, for which one may have to wait
            ROWS_WAITING.keep((file.name, raw))
        else:
            _keep(raw.decode(encoding_of(raw, file.name), "replace"))
    except TableError as problem:
        ROWS_REFUSED.keep(problem)


def _keep(text: str) -> None:
    """Put the lines of a file into the box; its errors are told there."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if len(text) > MOST_LETTERS:
        ROWS_REFUSED.keep(ParameterError("text_long", most=MOST_LETTERS, got=len(text)))
        return
    ROWS_TEXT.keep(text)
    links.touch()
    links.put(_KEY, text)


def _opened(shown: Shown) -> None:
    """Put the text that a process of its own has opened into the box like any other."""
    read = books.text_of(shown, ROWS_WAITING.get(), ROWS_WAITING.take, _PLACE)
    if isinstance(read, str):
        _keep(read)
    elif read is not None:
        ROWS_REFUSED.keep(read)


def _worded(asked: str) -> str:
    """The lines of a link, as people type them."""
    try:
        text = linked.worded(asked)
        if not read_rows(text):
            raise links.UnusableError("rows unusable", "budget")
    except (ParameterError, linked.LinkedError):
        key = "rows untold" if asked.startswith(linked.UNTOLD) else "rows unusable"
        raise links.UnusableError(key, "budget", lines=Count(linked.untold(asked))) from None
    return text
