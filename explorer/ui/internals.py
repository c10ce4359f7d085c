"""Streamlit's inside: whatever the app takes from there, with a substitute where a version has it elsewhere or not yet.

Nothing else goes past Streamlit's front door. A feature is asked for, never a version: `tests/test_internals.py` names
each one, says in a sentence which of them has moved, and shows the pages where all of them have.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import logging
from collections.abc import Callable
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeVar, cast

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.errors import StreamlitAPIException

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

PATIENCE = 5.0  # seconds for an answer
LOG_OF_CACHES = "streamlit.runtime.caching.cache_data_api"  # where it says that no server is there yet
LOG_OF_ERRORS = "streamlit.error_util"  # where Streamlit logs what a page has raised
NO_PART = "none"  # an id that no part of a page has
PARTS = "fragment_ids_this_run"  # what Streamlit calls the parts that run again
FEWER = 4  # times fewer answers are kept where their size cannot be bounded
Given = ParamSpec("Given")
Returned = TypeVar("Returned", covariant=True)
PageCopied = TypeVar("PageCopied")


class Run(Protocol):
    """The identity of a run: whose it is, and at which address; the same object from its first line to its last."""

    session_id: str
    query_string: str


def current_run() -> Run | None:
    """The run of this thread; none outside of one, or where Streamlit tells nobody: then nothing is remembered."""
    told = _teller()
    return told() if told is not None else None


@cache
def _teller() -> Callable[[], Run | None] | None:
    """The function that tells the run of a thread, as Streamlit's guide to threads documents it."""
    try:
        from streamlit.runtime.scriptrunner import get_script_run_ctx
    except ImportError:
        return None
    return partial(get_script_run_ctx, suppress_warning=True)


def has_reader() -> bool:
    """Whether a page is run for somebody, and not imported by a test or a script; in a server, if runs are not told."""
    return current_run() is not None if _teller() is not None else st.runtime.exists()


async def expire() -> None:
    """Let go of every session whose time is over: nobody comes, is answered, leaves, and is forgotten at once.

    Streamlit looks for them when it stores another one, that is when somebody else leaves, and at no other time; and
    the loop that sends its messages holds on to the last reader whom it has sent some. So on a server that nobody
    visits any more the tables of its last readers would stay for hours, as they do where Streamlit lets nobody in.
    To be awaited on the server's event loop.
    """
    try:
        from streamlit.proto.BackMsg_pb2 import BackMsg
        from streamlit.runtime import RuntimeState, exists, get_instance
    except ImportError:
        return
    opened = (RuntimeState.NO_SESSIONS_CONNECTED, RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED)
    if not exists() or get_instance().state not in opened:
        return
    runtime, nobody = get_instance(), _Nobody()
    session = runtime.connect_session(nobody, {})
    try:
        runtime.handle_backmsg(session, BackMsg(app_heartbeat=True))
        await asyncio.wait_for(nobody.answered.wait(), PATIENCE)
    finally:
        runtime.disconnect_session(session)  # it is stored, and there Streamlit looks
        runtime.close_session(session)


class _Nobody:
    """A reader for whom no page is run; notes that an answer has come."""

    client_context: None = None

    def __init__(self) -> None:
        self.answered = asyncio.Event()

    def write_forward_msg(self, msg: Any) -> None:
        self.answered.set()


class RememberedFunction(Protocol[Given, Returned]):
    """A function whose answers are kept."""

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Returned:
        """Look the answer up, or compute and keep it."""

    def clear(self) -> None:
        """Drop the kept values: all of them, or all of this session."""


def bounded_cache(
    most: int, size: str, scope: Literal["global", "session"] = "global"
) -> Callable[[Callable[Given, Returned]], RememberedFunction[Given, Returned]]:
    """Streamlit's cache of what a function returns, at most so many answers, and of this size together.

    Streamlit bounds the size from 1.67 on; before, a quarter of the answers is kept. Where it has no server yet, it
    says so in a line that nobody can act on, and checks the bounds all the same.
    """
    bounds: dict[str, Any] = {"max_entries": most, "max_size": size}
    if "max_size" not in inspect.signature(st.cache_data).parameters:
        bounds = {"max_entries": most // FEWER}
    logging.getLogger(LOG_OF_CACHES).addFilter(_is_of_use)
    remembering: object = st.cache_data(show_spinner=False, scope=scope, **bounds)
    return cast(Callable[[Callable[Given, Returned]], RememberedFunction[Given, Returned]], remembering)


def _is_of_use(record: logging.LogRecord) -> bool:
    return not str(record.msg).startswith("No runtime found")


def component(
    name: str, *, html: str, js: str, css: str | None = None, isolate_styles: bool = True
) -> Callable[..., None]:
    """A component of ours, to be mounted by calling it.

    It is registered where its module is imported, which may be before Streamlit's server is there; from 1.66 on
    Streamlit then registers it with the server by itself, and where it does not, it is registered once more.
    """
    register = partial(st.components.v2.component, name, html=html, css=css, js=js, isolate_styles=isolate_styles)
    registered = register()

    def mount(**given: Any) -> None:
        try:
            registered(**given)
        except StreamlitAPIException:  # whatever else was wrong is still wrong, and is raised once more
            register()(**given)

    return mount


def own_copy(page: PageCopied) -> PageCopied:
    """A page of this run's own, for Streamlit notes in it that it may run; `copy` takes six times as long."""
    try:
        twin = object.__new__(type(page))
        vars(twin).update(vars(page))
    except TypeError:  # it keeps its fields elsewhere
        return copy.copy(page)
    return twin


def key_taken() -> type[Exception]:
    """The error that Streamlit raises where another part of the page has a button of this key."""
    try:
        from streamlit.errors import StreamlitDuplicateElementKey
    except ImportError:
        return StreamlitAPIException
    return StreamlitDuplicateElementKey


def keep_uploads_in_memory(most: int) -> None:
    """Let an upload of at most `most` bytes never be on disk."""
    MultiPartParser.spool_max_size = most


def keep_what_is_unsent() -> None:
    """Let a part of a page that runs again drop nothing that its browser has not been sent yet.

    Streamlit drops what the part has drawn, for it comes anew, and then sends first what stands below it: a browser to
    which the page is new has no place for that, and stays blank.
    """
    try:
        from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
    except ImportError:
        return
    cleared = vars(ForwardMsgQueue).get("clear")
    if cleared is None or PARTS not in (signature := inspect.signature(cleared)).parameters:
        return

    def clear(queue: ForwardMsgQueue, *given: Any, **named: Any) -> None:
        bound = signature.bind(queue, *given, **named)
        if bound.arguments.get(PARTS):
            bound.arguments[PARTS] = [NO_PART]
        cleared(*bound.args, **bound.kwargs)

    ForwardMsgQueue.clear = clear  # type: ignore[method-assign, assignment]


def look_once() -> None:
    """Let Streamlit's tester look through the installed packages once, and compile a page once, not for each view."""
    try:
        from streamlit.components.v2 import manifest_scanner as scanner
        from streamlit.testing.v1 import local_script_runner as runner
    except ImportError:
        return
    for module, name in ((scanner, "scan_component_manifests"), (runner, "ScriptCache")):
        kept = vars(module)
        if name in kept and not isinstance(kept[name], type(_teller)):
            kept[name] = lru_cache(1)(kept[name])


def tester(app: Path, patience: float) -> AppTest:
    """A session without a screen, by Streamlit's own tester: it takes the place of a server, and none may run."""
    from streamlit.testing.v1 import AppTest

    if st.runtime.exists():
        raise RuntimeError("no server may run in the process that opens views without a screen")
    look_once()
    return AppTest.from_file(str(app), default_timeout=patience)
