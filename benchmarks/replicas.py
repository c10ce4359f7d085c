"""Readers in front of two replicas behind the proxy of `deploy/`: their waits, and the effect of a replica's death.

First everybody on one process, then on two behind nginx; then, while they move, one replica is killed and started
again and gets half of the readers back, and both are restarted in turn, as `docs/hosting.md` says. A reader whose
socket closes comes back as the front end does: it notices at once, waits for a quarter to half a second, asks whether a
server is there, and asks it for the address that the browser shows, with the messages that it remembers.
`python -m benchmarks.replicas --output benchmarks/results/replicas.md` fails where a limit is broken; it takes three
minutes. `--parts turn` restarts both in turn and nothing else, in one minute and a quarter.
"""

from __future__ import annotations

import asyncio
import os
import platform
import random
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qsl
from urllib.request import urlopen

import numpy as np

from benchmarks.reader import LEVEL, Reader
from benchmarks.reports import judge, options
from tools.proxying import ADVICE, program, proxying
from tools.serving import Server, free_port, serving

PARTS = ("alone", "two", "killed", "half", "turn")
PATHS = ("/counting", "/response", "/means", "/frequencies")
ASKED = ("/_stcore/health", "/_stcore/host-config")  # by the front end, before it connects again
SOON, LATEST = 0.5, 4.0  # seconds that it waits before at most, the first time and later
PAUSE = 3.0  # seconds between two moves of a reader
ARRIVALS = 8.0  # seconds in which all come
MOVE_LIMIT, BACK_LIMIT = 0.200, 5.0  # p95 of a move on two replicas; until a page is back, seconds
TWO = "two behind the proxy"
LULL = 2.0  # seconds before and after each thing that happens to a replica
HANDED_OVER = 25  # readers in a second, by a replica that stops
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
    wanted: float | str | None = None  # the level that was asked for last, until its page is there

    async def come(self) -> None:
        """Get the page with the cookie that comes with it, and its first run."""
        try:
            cookie = await given(self.address, self.path)
            self.reader = Reader(self.address + self.path, cookie=cookie)
            await asyncio.wait_for(self.reader.arrive(), PATIENCE)
        except Exception as problem:
            self.errors.append(f"{self.path} never came: {problem!r}")

    async def stay(self, over: asyncio.Event, chance: random.Random) -> None:
        """Move every few seconds until the event is set, and come back as soon as the socket has closed."""
        wait = chance.random() * PAUSE
        while self.reader is not None and not await self._rest(over, wait):
            due = time.perf_counter() + PAUSE
            if self.reader.closed or not await self._move(chance.random()):
                await self._return(chance)
            wait = max(due - time.perf_counter(), 0.0)

    async def leave(self) -> None:
        """Close the page."""
        if self.reader is not None:
            with suppress(Exception):
                await asyncio.wait_for(self.reader.leave(), 1.0)

    async def _rest(self, over: asyncio.Event, patience: float) -> bool:
        """Look at the page until the patience ends, the event is set or the socket closes; whether the event is set."""
        assert self.reader is not None
        assert self.reader.socket is not None
        waiting = [asyncio.ensure_future(each) for each in (over.wait(), self.reader.socket.wait_closed())]
        await asyncio.wait(waiting, timeout=max(patience, 0.001), return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()
        return over.is_set()

    async def _move(self, place: float) -> bool:
        """Move once; whether the server was there to the end of it."""
        assert self.reader is not None
        assert self.reader.handle is not None
        self.wanted = self.reader.handle.at(place)
        try:
            run = await asyncio.wait_for(self.reader.move(place), PATIENCE)
        except TimeoutError:
            self.moves.append(PATIENCE)
            self.errors.append("a move was not answered")
            return False
        except Exception:
            return False
        self.wanted = None
        self.moves.append(run.seconds)
        self.errors += self.reader.problems + ([] if run.complete else [f"a run ended with {run.ended}"])
        self.reader.problems.clear()
        return True

    async def _return(self, chance: random.Random) -> None:
        """Ask for the address in the browser again until it answers; it must be the page left."""
        assert self.reader is not None
        start, before, last, longest = time.perf_counter(), self.reader, "", SOON
        while time.perf_counter() - start < PATIENCE:
            await asyncio.sleep(longest * (1 + chance.random()) / 2)
            longest = min(2 * longest, LATEST)
            again = before.back(f"{self.address}{self.path}?{before.query}")
            try:
                for asked in ASKED:
                    again.cookie = await given(self.address, asked, again.cookie)
                run = await asyncio.wait_for(again.arrive(), PATIENCE)
            except Exception as problem:
                last = repr(problem)
                continue
            if run.complete and self._left(again.query, before.query) and not again.problems:
                self.returns.append(time.perf_counter() - start)
            else:
                self.errors.append(f"{self.path} came back as {again.query!r}, not {before.query!r}: {again.problems}")
            self.reader, self.wanted = again, None
            return
        self.errors.append(f"{self.path} never came back: {last}")

    def _left(self, query: str, before: str) -> bool:
        """Whether this is the page that was left, by its address or by a move that was heard and not answered."""
        now, then = (dict(parse_qsl(each)) for each in (query, before))
        moved = self.wanted is not None and float(now.get(LEVEL, self.wanted)) == float(self.wanted)
        return now == then or (moved and {**now, LEVEL: ""} == {**then, LEVEL: ""})


async def given(address: str, path: str, cookie: str = "") -> str:
    """The cookie that comes with a page, else the one that there was; a page that does not come is an error."""
    place = address.removeprefix("http://")
    host, port = place.split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        said = [
            f"GET {path} HTTP/1.1",
            f"Host: {place}",
            "Connection: close",
            *([f"Cookie: {cookie}"] if cookie else []),
        ]
        writer.write(("\r\n".join(said) + "\r\n\r\n").encode())
        answer = await asyncio.wait_for(reader.read(), PATIENCE)
    finally:
        writer.close()
    status, *fields = answer.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    if " 200 " not in f"{status} ":
        raise ConnectionError(f"{path} was answered with {status}")
    known = {name.lower(): text.strip() for name, _, text in (field.partition(":") for field in fields)}
    return known.get("set-cookie", cookie).partition(";")[0]


class Replica:
    """A process that can be killed and started again on its port."""

    def __init__(self, port: int) -> None:
        self.port, self._open = port, ExitStack()
        self.server: Server = self._open.enter_context(_replica(port))

    def kill(self) -> None:
        """Kill the replica at once, as a machine out of memory does."""
        os.kill(self.server.process, signal.SIGKILL)
        self._open.close()

    def stop(self) -> None:
        """Stop the replica as systemd does: it hands its readers over and ends."""
        os.kill(self.server.process, signal.SIGTERM)
        os.waitid(os.P_PID, self.server.process, os.WEXITED | os.WNOWAIT)
        self._open.close()

    def start(self) -> None:
        """Start it again, and wait until it renders a page."""
        self._open = ExitStack()
        self.server = self._open.enter_context(_replica(self.port))
        self.wait()

    def give_half(self) -> None:
        """Let the replica hand every second reader over, to one that has come back."""
        os.kill(self.server.process, signal.SIGUSR1)
        time.sleep(1.0)
        self.wait()

    def wait(self) -> None:
        """Wait until the replica is well, and hands nobody over."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(OSError):
                if urlopen(f"{self.server.url}/healthz", timeout=10).status == 200:
                    return
            time.sleep(0.2)
        raise TimeoutError(f"the replica on port {self.port} must be well after a minute")

    def close(self) -> None:
        """End the replica."""
        self._open.close()


def _replica(port: int) -> AbstractContextManager[Server]:
    return serving(port=port, environment={"LDP_EXPLORER_DRAIN": str(HANDED_OVER)})


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
    """The guests, who come within some seconds."""
    guests = [Guest(address, PATHS[place % len(PATHS)]) for place in range(count)]

    async def come(guest: Guest, after: float) -> None:
        await asyncio.sleep(after)
        await guest.come()

    await come(guests[0], 0.0)
    await asyncio.gather(*(come(guest, ARRIVALS * place / count) for place, guest in enumerate(guests[1:])))
    return guests


async def _moved(guests: list[Guest], seconds: float, *happening: Callable[[], None]) -> None:
    """Move all guests for some seconds at least, while one event after the other happens, with a pause before each."""
    over = asyncio.Event()

    async def happens() -> None:
        start = time.perf_counter()
        for what in happening:
            await asyncio.sleep(LULL)
            await asyncio.to_thread(what)
        await asyncio.sleep(max(start + seconds - time.perf_counter(), LULL if happening else 0.0))
        over.set()

    await asyncio.gather(happens(), *(guest.stay(over, random.Random(place)) for place, guest in enumerate(guests)))


def row(what: str, guests: list[Guest], cores: float) -> str:
    """A line of the table, printed at once."""
    moves = [seconds for guest in guests for seconds in guest.moves] or [float("nan")]
    returns = [seconds for guest in guests for seconds in guest.returns]
    errors = sum(len(guest.errors) for guest in guests)
    half, late = (f"{np.quantile(returns, each):.1f}" if returns else "–" for each in (0.5, 1.0))
    line = (
        f"| {what} | {len(guests)} | {len(moves)} | {1000 * np.quantile(moves, 0.5):.0f} | "
        f"{1000 * np.quantile(moves, 0.95):.0f} | {len(returns)} | {half} | {late} | {cores:.2f} | {errors} |"
    )
    print(line, file=sys.stderr, flush=True)
    return line


@dataclass
class Report:
    """The table's lines, and the broken limits."""

    lines: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    async def part(self, what: str, guests: list[Guest], seconds: float, *happening: Callable[[], None]) -> None:
        """Measure one part, and hold it against the limits."""
        start, used = time.perf_counter(), time.process_time()
        await _moved(guests, seconds, *happening)
        cores = (time.process_time() - used) / (time.perf_counter() - start)
        self.lines.append(row(what, guests, cores))
        p95 = float(np.quantile([each for guest in guests for each in guest.moves], 0.95))
        late = max((each for guest in guests for each in guest.returns), default=0.0)
        self.broken += [f"{what}: p95 of a move is {p95:.3f} s"] if what == TWO and p95 > MOVE_LIMIT else []
        self.broken += [f"{what}: a page was back after {late:.1f} s"] if late > BACK_LIMIT else []
        for guest in guests:
            guest.moves.clear()
            guest.returns.clear()


async def _measured(count: int, seconds: float, parts: Collection[str]) -> Report:
    """Measure these parts, one after the other."""
    report = Report()
    if "alone" in parts:
        with house(1) as (address, _):
            guests = await _crowd(address, count)
            await report.part("one process", guests, seconds)
            report.broken += _errors(guests)
            await asyncio.gather(*(guest.leave() for guest in guests))
    if set(parts) <= {"alone"}:
        return report
    with house(2) as (address, (one, two)):
        turn = (one.stop, one.start, two.give_half, two.stop, two.start, one.give_half)
        whole: dict[str, tuple[str, float, tuple[Callable[[], None], ...]]] = {
            "two": (TWO, seconds, ()),
            "killed": ("one killed, and started again", seconds, (one.kill, one.start)),
            "half": ("the other gives it half", 0.0, (two.give_half,)),
            "turn": ("both restarted in turn", 0.0, turn),
        }
        guests = await _crowd(address, count)
        for part, (what, lasts, happening) in whole.items():
            if part in parts:
                await report.part(what, guests, lasts, *happening)
        report.broken += _errors(guests)
        await asyncio.gather(*(guest.leave() for guest in guests))
    return report


def _errors(guests: list[Guest]) -> list[str]:
    """The errors that readers have seen."""
    return sorted({error for guest in guests for error in guest.errors})[:10]


def main() -> None:
    """Measure, and hand the table over."""
    parser = options((__doc__ or "").splitlines()[0])
    parser.add_argument("--readers", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=9.0, help="of each part, at least (9)")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="which of them (all, in this order)")
    asked = parser.parse_args()
    if program() is None:
        raise SystemExit(ADVICE)
    report = asyncio.run(_measured(asked.readers, asked.seconds, asked.parts))
    machine = f"{platform.platform()}, Python {platform.python_version()}, {os.cpu_count()} processors"
    head = (
        f"{machine}; readers and proxy run on them too. Milliseconds of a move, seconds until a page was back, and the",
        "cores that the readers themselves took.",
        "",
        "| | readers | moves | p50 | p95 | came back | half after (s) | last after (s) | readers' cores | errors |",
        "|---|---|---|---|---|---|---|---|---|---|",
    )
    judge("# Replicas", [*head, *report.lines], report.broken, asked.output)


if __name__ == "__main__":
    main()
