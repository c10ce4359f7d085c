"""What must never happen, when it does: one sentence for the reader, the place for whoever keeps the server.

What is logged is where it happened and what kind of error it was, without any value: values may be a reader's.
"""

from __future__ import annotations

import logging
import traceback

import streamlit as st

from explorer.ui import links
from explorer.ui.language import catalogue


def tell(slug: str, problem: Exception) -> None:
    """Say that this page could not be shown, and offer the way back; everything that was entered stays."""
    calls = traceback.extract_tb(problem.__traceback__)
    places = " < ".join(f"{call.name} ({call.filename}:{call.lineno})" for call in reversed(calls[-6:]))
    logging.getLogger(__name__).error("%s on %s: %s", type(problem).__name__, slug, places)
    st.error(catalogue().label("frame.trouble"), icon=":material/error:")
    st.button(
        catalogue().label("app.reset"),
        "trouble",
        on_click=links.request,
        args=(slug, {}),
        icon=":material/restart_alt:",
    )
