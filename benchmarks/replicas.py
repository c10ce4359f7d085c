"""Readers in front of two replicas behind the proxy of `deploy/`: how long they wait, and what they notice of a death.

First everybody on one process, then on two behind nginx; then, while they move, one replica is killed and started
again, and both are restarted in turn. A reader whose socket closes comes back as the front end does: by the address
that the browser shows. `python -m benchmarks.replicas --output benchmarks/results/replicas.md` fails where a limit is
broken.
"""

from __future__ import annotations

import asyncio
import os
import platform
import random
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection

import numpy as np

from benchmarks.reader import Reader
from benchmarks.reports import judge, options
from tools.proxying import ADVICE, program, proxying
from tools.serving import Server, free_port, serving

PATHS = ("/counting", "/response", "/means", "/frequencies")
PAUSE = 3.0  # seconds between two moves of a reader
ARRIVALS = 8.0  # seconds in which all come
MOVE_LIMIT, BACK_LIMIT = 0.200, 5.0  # p95 of a move on two replicas; until a page is back, seconds
PATIENCE = 30.0  # seconds after which a reader has given up


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
        cookie = await asyncio.to_thread(given, self.address, self.path)
        self.reader = Reader(self.address + self.path, cookie=cookie)
        await self.reader.arrive()

    async def stay(self, until: float, chance: random.Random) -> None:
        """Move every few seconds, and come back wherever the socket has closed."""
        await asyncio.sleep(chance.random() * PAUSE)
        while time.perf_counter() < until:
            due = time.perf_counter() + PAUSE
            await self._move(chance.random())
            await asyncio.sleep(max(due - time.perf_counter(), 0.0))

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
        start, before = time.perf_counter(), self.reader
        while time.perf_counter() - start < PATIENCE:
            again = Reader(f"{self.address}{self.path}?{before.query}", cookie=before.cookie)
            try:
                run = await asyncio.wait_for(again.arrive(), PATIENCE)
            except Exception:
                await asyncio.sleep(0.2)
                continue
            if run.complete and again.query == before.query and not again.problems:
                self.returns.append(time.perf_counter() - start)
            else:
                self.errors.append(f"{self.path} came back as {again.query!r}, not {before.query!r}: {again.problems}")
            self.reader = again
            return
        self.errors.append(f"{self.path} never came back")


def given(address: str, path: str) -> str:
    """The cookie that comes with a page."""
    connection = HTTPConnection(address.removeprefix("http://"), timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return (answer.getheader("Set-Cookie") or "").partition(";")[0]
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
        running = [Replica(port) for port in ports[:replicas]]
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


async def _moved(guests: list[Guest], seconds: float, *happening: tuple[float, Replica, str]) -> None:
    """Everybody moves for some seconds, while at its moment something happens to a replica."""
    until = time.perf_counter() + seconds

    async def happens(after: float, replica: Replica, what: str) -> None:
        await asyncio.sleep(after)
        await asyncio.to_thread(getattr(replica, what))

    await asyncio.gather(
        *(guest.stay(until, random.Random(place)) for place, guest in enumerate(guests)),
        *(happens(*each) for each in happening),
    )


def row(what: str, guests: list[Guest]) -> str:
    """A line of the table, after which what was measured is forgotten."""
    moves = [seconds for guest in guests for seconds in guest.moves] or [float("nan")]
    returns = [seconds for guest in guests for seconds in guest.returns]
    errors = sum(len(guest.errors) for guest in guests)
    late = f"{max(returns):.1f}" if returns else "–"
    line = (
        f"| {what} | {len(guests)} | {len(moves)} | {1000 * np.quantile(moves, 0.5):.0f} | "
        f"{1000 * np.quantile(moves, 0.95):.0f} | {len(returns)} | {late} | {errors} |"
    )
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
        lines.append(row("one process", guests))
    with house(2) as (address, (one, two)):
        guests = await _crowd(address, count)
        await _moved(guests, seconds)
        p95 = float(np.quantile([each for guest in guests for each in guest.moves], 0.95))
        broken += [f"p95 of a move on two replicas is {p95:.3f} s"] if p95 > MOVE_LIMIT else []
        lines.append(row("two behind the proxy", guests))
        died = (seconds / 4, one, "kill"), (seconds / 2, one, "start")
        turns = *((0.1, one, "kill"), (0.15, one, "start")), *((0.55, two, "kill"), (0.6, two, "start"))
        in_turn = tuple((share * seconds, replica, happens) for share, replica, happens in turns)
        for what, happening in (("one killed, and started again", died), ("both restarted in turn", in_turn)):
            await _moved(guests, seconds, *happening)
            late = max((each for guest in guests for each in guest.returns), default=0.0)
            broken += [f"{what}: a page was back after {late:.1f} s"] if late > BACK_LIMIT else []
            lines.append(row(what, guests))
        broken += sorted({error for guest in guests for error in guest.errors})[:10]
    return lines, broken


def main() -> None:
    """Measure, and hand the table over."""
    parser = options((__doc__ or "").splitlines()[0])
    parser.add_argument("--readers", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each part")
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
