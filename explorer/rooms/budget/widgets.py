"""A ledger of mixed releases as people type it: a box of lines that stays in the session, and what is wrong in it.

A link carries what each line costs (its kind, level, δ and how often), and never what it is called.
"""

from __future__ import annotations

import streamlit as st

from explorer.rooms.budget.settings import EXAMPLE, Budget
from explorer.settings.typed import plain_number
from explorer.text.escaping import markdown
from explorer.ui import cache, links
from explorer.ui.sessionkeys import ROWS, ROWS_TEXT
from explorer.ui.shown import Shown
from ldpcore.accounting.lines import MOST_LETTERS, Row, read_rows
from ldpcore.parameters import ParameterError

_KEY, _LINKED = "budget_rows", "budget_ledger"
MOST_LINKED = 40  # lines that a link carries


def rows(shown: Shown, asked: Budget, first: tuple[Row, ...]) -> tuple[Row, ...]:
    """The lines of the box; what cannot be read stays in it, one sentence says why, and the last ledger stays too.

    Where the page has been set anew, what cannot be read gives way to the last ledger.
    """
    shown.private = cache.keep_private(True)  # what was typed stays in this session, with all that follows
    _arrived(shown)
    text, usable = ROWS.get() or (EXAMPLE, first)
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
            ROWS.keep((typed, usable))
        except ParameterError as problem:
            st.error(markdown(shown.catalogue.refusal(problem)), icon=":material/block:")
    links.record(_LINKED, _linked(usable), _linked(read_rows(EXAMPLE)))
    return usable


def _arrived(shown: Shown) -> None:
    """Keep the ledger that a link brings; a page that is set anew asks for none, and keeps the one that was typed."""
    asked = bool(links.asked_of(_LINKED))
    text = links.requested(_LINKED, shown.label("rows"), EXAMPLE, _worded, str)
    if asked and text:
        ROWS.keep((text, read_rows(text)))
        ROWS_TEXT.keep(text)
        links.put(_KEY, text)


def _worded(asked: str) -> str:
    """The lines of a link, as people type them."""
    text = asked[: 60 * MOST_LINKED].replace("|", "\n").replace(",", " ")
    try:
        if not read_rows(text):
            raise links.UnusableError("rows unusable", "budget")
    except ParameterError:
        key = "rows untold" if text.startswith("own-") else "rows unusable"
        raise links.UnusableError(key, "budget") from None
    return text


def _linked(lines: tuple[Row, ...]) -> str:
    """Lines as a link says them; of too many only how many there are."""
    if len(lines) > MOST_LINKED:
        return f"own-{len(lines)}"
    return "|".join(_line(row) for row in lines)


def _line(row: Row) -> str:
    """What a line costs, without its name."""
    delta = [plain_number(row.delta)] if row.delta else []
    times = [f"x{row.times}"] if row.times > 1 else []
    return ",".join([row.kind, plain_number(row.epsilon), *delta, *times])
