"""The inner loop: style, types and the tests that a change can reach, nearest first, in about a minute.

`python -m tools.quick` looks at what differs from the last commit, `--since main` at what differs from there, and names
of files are taken as they are. `tools/reach.py` finds the tests: first those that name the page or the mechanism of the
change, then the nearest. What a minute has no room for is counted, and left to `make check`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ldpcore.processes import processors
from tools.layers import ROOT, Layer, Outcome, layers, run
from tools.reach import BROWSER, Tree

PLAN = "LDP_EXPLORER_QUICK"  # the environment's name of the file that holds the plan
MOST_FILES = 64  # of tests: more than that takes longer to collect than it leaves to run
IN_A_PAGE, ELSEWHERE = 60.0, 90.0  # seconds that a change may take, all in all
SHARE = 0.8  # of these; the rest is for what is counted nowhere: who hands tests out, and the test that runs at the end
FEWEST_SECONDS = 20.0  # for tests, however long style and types have taken


@dataclass(frozen=True)
class Plan:
    """The order in which tests are tried, and the time for them."""

    distances: dict[str, int]  # of the files that are tried
    words: tuple[str, ...]  # under which tests speak of what was changed
    others: tuple[str, ...]  # under which they speak of what the change cannot reach
    seconds: float  # of processor time, for each worker
    beyond: int = 0  # files of tests that the change reaches too, and that are left to `make check`


def processor_seconds() -> float:
    """The processor time of this process and of those it has started and ended."""
    return sum(os.times()[:4])


def changed_files(since: str) -> list[str]:
    """The files that differ from a commit, those that git does not know yet among them."""
    commands = (("diff", "--name-only", "--merge-base", since), ("ls-files", "--others", "--exclude-standard"))
    outputs = [subprocess.run(("git", *each), cwd=ROOT, capture_output=True, check=True) for each in commands]
    return sorted({line for output in outputs for line in output.stdout.decode().splitlines()})


def plan_of(tree: Tree, changed: list[str], seconds: float) -> Plan:
    """The plan for a change."""
    words, others = tree.words(changed), tree.others(changed)
    named = words | {Path(path).stem for path in changed}
    near = sorted(tree.near(changed), key=lambda each: place(each[1], named, others))
    tried = {path: steps for steps, path in near[:MOST_FILES]}
    return Plan(tried, tuple(sorted(words)), tuple(sorted(others)), seconds, len(near) - len(tried))


def place(path: str, words: set[str], others: set[str]) -> int:
    """The place of a file of tests: first those with the name of the change, last those about things out of its reach.

    Foreign files and links, drawn at random, are for the night.
    """
    parts = set(Path(path).stem.split("_"))
    return 0 if parts & words else 2 if parts & others or path.startswith("tests/fuzz/") else 1


def limit_of(tree: Tree, changed: list[str]) -> float:
    """The seconds that a change may take."""
    subjects = [tree.subject(path) for path in changed]
    return IN_A_PAGE if all(each and each.startswith("pages/") for each in subjects) else ELSEWHERE


def tests_of(plan: Plan) -> Layer:
    """The tests of a plan, on all processors; a free one takes the next."""
    spread = ("-n", str(processors()), "--dist", "load", "--maxschedchunk", "1")
    return Layer("tests", ("pytest", "-q", "-p", "tools.nearest", *spread, *plan.distances), ELSEWHERE / 60)


def style(changed: list[str]) -> list[Layer]:
    """The layers that look at all files, because that takes no time; types where a source or a setting was changed."""
    typed = any(path.endswith((".py", "pyproject.toml")) or path.startswith("requirements") for path in changed)
    return [layer for layer in layers() if not layer.is_tests and (typed or layer.name != "mypy")]


def spoken(outcome: Outcome, said: bytes) -> None:
    """Print a passed layer in a line, and a failed one in full."""
    if not outcome.passed:
        sys.stdout.write(said.decode(errors="replace"))
    print(outcome.line(), flush=True)


def looked_at(layer: Layer) -> Outcome:
    """Run a layer, and print it only where it fails."""
    said = bytearray()
    outcome = run(layer, said.extend)
    spoken(outcome, bytes(said))
    return outcome


def tried(plan: Plan) -> Outcome:
    """Run the tests of a plan, and print them while they run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plan.json"
        file.write_text(json.dumps(asdict(plan)), encoding="utf-8")
        os.environ[PLAN] = str(file)
        return run(tests_of(plan), lambda piece: os.write(sys.stdout.fileno(), piece))


def main(given: list[str] | None = None) -> int:
    """Check the change, and list the failures."""
    parser = argparse.ArgumentParser(prog="python -m tools.quick", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", help="files that were changed (all that differ from a commit)")
    parser.add_argument("--since", default="HEAD", help="the commit (the last one)")
    parser.add_argument("--list", action="store_true", help="name the files of tests and run nothing")
    asked = parser.parse_args(given)
    start, tree = time.perf_counter(), Tree(ROOT)
    changed = asked.files or changed_files(asked.since)
    if not changed:
        print(f"Nothing differs from {asked.since}: name files, or another commit with --since.")
        return 2
    plan = plan_of(tree, changed, limit_of(tree, changed))
    print(f"Changed: {', '.join(changed)}", flush=True)
    if asked.list:
        print(*(f"{steps} {path}" for path, steps in plan.distances.items()), sep="\n")
        return 0
    outcomes = [looked_at(layer) for layer in style(changed)]
    if plan.distances:
        left = max(SHARE * plan.seconds - processor_seconds(), FEWEST_SECONDS)
        outcomes.append(tried(replace(plan, seconds=left)))
        print(outcomes[-1].line())
    else:
        print(f"No test reads this or imports it, but for those in {BROWSER}: `make browser`.")
    red = [outcome.layer.name for outcome in outcomes if not outcome.passed]
    taken = f"{time.perf_counter() - start:.0f} s, {processor_seconds():.0f} s of processor time"
    print(f"---- {'red: ' + ', '.join(red) if red else 'all green'} in {taken}")
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
