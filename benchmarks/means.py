"""What estimating a mean costs: our exact sums, people one by one, plain NumPy, and two libraries' loops.

One run, medians of processor time; every route uses one core. ε = 1, δ = 1e-5, 201 different numbers, most of them low;
"all different" is a million numbers with nobody's equal. The libraries run in an environment of their own, made from
`requirements-means.txt` under `.cache/` by the first run; what would take longer than `--patience` seconds is run on
fewer users and extrapolated linearly, and marked so.
`python -m benchmarks.means --output benchmarks/results/means.md` (about a minute).
"""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.frequency import Cost, environment, median_seconds, told
from benchmarks.meanpeers import LIBRARIES, numbers
from benchmarks.reports import hand_over, options
from ldpcore.experiments.means import family
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.people.populations import Population
from ldpcore.people.scales import numbers_of_shape

HERE = Path(__file__).parent
ENVIRONMENT = HERE.parent / ".cache" / "meanpeers"
EPSILON, DELTA, STEPS, USERS, MANY = 1.0, 1e-5, 100, 10**6, 10**9
SETTINGS = (("delta", DELTA), ("steps", STEPS))
AIMS = {"onebit": 1e-3, "pm": 2e-3, "hm": 2e-3}  # seconds for one repetition at n = 10⁹ on 201 numbers
FASTER = 1000  # times, our exact sum against the loop of the faster library for a million people
COLUMNS = ("sum", "sum, n = 10⁹", "all different", "people", "NumPy", *LIBRARIES)


def error_of(mechanism: NumberRandomizer, people: Population, estimates: np.ndarray) -> float:
    """The mean squared error of estimates over the exact variance."""
    return float(((estimates - mechanism.truth(people)) ** 2).mean() / mechanism.variance(people))


def spread_of(mechanism: NumberRandomizer, x: np.ndarray, reports: np.ndarray) -> float:
    """The squared deviation of reports from their numbers over the exact variance: a million of them, not one mean."""
    return float(((reports - x) ** 2).mean() / mechanism.variance_at(x).mean())


def numpy_users(mechanism: NumberRandomizer, x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """What a careful reader of the papers writes: everybody's report, vectorized."""
    e, n = np.exp(EPSILON), len(x)
    z0, half = (e + 1) / (e - 1), np.exp(EPSILON / 2)
    bits = np.where(rng.random(n) < (1 + x / z0) / 2, z0, -z0)
    if mechanism.slug == "locallaplace":
        return x + rng.laplace(0, 2 / EPSILON, n)
    if mechanism.slug == "gaussian":
        return x + rng.normal(0, mechanism.sigma, n)
    if mechanism.slug == "geometric":
        p = 1 - np.exp(-EPSILON / STEPS)
        whole = np.rint((x + 1) * STEPS / 2) + rng.geometric(p, n) - rng.geometric(p, n)
        return 2 * whole / STEPS - 1
    if mechanism.slug == "onebit":
        return bits
    big = (half + 1) / (half - 1)
    left = (big + 1) / 2 * x - (big - 1) / 2
    spot = rng.random(n) * (big + 1)  # the outer part has length C + 1: place it left of the piece, else right of it
    outside = np.where(spot < left + big, spot - big, spot - big + (big - 1))
    piecewise = np.where(rng.random(n) < half / (half + 1), left + (big - 1) * rng.random(n), outside)
    return piecewise if mechanism.slug == "pm" else np.where(rng.random(n) < 1 - 1 / half, piecewise, bits)


def ours(mechanism: NumberRandomizer) -> dict[str, Cost]:
    """Every route of one mechanism."""
    rng, x, found = np.random.default_rng(1), numbers(USERS), {}
    crowds = {
        "sum": numbers_of_shape("skewed", USERS),
        "sum, n = 10⁹": numbers_of_shape("skewed", MANY),
        "all different": Population.of_numbers(np.linspace(-1, 1, USERS)),
    }
    for name, people in crowds.items():
        seconds = median_seconds(lambda people=people: mechanism.estimate(mechanism.sample_tally(people, rng)))
        draws = mechanism.estimate(mechanism.sample_tally(people, rng, 20))
        found[name] = Cost(seconds, USERS, error_of(mechanism, people, draws))

    def one_by_one() -> None:
        step = mechanism.users_at_once()
        for start in range(0, USERS, step):
            mechanism.tally(mechanism.privatize(x[start : start + step], rng))

    reports = mechanism.decoded(mechanism.privatize(x, rng))
    found["people"] = Cost(median_seconds(one_by_one), USERS, spread_of(mechanism, x, reports))
    seconds = median_seconds(lambda: numpy_users(mechanism, x, rng).mean())
    found["NumPy"] = Cost(seconds, USERS, spread_of(mechanism, x, numpy_users(mechanism, x, rng)))
    return found


def peer(python: Path, library: str, mechanism: NumberRandomizer, patience: float) -> Cost | None:
    """One library's loop, in a process of its own; None where it has no such mechanism."""
    command = [python, HERE / "meanpeers.py", library, mechanism.slug, EPSILON, DELTA, STEPS, USERS, patience]
    printed = subprocess.run(
        [str(part) for part in command], check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout
    if (found := json.loads(printed.splitlines()[-1])) is None:
        return None
    own = float(mechanism.variance_at(numbers(found["users"])).mean())
    return Cost(found["seconds"] / found["users"] * USERS, found["users"], found["spread"] / own)


def rows(costs: dict[str, dict[str, Cost]], cell: Callable[[Cost], str]) -> list[str]:
    """One table: a line for each mechanism."""
    lines = ["| mechanism | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for slug, row in costs.items():
        lines.append(f"| {slug} | " + " | ".join(cell(row[name]) if name in row else "–" for name in COLUMNS) + " |")
    return [*lines, ""]


def verdicts(costs: dict[str, dict[str, Cost]]) -> list[str]:
    """What was aimed at, beside what was found."""
    lines = ["| aim | found | |", "|---|---|---|"]

    def line(aim: str, found: str, met: bool) -> None:
        lines.append(f"| {aim} | {found} | {'met' if met else '**missed**'} |")

    for slug, limit in AIMS.items():
        seconds = costs[slug]["sum, n = 10⁹"].seconds
        line(f"{slug}: one repetition at n = 10⁹ under {told(limit)}", told(seconds), seconds < limit)
    for slug, row in costs.items():
        if theirs := [row[library].seconds for library in LIBRARIES if library in row]:
            ratio = min(theirs) / row["sum"].seconds
            line(f"{slug}: {FASTER:,} times faster than the faster library", f"{ratio:,.0f} times", ratio >= FASTER)
            ratio = min(theirs) / row["people"].seconds
            line(f"{slug}: person by person at least as fast as the faster library", f"{ratio:.1f} times", ratio >= 1)
    return [*lines, ""]


def report(patience: float) -> str:
    """Measure everything once, and tell it in Markdown."""
    python = environment(ENVIRONMENT, "requirements-means.txt")
    machine = f"{platform.machine()}, Python {platform.python_version()}, NumPy {version('numpy')}"
    lines = ["# Means", "", f"One run on {machine}; ε = 1, δ = 1e-5, a million people where nothing else is said.", ""]
    costs = {}
    for mechanism in family(EPSILON, settings=SETTINGS):
        row = ours(mechanism)
        for library in LIBRARIES:
            if (cost := peer(python, library, mechanism, patience)) is not None:
                row[library] = cost
        costs[mechanism.slug] = row
    lines += rows(costs, lambda cost: cost.told)
    lines += ["Squared error over the exact variance (sums: of the mean, 20 runs; the others: of single reports):", ""]
    lines += rows(costs, lambda cost: f"{cost.error:.2f}")
    return "\n".join([*lines, *verdicts(costs)])


def main() -> None:
    """Measure once and print or write the report."""
    parser = options(__doc__)
    parser.add_argument("--patience", type=float, default=4.0, help="seconds that one library's loop may take")
    chosen = parser.parse_args()
    hand_over(report(chosen.patience), chosen.output)


if __name__ == "__main__":
    main()
