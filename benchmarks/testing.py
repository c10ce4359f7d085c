"""What the best tests between families of laws cost: 400 linear programs of 64 by 64, and both sides of each.

Every program has 64 outcomes and 64 laws, half of them on either side. The report says the processor time of one core
for all of them, the largest distance between a test and the certificate that no test is better, and what a view of the
page about two worlds takes. `python -m benchmarks.testing --output benchmarks/results/testing.md` (ten seconds).
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from importlib.metadata import version

import numpy as np

from benchmarks.frequency import median_seconds
from benchmarks.reports import print_or_write
from ldpcore.experiments import distinguish
from ldpcore.laws.besttests import BestTest, best_test, minimax_test
from ldpcore.laws.densities import Densities

MANY, SIZE, AIM, APART = 400, 64, 5.0, 1e-9  # programs, outcomes and laws, seconds for all, largest gap
LEVEL = 0.05

Solver = Callable[[np.ndarray, np.ndarray], BestTest]


def families(many: int = MANY, size: int = SIZE, seed: int = 1) -> list[tuple[np.ndarray, np.ndarray]]:
    """Random families on the same outcomes, so many laws in both together."""
    rng = np.random.default_rng(seed)
    laws = rng.dirichlet(np.ones(size), (many, size))
    return [(each[: size // 2], each[size // 2 :]) for each in laws]


def solved(solve: Solver) -> tuple[float, float]:
    """The seconds that all programs take, and the largest gap between what a test attains and its certificate."""
    asked = families()
    solve(*asked[0])  # what is loaded once is not counted
    start = time.process_time()
    tests = [solve(*both) for both in asked]
    seconds = time.process_time() - start
    return seconds, max(abs(test.attained - test.certificate) for test in tests)


def views() -> list[tuple[str, Callable[[], object]]]:
    """What the page asks for, of eight answers by subsets."""
    worlds = distinguish.Worlds.bells(1.0, 8)
    kinds = (
        distinguish.TellApart,
        distinguish.BeforeAfter,
        distinguish.ManyPeople,
        distinguish.Minimax,
        distinguish.Guessing,
        distinguish.Information,
    )
    asked = [(kind.__name__, kind("subset", 1.0, worlds).run) for kind in kinds]
    return [*asked, ("Kullback-Leibler by quadrature", Densities.normal(1.0).kullback_leibler)]


def measured() -> str:
    """Two tables in Markdown, and a verdict for each aim."""
    solvers: dict[str, Solver] = {
        "both errors, minimax": minimax_test,
        f"power at size {LEVEL}": lambda one, other: best_test(one, other, LEVEL),
    }
    lines = [f"| {MANY} programs of {SIZE} by {SIZE} | Time | Gap to the certificate |", "|---|---|---|"]
    verdicts = []
    for name, solve in solvers.items():
        seconds, gap = solved(solve)
        lines.append(f"| {name} | {seconds:.2f} s | {gap:.1e} |")
        kept = "kept" if seconds <= AIM and gap <= APART else "missed"
        verdicts.append(f"- {name}: below {AIM:g} s and {APART:g}: {kept}")
    lines += ["", "| One view | Time |", "|---|---|"]
    lines += [f"| {name} | {1000 * median_seconds(run, 0.2, 3, 9):,.1f} ms |" for name, run in views()]
    machine = f"{platform.machine()}, Python {platform.python_version()}, SciPy {version('scipy')}"
    return "\n".join(["# Tests between families", "", f"One run on {machine}.", "", *lines, "", *verdicts, ""])


if __name__ == "__main__":
    print_or_write(__doc__, measured)
