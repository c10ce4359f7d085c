"""Streamlit's inside: what the app takes from there is there, or what stands in for it shows the same pages."""

from __future__ import annotations

import ast
import asyncio
import gc
import importlib
import inspect
import logging
import re
import sys
import weakref
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import errors
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from explorer.ui import internals
from tests.clocks import PATIENCE
from tests.rationing import ALL
from tests.screens.opening import answer, opened

ROOT = Path(__file__).resolve().parent.parent

# What is taken from inside Streamlit: what for, and what becomes of the app without it.
TAKEN = {
    "streamlit.runtime.scriptrunner.get_script_run_ctx": (
        "whose run this is and at which address",
        "what a run has found out is found out again, which is slow, and nobody is told that a file gave way",
    ),
    "streamlit.runtime.get_instance": (
        "to let sessions go whose time is over",
        "the tables of the last readers stay until somebody else leaves",
    ),
    "streamlit.runtime.exists": (
        "to see whether there is a server",
        "the tables of the last readers stay until somebody else leaves",
    ),
    "streamlit.runtime.RuntimeState": (
        "to see whether somebody can come",
        "the tables of the last readers stay until somebody else leaves",
    ),
    "streamlit.proto.BackMsg_pb2.BackMsg": (
        "what a browser says so that it is answered",
        "the tables of the last readers stay until somebody else leaves",
    ),
    "streamlit.testing.v1.AppTest": (
        "to open views without a screen",
        "no tour is made to one file, and no view of a link: the app says why",
    ),
    "streamlit.errors.StreamlitDuplicateElementKey": (
        "to offer the way back from trouble once",
        "whatever else Streamlit says against the button is passed over too",
    ),
    "streamlit.errors.StreamlitAPIException": (
        "to see that a component is not registered with this server",
        "the app does not start: say in explorer/ui/internals.py what Streamlit raises now",
    ),
    "streamlit.error_util.handle_uncaught_app_exception": (
        "where Streamlit logs what a page has raised",
        "its log may hold values of readers: give explorer/ui/internals.py the name of the logger",
    ),
    "starlette.formparsers.MultiPartParser.spool_max_size": (
        "to keep an upload in memory",
        "uploads above a megabyte are on the server's disk for a moment",
    ),
    "streamlit.runtime.forward_msg_queue.ForwardMsgQueue.clear": (
        "to send all that a page has drawn in its order",
        "a page that is touched while it comes may stay blank",
    ),
    "streamlit.components.v2.manifest_scanner.scan_component_manifests": (
        "to look through the installed packages once",
        "each view that is opened without a screen takes most of a second more",
    ),
    "streamlit.testing.v1.local_script_runner.ScriptCache": (
        "to compile a page once",
        "each view that is opened without a screen takes a moment more",
    ),
    "streamlit.components.v2.component": ("what is drawn in the browser", "no page is shown"),
    "streamlit.App": ("the layers around the server", "phones, figures and uploads are not served"),
}


def missing(name: str) -> bool:
    """Whether a dotted name leads to nothing."""
    parts = name.split(".")
    for place in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:place]))
        except ImportError:
            continue
        try:
            for part in parts[place:]:
                found = inspect.getattr_static(found, part)
        except AttributeError:
            return True
        return False
    return True


def moved(name: str) -> str:
    """What to say of a name that is not there; empty where it is."""
    why, without = TAKEN[name]
    return f"Streamlit {st.__version__} has no {name} any more ({why}): {without}." if missing(name) else ""


def test_everything_that_is_taken_is_named_here() -> None:
    tree = ast.parse(Path(internals.__file__).read_text(encoding="utf-8"))
    taken = {
        f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("streamlit", "starlette")
        for alias in node.names
    }
    assert len(taken) > 5 and not {each for each in taken if not any(name.startswith(each) for name in TAKEN)}


@pytest.mark.parametrize("name", TAKEN)
def test_what_the_app_takes_from_inside_streamlit_is_there(name: str) -> None:
    assert not moved(name), moved(name)


def test_what_has_moved_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(errors, "StreamlitDuplicateElementKey")
    said = moved("streamlit.errors.StreamlitDuplicateElementKey")
    assert said.startswith(f"Streamlit {st.__version__} has no streamlit.errors.StreamlitDuplicateElementKey any more")
    assert missing("streamlit.nothing.BackMsg") and missing("nothing.at.all") and not missing("streamlit.App")


def test_every_log_of_what_a_page_has_raised_is_the_one_that_holds_no_values() -> None:
    assert internals.LOG_OF_ERRORS in logging.root.manager.loggerDict


def test_a_large_upload_is_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1)
    internals.keep_uploads_in_memory(60 << 20)
    assert MultiPartParser.spool_max_size == 60 << 20


def drawn(path: list[int], part: str = "") -> ForwardMsg:
    """A message that draws an element in its place, which belongs to a part of the page or to none."""
    message = ForwardMsg()
    message.metadata.delta_path.extend(path)
    message.delta.new_element.markdown.body = part
    message.delta.fragment_id = part
    return message


def test_a_part_that_runs_again_drops_nothing_that_is_unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements below a part never come before it: a browser to which the page is new has no place for them."""
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)
    internals.keep_what_is_unsent()
    queue = ForwardMsgQueue()
    for message in (drawn([0, 0]), drawn([0, 1], "part"), drawn([0, 2])):
        queue.enqueue(message)
    queue.clear(retain_lifecycle_msgs=True, fragment_ids_this_run=["part"])
    queue.enqueue(drawn([0, 1], "part"))
    assert [list(each.metadata.delta_path) for each in queue.flush()] == [[0, 0], [0, 1], [0, 2], [0, 1]]
    queue.enqueue(drawn([0, 0]))
    queue.clear(retain_lifecycle_msgs=True)
    assert queue.is_empty()


@pytest.fixture
def moved_away(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Streamlit without anything for which something stands in."""
    internals._teller.cache_clear()
    for module in ("streamlit.runtime.scriptrunner", "streamlit.proto.BackMsg_pb2"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delattr(errors, "StreamlitDuplicateElementKey")
    yield
    internals._teller.cache_clear()


def shown(slug: str) -> tuple[str, list[str]]:
    app: AppTest = opened(slug, epsilon="0.3")
    assert not app.exception and not app.error
    return answer(app), [element.proto.component_name for element in app.get("bidi_component")]


def test_a_page_says_the_same_where_everything_inside_streamlit_has_moved(request: pytest.FixtureRequest) -> None:
    as_it_is = shown("counting")
    request.getfixturevalue("moved_away")
    assert internals.current_run() is None
    assert shown("counting") == as_it_is
    assert internals.key_taken() is errors.StreamlitAPIException
    asyncio.run(internals.expire())


def test_without_a_server_no_page_is_run_wherever_the_run_is_told(
    moved_away: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(st.runtime, "exists", lambda: False)
    assert not internals.has_reader()


DRAWN = re.compile(r"""data-testid="?(st[A-Z][\w-]+)|(?<![\w-])\.(st[A-Z]\w+)""")
ATTRIBUTES = ("data-collapsed", "data-tag-index", "data-test-connection-state")
BEFORE = {"data-collapsed": "aria-expanded"}  # what an older Streamlit says instead, which our styles hear too


@cache
def named_in_the_browser() -> frozenset[str]:
    """The names of elements and classes, and the attributes, in the scripts that Streamlit sends to the browser."""
    scripts = (Path(st.__file__).parent / "static").rglob("*.js")
    found = re.compile(rf"""["'`](st[A-Z]\w*-?)|({"|".join([*ATTRIBUTES, *BEFORE.values()])})""")
    return frozenset(
        name for script in scripts for pair in found.findall(script.read_text(encoding="utf-8")) for name in pair
    )


def unknown_to_the_browser(text: str) -> set[str]:
    """Which elements of Streamlit's a style or script of ours looks for, though Streamlit draws none of that name."""
    asked = {name for pair in DRAWN.findall(text) for name in pair if name}
    return {each for each in asked if not {each, f"{each.partition('-')[0]}-"} & named_in_the_browser()}


def test_streamlit_draws_what_our_styles_and_scripts_look_for() -> None:
    ours = [path for path in (ROOT / "explorer" / "ui").rglob("*") if path.suffix in (".css", ".js", ".py")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in ours}
    assert sum(len(DRAWN.findall(text)) for text in texts.values()) > 40
    lost = {name: gone for name, text in texts.items() if (gone := unknown_to_the_browser(text))}
    assert not lost, f"Streamlit {st.__version__} draws no such element: {lost}"
    silent = {each for each in ATTRIBUTES if not {each, BEFORE.get(each, each)} & named_in_the_browser()}
    assert not silent, f"Streamlit {st.__version__} says no {silent} of its elements"


def test_an_element_that_streamlit_does_not_draw_is_found() -> None:
    assert unknown_to_the_browser('[data-testid="stBaseButton-primary"], .stApp, .stAppp {}') == {"stAppp"}


def test_where_the_size_of_a_cache_cannot_be_bounded_fewer_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, object]] = []

    def without_size(*, max_entries: int, show_spinner: bool, scope: str) -> object:
        given.append({"max_entries": max_entries, "scope": scope})
        return lambda function: function

    def with_size(*, max_entries: int, max_size: str, show_spinner: bool, scope: str) -> object:
        given.append({"max_entries": max_entries, "max_size": max_size, "scope": scope})
        return lambda function: function

    for offered in (without_size, with_size):
        monkeypatch.setattr(st, "cache_data", offered)
        assert internals.bounded_cache(512, "256MB")(str)(1) == "1"
    assert given == [
        {"max_entries": 128, "scope": "global"},
        {"max_entries": 512, "max_size": "256MB", "scope": "global"},
    ]


def test_a_component_that_the_server_does_not_know_is_registered_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As up to 1.65, where what was registered before the server was there is unknown to it."""
    servers, mounted = [set[str]()], list[object]()

    def registered(name: str, **_: object) -> object:
        server = servers[-1]
        server.add(name)

        def mount(*, data: object) -> None:
            if name not in servers[-1]:
                raise errors.StreamlitAPIException(f"Component '{name}' is not registered.")
            mounted.append(data)

        return mount

    monkeypatch.setattr(st.components.v2, "component", registered)
    drawn = internals.component("ldp_box", html="<p></p>", js="")
    drawn(data=1)
    servers.append(set())
    drawn(data=2)
    assert mounted == [1, 2] and servers == [{"ldp_box"}, {"ldp_box"}]


def test_a_page_that_keeps_its_fields_elsewhere_is_copied_too() -> None:
    class Slotted:
        __slots__ = ("title",)

    page = Slotted()
    page.title = "Counting"
    twin = internals.own_copy(page)
    assert twin is not page and twin.title == "Counting"
    assert vars(internals.own_copy(st.Page(lambda: None, title="A", url_path="a")))


class Reader(internals._Nobody):
    """A reader who is sent messages, and leaves."""


async def left_behind(look: Callable[[], Awaitable[None]]) -> tuple[bool, bool]:
    """Whether a session whose time is over is held by a server of Streamlit's, before somebody looks and after."""
    config = RuntimeConfig(
        script_path=str(ROOT / "app.py"),
        media_file_storage=MemoryMediaFileStorage("/media"),
        uploaded_file_manager=MemoryUploadedFileManager("/upload"),
        session_storage=MemorySessionStorage(ttl_seconds=0),
    )
    runtime = Runtime(config)
    try:
        await runtime.start()
        reader = Reader()
        session = runtime.connect_session(reader, {})
        held = weakref.ref(runtime._session_mgr.get_session_info(session).session)
        runtime.handle_backmsg(session, BackMsg(app_heartbeat=True))
        await asyncio.wait_for(reader.answered.wait(), PATIENCE)
        runtime.disconnect_session(session)
        await asyncio.sleep(0)
        gc.collect()
        before = held() is not None
        await look()
        gc.collect()
        return before, held() is not None
    finally:
        runtime.stop()
        await runtime.stopped
        Runtime._instance = None


async def nobody_looks() -> None:
    """Leave everything as it is."""


def test_the_last_reader_of_a_server_is_forgotten_though_nobody_comes_after() -> None:
    assert asyncio.run(left_behind(internals.expire)) == (True, False)
    if ALL:
        assert asyncio.run(left_behind(nobody_looks)) == (True, True)
