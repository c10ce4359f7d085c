"""The hand-over of readers to another replica, one after the other, before this one stops: nobody waits in a crowd.

`LDP_EXPLORER_DRAIN=25` is their number per second; without it a server stops at once, as one that stands alone should.
While it hands readers over it refuses new ones (503), whom the proxy then leads to another replica. SIGTERM hands
over everybody and then stops the server; SIGUSR1 hands over every second reader, for one that has come back empty.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import threading
from collections.abc import Collection
from contextlib import suppress
from types import FrameType
from typing import Any

from explorer.host.asgi import Application, Message, Receive, Scope, Send, answer, asks_for_page
from ldpcore.processes import hand_over_signal

SETTING = "LDP_EXPLORER_DRAIN"
LONGEST = 40.0  # seconds that all may take together: a service that does not stop is killed
LINGER = 2.0  # seconds for which those are refused who have just been handed over: they come back within one
COMING = ("/_stcore/health", "/_stcore/host-config", "/healthz")  # what is asked before somebody comes
BACK_SOON = 1012  # as web sockets say that a service restarts
REFUSED = ((b"retry-after", b"1"), (b"cache-control", b"no-store"))


def pace() -> float:
    """The number of readers handed over per second; none where it is not set."""
    with suppress(ValueError):
        asked = float(os.environ.get(SETTING, ""))
        return asked if 0 < asked < math.inf else 0.0
    return 0.0


class Draining:
    """Middleware that knows its readers, and hands them over, `each` per second."""

    def __init__(
        self, app: Application, base: str = "", served: Collection[str] = (), each: float | None = None
    ) -> None:
        self.app, self.base, self.served = app, f"/{base.strip('/')}".rstrip("/"), served
        self.each = pace() if each is None else each
        self.readers: dict[asyncio.Future[None], None] = {}  # in the order in which they came
        self.draining = self.stopping = False
        self.under_way: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.each:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await (_refuse(scope, receive, send) if self.draining else self.reader(scope, receive, send))
        elif self.draining and self.coming(scope):
            await answer(scope, send, 503, REFUSED)
        else:
            if scope["type"] == "lifespan":
                self.listen()
            await self.app(scope, receive, send)

    def coming(self, scope: Scope) -> bool:
        """Whether a request is an arrival's: for a page, or whether the server is there."""
        if scope["type"] != "http":
            return False
        return scope["path"].removeprefix(self.base) in COMING or asks_for_page(scope, self.base, self.served)

    async def reader(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a web socket on, until its reader is to go."""
        leaving: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.readers[leaving] = None

        async def received() -> Message:
            hearing = asyncio.ensure_future(receive())
            await asyncio.wait((hearing, leaving), return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                return hearing.result()
            hearing.cancel()
            await send({"type": "websocket.close", "code": BACK_SOON})
            return {"type": "websocket.disconnect", "code": BACK_SOON}

        async def sent(message: Message) -> None:
            if not leaving.done():
                await send(message)

        try:
            await self.app(scope, received, sent)
        finally:
            self.readers.pop(leaving, None)

    async def hand_over(self, share: float = 1.0) -> None:
        """Let this share of the readers go, one after the other; meanwhile nobody comes."""
        self.draining = True
        try:
            going = list(self.readers)[: math.ceil(share * len(self.readers))]
            for leaving in going:
                if not leaving.done():
                    leaving.set_result(None)
                    await asyncio.sleep(min(1 / self.each, LONGEST / len(going)))
            if share < 1:
                await asyncio.sleep(LINGER)
        finally:
            self.draining = share >= 1

    def listen(self) -> None:
        """Listen for the system's signals, where that is possible: in the main thread."""
        if threading.current_thread() is not threading.main_thread():
            return
        loop, stop = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)

        def then_stop(signum: int, _: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.begin, 1.0, stop, signum)

        def then_go_on(signum: int, _: FrameType | None) -> None:
            loop.call_soon_threadsafe(self.begin, 0.5)

        if callable(stop):
            signal.signal(signal.SIGTERM, then_stop)
        if (asked := hand_over_signal()) is not None:
            signal.signal(asked, then_go_on)

    def begin(self, share: float, then: Any = None, *given: Any) -> None:
        """Begin to hand over, and `then` do this; a second order to stop stops at once."""
        if self.stopping:
            if then is not None:
                then(*given, None)
            return
        if self.under_way is not None:
            self.under_way.cancel()
        self.stopping, self.under_way = then is not None, asyncio.create_task(self.whole(share, then, given))

    async def whole(self, share: float, then: Any, given: tuple[Any, ...]) -> None:
        """Hand all of the share over, and `then` do this."""
        await self.hand_over(share)
        if then is not None:
            then(*given, None)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse a web socket before it is opened, so that the proxy asks another replica."""
    await receive()
    if "websocket.http.response" in scope.get("extensions", {}):
        await send({"type": "websocket.http.response.start", "status": 503, "headers": [*REFUSED]})
        await send({"type": "websocket.http.response.body", "body": b""})
    else:
        await send({"type": "websocket.close", "code": BACK_SOON})
