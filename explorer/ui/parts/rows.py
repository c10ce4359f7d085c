"""A ledger of mixed releases as people type it: a box of lines that stays in the session, and what is wrong in it."""

from __future__ import annotations

import streamlit as st

from explorer.settings.budget import EXAMPLE, Budget
from explorer.text.escaping import markdown
from explorer.ui.page import Shown
from ldpcore.accounting.rows import MOST_LETTERS, Row, read_rows
from ldpcore.parameters import ParameterError

_TEXT, _KEPT = "_own_rows_text", "_own_rows"


def rows(shown: Shown, asked: Budget) -> tuple[Row, ...]:
    """The lines of the box; what cannot be read stays in it, one sentence says why, and the last ledger stays too."""
    st.session_state["_upload"] = shown.private = True  # what was typed stays in this session, with all that follows
    st.session_state.setdefault(_TEXT, EXAMPLE)
    text = st.text_area(
        shown.label("rows"),
        st.session_state[_TEXT],
        height=170,
        max_chars=MOST_LETTERS,
        key="budget_rows",
        help=shown.label("rows_help"),
    )
    st.session_state[_TEXT] = text
    try:
        read = st.session_state[_KEPT] = read_rows(text)
    except ParameterError as problem:
        st.error(markdown(shown.catalogue.refusal(problem)), icon=":material/block:")
        read = st.session_state.get(_KEPT, read_rows(EXAMPLE))
    return read
