"""The health of the server: whether it renders a page, beyond being alive.

A proxy or a container asks `/healthz`. The page is handed in (`explorer.pages.rendered`); it is made anew once
a minute at most.
"""

from __future__ import annotations

import asyncio
import logging
import math
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic

from explorer.host.asgi import Application, Receive, Scope, Send, answer
from explorer.text import LANGUAGE
from explorer.text.catalogue import catalogue_of

PATH = "/healthz"
MINUTE = 60.0  # seconds for which a page that was rendered counts, and between two of them
PATIENCE = 10.0  # seconds that somebody who asks waits for one


class Pulse:
    """The proof of health: its work is done on request, once a minute at most; `clock` counts seconds."""

    def __init__(self, work: Callable[[], object], clock: Callable[[], float] = monotonic) -> None:
        self._work, self._clock = work, clock
        self._begun = self._done = -math.inf  # when it was begun last, and when it was done last
        self._under_way, self._over = False, asyncio.Event()

    async def beats(self) -> bool:
        """Whether the work was done within the last minute; to be awaited on one event loop alone."""
        if not self._under_way and self._clock() - self._begun >= MINUTE:
            self._begun, self._under_way, self._over = self._clock(), True, asyncio.Event()
            over = partial(asyncio.get_running_loop().call_soon_threadsafe, self._over.set)
            threading.Thread(target=self._try, args=(over,), name="pulse", daemon=True).start()
        if self._under_way and not self._fresh():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._over.wait(), PATIENCE)
        return self._fresh()

    def _fresh(self) -> bool:
        return self._clock() - self._done < MINUTE

    def _try(self, over: Callable[[], object]) -> None:
        try:
            self._work()
            self._done = self._clock()
        except Exception as problem:
            place = traceback.extract_tb(problem.__traceback__)[-1]  # without any value
            logging.getLogger(__name__).error("%s (%s:%s)", type(problem).__name__, place.filename, place.lineno)
        finally:
            self._under_way = False
            with suppress(RuntimeError):  # the server may have stopped meanwhile
                over()


class Health:
    """Middleware that answers `/healthz` below the path of the app: 200 where a page can be rendered, else 503."""

    def __init__(self, app: Application, base: str, pulse: Pulse) -> None:
        self.app, self.path, self.pulse = app, f"/{base.strip('/')}".rstrip("/") + PATH, pulse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != self.path or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        beats = await self.pulse.beats()
        said = catalogue_of(LANGUAGE).label(f"health.{'well' if beats else 'ill'}")
        fields = ((b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"))
        await answer(scope, send, 200 if beats else 503, fields, f"{said}\n".encode())
