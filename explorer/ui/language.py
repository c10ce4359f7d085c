"""The reader's language: chosen, asked for by the link, or preferred by the browser; and the catalogue in it."""

from __future__ import annotations

import threading

import streamlit as st

from explorer.text import languages, negotiate
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.text.conventions import PSEUDO
from explorer.ui import lecture
from explorer.ui.internals import current_run


class _Here(threading.local):
    """The last request of a run's thread, and the language found for it."""

    asked: tuple[object, str, str | None] | None = None
    language = ""


_HERE = _Here()


def language() -> str:
    """The language of this run, found out once for an address and a choice: a run asks for it fifty times."""
    run = current_run()
    if run is None:
        return _language()
    asked = run, run.query_string, lecture.chosen_language()
    if _HERE.asked != asked:
        _HERE.asked, _HERE.language = asked, _language()
    return _HERE.language


def _language() -> str:
    asked = lecture.spoken()
    return asked if asked in (*languages(), PSEUDO) else negotiate(st.context.locale, languages())


def catalogue() -> Catalogue:
    """All texts in the reader's language."""
    return catalogue_of(language())
