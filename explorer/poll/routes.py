"""The rooms over HTTP, beside Streamlit's own pages and without a session: the phone's page, join, report and state.

    GET  /room/CODE                       the page, in the reader's language
    POST /room/CODE/join    {pin}      -> {ticket}
    POST /room/CODE/report  {ticket, round, report} -> {counted}
    GET  /room/CODE/state?since=VERSION -> the card; where it has not changed, after a while

Everything refused has one status, and a body with the `problem` and its `sentence`. Nothing of a request is written
down but the report's part of a sum.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import quote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from explorer.host.asgi import Receive, Scope, Send
from explorer.poll import document, forms, telling
from explorer.poll.denials import DenialError, Reason
from explorer.poll.rooms import Card, Rooms, rooms
from explorer.text import languages, negotiate

HOLD = 9.0  # seconds after which a room that has not changed is said to be as it was
GLANCE = 0.3  # seconds between two looks at the rooms that somebody waits for
SPREAD = 0.001  # seconds between two phones that are told of a change: a hall must not ask all at once
SWEEP = 600.0  # seconds between two looks for rooms whose time is over
Result = TypeVar("Result")


class Board:
    """Tells those who wait for a room that something has changed: one look for all of them, again and again."""

    def __init__(self, look: Callable[[list[str]], Awaitable[Mapping[str, int]]]) -> None:
        self._look, self._waiting = look, Counter[str]()
        self._versions: Mapping[str, int] = {}
        self._turned = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None

    async def newer(self, code: str, version: int, patience: float) -> int | None:
        """The room's version when it is another one than this, 0 when the room is gone; None after a while."""
        loop = asyncio.get_running_loop()
        until, place = loop.time() + patience, self._waiting[code]
        self._waiting[code] += 1
        try:
            while (left := until - loop.time()) > 0:
                self._start()
                try:
                    await asyncio.wait_for(self._turned.wait(), left)
                except TimeoutError:
                    return None
                newest = self._versions.get(code)
                if newest is not None and newest != version:
                    await asyncio.sleep(place * SPREAD)
                    return newest
        finally:
            self._waiting[code] -= 1
            if not self._waiting[code]:
                del self._waiting[code]
        return None

    def _start(self) -> None:
        if self._watch is None or self._watch.done():
            self._watch = asyncio.get_running_loop().create_task(self._watching())

    async def _watching(self) -> None:
        """Look at the versions of the rooms that are waited for, as long as there are any."""
        while codes := list(self._waiting):
            try:
                seen = await self._look(codes)
            except DenialError:
                await asyncio.sleep(GLANCE)  # the database is away for a moment
                continue
            versions = {code: seen.get(code, 0) for code in codes}
            if versions != self._versions:
                self._versions = versions
                self._turned.set()
                self._turned = asyncio.Event()
            await asyncio.sleep(GLANCE)


class Desk:
    """Answers requests; the database is asked in one thread of its own, so that the server never waits for it."""

    def __init__(self, kept: Callable[[], Rooms]) -> None:
        self._kept = kept
        self._clerk = ThreadPoolExecutor(1, "room-clerk")
        self._board = Board(lambda codes: self._done(lambda: self._kept().versions(codes)))

    async def _done(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, work)

    async def page(self, request: Request) -> Response:
        """The phone's page."""
        allowed(request, "GET", "HEAD")
        code = request.path_params["code"]
        return paged(await self._done(lambda: self._kept().card(code)), spoken(request), packs(request))

    async def join(self, request: Request) -> Response:
        """A ticket, as soon as it is this phone's turn."""
        allowed(request, "POST")
        fields, code = await body_of(request, forms.JOIN), request.path_params["code"]
        await asyncio.sleep(await self._done(lambda: self._kept().admission(code)))
        return answered({"ticket": await self._done(lambda: self._kept().join(code, fields["pin"]))})

    async def report(self, request: Request) -> Response:
        """Count a report, once; the answer goes out when it has been written down."""
        allowed(request, "POST")
        fields, code = await body_of(request, forms.REPORT), request.path_params["code"]
        await self._done(lambda: forms.count(self._kept(), code, fields))
        return answered({"counted": True})

    async def state(self, request: Request) -> Response:
        """The card in the reader's language, when it is another one than the phone has, or after a while."""
        allowed(request, "GET")
        code, since = request.path_params["code"], request.query_params.get("since", "")
        if not (since.isascii() and since.isdigit() and len(since) < 10):
            raise DenialError(Reason.FIELDS)
        card = await self._done(lambda: self._kept().card(code))
        if card.version == int(since):
            newest = await self._board.newer(card.code, card.version, HOLD)
            if newest is not None:
                card = await self._done(lambda: self._kept().card(code, newest))
        return carded(card, spoken(request), packs(request))

    async def sweep(self) -> None:
        """Forget rooms whose time is over, from time to time and for good."""
        while True:
            with suppress(DenialError):  # where the database is away, the next time will do
                await self._done(lambda: self._kept().expire())
            await asyncio.sleep(SWEEP)


def spoken(request: Request) -> str:
    """The language that the phone's browser asks for."""
    return negotiate(request.headers.get("accept-language", "")[:200], languages())


def packs(request: Request) -> bool:
    """Whether the phone can unpack what is packed with gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


def allowed(request: Request, *methods: str) -> None:
    """Refuse what is no such request."""
    if request.method not in methods:
        raise DenialError(Reason.METHOD)


async def body_of(request: Request, form: Mapping[str, type]) -> dict[str, Any]:
    """The fields of a small JSON object: exactly those of the form, each of its kind."""
    read = b""
    async for piece in request.stream():
        read += piece
        if len(read) > forms.LARGEST:
            raise DenialError(Reason.LARGE)
    try:
        fields = json.loads(read, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise DenialError(Reason.FIELDS) from None
    return forms.checked(fields, form)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object in which no name stands twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name must stand once")
    return fields


def _kinds(kind: str, **more: str) -> dict[str, str]:
    """What every answer of a room says of itself: nobody keeps it, and what the page may do."""
    fields = {"Content-Type": f"{kind}; charset=utf-8", "Cache-Control": "no-store", "Vary": "Accept-Language"}
    return fields | {"Content-Security-Policy": document.policy()} | more


def answered(value: Mapping[str, Any], status: int = 200) -> Response:
    """A small answer as JSON."""
    return Response(json.dumps(value, ensure_ascii=False), status, _kinds("application/json"))


@lru_cache(maxsize=64)
def _packed(card: Card, language: str, kind: str) -> bytes:
    """A page or a card, packed once for a whole hall."""
    plain = document.page(card, language) if kind == "page" else json.dumps(telling.message(card, language)).encode()
    return gzip.compress(plain, 9, mtime=0)


def paged(card: Card, language: str, packs: bool) -> Response:
    """The page of a room."""
    if packs:
        return Response(_packed(card, language, "page"), headers=_kinds("text/html", **{"Content-Encoding": "gzip"}))
    return Response(document.page(card, language), headers=_kinds("text/html"))


def carded(card: Card, language: str, packs: bool) -> Response:
    """The card of a room."""
    if packs:
        packed = _packed(card, language, "card")
        return Response(packed, headers=_kinds("application/json", **{"Content-Encoding": "gzip"}))
    return answered(telling.message(card, language))


class Endpoint:
    """A route that is asked by any method, and says in one sentence what it refuses."""

    def __init__(self, answer: Callable[[Request], Awaitable[Response]], page: bool = False) -> None:
        self._answer, self._page = answer, page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await self._answer(request)
        except DenialError as problem:
            response = self._refusal(problem, spoken(request))
        except ClientDisconnect:
            return  # nobody hears it
        await response(scope, receive, send)

    def _refusal(self, problem: DenialError, language: str) -> Response:
        if self._page:
            return Response(document.refusal(problem, language), problem.reason.status, _kinds("text/html"))
        sentence = telling.sentence(problem, language)
        return answered({"problem": problem.reason.key, "sentence": sentence}, problem.reason.status)


async def nowhere(request: Request) -> Response:
    """Other paths of a room: the room itself where only a stroke is too much, else nothing."""
    if not request.path_params["rest"]:
        return RedirectResponse(f"../{quote(request.path_params['code'])}")
    raise DenialError(Reason.UNKNOWN)


def routes(base: str = "", kept: Callable[[], Rooms] = rooms) -> tuple[list[Route], Desk]:
    """The routes of the rooms below the path at which the app is served, and the desk behind them."""
    desk, room = Desk(kept), f"/{base.strip('/')}/room/{{code}}".replace("//", "/")
    return [
        Route(room, Endpoint(desk.page, page=True)),
        Route(f"{room}/join", Endpoint(desk.join)),
        Route(f"{room}/report", Endpoint(desk.report)),
        Route(f"{room}/state", Endpoint(desk.state)),
        Route(f"{room}/{{rest:path}}", Endpoint(nowhere)),
    ], desk


def lifespan(desk: Desk) -> Callable[[Any], Any]:
    """What runs beside the server as long as it does: rooms are forgotten in time, also when nobody comes."""

    @asynccontextmanager
    async def running(_: Any) -> AsyncIterator[None]:
        task = asyncio.get_running_loop().create_task(desk.sweep())
        try:
            yield
        finally:
            task.cancel()

    return running
