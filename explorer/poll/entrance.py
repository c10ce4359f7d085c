"""The entrance to the rooms: their layer of the server is loaded when the first phone comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from explorer.host.asgi import Application, Fields, Receive, Scope, Send
from explorer.poll.desk import Desk


class Entrance:
    """Middleware that hands requests to rooms to `explorer.poll.routes`, and loads that only for the first of them."""

    def __init__(self, app: Application, desk: Desk, headers: Fields = (), base: str = "") -> None:
        self.app, self.path = app, f"/{base.strip('/')}/room/".replace("//", "/")
        self._desk, self._headers, self._base = desk, headers, base
        self._layer: Application | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self.path):
            await self.app(scope, receive, send)
            return
        if self._layer is None:
            self._layer = await asyncio.to_thread(self._loaded)
        await self._layer(scope, receive, send)

    def _loaded(self) -> Application:
        from explorer.poll.routes import Layer  # a fifth of a second: readers who come meanwhile are answered

        return Layer(self.app, self._desk, self._headers, self._base)


def lifespan(desk: Desk) -> Callable[[object], AbstractAsyncContextManager[None]]:
    """The work beside the server as long as it runs: rooms are forgotten in time, also when nobody comes."""

    @asynccontextmanager
    async def running(_: object) -> AsyncIterator[None]:
        task = asyncio.get_running_loop().create_task(desk.sweep())
        try:
            yield
        finally:
            task.cancel()

    return running
