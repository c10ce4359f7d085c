"""Errors in the callbacks of widgets: logged without values, and reported to the reader by the next run.

Streamlit calls a widget's callback before the page is built, and would show its own message instead of the page.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec

from explorer.ui.linkstate import answering
from explorer.ui.sessionkeys import RAISED

P = ParamSpec("P")
_DEEPEST = 6


def caught(callback: Callable[P, object]) -> Callable[P, None]:
    """A callback that never raises: the page is built with everything that was entered, and reports the error."""

    def careful(*given: P.args, **named: P.kwargs) -> None:
        with answering() as link:
            try:
                callback(*given, **named)
            except Exception as problem:  # Streamlit's own ways of ending a run are no exceptions of this kind
                note(problem, link.page)
                RAISED.keep(True)

    return careful if isinstance(callback, partial) else wraps(callback)(careful)  # which has no name to take on


def note(problem: BaseException, slug: str) -> None:
    """Log the place and the kind of an error, without any value: values may be a reader's."""
    logging.getLogger(__name__).error("%s on %s: %s", type(problem).__name__, slug, places(problem))


def places(problem: BaseException) -> str:
    """The functions on the stack of an error, the innermost first."""
    calls = traceback.extract_tb(problem.__traceback__)
    return " < ".join(f"{call.name} ({call.filename}:{call.lineno})" for call in reversed(calls[-_DEEPEST:]))


def waiting() -> bool:
    """Whether an error waits that no page has reported yet."""
    return RAISED.get()


def taken() -> bool:
    """Whether an error waits that no page has reported yet; asking takes it."""
    return RAISED.take()
