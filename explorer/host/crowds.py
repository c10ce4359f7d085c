"""The admission of arriving crowds: a few readers at a time, while the messages of readers with pages wait.

To hear that somebody arrives or has moved a handle, to begin a run and to let it wait for its turn (`turns.py`) costs a
third of the run, and more where hundreds of runs have begun. So messages wait at the door, where waiting costs nothing;
and two hundred of them are not let through at once, which would keep the last arrivals waiting.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic

from explorer.host.asgi import Application, Message, Receive, Scope, Send
from explorer.host.turns import turns

CROWD = 8  # pages of who arrives that wait to be built
LOOK = 0.01  # seconds between two looks how many are left
LONGEST = 6.0  # seconds that a word waits for a crowd at most
COMING = 0.05  # seconds in which the page of who was heard comes to wait for its turn
APART = 0.005  # seconds between two that have waited: less than half of what the run costs that follows


def arriving() -> int:
    """The number of readers who wait for their first page."""
    return turns().arriving


class Door:
    """The place where messages wait, one after the other, until a condition holds."""

    def __init__(self) -> None:
        self.waiting, self._lock = 0, asyncio.Lock()

    async def wait(self, free: Callable[[], bool]) -> None:
        """Wait for earlier messages, and until the door is free or the longest wait is over."""
        until = monotonic() + LONGEST
        self.waiting += 1
        try:
            async with self._lock:
                while not free() and monotonic() < until:
                    await asyncio.sleep(LOOK)
                await asyncio.sleep(APART)
        finally:
            self.waiting -= 1


class CrowdMiddleware:
    """Middleware that hands on readers' messages: at once, where no crowd arrives; `building` pages wait for a turn."""

    def __init__(self, app: Application, building: Callable[[], int] = arriving) -> None:
        self.app, self.building, self.first, self.others = app, building, Door(), Door()
        self.heard = deque[float]()  # when the last of those who arrive were heard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            turns().lead_through(asyncio.get_running_loop())
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        arrives = True

        async def received() -> Message:
            nonlocal arrives
            message = await receive()
            if message["type"] == "websocket.receive":
                arrives = await self.hear(arrives)
            return message

        await self.app(scope, received, send)

    async def hear(self, arrives: bool) -> bool:
        """Let a reader's message wait its turn; returns that the reader is no arrival any more."""
        crowded = self.first.waiting or self.crowd()
        if arrives and crowded:
            await self.first.wait(lambda: not self.crowd())
        elif crowded or self.others.waiting:
            await self.others.wait(lambda: not (self.first.waiting or self.building() or self.crowd()))
        if arrives:
            self.heard.append(monotonic())
        return False

    def crowd(self) -> bool:
        """Whether many first pages wait to be built; a reader heard just now is not waiting for a turn yet."""
        while self.heard and monotonic() - self.heard[0] > COMING:
            self.heard.popleft()
        return max(self.building(), len(self.heard)) >= CROWD
