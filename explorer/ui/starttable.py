"""The table that was named when the app was started: for the reader who opens the address that the command printed.

The address carries a word that nobody else knows, so that other readers of the same server never meet the table. It is
good for one session: a browser keeps addresses. The file is read where it lies; nothing of it is written anywhere.
"""

from __future__ import annotations

import os
from hmac import compare_digest
from pathlib import Path

import streamlit as st

from explorer.facts import Name
from explorer.ui import session
from explorer.ui.language import catalogue
from explorer.ui.unread import Unread

TABLE, TOKEN = "LDP_EXPLORER_TABLE", "LDP_EXPLORER_TABLE_TOKEN"  # as `ldp_explorer.command` sets them
PARAMETER = "table"


def take() -> None:
    """Read the table if this address may have it; one sentence above the page says why a file cannot be used."""
    token, asked = os.environ.get(TOKEN, ""), st.query_params.get(PARAMETER)
    if not token or asked is None:
        return
    del st.query_params[PARAMETER]
    if not compare_digest(asked.encode(), token.encode()) or session.own() is not None:
        return
    from explorer.ui import uploads  # only here: no other address reads a file

    path = Path(os.environ[TABLE])
    try:
        raw = path.read_bytes()
    except OSError:
        st.error(catalogue().markdown(None, "own.start_unreadable", {"name": Name(path.name)}))
        return
    with st.spinner(catalogue().label("own.reading")):
        found = uploads.parsed(raw, path.name, None)
    if isinstance(found, Unread):
        st.error(uploads.worded(found.problem))
    else:
        session.keep(*found)
        os.environ.pop(TOKEN, None)
