"""Streamlit's scripts and styles are packed once for all readers, and nothing else is."""

from __future__ import annotations

import asyncio
import gzip
from typing import Any

import pytest

from explorer.host.asgi import Fields, Message, Receive, Scope, Send, answer
from explorer.host.packing import PACKED, Packing, names

SCRIPT = b"export const stop = level => level + 1;\n" * 500
KNOWN = ("/static/js/index.C1.js", "/static/js/index.js", "/static/js/nothing.js", "/static/css/index.css")
FIELDS = ((b"content-type", b"application/javascript"), (b"etag", b'"known"'), (b"cache-control", b"immutable"))


class Files:
    """The server behind: one script, and the start page for every other name."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.append(scope["path"])
        await asyncio.sleep(0)
        if scope["path"].endswith("nothing.js"):
            await answer(scope, send, 200, ((b"content-type", b"text/html; charset=utf-8"),), b"<html></html>")
        else:
            listening = asyncio.create_task(self.listen(receive))  # as Starlette does, until it has answered
            await asyncio.sleep(0.01)
            await answer(scope, send, 200, FIELDS, SCRIPT)
            listening.cancel()

    @staticmethod
    async def listen(receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            """Nothing is sent along."""


async def asked(
    layer: Packing, path: str, method: str = "GET", fields: Fields = ()
) -> tuple[dict[bytes, bytes], bytes]:
    """The fields and the body of an answer."""
    messages: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(0)
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        messages.append(message)

    given = {b"accept-encoding": b"br, gzip, deflate", **dict(fields)}
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "headers": [*given.items()]}
    await layer(scope, receive, send)
    start, *parts = messages
    return dict(start["headers"]), b"".join(part["body"] for part in parts)


def test_a_script_is_packed_once_for_all_who_ask_at_the_same_time_and_later() -> None:
    behind = Files()
    layer = Packing(behind, "ldp", KNOWN)

    async def crowd() -> list[tuple[dict[bytes, bytes], bytes]]:
        together = await asyncio.gather(*(asked(layer, "/ldp/static/js/index.C1.js") for _ in range(20)))
        return [*together, await asked(layer, "/ldp/static/js/index.C1.js")]

    answers = asyncio.run(crowd())
    assert behind.asked == ["/ldp/static/js/index.C1.js"] and len(answers) == 21
    for fields, body in answers:
        assert gzip.decompress(body) == SCRIPT and 10 * len(body) < len(SCRIPT)
        assert fields[b"content-encoding"] == b"gzip" and fields[b"vary"] == b"Accept-Encoding"
        assert int(fields[b"content-length"]) == len(body) and fields[b"cache-control"] == b"immutable"
        assert fields[b"etag"] == b'W/"known"'


def test_who_asks_for_the_header_alone_is_told_the_same_and_sent_nothing() -> None:
    layer = Packing(Files(), known=KNOWN)
    (fields, body), (whole, sent) = asyncio.run(_both(layer))
    assert fields == whole and not body and sent


async def _both(layer: Packing) -> tuple[tuple[dict[bytes, bytes], bytes], tuple[dict[bytes, bytes], bytes]]:
    path = "/static/css/index.css"
    return await asked(layer, path, "HEAD"), await asked(layer, path)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/static/js/index.js", [(b"accept-encoding", b"identity")]),
        ("/static/js/index.js", [(b"accept-encoding", b"br, gzip;q=0")]),
        ("/static/js/index.js", [(b"accept-encoding", b"gzip;Q=0, br")]),
        ("/static/js/index.js", [(b"accept-encoding", b"GZIP ; q = 0.000")]),
        ("/static/js/index.js", [(b"accept-encoding", b"agzip, br")]),
        ("/static/js/Index.js", []),  # as a system answers that takes no heed of capitals
        ("/static/js/index.js", [(b"range", b"bytes=0-9")]),
        ("/static/js/index.js", [(b"if-none-match", b'"known"')]),
        ("/static/js/../index.js", []),
        ("/static/media/font.woff2", []),
        ("/app/static/plotly.min.js.gz", []),
        ("/counting/static/js/index.js", []),
    ],
)
def test_everything_else_is_the_server_s_own_answer(path: str, fields: Fields) -> None:
    layer = Packing(Files(), known=KNOWN)
    given, body = asyncio.run(asked(layer, path, fields=fields))
    assert body == SCRIPT and b"content-encoding" not in given and not layer.kept


def test_the_start_page_that_answers_for_a_missing_script_is_not_kept() -> None:
    layer = Packing(Files(), known=KNOWN)
    given, body = asyncio.run(asked(layer, "/static/js/nothing.js"))
    assert body == b"<html></html>" and b"content-encoding" not in given and not layer.kept


@pytest.mark.parametrize("accepted", [b"gzip", b"br;q=1.0, GZip;Q=0.1", b"deflate,gzip;q=0.001", b"identity;q=0, gzip"])
def test_whoever_takes_packed_scripts_gets_them_however_it_is_written(accepted: bytes) -> None:
    layer = Packing(Files(), known=KNOWN)
    given, body = asyncio.run(asked(layer, "/static/js/index.js", fields=[(b"accept-encoding", accepted)]))
    assert given[b"content-encoding"] == b"gzip" and gzip.decompress(body) == SCRIPT


def test_every_script_and_style_of_streamlit_is_known() -> None:
    assert len([name for name in names() if PACKED.fullmatch(name)]) > 50
