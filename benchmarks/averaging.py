"""What the path of running means costs, to a million and to a trillion releases, beside drawing every release.

Three ways to the same picture: the exact increments of this project, NumPy's cumulative sum of a million draws, and a
Python loop that draws one release after the other as a teaching notebook does. One run, alternating, in one process:
`python -m benchmarks.averaging --output benchmarks/results/averaging.md`.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version

import numpy as np

from benchmarks.reports import print_or_write
from ldpcore.experiments.averaging.running import AveragingExperiment
from ldpcore.mechanisms.laplace import LaplaceMechanism

DRAWS = 1_000_000
ROUNDS = 7
AIMS = {"cumulative sum": 500, "loop": 10_000}
NOISE = LaplaceMechanism(0.1)


def increments(repeats: int) -> float:
    """This project: the path from its checkpoints."""
    return AveragingExperiment(NOISE, 3, repeats).run().average


def cumulative_sum(repeats: int = DRAWS) -> float:
    """NumPy: every release is drawn, and the running means are their cumulative sums."""
    releases = 3 + np.random.default_rng(1).laplace(0, NOISE.scale, repeats)
    return float((np.cumsum(releases) / np.arange(1, repeats + 1))[-1])


def loop(repeats: int = DRAWS) -> float:
    """The notebook: count again and draw again, one release after the other."""
    people = [["Heinz", "M"], ["Maria", "F"], ["Jolanda", "F"], ["Markus", "M"], ["Sarah", "F"]]
    rng = np.random.default_rng(1)
    results = 0.0
    for _ in range(repeats):
        count = 0
        for person in people:
            if person[1] == "F":
                count += 1
        results += count + rng.laplace(loc=0, scale=1 / 0.1)
    return results / repeats


def seconds(run: Callable[[], float], times: int = 1) -> float:
    """The time of one run, averaged over a few where one is too short for the clock."""
    start = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - start) / times


def measured() -> dict[str, list[float]]:
    """Seconds per path, round by round; the loop is run in the first two rounds only."""
    found: dict[str, list[float]] = {name: [] for name in ("million", "trillion", "cumulative sum", "loop")}
    increments(10**12)
    for each in range(ROUNDS):
        found["million"].append(seconds(lambda: increments(DRAWS), 50))
        found["trillion"].append(seconds(lambda: increments(10**12), 50))
        found["cumulative sum"].append(seconds(cumulative_sum))
        if each < 2:
            found["loop"].append(seconds(loop))
    return found


def report(found: dict[str, list[float]]) -> str:
    """A table in Markdown: medians, spreads, and how many times faster the increments are."""
    path = statistics.median(found["million"])
    rows = [
        ("exact increments, N = 10⁶", "million"),
        ("exact increments, N = 10¹²", "trillion"),
        ("NumPy cumulative sum of 10⁶ draws", "cumulative sum"),
        ("Python loop of 10⁶ draws, as in the notebook", "loop"),
    ]
    lines = ["| Path | Median | Range | Times the path to 10⁶ |", "|---|---|---|---|"]
    for title, name in rows:
        times = found[name]
        middle = statistics.median(times)
        lines.append(
            f"| {title} | {_told(middle)} | {_told(min(times))} to {_told(max(times))} | {middle / path:,.1f} |"
        )
    verdicts = [
        f"- {name}: {statistics.median(found[name]) / path:,.0f} times slower (aim {aim:,})"
        for name, aim in AIMS.items()
    ]
    machine = f"{platform.machine()}, Python {platform.python_version()}, NumPy {version('numpy')}"
    head = ["# The path of running means", "", f"One run on {machine}; {ROUNDS} alternating rounds.", ""]
    return "\n".join([*head, *lines, "", *verdicts, ""])


def _told(value: float) -> str:
    return f"{1e6 * value:,.0f} µs" if value < 1e-3 else f"{1e3 * value:,.1f} ms"


def main() -> None:
    """Measure once and print or write the report."""
    print_or_write(__doc__, lambda: report(measured()))


if __name__ == "__main__":
    main()
