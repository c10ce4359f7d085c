"""Each reader takes open files: as many as the system gives are asked for, and who is one too many is told so."""

from __future__ import annotations

import asyncio
import math
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from benchmarks.reader import Reader
from explorer.host import openfiles
from explorer.host.openfiles import SPARE, VISIT, Full
from explorer.host.server import SERVED
from ldpcore.processes import files_left
from tests.rationing import ALL
from tools.serving import Server, serving

USUAL, MANY = 1024, 400  # files that a process may open by default on Linux, and readers
linux = pytest.mark.skipif(sys.platform != "linux", reason="the files of another process are listed on Linux alone")


def test_what_is_open_is_not_left(tmp_path: Path) -> None:
    before = files_left()
    with ExitStack() as opened:
        for place in range(20):
            opened.enter_context((tmp_path / str(place)).open("wb"))
        assert files_left() in (before - 20, math.inf)
    assert files_left() == before


class Inside:
    """The server behind the layer: answers pages, and has a session of each web socket once it listens on."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope["path"])
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        await receive()
        await self.go_on.wait()
        await receive()
        await send({"type": "websocket.close"})


async def asked(layer: Full, path: str, kind: str = "http", **more: Any) -> list[Any]:
    """How the layer answers."""
    messages: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": f"{kind}.connect"}

    async def send(message: Any) -> None:
        messages.append(message)

    scope = {"type": kind, "method": "GET", "path": path, "query_string": b"", "headers": []} | more
    await layer(scope, receive, send)
    return messages


GERMAN = [(b"Accept-Language", b"de-AT,de;q=0.9,en;q=0.5")]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, ('lang="en"', "This server cannot take another reader at the moment.", "Try again")),
        ({"headers": GERMAN}, ('lang="de"', "Dieser Server kann gerade niemanden mehr aufnehmen.", "Alle Plätze")),
        ({"query_string": b"epsilon=1&lang=de"}, ('lang="de"', "Noch einmal versuchen")),
        ({"headers": GERMAN, "query_string": b"lang=en"}, ('lang="en"', "All seats are taken")),
        ({"query_string": b"lang=%3Cscript%3E"}, ('lang="en"', "All seats are taken")),
    ],
)
def test_a_page_that_is_one_too_many_is_refused_in_the_readers_language(
    more: dict[str, Any], words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = Inside()
    layer = Full(inside, served=SERVED)
    monkeypatch.setattr(openfiles, "files_left", lambda: SPARE + VISIT - 1)
    head, body = asyncio.run(asked(layer, "/counting", **more))
    fields = dict(head["headers"])
    assert head["status"] == 503 and int(fields[b"retry-after"]) > 0 and not inside.asked
    said = body["body"].decode()
    assert fields[b"content-type"] == b"text/html; charset=utf-8" and int(fields[b"content-length"]) == len(
        body["body"]
    )
    assert all(text in said for text in words) and "script" not in said and "@{" not in said
    monkeypatch.setattr(openfiles, "files_left", lambda: SPARE + VISIT)
    assert asyncio.run(asked(layer, "/counting"))[0]["status"] == 200


@pytest.mark.parametrize("path", ["/_stcore/health", "/app/static/x.gz", "/static/js/a.js", "/favicon.png"])
def test_what_belongs_to_a_page_that_is_there_is_served_until_the_end(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openfiles, "files_left", lambda: 1)
    inside = Inside()
    assert asyncio.run(asked(Full(inside, served=SERVED), path))[0]["status"] == 200 and inside.asked
    below = Full(inside, "ldp", SERVED)
    assert asyncio.run(asked(below, f"/ldp{path}"))[0]["status"] == 200
    assert asyncio.run(asked(below, "/ldp/counting"))[0]["status"] == 503


def test_web_sockets_that_come_together_find_room_for_their_sessions_or_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three files each: of five that come at once, 10 spare ones hold the sessions of three."""
    monkeypatch.setattr(openfiles, "files_left", lambda: SPARE + 10)

    async def come() -> list[list[Any]]:
        inside = Inside()
        layer = Full(inside)
        five = [asyncio.create_task(asked(layer, "/_stcore/stream", "websocket")) for _ in range(5)]
        await asyncio.sleep(0)
        assert layer.arriving == len(inside.asked) == 3
        inside.go_on.set()
        messages = await asyncio.gather(*five)
        assert layer.arriving == 0
        return messages

    messages = asyncio.run(come())
    assert [each[0].get("code") for each in messages] == [None, None, None, 1013, 1013]


def test_a_web_socket_that_fails_gives_its_room_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("no")

    layer = Full(failing)
    with pytest.raises(RuntimeError):
        asyncio.run(asked(layer, "/_stcore/stream", "websocket"))
    assert layer.arriving == 0


def answered(server: Server, path: str, **headers: str) -> tuple[int, str, str]:
    """The status, when to try again, and the body."""
    connection = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    try:
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Retry-After", ""), answer.read().decode()
    finally:
        connection.close()


async def opened(server: Server, many: int) -> tuple[list[ClientConnection], int]:
    """So many web sockets, of which each that is let in has a session; and how many were refused."""
    address, places = server.url.replace("http", "ws") + "/_stcore/stream", asyncio.Semaphore(20)

    async def come() -> ClientConnection | None:
        async with places:
            with suppress(InvalidStatus):
                return await connect(address, subprotocols=[Subprotocol("streamlit")], open_timeout=60)
            return None

    sockets = await asyncio.gather(*(come() for _ in range(many)))
    kept = [socket for socket in sockets if socket is not None]
    return kept, many - len(kept)


def limits(server: Server) -> tuple[str, ...]:
    """How many files the server may open, and may ask for."""
    said = re.search(
        r"Max open files +(\d+) +(\d+)", Path(f"/proc/{server.process}/limits").read_text(encoding="utf-8")
    )
    assert said is not None
    return said.groups()


@contextmanager
def reading(server: Server) -> Iterator[Any]:
    """Somebody who reads a page."""
    with asyncio.Runner() as runner:
        reader = Reader(f"{server.url}/counting")
        assert runner.run(reader.arrive()).complete
        yield runner, reader
        runner.run(reader.leave())


@linux
def test_the_server_asks_for_all_files_that_it_may_open_and_four_hundred_readers_are_let_in() -> None:
    """By day forty come, and the limit of the server says that there is room for all; at night four hundred."""
    readers = MANY if ALL else MANY // 10
    with serving(files=(USUAL, 4 * USUAL)) as server, reading(server) as (runner, reader):
        assert limits(server) == (str(4 * USUAL),) * 2
        kept, refused = runner.run(opened(server, readers))
        assert len(kept) == readers and not refused
        assert runner.run(reader.move(0.3)).complete
        assert answered(server, "/counting")[0] == 200
        runner.run(left(kept))


@linux
def test_where_it_may_not_open_more_the_reader_who_is_one_too_many_is_refused_and_the_others_go_on() -> None:
    with serving(files=(USUAL, USUAL)) as server, reading(server) as (runner, reader):
        kept, refused = runner.run(opened(server, MANY))
        assert len(kept) + refused == MANY and len(kept) > 200 and refused > 100
        assert answered(server, "/_stcore/health")[0] == answered(server, "/healthz")[0] == 200
        status, later, said = answered(server, "/counting", **{"Accept-Language": "de"})
        assert status == 503 and later == "30" and "kann gerade niemanden mehr aufnehmen" in said
        assert runner.run(reader.move(0.3)).complete and not reader.problems
        runner.run(left(kept))
        assert runner.run(reader.again()).complete
        assert answered(server, "/counting")[0] == 200
        assert not re.search("Traceback|Too many open files|rror", server.said()), server.said()[-2000:]


async def left(kept: list[ClientConnection]) -> None:
    """All of them go."""
    await asyncio.gather(*(socket.close() for socket in kept))
