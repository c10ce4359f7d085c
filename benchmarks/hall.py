"""A hall of readers over Streamlit's own web socket: they scan the code together, then each moves the handle by and by.

The server has one core, the readers another. The app and the yardstick, with the same settings, take turns round by
round, so that a busy minute slows both, and the limits are ratios to what the yardstick takes beside it.
`python -m benchmarks.hall --output benchmarks/results/hall.md` fails where a limit is broken. Linux alone tells what a
process costs, so that it runs there alone.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import os
import platform
import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.reader import LEVEL, Reader, Run
from benchmarks.reports import hand_over
from explorer.navigation import DEFAULT, entries
from tools.serving import Server, serving

APP, YARDSTICK = "app.py", "benchmarks/yardstick/app.py"
ARRIVALS = 1.0  # seconds in which all come
PAUSE = 3.0  # seconds between two moves of a reader
SETTLING = 1.0  # seconds of silence before memory is read
# How many times the yardstick's, at the same load: the wait until the last reader's first run, the processor time of
# each, p95 of a move by the number of readers, and processor time from the process to the end of a page's first run.
LAST, ARRIVAL, MOVE, START = 10.0, 3.0, {100: 1.6, 200: 2.0}, 1.6
MEMORY_LIMIT = 0.5  # megabytes of a session
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}  # as where it is installed: no start but the first compiles modules


@dataclass
class Hall:
    """One server, its readers, and their waits."""

    name: str
    server: Server
    path: str
    key: str
    readers: list[Reader] = field(default_factory=list)
    arrivals: list[Run] = field(default_factory=list)
    moves: list[Run] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    cost: float = 0.0  # processor seconds of a reader beyond the first
    move_cost: float = 0.0
    memory: float = 0.0  # megabytes of a reader beyond the first

    def processor(self) -> float:
        """Seconds of processor time that the server has used."""
        return processor(self.server)

    def resident(self) -> float:
        """Megabytes that the server holds."""
        pages = int(Path(f"/proc/{self.server.process}/statm").read_text(encoding="utf-8").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    async def fill(self, count: int) -> None:
        """Fill the hall: the first reader alone, who has everything loaded, and a move; then the others in a second."""
        first = await self._arrive(0.0)
        if first is None:
            return
        await self._moves(first, [0.5], 0.0)
        self.moves.clear()
        await asyncio.sleep(SETTLING)
        used, held = self.processor(), self.resident()
        await asyncio.gather(*(self._arrive(ARRIVALS * index / count) for index in range(count - 1)))
        self.cost = (self.processor() - used) / max(count - 1, 1)
        await asyncio.sleep(SETTLING)
        self.memory = (self.resident() - held) / max(count - 1, 1)

    async def round(self, moves: int) -> None:
        """Move each reader this many times, once in each pause, at a moment of its own."""
        chance, used = random.Random(len(self.moves)), self.processor()
        await asyncio.gather(
            *(
                self._moves(reader, [chance.random() for _ in range(moves)], chance.random() * PAUSE)
                for reader in self.readers
            )
        )
        self.move_cost += self.processor() - used

    async def empty(self) -> None:
        """Let every reader leave."""
        await asyncio.gather(*(reader.leave() for reader in self.readers))

    async def _arrive(self, after: float) -> Reader | None:
        await asyncio.sleep(after)
        reader = Reader(self.server.url + self.path, self.key)
        try:
            self._count(reader, await reader.arrive(), self.arrivals)
        except Exception as problem:
            self.errors.append(f"arriving: {problem!r}")
            return None
        self.readers.append(reader)
        return reader

    async def _moves(self, reader: Reader, places: list[float], after: float) -> None:
        due = time.perf_counter() + after
        for place in places:
            await asyncio.sleep(max(due - time.perf_counter(), 0.0))
            try:
                self._count(reader, await reader.move(place), self.moves)
            except Exception as problem:
                self.errors.append(f"moving: {problem!r}")
                return
            due = max(due + PAUSE, time.perf_counter())

    def _count(self, reader: Reader, run: Run, kept: list[Run]) -> None:
        kept.append(run)
        self.errors += reader.problems + ([] if run.complete else [f"a run ended with {run.ended}"])
        if reader.handle is None:
            self.errors.append(f"{self.path} shows nothing to move with the key {self.key}")
        reader.problems.clear()


def processor(server: Server) -> float:
    """Seconds of processor time that a server has used."""
    fields = Path(f"/proc/{server.process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def quantile(runs: list[Run], share: float) -> float:
    """The seconds that this share of the runs stay under."""
    return float(np.quantile([run.seconds for run in runs], share)) if runs else float("nan")


@contextmanager
def cores() -> Iterator[int | None]:
    """The servers' core, while this process has the others; None where there is only one."""
    mine = sorted(os.sched_getaffinity(0))
    if len(mine) > 1:
        os.sched_setaffinity(0, mine[1:])
    try:
        yield mine[0] if len(mine) > 1 else None
    finally:
        os.sched_setaffinity(0, mine)


def busy(core: int) -> float:
    """The seconds that a core has worked, for any process."""
    line = next(
        line for line in Path("/proc/stat").read_text(encoding="utf-8").splitlines() if line.startswith(f"cpu{core} ")
    )
    ticks = [int(part) for part in line.split()[1:]]
    return (sum(ticks[:8]) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")  # neither idle nor waiting for a disk


async def meet(halls: list[Hall], count: int, rounds: int, moves: int) -> None:
    """Fill the halls one after the other and let them move in turn."""
    for hall in halls:
        await hall.fill(count)
    for _ in range(rounds):
        for hall in halls:
            await hall.round(moves)
    for hall in halls:
        await hall.empty()


def measured(
    paths: list[str], key: str, count: int, rounds: int, moves: int, core: int | None
) -> tuple[list[Hall], float]:
    """A hall of each page and one of the yardstick, with fresh servers; and the share of the core that others took."""
    with ExitStack() as open_servers:
        places = [(path, APP, path) for path in paths] + [("yardstick", YARDSTICK, "/")]
        halls = [
            Hall(name, open_servers.enter_context(serving(script, core=core)), path, key)
            for name, script, path in places
        ]
        start, used, own = time.perf_counter(), busy(core or 0), sum(hall.processor() for hall in halls)
        asyncio.run(meet(halls, count, rounds, moves))
        foreign = busy(core or 0) - used - (sum(hall.processor() for hall in halls) - own)
        others = max(foreign, 0.0) / (time.perf_counter() - start)
        for hall in halls:
            if "Traceback" in hall.server.said():
                hall.errors.append("the server wrote a traceback")
        return halls, others


def row(hall: Hall, count: int) -> str:
    """A line of the table."""
    ms = 1000.0
    last = max((run.seconds for run in hall.arrivals[1:]), default=float("nan"))
    cells = (
        f"{count}",
        f"{quantile(hall.arrivals[1:], 0.5):.2f}",
        f"{last:.2f}",
        f"{hall.cost * ms:.1f}",
        f"{quantile(hall.moves, 0.5) * ms:.0f}",
        f"{quantile(hall.moves, 0.95) * ms:.0f}",
        f"{quantile(hall.moves, 1.0) * ms:.0f}",
        f"{hall.move_cost / max(len(hall.moves), 1) * ms:.1f}",
        f"{hall.memory:.2f}",
        f"{hall.arrivals[0].bytes / 1e3:.0f}" if hall.arrivals else "",
        f"{len(hall.errors)}",
    )
    return f"| {hall.name} | " + " | ".join(cells) + " |"


def broken(hall: Hall, yardstick: Hall, count: int) -> list[str]:
    """The limits that a page does not keep beside the yardstick."""
    limits = [("errors", len(hall.errors), 0.0), ("memory of a session", hall.memory, MEMORY_LIMIT)]
    if count in MOVE:
        times = quantile(hall.moves, 0.95) / quantile(yardstick.moves, 0.95)
        limits.append(("p95 of a move, times the yardstick's", times, MOVE[count]))
    if count == min(MOVE):
        last = quantile(hall.arrivals[1:], 1.0) / quantile(yardstick.arrivals[1:], 1.0)
        limits.append(("last first run, times the yardstick's", last, LAST))
        cost = hall.cost / yardstick.cost if yardstick.cost else math.nan
        limits.append(("processor time of an arrival, times the yardstick's", cost, ARRIVAL))
    return [
        f"{hall.name}, {count} readers: {what} {value:.3g}, limit {limit:g}"
        for what, value, limit in limits
        if not value <= limit
    ]


def first_run(script: str, path: str) -> tuple[float, float]:
    """Processor seconds, and seconds, from the start of the process to the end of a page's first run."""

    async def visit(server: Server) -> tuple[float, float]:
        reader = Reader(server.url + path)
        await reader.open_page()
        found = processor(server), time.perf_counter() - server.started
        await reader.leave()
        return found

    with serving(script, environment=COMPILED) as server:
        return asyncio.run(visit(server))


def starts(paths: list[str], repeats: int) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """The middle of some fresh starts for each page, and of the yardstick's, each of which follows one of them."""
    first_run(APP, paths[0])
    found: dict[str, list[tuple[tuple[float, float], tuple[float, float]]]] = {path: [] for path in paths}
    for _ in range(repeats):
        for path, pairs in found.items():
            pairs.append((first_run(APP, path), first_run(YARDSTICK, "/")))
    for path, pairs in found.items():
        ours, yardstick = np.median(pairs, axis=0)
        yield path, ours, yardstick


def machine(core: int | None) -> str:
    """The machine behind the numbers."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("streamlit", "plotly", "numpy"))
    where = "all on one core" if core is None else f"the servers on core {core}, the readers on the others"
    return (
        f"{platform.machine()}, Python {platform.python_version()}, {packages}, loopback; {where}; "
        f"load average at the start {os.getloadavg()[0]:.1f}"
    )


COLUMNS = (
    "page",
    "readers",
    "arrival p50 (s)",
    "last (s)",
    "cost of an arrival (ms)",
    "move p50 (ms)",
    "p95",
    "worst",
    "cost of a move (ms)",
    "memory of a session (MB)",
    "first visit's socket (kB)",
    "errors",
)
HEAD = f"""
Within a second all arrive: seconds until the middle and the last reader's first run is finished, and processor time of
the server for each beyond the first. Then each moves every 3 s: milliseconds until the script is finished.

| {" | ".join(COLUMNS)} |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""
STARTS_HEAD = """
From the start of the process to the end of a page's first run, on all cores; medians, each beside the yardstick's

| page | processor (s) | yardstick | ratio | wait (s) | yardstick |
|---|--:|--:|--:|--:|--:|"""


def report(asked: argparse.Namespace) -> tuple[str, list[str]]:
    """The results as Markdown, and the limits that were broken."""
    problems: list[str] = []
    shares: list[str] = []
    with cores() as core:
        lines = ["# In the hall", "", machine(core), HEAD]
        for count in asked.readers:
            halls, others = measured(asked.pages, asked.handle, count, asked.rounds, asked.moves, core)
            lines += [row(hall, count) for hall in halls]
            shares.append(f"{others:.0%} with {count} readers")
            problems += [line for hall in halls[:-1] for line in broken(hall, halls[-1], count)]
            problems += [f"  {error}" for hall in halls for error in sorted(set(hall.errors))[:5]]
    lines += [
        "",
        f"Of the servers' core others took {', '.join(shares)}: waits are worth reading where that is little.",
    ]
    if asked.starts:
        lines.append(STARTS_HEAD)
        known = ["/" if entry.slug == DEFAULT else f"/{entry.slug}" for entry in entries()]
        for name, (work, wait), (least, beside) in starts(known, asked.starts):
            ratio = work / least
            lines.append(f"| {name} | {work:.2f} | {least:.2f} | {ratio:.2f} | {wait:.2f} | {beside:.2f} |")
            if ratio > START:
                problems.append(f"{name}: its start takes {ratio:.2f} times the yardstick's, limit {START:g}")
    return "\n".join(lines) + f"\n\nLoad average at the end {os.getloadavg()[0]:.1f}.\n", problems


def main() -> int:
    """Measure, print, and fail where a limit is broken."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hall", description=__doc__)
    parser.add_argument("--pages", nargs="*", default=["/counting"], help="addresses, parameters included (/counting)")
    parser.add_argument("--readers", nargs="*", type=int, default=[100, 200], help="how many (100 and 200)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of moves (3)")
    parser.add_argument("--moves", type=int, default=4, help="moves of each reader in a round (4)")
    parser.add_argument("--handle", default=LEVEL, help=f"the key of what is moved ({LEVEL})")
    parser.add_argument("--starts", type=int, default=3, help="fresh starts of each page (3; 0 for none)")
    parser.add_argument("--output", type=Path, help="also write the Markdown to this file")
    asked = parser.parse_args()
    if not hasattr(os, "sched_setaffinity"):
        print("The hall needs Linux: elsewhere a process cannot be given one core.")
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # unwinds, so that no server is left behind
    text, problems = report(asked)
    text += "".join(f"\n- {problem}" for problem in problems) + ("\n" if problems else "")
    hand_over(text, asked.output)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
