"""Every check, layer after layer, each timed; a red layer does not hide the next, and the summary comes last.

`python -m tools.layers` runs all of them, `--quick` leaves the browser out, and `--only browser` runs one of them: two
machines can take a half each.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ldpcore.processes import end_group, processors, start_group

ROOT = Path(__file__).resolve().parent.parent
BROWSER = "tests/browser"
NO_TESTS = 5  # pytest's exit code where a layer selects nothing
IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint(args=['--no-logo'])"
ALONE = {
    "OPENBLAS_NUM_THREADS": "1",  # for matrices: each processor has a worker already, which more threads would delay
    "PYTHONDONTWRITEBYTECODE": "",  # what is compiled is kept for workers, servers and processes that come later
}
HANGS_AFTER = 3000.0  # seconds: longer than any layer takes on a slow machine, so that only one that hangs is ended


@dataclass(frozen=True)
class Layer:
    """One check: a module of Python's or a line of code to run, and the minutes that it may take without complaint."""

    name: str
    command: tuple[str, ...]
    minutes: float = 1.0

    @property
    def is_tests(self) -> bool:
        """Whether pytest runs the layer."""
        return self.command[0] == "pytest"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a layer: its time and its closing line."""

    layer: Layer
    passed: bool
    seconds: float
    closing: str

    def line(self) -> str:
        """One line of the summary."""
        late = f"  (over its {self.layer.minutes:g} min)" if self.seconds > 60 * self.layer.minutes else ""
        mark = "ok " if self.passed else "RED"
        return f"{mark} {self.layer.name:<14}{self.seconds:7.1f} s  {self.closing}{late}"


def layers() -> list[Layer]:
    """The checks in order; the minutes of tests are those of two processors.

    Tests that compute the same things or look at the same server stay together (`tests/conftest.py` says which). Before
    any of them runs all are found once: what is compiled for that is there for each worker, and a file that cannot be
    imported is named.
    """
    workers = ("-n", str(processors()))
    together = (*workers, "--dist", "loadgroup")
    return [
        Layer("ruff check", ("ruff", "check", ".")),
        Layer("ruff format", ("ruff", "format", "--check", ".")),
        Layer("imports", ("-c", IMPORTS)),  # the contracts of `.importlinter`
        Layer("mypy", ("mypy", *workers), 1),
        Layer("found", ("pytest", "--quiet", "--deselect", "tests", "tests"), 1),  # and none is run
        Layer("tests", ("pytest", *together, "tests", f"--ignore={BROWSER}"), 10),
        Layer("browser", ("pytest", *together, BROWSER), 12),
    ]


def chosen(given: list[str] | None = None) -> list[Layer]:
    """The checks that the command line asks for."""
    every = layers()
    parser = argparse.ArgumentParser(prog="python -m tools.layers", description=(__doc__ or "").splitlines()[0])
    part = parser.add_mutually_exclusive_group()
    part.add_argument("--quick", action="store_true", help="everything but the browser")
    part.add_argument("--only", choices=[layer.name for layer in every], help="one of the checks")
    asked = parser.parse_args(given)
    if asked.only:
        return [layer for layer in every if layer.name == asked.only]
    return [layer for layer in every if not (asked.quick and layer.name == "browser")]


def run(layer: Layer, say: Callable[[bytes], object]) -> Outcome:
    """Run one layer, passing on its output as it comes."""
    start = time.perf_counter()
    command = [sys.executable, *(() if layer.command[0] == "-c" else ("-m",)), *layer.command]
    if layer.is_tests and sys.stdout.isatty():
        command.append("--color=yes")
    process = start_group(command, ROOT, os.environ | ALONE)  # so that ending it also ends the servers it has started
    hanging = threading.Timer(HANGS_AFTER, end_group, [process])
    hanging.start()
    output = bytearray()
    try:
        assert process.stdout is not None
        while piece := os.read(process.stdout.fileno(), 4096):
            say(piece)
            output += piece
        code = process.wait()
    finally:
        hanging.cancel()
        end_group(process)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", output.decode(errors="replace")).strip().splitlines()
    passed = code == 0 or (layer.is_tests and code == NO_TESTS)
    closing = lines[-1] if lines else ""
    return Outcome(
        layer, passed, time.perf_counter() - start, closing if code >= 0 else f"ended from outside: {closing}"
    )


def total(outcomes: list[Outcome]) -> str:
    """The counts of all of pytest's closing lines, in the shape of one."""
    counts: Counter[str] = Counter()
    for outcome in outcomes:
        if outcome.layer.is_tests:
            for number, what in re.findall(r"(\d+) (passed|failed|skipped|errors?|xfailed|xpassed)", outcome.closing):
                counts[what] += int(number)
    words = ", ".join(f"{number} {what}" for what, number in sorted(counts.items())) or "no tests"
    return f"==== all layers: {words} in {sum(outcome.seconds for outcome in outcomes):.2f}s ===="


def main() -> int:
    """Run the layers, then say the time and the end of each."""
    outcomes = []
    for layer in chosen():
        print(f"\n---- {layer.name}: {' '.join(layer.command)}", flush=True)
        outcomes.append(run(layer, lambda piece: os.write(sys.stdout.fileno(), piece)))
        print(f"---- {layer.name} took {outcomes[-1].seconds:.1f} s", flush=True)
    print("\n---- summary")
    for outcome in outcomes:
        print(outcome.line())
    red = [outcome.layer.name for outcome in outcomes if not outcome.passed]
    print(f"---- {'red: ' + ', '.join(red) if red else 'all green'}")
    print(total(outcomes))
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
