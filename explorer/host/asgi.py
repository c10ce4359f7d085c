"""The types of a server layer's messages, and the layer's own answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import TypedDict

Fields = Iterable[tuple[bytes, bytes]]
Receive = Callable[[], Awaitable["Message"]]
Send = Callable[["Message"], Awaitable[None]]
Application = Callable[["Scope", Receive, Send], Awaitable[None]]


class Scope(TypedDict, total=False):
    """A request to the server, as far as a layer reads it."""

    type: str
    method: str
    path: str
    headers: Fields
    query_string: bytes
    extensions: Mapping[str, object]


class Message(TypedDict, total=False):
    """A part of either side's message, as far as a layer reads it."""

    type: str
    status: int
    headers: Fields
    body: bytes
    more_body: bool
    code: int


def field(scope: Scope, name: bytes) -> str:
    """The value of a field of a request's header; empty where it has none."""
    return next((text.decode("latin-1") for key, text in scope.get("headers", ()) if key.lower() == name), "")


def asks_for_page(scope: Scope, base: str, served: Collection[str]) -> bool:
    """Whether a reader asks for a page below the path `base`, not for a file `served` to pages."""
    if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
        return False
    first = scope["path"].removeprefix(base).lstrip("/").partition("/")[0]
    return first not in served and "." not in first


async def answer(scope: Scope, send: Send, status: int, fields: Fields = (), body: bytes = b"") -> None:
    """Answer a request with a status, these fields of the header, and a body, which HEAD goes without."""
    length = [] if status == 204 else [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": [*length, *fields]})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
