"""While a crowd arrives the others wait, it comes in a few at a time, and who arrives alone waits for nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from explorer.host import crowds
from explorer.host.asgi import Message, Receive, Scope, Send
from explorer.host.crowds import CROWD, CrowdMiddleware
from tests.clocks import at_once


class Pages:
    """The server behind: notes who says what, and has as many pages to build as have arrived."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.building = self.most = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (message := await receive())["type"] == "websocket.receive":
            self.words.append(message["text"])
            if message["text"].startswith("arrives"):
                self.building += 1
                self.most = max(self.most, self.building)


class Socket:
    """A reader's connection, to the end of which everything is said."""

    def __init__(self, layer: CrowdMiddleware) -> None:
        self.said: asyncio.Queue[Message] = asyncio.Queue()
        self.task = asyncio.create_task(layer({"type": "websocket"}, self.said.get, self.unheard))

    async def unheard(self, message: Message) -> None:
        """Nobody reads what it is answered."""

    def says(self, text: str) -> None:
        self.said.put_nowait({"type": "websocket.receive", "text": text})

    async def leaves(self) -> None:
        self.said.put_nowait({"type": "websocket.disconnect"})
        await asyncio.wait_for(self.task, 5)


async def soon() -> None:
    await asyncio.sleep(5 * crowds.LOOK)


def test_what_a_reader_moves_waits_for_the_crowd_and_then_comes_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visits(clock: Callable[[], float]) -> None:
        monkeypatch.setattr(crowds, "monotonic", clock)
        pages = Pages()
        layer = CrowdMiddleware(pages, lambda: pages.building)
        there = [Socket(layer) for _ in range(3)]
        for place, each in enumerate(there):
            each.says(f"came before {place}")
        await soon()
        pages.building = CROWD
        for place, each in enumerate(there):
            each.says(f"moves {place}")
        await soon()
        pages.building = 1  # the last of the crowd
        await soon()
        assert len(pages.words) == 3
        pages.building = 0
        await soon()
        assert pages.words[3:] == ["moves 0", "moves 1", "moves 2"] and not layer.others.waiting
        for each in there:
            await each.leaves()

    at_once(visits)


def test_a_crowd_comes_in_a_few_at_a_time_and_before_those_who_move(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visits(clock: Callable[[], float]) -> None:
        monkeypatch.setattr(crowds, "monotonic", clock)
        pages = Pages()
        layer = CrowdMiddleware(pages, lambda: pages.building)
        there, crowd = Socket(layer), [Socket(layer) for _ in range(3 * CROWD)]
        there.says("came before")
        await soon()
        for place, each in enumerate(crowd):
            each.says(f"arrives {place}")
        await asyncio.sleep(0)
        there.says("moves")
        while len(pages.words) < 2 + len(crowd):
            await asyncio.sleep(2 * crowds.APART)  # what a page costs
            pages.building = max(pages.building - 1, 0)
        assert pages.most == CROWD and pages.words[-1] == "moves"
        assert pages.words[1:-1] == [f"arrives {place}" for place in range(len(crowd))]
        for each in (there, *crowd):
            await each.leaves()

    at_once(visits)


def test_those_who_are_heard_in_one_breath_are_a_crowd_before_their_pages_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visits(clock: Callable[[], float]) -> None:
        monkeypatch.setattr(crowds, "monotonic", clock)
        pages = Pages()
        layer = CrowdMiddleware(pages, lambda: 0)  # as long as no thread of theirs has got as far
        crowd = [Socket(layer) for _ in range(3 * CROWD)]
        for place, each in enumerate(crowd):
            each.says(f"arrives {place}")
        await asyncio.sleep(crowds.COMING / 2)
        assert len(pages.words) == CROWD
        for each in crowd:
            await each.leaves()
        assert len(pages.words) == len(crowd)

    at_once(visits)


def test_those_who_arrive_one_by_one_keep_nobody_waiting_who_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visits(clock: Callable[[], float]) -> None:
        monkeypatch.setattr(crowds, "monotonic", clock)
        pages = Pages()
        layer = CrowdMiddleware(pages, lambda: pages.building)
        there, start = Socket(layer), clock()
        there.says("came before")
        pages.building = CROWD
        there.says("moves")
        await asyncio.sleep(0)
        pages.building = 0
        coming = [Socket(layer) for _ in range(2 * CROWD)]
        for each in coming:
            pages.building = 0  # built at once
            each.says("comes")
            await asyncio.sleep(crowds.COMING / (CROWD / 2))
        assert "moves" in pages.words[:CROWD] and clock() - start < crowds.LONGEST / 2
        for each in (there, *coming):
            await each.leaves()

    at_once(visits)


def test_without_a_crowd_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def visits(clock: Callable[[], float]) -> None:
        monkeypatch.setattr(crowds, "monotonic", clock)
        pages = Pages()
        layer = CrowdMiddleware(pages, lambda: pages.building)
        reader, start = Socket(layer), clock()
        for place in range(200):
            reader.says(f"moves {place}")
        await reader.leaves()
        assert len(pages.words) == 200 and clock() - start < 200 * crowds.APART

    at_once(visits)


def test_whoever_waits_long_goes_in_though_the_crowd_is_there_and_one_who_has_gone_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(crowds, "LONGEST", 0.1)

    async def visits(clock: Callable[[], float]) -> None:
        monkeypatch.setattr(crowds, "monotonic", clock)
        pages = Pages()
        pages.building = CROWD
        layer = CrowdMiddleware(pages, lambda: pages.building)
        gone, stays = Socket(layer), Socket(layer)
        gone.says("arrives first")
        await asyncio.sleep(0)
        stays.says("arrives second")
        await asyncio.sleep(crowds.LOOK)
        gone.task.cancel()
        await asyncio.sleep(0.2)
        assert pages.words == ["arrives second"] and not layer.first.waiting
        await stays.leaves()

    at_once(visits)
