"""The rooms over HTTP, beside Streamlit's own pages and without a session: the phone's page, join, report and state.

    GET  /room/CODE                       the page, in the reader's language
    POST /room/CODE/join    {pin}      -> {ticket}
    POST /room/CODE/report  {ticket, round, report} -> {counted}
    GET  /room/CODE/state?since=VERSION -> the card; where it has not changed, after a while

Everything refused has one status, and a body with the `problem` and its `sentence`. Nothing of a request is written
down but the report's part of a sum. A thousand phones come at once, so that a room is answered before all other layers
of the server, in two messages.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote

from explorer.host.asgi import Application, Fields, Receive, Scope, Send, answer, field
from explorer.poll import document, forms, telling
from explorer.poll.denials import DenialError, Reason
from explorer.poll.desk import Desk
from explorer.poll.rooms import Card
from explorer.text import languages, negotiate

HOLD = 9.0  # seconds after which a room that has not changed is said to be as it was
HTML, JSON = b"text/html; charset=utf-8", b"application/json; charset=utf-8"
METHODS: Mapping[str, tuple[str, ...]] = {
    "": ("GET", "HEAD"),
    "join": ("POST",),
    "report": ("POST",),
    "state": ("GET",),
}


class Reply(NamedTuple):
    """A reply: the body, its kind, its status, and further fields of its header."""

    body: bytes
    kind: bytes = JSON
    status: int = 200
    fields: Fields = ()


class GoneError(Exception):
    """The phone has gone before its request was complete."""


class Layer:
    """Middleware that answers requests to rooms below the path of the app, with these headers."""

    def __init__(self, app: Application, desk: Desk, headers: Fields = (), base: str = "") -> None:
        self.app, self.desk, self.path = app, desk, f"/{base.strip('/')}/room/".replace("//", "/")
        own = {b"content-security-policy": document.policy().encode(), b"vary": b"Accept-Language"}
        self.headers = [
            *(pair for pair in headers if pair[0] not in own),
            *own.items(),
            (b"cache-control", b"no-store"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self.path):
            await self.app(scope, receive, send)
            return
        code, stroke, rest = scope["path"].removeprefix(self.path).partition("/")
        if not code:
            await self.app(scope, receive, send)
            return
        try:
            said = await self._said(code, rest, scope, receive) if rest or not stroke else _to_the_room(code)
        except DenialError as problem:
            said = _refusal(problem, spoken(scope), page=not rest)
        except GoneError:
            return  # nobody hears it
        fields = [(b"content-type", said.kind), *self.headers, *said.fields]
        await answer(scope, send, said.status, fields, said.body)

    async def _said(self, code: str, wish: str, scope: Scope, receive: Receive) -> Reply:
        """The reply to a phone's request to a room."""
        if wish not in METHODS:
            raise DenialError(Reason.UNKNOWN)
        if scope["method"] not in METHODS[wish]:
            raise DenialError(Reason.METHOD)
        match wish:
            case "join":
                pin = forms.joining(await read(receive))
                return Reply(written({"ticket": await self.desk.join(code, pin)}))
            case "report":
                await self.desk.report(code, *forms.reporting(await read(receive)))
                return Reply(b'{"counted": true}')
            case "state":
                return carded(await self._state(code, scope), scope)
        return paged((await self.desk.known(code)).card, scope)

    async def _state(self, code: str, scope: Scope) -> Card:
        """The card, when it is another one than the phone has, or after a while."""
        since = parse_qs(scope["query_string"].decode("latin-1")).get("since", [""])[-1]
        if not (since.isascii() and since.isdigit() and len(since) < 10):
            raise DenialError(Reason.FIELDS)
        known = await self.desk.known(code)
        if known.card.version == int(since):
            known = await self.desk.newer(known, HOLD)
        return known.card


@lru_cache(maxsize=256)
def _language(accepted: str) -> str:
    return negotiate(accepted, languages())


def spoken(scope: Scope) -> str:
    """The language that the phone's browser asks for."""
    return _language(field(scope, b"accept-language")[:200])


def packs(scope: Scope) -> bool:
    """Whether the phone can unpack gzip."""
    return "gzip" in field(scope, b"accept-encoding")


async def read(receive: Receive) -> Any:
    """A small body, as JSON in which no name stands twice."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise GoneError
        body, more = body + message.get("body", b""), message.get("more_body", False)
        if len(body) > forms.LARGEST:
            raise DenialError(Reason.LARGE)
    try:
        return json.loads(body, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise DenialError(Reason.FIELDS) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name stands twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name must stand once")
    return fields


def written(value: Mapping[str, Any]) -> bytes:
    """A value as JSON in bytes."""
    return json.dumps(value, ensure_ascii=False).encode()


@lru_cache(maxsize=64)
def _packed(card: Card, language: str, kind: bytes) -> bytes:
    """A page or a card, packed once for a whole hall."""
    plain = document.page(card, language) if kind == HTML else written(telling.message(card, language))
    return gzip.compress(plain, 9, mtime=0)


def paged(card: Card, scope: Scope) -> Reply:
    """The page of a room."""
    language = spoken(scope)
    if packs(scope):
        return Reply(_packed(card, language, HTML), HTML, fields=[(b"content-encoding", b"gzip")])
    return Reply(document.page(card, language), HTML)


def carded(card: Card, scope: Scope) -> Reply:
    """The card of a room."""
    language = spoken(scope)
    if packs(scope):
        return Reply(_packed(card, language, JSON), fields=[(b"content-encoding", b"gzip")])
    return Reply(written(telling.message(card, language)))


def _refusal(problem: DenialError, language: str, page: bool) -> Reply:
    """The refusal in one sentence."""
    if page:
        return Reply(document.refusal(problem, language), HTML, problem.reason.status)
    said = {"problem": problem.reason.key, "sentence": telling.sentence(problem, language)}
    return Reply(written(said), status=problem.reason.status)


def _to_the_room(code: str) -> Reply:
    """The redirection to the room, where the address has a slash too many."""
    return Reply(b"", status=307, fields=[(b"location", f"../{quote(code, errors='replace')}".encode())])
