"""What a table of one's own costs: reading it, a count under three conditions, and its figure, in time and in memory.

Each size runs in a process of its own, so that its peak memory is its own; the peak is counted beyond a process that
has everything loaded and one small table read, asked and drawn. `python -m benchmarks.table --output
benchmarks/results/table.md` fails where the memory exceeds four times the file.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.reports import hand_over
from explorer.facts import plain
from explorer.figures.theme import Look
from explorer.rooms.counting.facts import facts
from explorer.rooms.counting.figures.releases import one_after_the_other
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.counting.releases import CountingExperiment
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.reading.dialects import read_table
from ldpcore.tables.queries import Compare, Count, OneOf, Where

SIZES = (10_000, 1_000_000)
REPEATS = 20
MEMORY_LIMIT = 4.0  # times the file's size; a small file is judged by the fixed cost of a piece instead
FIXED = 16.0  # megabytes
MEGABYTE = 1 << 20
QUERY = Count(
    Where((Compare("schooling", "<", 16), Compare("income", ">", 33_761), OneOf("region", ("north", "west"))))
)


def written(path: Path, rows: int, seed: int = 1) -> None:
    """A file of synthetic people: score, schooling, income and region."""
    rng = np.random.default_rng(seed)
    regions = np.array(["north", "east", "south", "west"])[rng.integers(0, 4, rows)]
    columns = (
        np.round(100 * rng.random(rows), 3).tolist(),
        rng.integers(6, 21, rows).tolist(),
        np.round(38_000 * np.exp(0.9 * rng.standard_normal(rows))).astype(int).tolist(),
        regions.tolist(),
    )
    with path.open("w", encoding="utf-8") as file:
        file.write("score,schooling,income,region\n")
        file.writelines(
            f"{score},{years},{income},{place}\n" for score, years, income, place in zip(*columns, strict=True)
        )


def memory(entry: str) -> float:
    """Megabytes that this process holds (VmRSS) or has held at most (VmHWM)."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith(entry))
        return int(line.split()[1]) / 1024
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MEGABYTE


def drawn(answer: int, n: int) -> str:
    """The counting page's figure of this answer, from the noise to what the browser gets."""
    result = CountingExperiment(LaplaceMechanism(0.1), answer, n).run()
    words = catalogue_of("en").words("counting", "ten", plain(facts(result)))
    return one_after_the_other(result, Look(), words).json()


def milliseconds(run: Callable[[], object]) -> float:
    """The time of one run, the median of a few."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        run()
        times.append(1000 * (time.perf_counter() - start))
    return float(np.median(times))


def measured(path: Path) -> dict[str, float]:
    """Seconds to read, milliseconds to ask and to draw (medians), and megabytes beyond the idle process."""
    small = read_table(b"schooling,income,region\n5,1,north\n7,2,west\n", "small.csv")[0]
    drawn(QUERY.answer(small), small.n)
    idle = memory("VmRSS")
    raw = path.read_bytes()
    start = time.perf_counter()
    table, _ = read_table(raw, path.name)
    read = time.perf_counter() - start
    answer, size = QUERY.answer(table), len(raw) / MEGABYTE
    return {
        "rows": table.n,
        "size": size,
        "read": read,
        "answer": answer,
        "query": milliseconds(lambda: QUERY.answer(table)),
        "figure": milliseconds(lambda: drawn(answer, table.n)),
        "peak": memory("VmHWM") - idle,
        "kept": memory("VmRSS") - idle,
    }


def report(results: list[dict[str, float]]) -> str:
    """The results as Markdown."""
    machine = f"Python {platform.python_version()}, pandas {version('pandas')}, {platform.machine()}"
    lines = [
        f"# A table of one's own\n\n{machine}. Each size in a process of its own; the query is a count under three",
        f"conditions, the figure its releases on the counting page, both medians of {REPEATS}; memory beyond the idle",
        "process.\n",
        "| rows | file | read | query | figure | peak memory | times the file | kept |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {found['rows']:.0f} | {found['size']:.1f} MB | {1000 * found['read']:.0f} ms | {found['query']:.2f} ms | "
        f"{found['figure']:.2f} ms | {found['peak']:.0f} MB | {found['peak'] / found['size']:.1f} | "
        f"{found['kept']:.0f} MB |"
        for found in results
    ]
    return "\n".join(lines) + "\n"


def run(rows: int) -> dict[str, float]:
    """One size, in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        written(path, rows)
        command = [sys.executable, "-m", "benchmarks.table", "--measure", str(path)]
        found = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    result: dict[str, float] = json.loads(found)
    return result


def main() -> int:
    """Measure, print, write down; 1 where the memory limit is broken."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--measure", type=Path, help="measure this file in this process and print JSON")
    parser.add_argument("--output", type=Path, help="write the report here as well")
    chosen = parser.parse_args()
    if chosen.measure:
        print(json.dumps(measured(chosen.measure)))
        return 0
    results = [run(rows) for rows in SIZES]
    text = report(results)
    hand_over(text, chosen.output)
    return int(any(found["peak"] > max(FIXED, MEMORY_LIMIT * found["size"]) for found in results))


if __name__ == "__main__":
    sys.exit(main())
