"""An unexpected error: one sentence for the reader, its place for the operator of the server.

The log holds its place and its kind, without any value: values may be a reader's.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

import streamlit as st

from explorer.ui import internals, links
from explorer.ui.caught import caught, note, places, taken
from explorer.ui.language import catalogue


def tell(slug: str, problem: Exception) -> None:
    """Say that this page could not be shown, and offer the way back; everything that was entered stays."""
    _tell(slug, problem, "trouble")


def tell_caught(slug: str, place: Any) -> None:
    """Say that an answer of the reader's could not be used, where one failed; the page stands as it did."""
    if taken():
        _say(slug, "caught", place, "caught")


def _tell(slug: str, problem: Exception, button: str) -> None:
    note(problem, slug)
    taken()  # once is enough
    _say(slug, "trouble", st.container(), button)


def _say(slug: str, key: str, place: Any, button: str) -> None:
    place.error(catalogue().label(f"frame.{key}"), icon=":material/error:")
    label, icon = catalogue().label("app.reset"), ":material/restart_alt:"
    with suppress(internals.key_taken()):  # another part of the page has offered it already
        place.button(label, button, on_click=caught(links.request), args=(slug, {}), icon=icon)


def last(problem: Exception) -> bool:
    """Log an error that no page has told, as Streamlit hands it to `streamlit.App`; whether its message is left out."""
    links.touch()
    _tell(links.page(), problem, "last")  # the page may have told another before it
    return True


class Valueless(logging.Filter):
    """A filter of the log that removes raised errors, which may hold a reader's values, but keeps kind and place."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, without the error that was raised."""
        problem = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if problem is not None:
            record.msg, record.args = "%s: %s: %s", (record.msg, type(problem).__name__, places(problem))
            record.exc_info = record.exc_text = None
        return True


def listen(logger: str = internals.LOG_OF_ERRORS) -> None:
    """Let Streamlit's log of what a page raised hold no values."""
    kept = logging.getLogger(logger)
    if not any(isinstance(each, Valueless) for each in kept.filters):
        kept.addFilter(Valueless())
