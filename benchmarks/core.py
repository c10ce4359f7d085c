"""The speed of the library, side by side in one run: its own way and the plain NumPy way of each job, turn by turn.

The table of jobs is in `benchmarks.jobs`. Times are medians of processor time; most of it is one core's.
`python -m benchmarks.core --output benchmarks/results/core.md` fails where an aim is missed (about three minutes);
`--only shares` runs the jobs whose names hold this word.
"""

from __future__ import annotations

import math
import os
import platform
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version

from benchmarks.reports import judge, options

Work = Callable[[], object]

ROUNDS = 3  # turns of both ways
ENOUGH, MOST = 0.05, 5000  # seconds that one measurement takes at least, by repeating shorter work; most repetitions


@dataclass(frozen=True)
class Aim:
    """The least that a job must reach: a multiple of the plain way's speed, seconds, and megabytes at the peak."""

    times: float = 0.0
    seconds: float = math.inf
    megabytes: float = math.inf

    def __str__(self) -> str:
        told = [f"{self.times:,g} times" if self.times >= 1 else f"1/{1 / self.times:.3g} times"] if self.times else []
        told += [duration(self.seconds)] if self.seconds < math.inf else []
        told += [f"{self.megabytes:.0f} MB"] if self.megabytes < math.inf else []
        return ", ".join(told)


@dataclass(frozen=True)
class Job:
    """One piece of work: the library's way, the plain way, and the aim."""

    name: str
    ours: Work
    plain: Work | None
    aim: Aim
    part: float = 1.0  # the share of the work that the plain way does, where all of it would take too long


@dataclass(frozen=True)
class Found:
    """The cost of a job: measured seconds of both ways, and the library's megabytes where the aim is about them."""

    job: Job
    ours: float
    plain: float | None
    megabytes: float | None

    def whole(self) -> float:
        """Seconds of the plain way for all of the work."""
        return math.nan if self.plain is None else self.plain / self.job.part

    def times(self) -> float:
        """The number of times that the library is faster."""
        return self.whole() / self.ours

    def missed(self) -> list[str]:
        """The aims that are not reached."""
        aim = self.job.aim
        limits = {
            f"{self.times():,.3g} times": not self.times() < aim.times,
            duration(self.ours): self.ours <= aim.seconds,
            f"{self.megabytes or 0:.0f} MB": (self.megabytes or 0.0) <= aim.megabytes,
        }
        return [f"{self.job.name}: {told}, aim {aim}" for told, kept in limits.items() if not kept]

    def line(self) -> str:
        """The line of the table."""
        star = "" if self.job.part == 1.0 else " *"
        plain, times = ("–", "–") if self.plain is None else (duration(self.whole()) + star, f"{self.times():,.3g}")
        memory = "" if self.megabytes is None else f"{self.megabytes:.0f} MB"
        verdict = "**missed**" if self.missed() else "met"
        return (
            f"| {self.job.name} | {duration(self.ours)} | {plain} | {times} | {memory} | {self.job.aim} | {verdict} |"
        )


def duration(seconds: float) -> str:
    """A duration in a handy unit, three digits."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{float(f'{seconds * factor:.3g}'):,g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def processor() -> float:
    """Seconds of processor time, of this process and of those it has started and seen end."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system


def seconds(work: Work, runs: int) -> float:
    """The time of one run, the mean of some."""
    start = processor()
    for _ in range(runs):
        work()
    return (processor() - start) / runs


def runs_of(work: Work) -> int:
    """The runs that fill one measurement; the first, with its one-time loading, is not counted."""
    first = seconds(work, 1)
    once = first if first >= ENOUGH else seconds(work, 1)
    return max(1, min(MOST, math.ceil(ENOUGH / max(once, 1e-6))))


def peak(work: Work) -> float:
    """Megabytes at the peak beyond the start, by Python's own trace, which NumPy reports to."""
    tracemalloc.start()
    work()
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest / 2**20


def measured(job: Job, rounds: int = ROUNDS) -> Found:
    """Both ways in turn, so that a busy minute slows both."""
    ways = [job.ours] if job.plain is None else [job.ours, job.plain]
    runs = [runs_of(way) for way in ways]
    turns = [[seconds(way, count) for way, count in zip(ways, runs, strict=True)] for _ in range(rounds)]
    ours, *plain = (statistics.median(column) for column in zip(*turns, strict=True))
    memory = peak(job.ours) if job.aim.megabytes < math.inf else None
    return Found(job, ours, plain[0] if plain else None, memory)


def results(jobs: Iterator[Job], word: str, rounds: int) -> Iterator[Found]:
    """The jobs whose name holds a word, one after the other, each told at once."""
    for job in jobs:
        if word in job.name:
            found = measured(job, rounds)
            print(found.line(), file=sys.stderr, flush=True)
            yield found


def main() -> None:
    """Measure, print, write, and fail where an aim is missed."""
    from benchmarks.jobs import jobs

    parser = options(__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="the jobs whose name holds this word (all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"turns of both ways ({ROUNDS})")
    asked = parser.parse_args()
    found = [*results(jobs(), asked.only, asked.rounds)]
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "pandas"))
    lines = [
        f"One run on {platform.machine()}, Python {platform.python_version()}, {packages}; medians of processor time.",
        "A star marks a plain way that did a part of the work and is multiplied.",
        "",
        "| job | ldpcore | plain NumPy | times as fast | at the peak | aim | |",
        "|---|--:|--:|--:|--:|---|---|",
        *(each.line() for each in found),
    ]
    judge("# The core", lines, [fault for each in found for fault in each.missed()], asked.output)


if __name__ == "__main__":
    main()
