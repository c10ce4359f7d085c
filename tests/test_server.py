"""Every answer has the headers, a path of several names is one page's, and a session has one uploaded file."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from typing import Any

import pytest

from explorer.host.inbox import Inbox
from explorer.host.server import Closed, Depth, Headers, OneFile, headers, inline_scripts, policy
from tools.serving import ROOT


class Inside:
    """The server behind a layer: notes what it is asked for, and answers."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append((scope["method"], scope["path"]))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-content-type-options", b"sniff")]})
        await send({"type": "http.response.body", "body": b""})


def asked(layer: Any, method: str, path: str, query: bytes = b"") -> dict[str, Any]:
    """How a layer answers."""
    messages: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": []}
    asyncio.run(layer(scope, receive, send))
    return messages[0]


def test_every_answer_has_each_header_once() -> None:
    answer = asked(Headers(Inside()), "GET", "/")
    names = [name for name, _ in answer["headers"]]
    assert len(names) == len(set(names)) and dict(answer["headers"])[b"x-content-type-options"] == b"nosniff"
    assert b"content-security-policy" in names


def test_no_other_site_may_frame_the_app_unless_it_is_named() -> None:
    assert policy().endswith("frame-ancestors 'self'")
    site = dict(headers("https://moodle.example.org"))[b"content-security-policy"].decode()
    assert site.endswith("frame-ancestors 'self' https://moodle.example.org")


def test_no_text_becomes_code_and_nothing_comes_from_elsewhere() -> None:
    assert "unsafe-eval" not in policy() and "http" not in policy() and "*" not in policy()
    (scripts,) = (part for part in policy().split("; ") if part.startswith("script-src"))
    assert "unsafe-inline" not in scripts and len(inline_scripts()) >= 1


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/counting/deep", "/counting_deep"),
        ("/a/b/c", "/a_b_c"),
        ("//evil.example/x", "/evil_example_x"),
        ("/counting/%0d%0ax", "/counting__0d_0ax"),
    ],
)
def test_a_path_of_several_names_becomes_one_which_no_page_has(path: str, name: str) -> None:
    inside = Inside()
    answer = asked(Depth(inside), "GET", path, b"epsilon=1")
    assert answer["status"] == 307 and dict(answer["headers"])[b"location"] == name.encode() + b"?epsilon=1"
    assert not inside.asked


@pytest.mark.parametrize(
    "path", ["/", "/counting", "/counting/", "/_stcore/health", "/app/static/x.gz", "/static/js/a.js"]
)
def test_a_path_that_is_served_is_left_alone(path: str) -> None:
    inside = Inside()
    assert asked(Depth(inside), "GET", path)["status"] == 200 and inside.asked


def test_below_another_path_the_same_holds() -> None:
    inside = Inside()
    layer = Depth(inside, "ldp")
    assert asked(layer, "GET", "/ldp/counting")["status"] == 200
    assert dict(asked(layer, "GET", "/ldp/counting/deep")["headers"])[b"location"] == b"/ldp/counting_deep"


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/ldp/_stcore/metrics", "//_stcore/metrics/"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_the_server_s_figures_are_closed_unless_they_are_opened(path: str, method: str) -> None:
    inside = Inside()
    assert asked(Closed(inside), method, path)["status"] == 404 and not inside.asked
    assert asked(Closed(inside, opened=True), method, path)["status"] == 200 and inside.asked


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/host-config", "/counting"])
def test_what_is_no_figure_of_the_server_stays_open(path: str) -> None:
    inside = Inside()
    assert asked(Closed(inside), "GET", path)["status"] == 200 and inside.asked


async def answered(layer: Any, method: str, path: str, body: bytes = b"") -> dict[str, Any]:
    """How a layer answers what is sent in pieces; what it does by and by is done then."""
    messages: list[dict[str, Any]] = []
    pieces = [body[place : place + 100] for place in range(0, len(body), 100)] or [b""]

    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0)  # others send at the same time
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: dict[str, Any]) -> None:
        messages.append(message)

    headers = [(b"cookie", b"known"), (b"content-length", b"%d" % len(body))]
    await layer(
        {"type": "http", "method": method, "path": path, "query_string": b"", "headers": headers}, receive, send
    )
    await asyncio.sleep(0.01)
    return messages[0]


class Store(Inside):
    """The server's memory: what was sent, by its path, with the headers that came when it went."""

    def __init__(self, status: int = 204) -> None:
        super().__init__()
        self.status, self.held, self.gone = status, dict[str, bytes](), dict[str, Any]()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append((scope["method"], scope["path"]))
        if scope["method"] == "DELETE":
            self.held.pop(scope["path"], None)
            self.gone[scope["path"]] = dict(scope["headers"])
        else:
            body, more = b"", True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionError
                body, more = body + message["body"], message["more_body"]
            if self.status < 400:
                self.held[scope["path"]] = body
        await send({"type": "http.response.start", "status": self.status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


PLACE = "/_stcore/upload_file/"


def test_whoever_uploads_another_file_takes_the_one_before_away() -> None:
    store, kept = Store(), Inbox()

    async def sent() -> None:
        layer = OneFile(store, kept)
        for session, file in (("s", "1"), ("s", "2"), ("t", "3"), ("s", "2"), ("s", "4")):
            await answered(layer, "PUT", f"{PLACE}{session}/{file}", b"a,b")

    asyncio.run(sent())
    assert store.held == {f"{PLACE}t/3": b"a,b", f"{PLACE}s/4": b"a,b"} and kept.size == 6
    assert store.gone[f"{PLACE}s/1"] == {b"cookie": b"known"}  # as the same reader's browser would ask


def test_a_file_that_a_page_has_read_leaves_the_servers_memory() -> None:
    store, kept = Store(), Inbox()

    async def sent() -> None:
        layer = OneFile(store, kept)
        await answered(layer, "PUT", f"{PLACE}s/1", b"a,b")
        await answered(layer, "PUT", f"{PLACE}t/2", b"c,d")
        await asyncio.to_thread(kept.read, "1")  # as a page does, whose thread is another
        await asyncio.sleep(0.01)

    asyncio.run(sent())
    assert store.held == {f"{PLACE}t/2": b"c,d"} and kept.size == 3
    kept.read("nothing")  # that no server has


def test_where_files_are_too_much_together_the_oldest_gives_way_even_while_it_arrives() -> None:
    store, kept = Store(), Inbox(most=1000)

    async def sent() -> None:
        layer = OneFile(store, kept)
        for session in "abc":
            await answered(layer, "PUT", f"{PLACE}{session}/1", b"x" * 400)
        await asyncio.gather(*(answered(layer, "PUT", f"{PLACE}{session}/2", b"x" * 700) for session in "de"))

    asyncio.run(sent())
    assert sum(map(len, store.held.values())) <= 1000 and kept.size <= 1000
    assert f"{PLACE}a/1" in store.gone and f"{PLACE}e/2" in store.held


def test_a_file_that_gives_way_is_taken_in_answered_and_told_to_its_reader_alone() -> None:
    store, kept = Store(), Inbox(most=1000)

    async def sent() -> list[Any]:
        layer = OneFile(store, kept)
        await answered(layer, "PUT", f"{PLACE}a/1", b"x" * 400)
        both = (answered(layer, "PUT", f"{PLACE}{session}/2", b"x" * 700) for session in "de")
        return await asyncio.gather(*both)

    answers = asyncio.run(sent())
    assert [answer["status"] for answer in answers] == [204, 204]
    assert set(store.held) == {f"{PLACE}e/2"}
    assert {session: kept.gave_way(session) for session in "abde"} == {"a": True, "b": False, "d": True, "e": False}
    assert not any(kept.gave_way(session) for session in "abde")  # told once


def test_whoever_sends_again_is_not_told_of_the_file_before() -> None:
    store, kept = Store(), Inbox(most=1000)

    async def sent() -> None:
        layer = OneFile(store, kept)
        for session, file in (("a", "1"), ("b", "2"), ("a", "3")):
            await answered(layer, "PUT", f"{PLACE}{session}/{file}", b"x" * 600)

    asyncio.run(sent())
    assert not kept.gave_way("a") and kept.gave_way("b")


def test_a_page_that_fails_while_a_file_arrives_is_no_file_that_gave_way() -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        raise RuntimeError("no")

    kept = Inbox()
    with pytest.raises(RuntimeError, match="no"):
        asyncio.run(answered(OneFile(failing, kept), "PUT", f"{PLACE}s/1", b"a,b"))
    assert kept.size == 0 and not kept.gave_way("s")


def test_what_waits_goes_with_the_session() -> None:
    store, kept = Store(), Inbox()
    box = kept.box("s")

    async def sent() -> None:
        nonlocal box
        layer = OneFile(store, kept)
        for session in "st":
            await answered(layer, "PUT", f"{PLACE}{session}/1", b"a,b")
        del box
        gc.collect()
        await asyncio.sleep(0.01)

    asyncio.run(sent())
    assert set(store.held) == {f"{PLACE}t/1"} and kept.size == 3


def test_what_is_refused_or_deleted_takes_no_room() -> None:
    store, kept = Store(status=413), Inbox()
    asyncio.run(answered(OneFile(store, kept), "PUT", f"{PLACE}s/1", b"a,b"))
    assert kept.size == 0
    store.status = 204

    async def sent() -> None:
        layer = OneFile(store, kept)
        await answered(layer, "PUT", f"{PLACE}s/1", b"a,b")
        assert kept.size == 3
        await answered(layer, "DELETE", f"{PLACE}s/1")

    asyncio.run(sent())
    assert kept.size == 0 and not store.held


ON_DISK = """
import asyncio, app, tempfile  # the app as the server has it before it answers anybody
from starlette.requests import Request

def on_disk(*given, **named):
    raise AssertionError("a file on disk")

tempfile.TemporaryFile = on_disk
head = b'--x\\r\\nContent-Disposition: form-data; name="f"; filename="a.csv"\\r\\n\\r\\n'
body = head + b"1,2\\n" * (5 << 18) + b"\\r\\n--x--\\r\\n"

async def receive():
    return {"type": "http.request", "body": body, "more_body": False}

async def size():
    kind = [(b"content-type", b"multipart/form-data; boundary=x")]
    async with Request({"type": "http", "method": "PUT", "path": "/", "headers": kind}, receive).form() as fields:
        return len(await fields["f"].read())

print(asyncio.run(size()))
"""


def test_an_upload_is_never_on_disk() -> None:
    process = subprocess.run(
        [sys.executable, "-c", ON_DISK], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert process.stdout.split() == [str(5 << 20)]
