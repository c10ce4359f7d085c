"""The reader's language: chosen, asked for by the link, or preferred by the browser; and the catalogue in it."""

from __future__ import annotations

import streamlit as st

from explorer.text import languages, negotiate
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.text.conventions import PSEUDO
from explorer.ui import room


def language() -> str:
    """The language of this run."""
    asked = room.spoken()
    return asked if asked in (*languages(), PSEUDO) else negotiate(st.context.locale, languages())


def catalogue() -> Catalogue:
    """All texts in the reader's language."""
    return catalogue_of(language())
