"""Ten who ask for the dearest there is, and beside them a reader who moves the handle: nobody may stop the room.

The attackers open, one after the other, the dearest setting of every page, view and mechanism, found by
`tools.dearest`, ask again and again as a page does that waits, and go on to the next. The server has one core, all
others the other. `python -m benchmarks.attackers --output benchmarks/results/attackers.md` fails where a limit is
broken. Linux alone tells what a process costs, so that it runs there alone.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from streamlit.logger import set_log_level

from benchmarks.hall import Hall
from benchmarks.reader import Reader
from explorer.navigation import DEFAULT, entries
from ldpcore.processes import last_processor
from tools import dearest
from tools.serving import serving

ATTACKERS = 10
PATH = "/counting"  # where the reader is
PAUSE, AGAIN, STAY = 0.5, 1.0, 8.0  # seconds: between two moves; between two questions of an attacker; on one page
CALM = 60.0  # seconds after which everything must be as before
WAIT_LIMIT, MEMORY_LIMIT, BACK, IDLE = 0.250, 1000.0, 1.2, 0.05  # p95 in seconds, MB, share of MB, processor share
GONE = 130.0  # seconds after which Streamlit forgets a session that has gone


@dataclass
class Outcome:
    """What the reader waited for, and what the server held."""

    waits: list[float] = field(default_factory=list)
    before: float = 0.0
    peak: float = 0.0
    after: float = 0.0
    busy: float = 0.0  # share of a processor that is used once all have been gone for a minute
    asked: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def p95(self) -> float:
        """Seconds within which 95 of 100 moves are answered."""
        return float(np.quantile(self.waits, 0.95)) if self.waits else float("nan")

    def broken(self) -> list[str]:
        """Which limits are broken."""
        limits = {
            f"p95 is {self.p95:.3f} s, more than {WAIT_LIMIT} s": self.p95 <= WAIT_LIMIT,
            f"memory is {self.peak:.0f} MB, more than {MEMORY_LIMIT:.0f} MB": self.peak <= MEMORY_LIMIT,
            f"memory stays at {self.after:.0f} MB after {self.before:.0f} MB": self.after <= BACK * self.before,
            f"{self.busy:.0%} of a processor is busy after all have gone": self.busy <= IDLE,
        }
        return [rule for rule, kept in limits.items() if not kept]

    def table(self) -> str:
        """The figures as Markdown."""
        rows = {
            "moves of the reader": f"{len(self.waits)}",
            "median": f"{np.median(self.waits):.3f} s",
            "p95": f"{self.p95:.3f} s",
            "worst": f"{max(self.waits):.3f} s",
            "questions of the attackers": f"{self.asked}",
            "memory before": f"{self.before:.0f} MB",
            "at the peak": f"{self.peak:.0f} MB",
            f"{CALM:.0f} s after": f"{self.after:.0f} MB",
            "processor then": f"{self.busy:.1%}",
        }
        return "\n".join(["| | |", "|---|---:|", *(f"| {name} | {value} |" for name, value in rows.items())]) + "\n"


def links() -> tuple[list[str], list[str]]:
    """Every view as it is usually opened; the dearest setting of each page, view and option, by what it says itself."""
    usual = dict.fromkeys("/" if entry.slug == DEFAULT else f"/{entry.slug}" for entry in entries())
    kept: dict[tuple[str, ...], tuple[float, str]] = {}
    for entry in entries():
        for setting in dearest.settings(entry.slug, ("high",)):
            usual[f"/{setting.slug}?{setting.slug}_tab={setting.view.slug}"] = None
            seconds = max(sum(question.cost().seconds for question in setting.questions(lv)) for lv in (0.01, 1.0))
            chosen = dict(setting.parameters)
            name = setting.slug, setting.view.slug, chosen.get(f"{setting.slug}_mechanism", "")
            kept[name] = max(kept.get(name, (0.0, "")), (seconds, setting.link))
    return list(usual), [link for _, link in sorted(kept.values(), reverse=True)]


async def attack(server: str, asked: list[str], chance: random.Random, until: float, outcome: Outcome) -> None:
    """One attacker: link after link, each asked again and again."""
    while time.perf_counter() < until:
        reader = Reader(server + chance.choice(asked[: max(20, len(asked) // 3)] if chance.random() < 0.7 else asked))
        try:
            await reader.arrive()
            outcome.asked += 1
            end = min(time.perf_counter() + STAY * chance.random(), until)
            while time.perf_counter() < end:
                await asyncio.sleep(AGAIN)
                await (reader.move(chance.random()) if reader.handle and chance.random() < 0.5 else reader.again())
                outcome.asked += 1
        except Exception as problem:
            outcome.problems.append(repr(problem))
        finally:
            outcome.problems += reader.problems
            await reader.leave()


async def read(server: str, until: float, outcome: Outcome) -> None:
    """The reader moves the handle by and by."""
    reader, chance = Reader(server + PATH), random.Random(0)
    await reader.arrive()
    await reader.move(0.5)
    while time.perf_counter() < until:
        outcome.waits.append((await reader.move(chance.random())).seconds)
        await asyncio.sleep(PAUSE)
    outcome.problems += reader.problems
    await reader.leave()


async def watch(hall: Hall, until: float, outcome: Outcome) -> None:
    """The most that the server holds."""
    while time.perf_counter() < until:
        outcome.peak = max(outcome.peak, hall.resident())
        await asyncio.sleep(0.1)


async def warm(server: str, usual: list[str]) -> None:
    """Everything that is loaded once is loaded: each view has been looked at."""
    for link in usual:
        reader = Reader(server + link)
        await reader.arrive()
        await reader.leave()
    await asyncio.sleep(GONE)


async def measured(hall: Hall, server: str, seconds: float, usual: list[str], asked: list[str]) -> Outcome:
    """A reader beside ten attackers, and the server a minute after it has forgotten them."""
    outcome = Outcome()
    await warm(server, usual)
    outcome.before = hall.resident()
    until = time.perf_counter() + seconds
    attackers = [attack(server, asked, random.Random(number), until, outcome) for number in range(ATTACKERS)]
    await asyncio.gather(read(server, until, outcome), watch(hall, until, outcome), *attackers)
    await asyncio.sleep(max(CALM, GONE))
    used, began = hall.processor(), time.perf_counter()
    await asyncio.sleep(10)
    outcome.busy = (hall.processor() - used) / (time.perf_counter() - began)
    outcome.after = hall.resident()
    return outcome


def main() -> int:
    """Measure, write, and say what is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    set_log_level("error")  # pages are opened without a server to see what they declare
    usual, asked = links()
    print(f"{len(asked)} settings, the dearest first:", *asked[:5], sep="\n  ")
    core = last_processor()
    with serving(core=core) as server:
        hall = Hall("app", server, PATH, "epsilon")
        outcome = asyncio.run(measured(hall, server.url, given.seconds, usual, asked))
        said = server.said()
    print(outcome.table())
    problems = [*outcome.broken(), *sorted({*outcome.problems})[:5]]
    problems += [said[said.rindex("Traceback") :][-2000:]] if "Traceback" in said else []
    if given.output:
        given.output.write_text(f"# A reader beside {ATTACKERS} attackers\n\n{outcome.table()}", encoding="utf-8")
    for problem in problems:
        print("BROKEN:", problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
