"""The desk between a hall of phones and the database: one look for all questions, one transaction for all answers.

The server never waits for the database: it is asked in one thread of its own. A phone's wish is judged by the
known state of its room, and a refusal stands only after a look at the room as it is; a report is acknowledged only once
committed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from explorer.poll.denials import DenialError
from explorer.poll.kept import PhoneRequest, address, may_hold_rooms

if TYPE_CHECKING:
    from explorer.poll.rooms import CachedRoom, Rooms

GLANCE = 0.3  # seconds between two looks at the rooms that somebody waits for
SPREAD = 0.001  # seconds between two phones that are told of a change: a hall must not ask all at once
SWEEP = 600.0  # seconds between two looks for rooms whose time is over
FIRST_SWEEP = 20.0  # seconds until the first: whoever comes to a new server does not wait for its database
Result = TypeVar("Result")


class Board:
    """A board that tells waiting phones when their room has changed: one look for all of them, again and again."""

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


class Writer:
    """A writer of wishes, one transaction for all that have come meanwhile; their phones hear when it is done."""

    def __init__(self, write: Callable[[list[PhoneRequest]], Awaitable[list[DenialError | None]]]) -> None:
        self._write, self._waiting = write, list[tuple[PhoneRequest, asyncio.Future[Exception | None]]]()
        self._task: asyncio.Task[None] | None = None

    async def written(self, wish: PhoneRequest) -> None:
        """Return when a wish has been written down, or raise its refusal."""
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._waiting.append((wish, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._writing())
        if (problem := await future) is not None:
            raise problem

    async def _writing(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting, []
            said = await self._said([wish for wish, _ in together])
            for (_, future), problem in zip(together, said, strict=True):
                if not future.done():  # its phone may have gone
                    future.set_result(problem)

    async def _said(self, wishes: list[PhoneRequest]) -> Sequence[Exception | None]:
        """The refusal of each wish, or None; nobody waits for ever, whatever went wrong."""
        try:
            return await self._write(wishes)
        except DenialError as problem:
            return [DenialError(problem.reason, **problem.facts) for _ in wishes]
        except Exception as problem:
            return [problem for _ in wishes]


def this_server() -> Rooms:
    """The rooms of this server, loaded when they are first asked for."""
    from explorer.poll.rooms import rooms

    return rooms()


class Desk:
    """The desk that answers phones' requests about rooms, over HTTP."""

    def __init__(
        self, kept: Callable[[], Rooms] = this_server, begun: Callable[[], bool] = lambda: may_hold_rooms(address())
    ) -> None:
        self._kept, self._begun = kept, begun
        self._clerk = ThreadPoolExecutor(1, "room-clerk")
        self._board = Board(lambda codes: self._done(lambda: kept().versions(codes)))
        self._writer = Writer(lambda wishes: self._done(lambda: kept().write(wishes)))
        self._looks: dict[str, asyncio.Task[CachedRoom]] = {}

    async def known(self, code: str) -> CachedRoom:
        """A room, as it was a moment ago at most."""
        known = self._kept().glance(code)
        if known is not None:
            return known
        if code not in self._looks:
            task = self._looks[code] = asyncio.get_running_loop().create_task(self._look(code))
            task.add_done_callback(lambda done: self._looked(code, done))
        return await asyncio.shield(self._looks[code])

    def _looked(self, code: str, task: asyncio.Task[CachedRoom]) -> None:
        del self._looks[code]
        if not task.cancelled():
            task.exception()  # the phone may have gone: then nobody else hears of it

    async def newer(self, known: CachedRoom, patience: float) -> CachedRoom:
        """The room as soon as it is another one than this, or as it is after a while."""
        await self._board.newer(known.card.code, known.card.version, patience)
        return await self.known(known.card.code)

    async def join(self, code: str, pin: str) -> str:
        """A ticket, as soon as it is this phone's turn."""
        rooms = self._kept()
        await asyncio.sleep(rooms.wait(await self.known(code)))
        known, entry = await self._judged(code, lambda known: (known, rooms.entry(known, pin)))
        await self._writer.written(entry)
        return rooms.ticket(known)

    async def report(self, code: str, ticket: str, serial: int, report: object) -> None:
        """Count a report, once; it has been written down when this returns."""
        rooms = self._kept()
        await self._writer.written(await self._judged(code, lambda known: rooms.vote(known, ticket, serial, report)))

    async def sweep(self) -> None:
        """Forget rooms whose time is over, from time to time and for good."""
        await asyncio.sleep(FIRST_SWEEP)
        while True:
            with suppress(DenialError):  # where the database is away, the next time will do
                await self._done(lambda: self._kept().expire() if self._begun() else None)
            await asyncio.sleep(SWEEP)

    async def _judged(self, code: str, judge: Callable[[CachedRoom], Result]) -> Result:
        """The result of judging by the known room; where it is a refusal, by the room as it is now."""
        known = await self.known(code)
        with suppress(DenialError):
            return judge(known)
        return judge(await self._look(code))

    async def _look(self, code: str) -> CachedRoom:
        return await self._done(lambda: self._kept().known(code))

    async def _done(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._clerk, work)
