"""A replica that stops hands its readers over, one after the other, and lets nobody in meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from explorer.host import draining
from explorer.host.asgi import Message, Receive, Scope, Send, answer
from explorer.host.draining import BACK_SOON, SETTING, Draining, pace


async def streamlit(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers whoever asks, and listens to a socket until it is closed; as Streamlit it may speak once more."""
    if scope["type"] == "http":
        await answer(scope, send, 200)
        return
    while (await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "bytes": b"heard"})
    await send({"type": "websocket.send", "bytes": b"too late"})


class Browser:
    """One end of a connection: what it says is heard at once, what it is told is kept."""

    def __init__(self, layer: Draining, path: str = "", **more: Any) -> None:
        self.told: list[Message] = []
        self.saying: asyncio.Queue[Message] = asyncio.Queue()
        kind = {"type": "http", "method": "GET"} if path else {"type": "websocket"}
        self.task = asyncio.create_task(layer(kind | {"path": path, "headers": [], **more}, self.saying.get, self.hear))

    async def hear(self, message: Message) -> None:
        self.told.append(message)

    async def says(self, kind: str) -> None:
        self.saying.put_nowait({"type": f"websocket.{kind}"})
        await asyncio.sleep(0)

    def status(self) -> int | None:
        return next((message["status"] for message in self.told if "status" in message), None)


@pytest.mark.parametrize(("share", "gone"), [(1.0, 4), (0.5, 2)])
def test_readers_go_one_after_the_other_and_nobody_comes_meanwhile(
    monkeypatch: pytest.MonkeyPatch, share: float, gone: int
) -> None:
    monkeypatch.setattr(draining, "LINGER", 0.02)
    layer = Draining(streamlit, served=("_stcore", "static"), each=100.0)

    async def lived() -> None:
        readers = [Browser(layer) for _ in range(4)]
        for each in readers:
            await each.says("receive")
        await asyncio.sleep(0.01)
        assert all(each.told == [{"type": "websocket.send", "bytes": b"heard"}] for each in readers)
        handing = asyncio.create_task(layer.hand_over(share))
        await asyncio.sleep(0.005)
        assert [each.told[-1]["type"] for each in readers] == ["websocket.close", *3 * ["websocket.send"]]
        coming = [Browser(layer, path) for path in ("/counting", "/_stcore/health", "/healthz")]
        sockets = [Browser(layer, extensions={"websocket.http.response": {}}), Browser(layer)]
        loading = Browser(layer, "/static/js/index.js")
        for each in sockets:
            await each.says("connect")
        await handing
        assert [each.status() for each in (*coming, sockets[0], loading)] == [503, 503, 503, 503, 200]
        assert sockets[1].told == [{"type": "websocket.close", "code": BACK_SOON}]
        closed = [each for each in readers if each.told[-1] == {"type": "websocket.close", "code": BACK_SOON}]
        assert closed == readers[:gone] and len(layer.readers) == 4 - gone
        back = Browser(layer, "/counting")
        await back.task
        assert back.status() == (503 if share == 1 else 200)
        for each in readers[gone:]:
            await each.says("disconnect")
        await asyncio.gather(*(each.task for each in readers))

    asyncio.run(lived())


def test_who_is_told_to_stop_stops_when_all_have_gone_and_at_once_when_told_again() -> None:
    layer, stopped = Draining(streamlit, each=100.0), list[int]()

    async def lived() -> None:
        reader = Browser(layer)
        await reader.says("receive")
        layer.begin(1.0, lambda signum, frame: stopped.append(signum), 15)
        assert not stopped
        assert layer.under_way is not None
        await layer.under_way
        assert stopped == [15] and not layer.readers
        layer.begin(0.5)
        layer.begin(1.0, lambda signum, frame: stopped.append(signum), 15)
        assert stopped == [15, 15]

    asyncio.run(lived())


@pytest.mark.parametrize(("text", "each"), [("25", 25.0), ("", 0.0), ("many", 0.0), ("-1", 0.0), ("inf", 0.0)])
def test_a_server_that_stands_alone_hands_nobody_over(monkeypatch: pytest.MonkeyPatch, text: str, each: float) -> None:
    monkeypatch.setenv(SETTING, text)
    assert pace() == each
