"""`/healthz` says whether a page can be rendered, and not only that the process lives."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from dataclasses import replace
from typing import Any

import pytest

from explorer.host import health
from explorer.host.health import MINUTE, Health, Pulse
from explorer.pages import rendered
from tools.serving import ROOT


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Work:
    """Counts how often it is done, and fails where it is told to."""

    def __init__(self) -> None:
        self.done, self.fails = 0, False

    def __call__(self) -> None:
        self.done += 1
        if self.fails:
            raise ValueError("a value that no log may hold")


def test_a_page_is_rendered_when_somebody_asks_and_once_a_minute_at_most() -> None:
    clock, work = Clock(), Work()
    pulse = Pulse(work, clock)

    async def asked() -> list[int]:
        counts = []
        for seconds in (0.0, 1.0, MINUTE - 1.5, 1.0, MINUTE, 10 * MINUTE):
            clock.now += seconds
            assert await pulse.beats()
            counts.append(work.done)
        return counts

    assert asyncio.run(asked()) == [1, 1, 1, 2, 3, 4]


def test_a_page_that_cannot_be_rendered_is_tried_again_a_minute_later(caplog: pytest.LogCaptureFixture) -> None:
    clock, work = Clock(), Work()
    pulse = Pulse(work, clock)

    async def asked() -> list[bool]:
        beats = []
        for fails, seconds in ((False, 0.0), (True, MINUTE / 2), (True, MINUTE), (True, 1.0), (False, MINUTE)):
            work.fails = fails
            clock.now += seconds
            beats.append(await pulse.beats())
        return beats

    assert asyncio.run(asked()) == [True, True, False, False, True] and work.done == 3
    assert "ValueError" in caplog.text and "a value" not in caplog.text


def test_a_page_that_takes_for_ever_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.05)
    clock, go_on = Clock(), threading.Event()
    pulse = Pulse(lambda: go_on.wait(20), clock)

    async def asked() -> None:
        assert not await pulse.beats()
        clock.now += 2 * MINUTE
        assert not await pulse.beats()  # and no second one is begun beside it
        go_on.set()
        monkeypatch.setattr(health, "PATIENCE", 20)
        assert await pulse.beats()

    asyncio.run(asked())


async def answered(layer: Health, path: str, method: str = "GET") -> tuple[int, bytes]:
    """The status and the body."""
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    await layer({"type": "http", "method": method, "path": path, "headers": []}, receive, send)
    return messages[0]["status"], messages[1]["body"]


async def inside(scope: Any, receive: Any, send: Any) -> None:
    """The server behind the layer."""
    await send({"type": "http.response.start", "status": 299, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@pytest.mark.parametrize(
    ("fails", "status", "words"),
    [(False, 200, b"A page was rendered within the last minute."), (True, 503, b"No page could be rendered")],
)
def test_the_answer_is_a_status_and_one_sentence(fails: bool, status: int, words: bytes) -> None:
    work = Work()
    work.fails = fails
    layer = Health(inside, "ldp", Pulse(work))
    got, said = asyncio.run(answered(layer, "/ldp/healthz"))
    assert got == status and words in said and said.count(b".") == 1
    assert asyncio.run(answered(layer, "/ldp/healthz", "HEAD")) == (status, b"")
    for path, method in (("/healthz", "GET"), ("/ldp/healthz/more", "GET"), ("/ldp/healthz", "POST"), ("/ldp/", "GET")):
        assert asyncio.run(answered(layer, path, method))[0] == 299


def test_a_page_without_its_sentence_or_its_picture_is_not_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered.render()
    whole = rendered.scene
    for missing in ({"answer": ""}, {"figure": None, "drawing": ""}):
        monkeypatch.setattr(rendered, "scene", lambda *given, lost=missing: replace(whole(*given), **lost))
        with pytest.raises(ValueError, match="one is empty"):
            rendered.render()


ALONE = """
import sys
from explorer.pages import rendered
rendered.render()
print(*sorted({"pandas", "pyarrow", "scipy.stats", "scipy.special"} & set(sys.modules)))
"""


def test_a_server_that_nobody_reads_loads_nothing_large_for_it() -> None:
    process = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert process.stdout.split() == []
