"""What must never happen, when it does: one sentence for the reader, the place for whoever keeps the server.

What is logged is where it happened and what kind of error it was, without any value: values may be a reader's.
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
    """Say that an answer of the reader's could not be used, where one could not; the page stands as it did."""
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
    """What no page has told, as Streamlit hands it to `streamlit.App`; whether its own message is to be left out."""
    links.touch()
    _tell(links.page(), problem, "last")  # the page may have told another before it
    return True


class Valueless(logging.Filter):
    """Takes out of the log what was raised, which may hold a reader's values, and leaves its kind and its place."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Keep the record, without what was raised."""
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
