"""A long run: fifty readers who come, move, bring a table, print, leave and come back, over Streamlit's own web socket.

Minute by minute: what the server holds, its open files and threads, and how long a move takes. The first five minutes
fill what is kept for all; from then on memory must stay. In the end all go, and the server must hold no more files
than after a single reader had gone, and no more threads but those of its own pools. `make soak` runs it; with
`MINUTES=2` its memory is not judged.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.reports import judge, options
from benchmarks.visitor import Visitor
from tools.serving import Server, serving

PATHS = ("/counting", "/means", "/frequencies", "/averaging", "/shapes")
TABLE = "name,amount,member\n" + "".join(f"Ada {row},{row % 97},{row % 2}\n" for row in range(400))
PAUSE, MOVES = 3.0, 6  # seconds between two moves of a reader; moves of one visit
FILLING, LONG = 5, 15  # minutes that fill what is kept for all; minutes from which memory is judged
POOLED = 6  # threads that a server's own pools make when they are first needed, and keep
GROWTH = 1.0  # megabytes in ten minutes
REMEMBERED = 130.0  # seconds after which the server has forgotten readers who have gone
PATIENCE = 60.0  # seconds after which an answer is none


@dataclass
class Soak:
    """The readers of a server, and their waits."""

    server: Server
    until: float
    moves: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    visits: int = 0
    tables: int = 0
    sheets: int = 0

    async def reader(self, number: int) -> None:
        """A reader who comes again and again, to the page that they left."""
        chance, link = random.Random(number), PATHS[number % len(PATHS)]
        await asyncio.sleep(chance.random() * PAUSE)
        while time.perf_counter() < self.until:
            try:
                link = await asyncio.wait_for(self.visit(link, chance), 10 * PATIENCE)
            except Exception as problem:
                self.errors.append(f"{link}: {problem!r}")
            await asyncio.sleep(chance.random() * 2 * PAUSE)

    async def visit(self, link: str, chance: random.Random, likely: float = 0.5) -> str:
        """Come, move, now and then bring a table or print, and go; the address that the browser shows then."""
        visitor, path = Visitor(self.server.url + link), link.partition("?")[0]
        try:
            await visitor.arrive()
            self.visits += 1
            for _ in range(MOVES):
                if time.perf_counter() >= self.until:
                    break
                self.moves.append((await visitor.move(chance.random())).seconds)
                await asyncio.sleep(PAUSE * (0.5 + chance.random()))
            if chance.random() < likely:
                self.sheets += await visitor.print()
            if path == "/counting" and chance.random() < likely:
                await visitor.bring("people.csv", TABLE.encode())
                self.tables += any("Ada 0" in text for text in visitor.said)
        finally:
            self.errors += visitor.problems
            await visitor.leave()
        return f"{path}?{visitor.query}"


@dataclass(frozen=True)
class Held:
    """The resources of a process: megabytes, open files, threads."""

    memory: float
    files: int
    threads: int


def held(process: int) -> Held:
    """The resources of a process at this moment (Linux alone tells)."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    )
    files = len(list(Path(f"/proc/{process}/fd").iterdir()))
    return Held(int(status["VmRSS"].split()[0]) / 1024, files, int(status["Threads"]))


def growth(minutes: Sequence[Held]) -> float:
    """Megabytes in ten minutes by which memory grows once all is filled, along a line through the minutes."""
    later = [each.memory for each in minutes[FILLING:]]
    return float(10 * np.polyfit(np.arange(len(later)), later, 1)[0])


def broken(minutes: Sequence[Held], before: Held, after: Held) -> list[str]:
    """The faults of a run; memory is judged in one that is long enough."""
    missed = []
    if len(minutes) >= LONG and (more := growth(minutes)) > GROWTH:
        missed.append(f"memory grows by {more:.1f} MB in ten minutes")
    if after.files > before.files:
        missed.append(f"{after.files - before.files} open files are left behind")
    if after.threads > before.threads + POOLED:
        missed.append(f"{after.threads - before.threads} threads are left behind")
    return missed


async def soaked(server: Server, readers: int, minutes: float, rest: float) -> tuple[list[str], list[str]]:
    """The table's lines, and the faults of the run."""
    first = Soak(server, time.perf_counter() + PATIENCE)
    await first.visit(PATHS[0], random.Random(0), likely=1.0)
    await asyncio.sleep(rest)
    before, soak = held(server.process), Soak(server, time.perf_counter() + 60 * minutes)
    lines, seen = [f"| before | {before.memory:.0f} | {before.files} | {before.threads} | | | |"], list[Held]()

    async def watch() -> None:
        while time.perf_counter() < soak.until:
            known = len(soak.moves)
            await asyncio.sleep(min(60.0, max(soak.until - time.perf_counter(), 0.1)))
            now, waits = held(server.process), soak.moves[known:] or [float("nan")]
            seen.append(now)
            p95 = 1000 * float(np.quantile(waits, 0.95))
            counts = f"{len(waits)} | {p95:.0f} | {len(soak.errors)}"
            lines.append(f"| {len(seen)} | {now.memory:.0f} | {now.files} | {now.threads} | {counts} |")
            print(lines[-1], flush=True)

    await asyncio.gather(watch(), *(soak.reader(number) for number in range(readers)))
    await asyncio.sleep(rest)
    after = held(server.process)
    lines.append(f"| after | {after.memory:.0f} | {after.files} | {after.threads} | | | |")
    grown = f"{growth(seen):.1f} MB in ten minutes" if len(seen) >= LONG else f"not judged below {LONG} minutes"
    lines += ["", f"{soak.visits} visits, {soak.tables} tables, {soak.sheets} sheets. Growth of memory: {grown}."]
    missed = broken(seen, before, after) + sorted(set(first.errors + soak.errors))[:10]
    missed += [] if soak.moves and soak.sheets else ["nobody has moved, or nobody has printed"]
    return lines, missed


def main() -> None:
    """Measure, and hand the table over."""
    parser = options((__doc__ or "").splitlines()[0])
    parser.add_argument("--readers", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument(
        "--rest", type=float, default=REMEMBERED, help="seconds until those who have gone are forgotten"
    )
    asked = parser.parse_args()
    with serving() as server:
        lines, missed = asyncio.run(soaked(server, asked.readers, asked.minutes, asked.rest))
    head = (
        "| minute | memory (MB) | open files | threads | moves | p95 (ms) | errors |",
        "|---|--:|--:|--:|--:|--:|--:|",
    )
    judge(f"# {asked.minutes:g} minutes with {asked.readers} readers", [*head, *lines], missed, asked.output)


if __name__ == "__main__":
    main()
