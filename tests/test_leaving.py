"""Gone is gone: after the last reader has left, nothing of any reader's is left in the server's memory."""

from __future__ import annotations

import asyncio
import os
import time
from typing import Any
from uuid import uuid4

import pytest

from benchmarks.visitor import UPLOADS, Visitor
from tests.alive import PORT, alive
from tests.clocks import waited
from tests.rationing import ALL
from tools.serving import free_port, serving

REMEMBERED = "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"  # seconds that the server remembers a session without a reader
SHORT = os.environ.get("LDP_EXPLORER_REMEMBERED", "2")  # 120 is what it does by default
MINE = b"name;pay\n" + b"".join(b"Ada %d;%d\n" % (row, 1000 + row) for row in range(200))


async def visited(url: str) -> set[str]:
    """Three readers, two with tables of their own, one with a file that no page has read; who they were."""
    shown, moved, unread = visitors = [Visitor(f"{url}{path}") for path in ("/counting", "/means", "/counting")]
    for visitor in visitors:
        assert (await visitor.arrive()).complete and (await visitor.open()).complete
    for visitor in (shown, moved):
        assert (await visitor.bring("pay.csv", MINE)).complete
        assert any("Ada 0" in text for text in visitor.said), "the table must be shown"
    assert (await moved.move(0.3)).complete
    assert await asyncio.to_thread(unread.send, f"{UPLOADS}/{unread.session}/{uuid4()}", "unread.csv", MINE) == 204
    for visitor in visitors:
        await visitor.leave()
        await asyncio.sleep(0.4)
    return {visitor.session for visitor in visitors}


def left(port: int, readers: set[str]) -> dict[str, Any]:
    """What is alive of these readers' and of their tables, files and questions."""
    counted = alive(port)
    counted["sessions"] = sorted(readers & {*counted["sessions"]})
    counted["columns"] = sorted({"name", "pay"} & {*counted["columns"]})
    return {kind: number for kind, number in counted.items() if number}


def test_after_the_last_reader_has_left_no_table_no_file_and_no_session_is_alive(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With nobody else coming: some seconds after the server remembers them no longer, which by default is after 120.

    Whoever counts all objects holds them meanwhile, so that they are counted seldom.
    """
    port = free_port()
    monkeypatch.setenv(PORT, str(port))
    monkeypatch.setenv(REMEMBERED, SHORT)
    with serving(streamlit=("-m", "tests.alive")) as server:
        readers = asyncio.run(visited(server.url))
        assert set(left(port, readers)) >= {"sessions", "columns", "OwnTable", "UploadedFileRec"}
        if ALL:  # and others come before they are forgotten
            readers |= asyncio.run(visited(server.url))
        time.sleep(float(SHORT) + 10)
        waited(lambda: not left(port, readers), 10.0)
