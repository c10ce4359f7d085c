"""What protocols that listen cost: a thousand runs of ten thousand people together, beside one run after the other.

Medians of processor time on one core; α = 1, a crowd of half-width 0.1. Together, all runs move at once and only what
the collector needs is drawn (`sample`); one by one, everybody has a number, a question and an answer (`run`), ten runs
measured and taken a hundred times.
`python -m benchmarks.protocols --output benchmarks/results/protocols.md` (half a minute).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.frequency import median_seconds
from benchmarks.reports import judge, options
from ldpcore.protocols import Crowd, Grid, NoisySteps, SearchByGroups, TwoStages

EPSILON, USERS, RUNS, LOOPED = 1.0, 10_000, 1000, 10
MOST_SECONDS = 1.0  # for a thousand runs together

Work = Callable[[], object]


def examples() -> dict[str, tuple[Work, Work]]:
    """Each example: all runs together, and one run of everybody."""
    crowd, rng = Crowd(), np.random.default_rng(1)
    steps = NoisySteps(EPSILON, crowd)
    stages = TwoStages(EPSILON, crowd, USERS)
    search = SearchByGroups(EPSILON, crowd, USERS, Grid(0.1))
    return {
        "median by noisy steps": (lambda: steps.sample([USERS], RUNS, rng), lambda: steps.run(USERS, rng)),
        "mean in two stages": (lambda: stages.sample(RUNS, rng), lambda: stages.run(rng)),
        "search by groups": (lambda: search.sample(RUNS, rng), lambda: search.run(rng)),
    }


def repeated(one: Work) -> Work:
    """One run after the other, a few of them."""

    def loop() -> None:
        for _ in range(LOOPED):
            one()

    return loop


def protocols_report() -> tuple[list[str], list[str]]:
    """One line for each example, and the aims that were missed."""
    lines = ["| Example | together | one by one | times |", "|---|--:|--:|--:|"]
    missed = []
    for name, (together, one) in examples().items():
        fast = median_seconds(together, budget=1.0, least=3)
        slow = median_seconds(repeated(one), budget=1.0, least=3) * RUNS / LOOPED
        lines.append(f"| {name} | {1e3 * fast:.2f} ms | {slow:.2f} s | {slow / fast:.0f} |")
        if fast > MOST_SECONDS:
            missed.append(f"{name}: {fast:.2f} s for {RUNS} runs of {USERS} people")
    return lines, missed


def main() -> None:
    """Measure, print, write, and fail where an aim is missed."""
    output = options(__doc__).parse_args().output
    lines, missed = protocols_report()
    judge(f"# {RUNS} runs of {USERS} people, α = {EPSILON:g}", lines, missed, output)


if __name__ == "__main__":
    main()
