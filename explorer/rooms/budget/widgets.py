"""A ledger of mixed releases as people type it: a box of lines that stays in the session, and what is wrong in it."""

from __future__ import annotations

import streamlit as st

from explorer.rooms.budget.settings import EXAMPLE, Budget
from explorer.text.escaping import markdown
from explorer.ui import cache, links
from explorer.ui.sessionkeys import ROWS, ROWS_TEXT
from explorer.ui.shown import Shown
from ldpcore.accounting.lines import MOST_LETTERS, Row, read_rows
from ldpcore.parameters import ParameterError

_KEY = "budget_rows"


def rows(shown: Shown, asked: Budget, first: tuple[Row, ...]) -> tuple[Row, ...]:
    """The lines of the box; what cannot be read stays in it, one sentence says why, and the last ledger stays too.

    Where the page has been set anew, what cannot be read gives way to the last ledger.
    """
    shown.private = cache.keep_private(True)  # what was typed stays in this session, with all that follows
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
    if typed == text:
        return usable
    try:
        usable = read_rows(typed)
        ROWS.keep((typed, usable))
    except ParameterError as problem:
        st.error(markdown(shown.catalogue.refusal(problem)), icon=":material/block:")
    return usable
