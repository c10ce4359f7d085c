"""What estimating frequencies costs: our exact aggregates, our route user by user, plain NumPy, and two libraries.

One run, medians of processor time, which other work on the machine lengthens least; every route uses one core. ε = 1,
k = 128 and 1 024, Zipf populations. Whatever would take longer than `--patience` seconds for a million users is run on
fewer and extrapolated linearly in the number of users, and marked so. The libraries run in an environment of their own,
made from `requirements-peers.txt` under `.cache/` by the first run:
`python -m benchmarks.frequency --output benchmarks/results/frequency.md` (about eight minutes).
"""

from __future__ import annotations

import json
import platform
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.peers import LIBRARIES, memory, zipf
from benchmarks.reports import hand_over, options
from ldpcore.estimating.adviser import comparable
from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle, Tally
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.people.populations import Population

HERE = Path(__file__).parent
ENVIRONMENT = HERE.parent / ".cache" / "peers"
EPSILON, USERS, MANY = 1.0, 10**6, 10**9
SIZES = (128, 1024)
QUICK = ("grr", "sue", "oue", "blh", "olh")  # those whose aggregate is one pass of binomials
AIMS = {  # how many times faster than a library's run our aggregate from counts is to be, at k = 1 024
    ("pure-ldp", "grr"): 4000,
    ("pure-ldp", "sue"): 150_000,
    ("pure-ldp", "oue"): 150_000,
    ("pure-ldp", "olh"): 3_000_000,
    ("pure-ldp", "hadamard"): 1000,
    ("multi-freq-ldpy", "subset"): 2500,
}


@dataclass(frozen=True)
class Cost:
    """Seconds for a million users, how many were really run, their squared error over the exact one, and megabytes."""

    seconds: float
    users: int
    error: float
    added: float = 0.0

    @property
    def told(self) -> str:
        """The time, with a mark where it is extrapolated."""
        return told(self.seconds) + ("" if self.users >= USERS else " *")


def told(seconds: float) -> str:
    """A duration in a handy unit, three digits."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{float(f'{seconds * factor:.3g}'):,g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def median_seconds(run: Callable[[], object], budget: float = 0.5, least: int = 5, most: int = 51) -> float:
    """The median of as many runs as fit the budget."""
    run()
    times: list[float] = []
    while len(times) < least or (len(times) < most and sum(times) < budget):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return statistics.median(times)


def patiently(run: Callable[[np.ndarray], np.ndarray], mechanism: CategoryRandomizer, patience: float) -> Cost:
    """A route user by user: a million users, the median of three runs if short; or as many as a third of patience."""
    users = 2000
    while True:
        values = zipf(mechanism.k, users)
        start = time.process_time()
        shares = run(values)
        seconds = time.process_time() - start
        expected = seconds / users * USERS
        if users >= USERS or (expected > patience and seconds > patience / 6):
            break
        reachable = USERS if expected <= patience else int(patience / 3 / max(seconds / users, 1e-9))
        users = min(USERS, max(reachable, users + 1), 20 * users)
    times = [seconds]
    while len(times) < 3 and sum(times) + seconds <= patience / 2:
        start = time.process_time()
        run(values)
        times.append(time.process_time() - start)
    return Cost(statistics.median(times) / users * USERS, users, relative_error(shares, values, mechanism))


def relative_error(shares: np.ndarray, values: np.ndarray, mechanism: CategoryRandomizer) -> float:
    """The mean squared error of one estimate over the exact expectation."""
    population = Population.of_categories(np.bincount(values, minlength=mechanism.k))
    return float(((shares - population.shares) ** 2).mean() / mechanism.variance(population).mean())


# --- plain NumPy, user by user, with care ----------------------------------------------------------------------------


def numpy_users(mechanism: CategoryRandomizer, values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What a careful reader of the papers writes: vectorized, in chunks, every user's report drawn."""
    n, k, slug = len(values), mechanism.k, mechanism.slug
    if slug == "grr":
        lies = rng.random(n) >= mechanism.p
        reports = np.where(lies, (values + rng.integers(1, k, n)) % k, values)
        return mechanism.estimate(Tally(np.bincount(reports, minlength=k), n))
    if slug == "hadamard":
        return numpy_hadamard(mechanism, values, rng)
    counts = np.zeros(k)
    for start in range(0, n, step := max(1, (1 << 22) // k)):
        counts += numpy_chunk(mechanism, values[start : start + step], rng)
    return mechanism.estimate(Tally(counts, n))


def numpy_chunk(mechanism: CategoryRandomizer, own: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The tally of one chunk of users, through a matrix of users × values."""
    size, k, rows = len(own), mechanism.k, np.arange(len(own))
    if mechanism.slug == "she":
        return rng.laplace(0, 2 / EPSILON, (size, k)).sum(axis=0) + np.bincount(own, minlength=k)
    if mechanism.slug in ("blh", "olh"):
        g = mechanism.g
        factors = rng.integers(1 << 63, size=(2, size), dtype=np.uint64) | np.uint64(1)
        words = np.arange(1, k + 1, dtype=np.uint64)
        # The upper half of the word times g, and the upper half of that: no division.
        hashes = ((factors[0, :, None] * words + factors[1, :, None]) >> np.uint64(32)) * np.uint64(g) >> np.uint64(32)
        mine = hashes[rows, own].astype(np.int64)
        lies = rng.random(size) >= mechanism.p
        reports = np.where(lies, (mine + rng.integers(1, g, size)) % g, mine)
        return (hashes == reports[:, None].astype(np.uint64)).sum(axis=0)
    if isinstance(mechanism, SubsetSelection):
        keys = rng.random((size, k), dtype=np.float32)
        keys[rows, own] = np.where(rng.random(size) < mechanism.p, -1, 2)
        chosen = np.argpartition(keys, mechanism.omega - 1, axis=1)[:, : mechanism.omega]
        return np.bincount(chosen.ravel(), minlength=k)
    bits = rng.random((size, k), dtype=np.float32) < np.float32(mechanism.q)
    bits[rows, own] = rng.random(size) < mechanism.p
    return bits.sum(axis=0)


def numpy_hadamard(mechanism: FrequencyOracle, values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Reports by rejection-free flipping of a bit, decoded by a butterfly."""
    size, rows = 1 << mechanism.k.bit_length(), values + 1
    reports = rng.integers(size, size=len(values))
    wrong = (np.bitwise_count(rows & reports) & 1).astype(bool) ^ (rng.random(len(values)) >= mechanism.p)
    reports = np.where(wrong, reports ^ (rows & -rows), reports)
    outputs = np.bincount(reports, minlength=size)
    half = 1
    while half < size:
        pairs = outputs.reshape(-1, 2, half)
        outputs = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        half *= 2
    counts = (len(values) + outputs[1 : mechanism.k + 1]) // 2
    return mechanism.estimate(Tally(counts, len(values)))


# --- ours ------------------------------------------------------------------------------------------------------------


def users_one_by_one(mechanism: CategoryRandomizer, values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Our route of a real collector: every user's report, in chunks of bounded memory."""
    total: Tally | None = None
    for start in range(0, len(values), step := mechanism.users_at_once()):
        tally = mechanism.tally(mechanism.privatize(values[start : start + step], rng))
        total = tally if total is None else total + tally
    assert total is not None
    return mechanism.estimate(total)


def aggregate(mechanism: CategoryRandomizer, population: Population, rng: np.random.Generator) -> np.ndarray:
    """Our exact aggregate, from counts to estimates."""
    return mechanism.estimate(mechanism.sample_tally(population, rng))


def ours(mechanism: CategoryRandomizer, patience: float) -> dict[str, Cost]:
    """Every route of one mechanism."""
    rng, values = np.random.default_rng(1), zipf(mechanism.k, USERS)
    found: dict[str, Cost] = {}
    for name, n in (("counts", USERS), ("counts, n = 10⁹", MANY)):
        population = Population.zipf(mechanism.k, n)
        draws = mechanism.estimate(mechanism.sample_tally(population, rng, 20))
        error = float(((draws - population.shares[:, None]) ** 2).mean() / mechanism.variance(population).mean())
        seconds = median_seconds(lambda population=population: aggregate(mechanism, population, rng))
        found[name] = Cost(seconds, n, error)

    def from_values() -> np.ndarray:
        return aggregate(mechanism, Population.of_categories(np.bincount(values, minlength=mechanism.k)), rng)

    error = relative_error(from_values(), values, mechanism)
    found["values"] = Cost(median_seconds(from_values), USERS, error)
    found["users"] = patiently(lambda chosen: users_one_by_one(mechanism, chosen, rng), mechanism, patience)
    found["NumPy"] = patiently(lambda chosen: numpy_users(mechanism, chosen, rng), mechanism, patience)
    return found


def binomials(k: int, n: int) -> float:
    """The yardstick: one NumPy draw of 2k binomials of this size."""
    rng, counts = np.random.default_rng(1), Population.zipf(k, n).counts
    q = 1 / (np.e + 1)
    return median_seconds(lambda: rng.binomial(counts, 0.5) + rng.binomial(n - counts, q))


def thousand(mechanism: CategoryRandomizer) -> float:
    """A thousand repetitions at n = 10⁹, estimates included."""
    rng, population = np.random.default_rng(1), Population.zipf(mechanism.k, MANY)
    return median_seconds(lambda: mechanism.estimate(mechanism.sample_tally(population, rng, 1000)), 1.0, 3, 5)


# --- the other libraries ---------------------------------------------------------------------------------------------


def environment(folder: Path = ENVIRONMENT, pins: str = "requirements-peers.txt") -> Path:
    """The Python of some peers' environment, which is made where it is missing."""
    python = folder / ("Scripts" if platform.system() == "Windows" else "bin") / "python"
    if not python.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder.parent / ".gitignore").write_text("*\n", encoding="utf-8")
        venv.create(folder, with_pip=True)
    wanted = HERE / pins
    done = folder / "installed.txt"
    if not done.exists() or done.read_text(encoding="utf-8") != wanted.read_text(encoding="utf-8"):
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", wanted], check=True)
        done.write_text(wanted.read_text(encoding="utf-8"), encoding="utf-8")
    return python


def peer(python: Path, library: str, mechanism: CategoryRandomizer, patience: float) -> Cost | None:
    """One library's run, in a process of its own; None where it has no such mechanism."""
    command = [python, HERE / "peers.py", library, mechanism.slug, mechanism.k, EPSILON, USERS, patience]
    printed = subprocess.run(
        [str(part) for part in command], check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout
    found = json.loads(printed.splitlines()[-1])
    if found is None:
        return None
    users = found["users"]
    population = Population.of_categories(np.bincount(zipf(mechanism.k, users), minlength=mechanism.k))
    seconds = found["grows"] / users * USERS + found["rest"]
    error = found["error"] / float(mechanism.variance(population).mean())
    return Cost(seconds, users, error, found["added"] / users * USERS)


def added_memory(route: str, k: int) -> float:
    """Megabytes that one run of optimized unary encoding for a million users adds, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.frequency", "--memory", route, str(k)]
    return float(
        subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE.parent, encoding="utf-8").stdout
    )


def measure_memory(route: str, k: int) -> float:
    """The peak of this process beyond what is held once everything is loaded and run small."""
    (mechanism,) = comparable(EPSILON, k, ("oue",))
    rng, values = np.random.default_rng(1), zipf(k, USERS)
    population = Population.zipf(k, USERS)
    aggregate(mechanism, Population.zipf(k, 1000), rng)
    idle = memory("VmRSS")
    if route == "counts":
        aggregate(mechanism, population, rng)
    else:
        users_one_by_one(mechanism, values, rng)
    return max(memory("VmHWM") - idle, 0.0)


# --- the report ------------------------------------------------------------------------------------------------------

COLUMNS = ("counts", "counts, n = 10⁹", "values", "users", "NumPy", *LIBRARIES)
Costs = dict[str, Cost]  # by column; a library that has no such mechanism has none


def table(k: int, costs: dict[str, Costs]) -> list[str]:
    """Times and errors of one k."""
    head = "| mechanism | " + " | ".join(COLUMNS) + " |"
    lines = [f"## k = {k}", "", head, "|---" * (len(COLUMNS) + 1) + "|"]
    for slug, row in costs.items():
        lines.append(f"| {slug} | " + " | ".join(row[name].told if name in row else "–" for name in COLUMNS) + " |")
    lines += ["", "Mean squared error of the run over the exact expectation (ours from counts: 20 runs):", ""]
    lines += [head, "|---" * (len(COLUMNS) + 1) + "|"]
    for slug, row in costs.items():
        errors = (f"{row[name].error:.2f}" if name in row else "–" for name in COLUMNS)
        lines.append(f"| {slug} | " + " | ".join(errors) + " |")
    return [*lines, ""]


def verdicts(k: int, costs: dict[str, Costs]) -> list[str]:
    """What was aimed at, beside what was found, at one k."""
    lines = ["| aim | found | |", "|---|---|---|"]

    def line(aim: str, found: str, met: bool) -> None:
        lines.append(f"| {aim} | {found} | {'met' if met else '**missed**'} |")

    counts = {slug: row["counts"] for slug, row in costs.items()}
    for (library, slug), aim in AIMS.items():
        theirs, mine = costs[slug][library], counts[slug]
        ratio = theirs.seconds / mine.seconds
        line(f"{slug}: {aim:,} times faster than {library}", f"{ratio:,.0f} times", ratio >= aim)
    draw = binomials(k, USERS)
    for slug in QUICK:
        mine, many = counts[slug], costs[slug]["counts, n = 10⁹"]
        line(
            f"{slug}: n = 10⁹ at most 1.4 times n = 10⁶",
            f"{many.seconds / mine.seconds:.2f} times",
            many.seconds <= 1.4 * mine.seconds,
        )
        line(
            f"{slug}: at most 3 times a draw of 2k binomials ({told(draw)})",
            f"{mine.seconds / draw:.2f} times",
            mine.seconds <= 3 * draw,
        )
    reference = costs["grr"]["pure-ldp"]
    for slug in QUICK:
        (mechanism,) = comparable(EPSILON, k, (slug,))
        seconds = thousand(mechanism)
        line(
            f"{slug}: 1 000 repetitions at n = 10⁹ under a quarter of one pure-ldp grr run at n = 10⁶",
            f"{told(seconds)} of {told(reference.seconds)}: {reference.seconds / seconds:.1f} to 1",
            seconds <= reference.seconds / 4,
        )
    unary = costs["oue"]["multi-freq-ldpy"]
    small, route = added_memory("counts", k), added_memory("users", k)
    line(
        "added memory at most a hundredth of multi-freq-ldpy's unary run",
        f"{small:.1f} MB of {unary.added:,.0f} MB (extrapolated)",
        small <= unary.added / 100,
    )
    for slug, row in costs.items():
        theirs = [row[library].seconds for library in LIBRARIES if library in row]
        if theirs:
            ratio = min(theirs) / row["users"].seconds
            line(f"{slug}: user by user at least as fast as the faster library", f"{ratio:.1f} times", ratio >= 1)
    return [*lines, "", f"User by user, optimized unary encoding adds {route:.0f} MB at a million users.", ""]


def report(patience: float) -> str:
    """Measure everything once, and tell it in Markdown."""
    python = environment()
    machine = f"{platform.machine()}, Python {platform.python_version()}, NumPy {version('numpy')}"
    about = (
        f"One run on {machine}; ε = 1, n = 10⁶ where nothing else is said; medians of processor time, one core. Times "
        f"marked * were measured on fewer users (as many as take about {patience / 3:.2g} s) and extrapolated "
        "linearly. multi-freq-ldpy clips and renormalizes inside, so that its error is not that of the unbiased "
        "estimate."
    )
    lines = ["# Frequencies", "", about, ""]
    for k in SIZES:
        costs: dict[str, Costs] = {}
        for mechanism in comparable(EPSILON, k):
            row: Costs = ours(mechanism, patience)
            for library in LIBRARIES:
                if (cost := peer(python, library, mechanism, patience)) is not None:
                    row[library] = cost
            costs[mechanism.slug] = row
            print(k, mechanism.slug, *(f"{name} {cost.told}" for name, cost in row.items()), file=sys.stderr)
        lines += table(k, costs)
        if k == SIZES[-1]:
            lines += verdicts(k, costs)
    return "\n".join(lines)


def main() -> None:
    """Measure once and print or write the report."""
    parser = options(__doc__)
    parser.add_argument("--patience", type=float, default=8.0, help="seconds that one cell may take")
    parser.add_argument("--memory", nargs=2, metavar=("ROUTE", "K"), help="measure added memory in this process")
    chosen = parser.parse_args()
    if chosen.memory:
        print(measure_memory(chosen.memory[0], int(chosen.memory[1])))
        return
    hand_over(report(chosen.patience), chosen.output)


if __name__ == "__main__":
    main()
