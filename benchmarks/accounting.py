"""What the account of many releases costs: whole laws of the loss by convolution, coins exactly, shuffling, a ledger.

Medians of processor time of one core; ε = 0.1 and δ = 1e-6 where nothing else is said. The error is how much too large
δ may be at the level that is told, as the account states it itself; coins have binomial sums beside it.
`python -m benchmarks.accounting --output benchmarks/results/accounting.md` (half a minute).
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from importlib.metadata import version

from benchmarks.frequency import median_seconds
from benchmarks.reports import print_or_write
from ldpcore.accounting import shuffling
from ldpcore.accounting.composition import coins, optimal_of
from ldpcore.accounting.lines import read_rows
from ldpcore.accounting.releases import Account, AnyRelease, LaplaceRelease, NormalRelease
from ldpcore.experiments.budget import MixedLedger, TotalLevels

DELTA, TIMES, POINTS = 1e-6, 10_000, 1 << 21
AIM, LARGEST_ERROR = 1.0, 1e-6  # seconds for ten thousand releases by convolution, and in δ
ODD = 0.0987654321987  # a level of which no short decimal number is a whole multiple
MIXED = ((LaplaceRelease(0.5), 2), (AnyRelease(0.1), 30), (NormalRelease(1.0, 1e-7), 3))


def composed(account: Account, points: int = 1 << 18) -> float:
    """The level of an account by convolution, from nothing."""
    return account.exact(points).level(DELTA)


def worst_error(account: Account, points: int) -> float:
    """The largest error in δ that the account states along its levels."""
    found = account.exact(points)
    return max(found.error(share * found.level(DELTA)) for share in (0.0, 0.25, 0.5, 0.75, 1.0))


def convolutions() -> list[tuple[str, Account, int]]:
    """What is composed, and on how many points."""
    return [
        (f"{TIMES:,} coins at 0.1, on a lattice", Account(((AnyRelease(0.1), TIMES),), DELTA), 1 << 18),
        (f"{TIMES:,} coins at {ODD}", Account(((AnyRelease(ODD), TIMES),), DELTA), POINTS),
        (f"{TIMES:,} times Laplace noise", Account(((LaplaceRelease(0.1), TIMES),), DELTA), 2 * POINTS),
        ("a mixed account of 35", Account(MIXED, DELTA), 1 << 18),
    ]


def others() -> list[tuple[str, Callable[[], object]]]:
    """What else a page asks for."""
    rows = read_rows("\n".join(f"laplace {0.001 + row / 1e5:.5f}" for row in range(TIMES)))
    return [
        (f"exact level of {TIMES:,} coins", lambda: optimal_of(0.1, TIMES, DELTA)),
        ("the first picture: five rules, 121 numbers", lambda: TotalLevels(0.1).run()),
        (f"a ledger of {TIMES:,} different rows", lambda: MixedLedger(rows).run()),
        ("shuffling 10⁴ reports, numerically", lambda: shuffling.numeric(1.0, 10**4, DELTA)),
        ("shuffling 10⁹ reports, numerically", lambda: shuffling.numeric(1.0, 10**9, DELTA)),
    ]


def measured() -> str:
    """Two tables in Markdown, and a verdict for each aim."""
    lines = ["| By convolution | Level | Time | Error in δ, at most |", "|---|---|---|---|"]
    verdicts = []
    for name, account, points in convolutions():
        seconds, error = (
            median_seconds(lambda a=account, p=points: composed(a, p), 0.1, 3, 3),
            worst_error(account, points),
        )
        lines.append(f"| {name} | {composed(account, points):.5f} | {1000 * seconds:,.0f} ms | {error:.1e} |")
        verdict = "kept" if seconds <= AIM and error <= LARGEST_ERROR else "missed"
        verdicts.append(f"- {name}: below {AIM:g} s and {LARGEST_ERROR:g} in δ: {verdict}")
    gap = composed(convolutions()[1][1], POINTS) - coins(ODD, TIMES).level(DELTA)
    verdicts.append(f"- above the binomial sum by {gap:.1e}, never below: {'kept' if gap >= 0 else 'missed'}")
    lines += ["", "| Else | Time |", "|---|---|"]
    lines += [f"| {name} | {1000 * median_seconds(run, 0.1, 3, 3):,.1f} ms |" for name, run in others()]
    machine = f"{platform.machine()}, Python {platform.python_version()}, SciPy {version('scipy')}"
    return "\n".join(["# The account of many releases", "", f"One run on {machine}.", "", *lines, "", *verdicts, ""])


if __name__ == "__main__":
    print_or_write(__doc__, measured)
