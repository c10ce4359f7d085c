"""The reader's language: chosen, asked for by the link, or preferred by the browser; and the catalogue in it."""

from __future__ import annotations

import streamlit as st

from explorer.text import languages, negotiate
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.text.conventions import PSEUDO


def language() -> str:
    """The language of this run."""
    state, offered = st.session_state, (*languages(), PSEUDO)
    if state.get("lang") not in offered:
        asked = st.query_params.get("lang", "")
        state["lang"] = asked if asked in offered else negotiate(st.context.locale, languages())
    return str(state["lang"])


def catalogue() -> Catalogue:
    """All texts in the reader's language."""
    return catalogue_of(language())
