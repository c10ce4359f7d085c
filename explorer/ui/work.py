"""Long work, asked for by a page: a thread of its own does it, a bar shows its progress, and a button stops it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar, cast

import streamlit as st

from explorer.host.pool import Job, Pool, Reader
from explorer.host.turns import turns
from explorer.ui import cache
from explorer.ui.caught import caught, waiting
from explorer.ui.sessionkeys import READER, STOPPED
from ldpcore.fingerprints import fingerprint
from ldpcore.questions import Progress, Question

Result = TypeVar("Result")
PLACE = "stage"  # where a page's main question is asked
PATIENCE = 0.4  # seconds that a page waits for an answer before it is drawn without
LOOK = 0.5  # seconds between two looks


@dataclass(frozen=True)
class Done(Generic[Result]):
    """The answer is there."""

    answer: Result


@dataclass(frozen=True)
class Waiting:
    """The answer will come: its progress, and whether it still waits for its turn."""

    share: float
    queued: bool


@dataclass(frozen=True)
class Stopped:
    """The reader has stopped the question."""


Outcome: TypeAlias = Done[Result] | Waiting | Stopped


def ask(
    question: Question[Result], scope: cache.Scope = "global", place: str = PLACE, needs: str = ""
) -> Outcome[Result]:
    """The answer, once it is there; its errors are raised here. A place holds one question at a time.

    Of all questions of the server that need one thing, one at a time is worked on.
    """
    key = fingerprint(question)
    kept = cache.kept(key, scope)
    if kept is not None:
        _pool().leave(_reader(), place)
        return Done(kept.answer)
    name = (key, _reader() if cache.private(scope) else None)  # nobody else waits for what derives from an upload
    outcome = _asked(name, question.run, place, needs)
    if isinstance(outcome, Done):
        cache.keep(key, outcome.answer, scope)
    return outcome


def carry_out(name: Hashable, chore: Callable[[Progress], Result], place: str, needs: str = "") -> Outcome[Result]:
    """The result of a chore of this reader's alone; nobody keeps it, so that the page takes it at once.

    Of all chores of the server that need one thing, one at a time is worked on.
    """
    return _asked((name, _reader()), chore, place, needs)


def _asked(
    name: tuple[Hashable, Reader | None], chore: Callable[[Progress], Result], place: str, needs: str = ""
) -> Outcome[Result]:
    """The result of a chore, if it is over; a stopped one stays so."""
    if _stopped().get(place) == name:
        return Stopped()
    _stopped().pop(place, None)
    before = _reader().jobs.get(place)
    job = _pool().ask(_reader(), place, name, chore, needs)
    with turns().aside():
        over = job is not None and job.over.wait(0.0 if job is before else PATIENCE)
    if job is None or not over:
        return _state(job)
    _pool().leave(_reader(), place)
    return Done(cast("Result", job.result()))  # for its work is the chore


def watch(*, working: str, queued: str, stop: str, place: str = PLACE) -> None:
    """Show a bar and a button, and ask for the page again as soon as the answer is there."""
    _look(working, queued, stop, place)


@st.fragment(run_every=LOOK)
def _look(working: str, queued: str, stop: str, place: str) -> None:
    job = _pool().hear(_reader(), place)
    coming = _pool().full(_reader()) if job is None else not job.over.is_set()
    if not coming or waiting():
        st.rerun()
    state = _state(job)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(state.share, queued if state.queued else working)
        st.button(stop, f"{place}_stop", on_click=_stop, args=(place,), icon=":material/stop_circle:")


@caught
def go_on(place: str = PLACE) -> None:
    """Take up the work that was stopped in this place; a button's callback."""
    _stopped().pop(place, None)


def forget() -> None:
    """Stop all work that this reader asked for: its data are about to be forgotten."""
    _pool().leave(_reader())
    _stopped().clear()


@caught
def _stop(place: str) -> None:
    job = _reader().jobs.get(place)
    if job is not None and not job.over.is_set():
        _stopped()[place] = job.name
        _pool().leave(_reader(), place)


def _state(job: Job | None) -> Waiting:
    return Waiting(0.0, True) if job is None else Waiting(job.share, job.queued)


@st.cache_resource(show_spinner=False)
def _pool() -> Pool:
    """The server's only pool."""
    return Pool()


def _reader() -> Reader:
    """The reader of this page."""
    reader = READER.get()
    if reader is None:
        READER.keep(reader := Reader())
    return reader


def _stopped() -> dict[str, Any]:
    """The questions that this reader has stopped, by place."""
    return STOPPED.held()
