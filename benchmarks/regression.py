"""What a curve from reports costs: the exact aggregate beside every person's report drawn in chunks.

One run, medians of processor time; every route uses one core. A million people on a line, ε = 1, 64 and 1 024 cells.
*noise* is the noise of all cells alone, *whole* also sorts people into cells: a million different people, or the atoms
of an invented crowd, of whom a billion cost the same. What would take longer than `--patience` seconds is run on fewer
people and extrapolated linearly, and marked so.
`python -m benchmarks.regression --output benchmarks/results/regression.md` (about a minute).
"""

from __future__ import annotations

import platform
import tracemalloc
from collections.abc import Callable
from importlib.metadata import version
from time import process_time

import numpy as np

from benchmarks.frequency import median_seconds, told
from benchmarks.reports import hand_over, options
from ldpcore.mechanisms.partition import PartitionReports
from ldpcore.people.curves import CurveModel
from ldpcore.people.populations import Population

USERS, MANY, CELLS = 10**6, 10**9, (64, 1024)
AIMS = {"noise": 10_000, "whole": 1_000}  # times at K = 1 024


def mechanism_of(k: int) -> PartitionReports:
    """The reports on so many cells."""
    return PartitionReports(1.0, 1 / k, 1, 1.2, 0.45)


def crowd(users: int) -> Population:
    """So many people, all different."""
    x = (np.arange(users) + 0.5) / users
    return Population(np.column_stack([x, np.sin(2 * np.pi * x)]), np.ones(users, dtype=np.int64))


def per_user(patience: float, work: Callable[[int], None]) -> tuple[float, int]:
    """Seconds for a million people, and how many were really drawn."""
    users = min(USERS, 20_000)
    start = process_time()
    work(users)
    seconds = process_time() - start
    if seconds * USERS / users <= patience:
        users, start = USERS, process_time()
        work(users)
        seconds = process_time() - start
    return seconds * USERS / users, users


def noise_in_chunks(k: int, users: int) -> None:
    """Everybody's noise in every cell, in chunks of bounded memory."""
    mechanism, rng = mechanism_of(k), np.random.default_rng(1)
    step, total = mechanism.users_at_once(), np.zeros(2 * k)
    for start in range(0, users, step):
        size = (min(step, users - start), k)
        total += np.concatenate([rng.laplace(0, noise.scale, size).sum(axis=0) for noise in mechanism.noises])


def peak_of(work: Callable[[], object]) -> float:
    """Megabytes at the peak."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1] / (1 << 20)
    tracemalloc.stop()
    return peak


def measured(k: int, patience: float) -> tuple[list[str], dict[str, float]]:
    """The lines of one number of cells, and how many times faster the exact aggregate is."""
    mechanism, rng, people = mechanism_of(k), np.random.default_rng(1), crowd(USERS)
    atoms = [CurveModel().people(n, 1) for n in (USERS, MANY)]
    drawn = {
        "noise": [median_seconds(lambda n=n: mechanism.noise_sums(n, None, rng)) for n in (USERS, MANY)],
        "whole": [median_seconds(lambda each=each: mechanism.sample_tally(each, rng)) for each in atoms],
    }
    listed = median_seconds(lambda: mechanism.sample_tally(people, rng))
    chunks = {
        "noise": per_user(patience, lambda users: noise_in_chunks(k, users)),
        "whole": per_user(patience, lambda users: mechanism.user_by_user(crowd(users), rng)),
    }
    memory = peak_of(lambda: mechanism.user_by_user(crowd(3 * mechanism.users_at_once()), rng))
    lines = []
    for name, (seconds, users) in chunks.items():
        star = "" if users == USERS else "*"
        lines.append(f"| {k} | {name}, person by person | {told(seconds)}{star} | – | {memory:.0f} MB |")
        lines.append(f"| {k} | {name}, at once | {told(drawn[name][0])} | {told(drawn[name][1])} | |")
    lines.append(f"| {k} | whole, at once, a million different people | {told(listed)} | – | |")
    return lines, {name: chunks[name][0] / drawn[name][0] for name in chunks}


def rows(patience: float) -> tuple[list[str], dict[str, float]]:
    """A few lines for each number of cells, and the ratios at the largest one."""
    lines, ratios = ["| cells | route | a million people | a billion | at the peak |", "|--:|---|--:|--:|--:|"], {}
    for k in CELLS:
        more, ratios = measured(k, patience)
        lines += more
    return [*lines, ""], ratios


def report(patience: float) -> str:
    """Measure everything once, and tell it in Markdown."""
    machine = f"{platform.machine()}, Python {platform.python_version()}, NumPy {version('numpy')}"
    table, ratios = rows(patience)
    lines = ["# Regression", "", f"One run on {machine}; ε = 1. Times with a star are extrapolated.", "", *table]
    lines += ["| aim at K = 1 024 | found | |", "|---|---|---|"]
    for name, least in AIMS.items():
        met = "met" if ratios[name] >= least else "**missed**"
        lines.append(f"| {name}: at least {least:,} times faster at once | {ratios[name]:,.0f} times | {met} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure once and print or write the report."""
    parser = options(__doc__)
    parser.add_argument("--patience", type=float, default=4.0, help="seconds that one person-by-person run may take")
    chosen = parser.parse_args()
    hand_over(report(chosen.patience), chosen.output)


if __name__ == "__main__":
    main()
