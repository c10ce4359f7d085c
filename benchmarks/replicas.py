"""Readers in front of two replicas behind the proxy of `deploy/`: how long they wait, and what they notice of a death.

First everybody on one process, then on two behind nginx; then, while they move, one replica is killed and started
again, and both are restarted in turn. A reader whose socket closes comes back as the front end does: by the address
that the browser shows. `python -m benchmarks.replicas --output benchmarks/results/replicas.md` fails where a limit is
broken; it takes a minute and a quarter.
"""

from __future__ import annotations

import asyncio
import os
import platform
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection

import numpy as np

from benchmarks.reader import Reader
from benchmarks.reports import judge, options
from tools.proxying import ADVICE, program, proxying
from tools.serving import Server, free_port, serving

PATHS = ("/counting", "/response", "/means", "/frequencies")
HEALTH = "/_stcore/health"  # what the front end asks before it connects again
PAUSE = 3.0  # seconds between two moves of a reader
ARRIVALS = 8.0  # seconds in which all come
MOVE_LIMIT, BACK_LIMIT = 0.200, 5.0  # p95 of a move on two replicas; until a page is back, seconds
LULL = 2.0  # seconds before and after each thing that happens to a replica
PATIENCE = 20.0  # seconds after which a reader has given up


@dataclass
class Guest:
    """One reader behind a proxy, who stays with a replica and comes back when it dies."""

    address: str
    path: str
    moves: list[float] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    reader: Reader | None = None
    level: str = ""

    async def come(self) -> None:
        """Get the page with the cookie that comes with it, and its first run."""
        try:
            cookie = await asyncio.to_thread(given, self.address, self.path)
            self.reader = Reader(self.address + self.path, cookie=cookie)
            await asyncio.wait_for(self.reader.arrive(), PATIENCE)
        except Exception as problem:
            self.errors.append(f"{self.path} never came: {problem!r}")

    async def stay(self, over: asyncio.Event, chance: random.Random) -> None:
        """Move every few seconds until it is over, and come back wherever the socket has closed."""
        wait = chance.random() * PAUSE
        while not await _is_set(over, wait) and self.reader is not None:
            due = time.perf_counter() + PAUSE
            await self._move(chance.random())
            wait = max(due - time.perf_counter(), 0.0)

    async def leave(self) -> None:
        """Close the page."""
        if self.reader is not None:
            with suppress(Exception):
                await asyncio.wait_for(self.reader.leave(), 1.0)

    async def _move(self, place: float) -> None:
        assert self.reader is not None
        try:
            run = await asyncio.wait_for(self.reader.move(place), PATIENCE)
            self.moves.append(run.seconds)
            self.errors += self.reader.problems + ([] if run.complete else [f"a run ended with {run.ended}"])
            self.reader.problems.clear()
        except Exception:
            await self._return()

    async def _return(self) -> None:
        """The address that the browser shows, asked for again until it answers; it must be the same page."""
        assert self.reader is not None
        start, before, last = time.perf_counter(), self.reader, ""
        while time.perf_counter() - start < PATIENCE:
            again = Reader(f"{self.address}{self.path}?{before.query}")
            try:
                again.cookie = await asyncio.to_thread(given, self.address, HEALTH, before.cookie)
                run = await asyncio.wait_for(again.arrive(), PATIENCE)
            except Exception as problem:
                last = repr(problem)
                await asyncio.sleep(0.2)
                continue
            if run.complete and again.query == before.query and not again.problems:
                self.returns.append(time.perf_counter() - start)
            else:
                self.errors.append(f"{self.path} came back as {again.query!r}, not {before.query!r}: {again.problems}")
            self.reader = again
            return
        self.errors.append(f"{self.path} never came back: {last}")


async def _is_set(over: asyncio.Event, patience: float) -> bool:
    """Whether it is over, after so many seconds at the latest."""
    with suppress(TimeoutError):
        await asyncio.wait_for(over.wait(), max(patience, 0.001))
    return over.is_set()


def given(address: str, path: str, cookie: str = "") -> str:
    """The cookie that comes with a page, else the one that there was; a page that does not come is an error."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE)
    try:
        connection.request("GET", path, headers={"Cookie": cookie} if cookie else {})
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise ConnectionError(f"{path} was answered with {answer.status}")
        return (answer.getheader("Set-Cookie") or cookie).partition(";")[0]
    finally:
        connection.close()


class Replica:
    """A process that can be killed and started again on the port that it had."""

    def __init__(self, port: int) -> None:
        self.port, self._open = port, ExitStack()
        self.server: Server = self._open.enter_context(serving(port=port))

    def kill(self) -> None:
        """As a machine does that runs out of memory: at once."""
        os.kill(self.server.process, signal.SIGKILL)
        self._open.close()

    def start(self) -> None:
        """Start it again."""
        self._open = ExitStack()
        self.server = self._open.enter_context(serving(port=self.port))

    def close(self) -> None:
        """End it."""
        self._open.close()


@contextmanager
def house(replicas: int) -> Iterator[tuple[str, list[Replica]]]:
    """One process by its own address, or two behind the proxy."""
    with ExitStack() as stack:
        ports = free_port(), free_port()
        with ThreadPoolExecutor() as together:
            running = list(together.map(Replica, ports[:replicas]))
        for replica in running:
            stack.callback(replica.close)
        yield (running[0].server.url if replicas == 1 else stack.enter_context(proxying(ports))), running


async def _crowd(address: str, count: int) -> list[Guest]:
    """Everybody comes within some seconds."""
    guests = [Guest(address, PATHS[place % len(PATHS)]) for place in range(count)]

    async def come(guest: Guest, after: float) -> None:
        await asyncio.sleep(after)
        await guest.come()

    await come(guests[0], 0.0)
    await asyncio.gather(*(come(guest, ARRIVALS * place / count) for place, guest in enumerate(guests[1:])))
    return guests


async def _moved(guests: list[Guest], seconds: float, *happening: Callable[[], None]) -> None:
    """Everybody moves for some seconds at least, while one thing after the other happens, with a pause before each."""
    over = asyncio.Event()

    async def happens() -> None:
        start = time.perf_counter()
        for what in happening:
            await asyncio.sleep(LULL)
            await asyncio.to_thread(what)
        await asyncio.sleep(max(start + seconds - time.perf_counter(), LULL if happening else 0.0))
        over.set()

    await asyncio.gather(happens(), *(guest.stay(over, random.Random(place)) for place, guest in enumerate(guests)))


def row(what: str, guests: list[Guest]) -> str:
    """A line of the table, said at once, after which what was measured is forgotten."""
    moves = [seconds for guest in guests for seconds in guest.moves] or [float("nan")]
    returns = [seconds for guest in guests for seconds in guest.returns]
    errors = sum(len(guest.errors) for guest in guests)
    late = f"{max(returns):.1f}" if returns else "–"
    line = (
        f"| {what} | {len(guests)} | {len(moves)} | {1000 * np.quantile(moves, 0.5):.0f} | "
        f"{1000 * np.quantile(moves, 0.95):.0f} | {len(returns)} | {late} | {errors} |"
    )
    print(line, file=sys.stderr, flush=True)
    for guest in guests:
        guest.moves.clear()
        guest.returns.clear()
    return line


async def _measured(count: int, seconds: float) -> tuple[list[str], list[str]]:
    """The table's lines, and what breaks a limit."""
    lines, broken = [], []
    with house(1) as (address, _):
        guests = await _crowd(address, count)
        await _moved(guests, seconds)
        broken += _errors(guests)
        lines.append(row("one process", guests))
        await asyncio.gather(*(guest.leave() for guest in guests))
    with house(2) as (address, (one, two)):
        guests = await _crowd(address, count)
        await _moved(guests, seconds)
        p95 = float(np.quantile([each for guest in guests for each in guest.moves], 0.95))
        broken += [f"p95 of a move on two replicas is {p95:.3f} s"] if p95 > MOVE_LIMIT else []
        lines.append(row("two behind the proxy", guests))
        died, in_turn = (one.kill, one.start), (one.kill, one.start, two.kill, two.start)
        for what, happening in (("one killed, and started again", died), ("both restarted in turn", in_turn)):
            await _moved(guests, seconds, *happening)
            late = max((each for guest in guests for each in guest.returns), default=0.0)
            broken += [f"{what}: a page was back after {late:.1f} s"] if late > BACK_LIMIT else []
            lines.append(row(what, guests))
        broken += _errors(guests)
        await asyncio.gather(*(guest.leave() for guest in guests))
    return lines, broken


def _errors(guests: list[Guest]) -> list[str]:
    """What readers have seen that they should not."""
    return sorted({error for guest in guests for error in guest.errors})[:10]


def main() -> None:
    """Measure, and hand the table over."""
    parser = options((__doc__ or "").splitlines()[0])
    parser.add_argument("--readers", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=9.0, help="of each part, at least (9)")
    asked = parser.parse_args()
    if program() is None:
        raise SystemExit(ADVICE)
    lines, missed = asyncio.run(_measured(asked.readers, asked.seconds))
    machine = f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} processors"
    head = (
        f"{machine}; readers and proxy run on them too. Milliseconds of a move, seconds until a page was back.",
        "",
        "| | readers | moves | p50 | p95 | came back | last after (s) | errors |",
        "|---|---|---|---|---|---|---|---|",
    )
    judge("# Replicas", [*head, *lines], missed, asked.output)


if __name__ == "__main__":
    main()
