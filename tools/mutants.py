"""Mutants: small mistakes that cosmic-ray makes in the core, at random, and the share of them that the tests notice.

`python -m tools.mutants` takes modules of `ldpcore` in a random order, a few mistakes of each, until its minutes are
over; names of files are taken as they are. The seed is printed and repeats the choice. A mutant is tried by the tests
that its module reaches first, as `make quick` finds them, in a copy of the checkout. Where one survives, no near test
holds the line, or the line may be written so as well: read it, then write the law that it breaks, or leave it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from difflib import unified_diff
from pathlib import Path
from typing import Literal

from ldpcore.processes import processors
from tools.layers import ALONE, ROOT
from tools.quick import PLAN, plan_of
from tools.reach import FOLDERS, Tree

CORE = "ldpcore"
EACH = 6  # mutants of a module, before the next one has its turn
MOST_FILES, SECONDS = 16, 25.0  # of tests for a mutant, and of processor time
ENDLESS, HUGE = 60, 6 << 30  # seconds of processor time and bytes: more than that takes only a mutant that never ends
PATIENCE = 900.0  # seconds on the clock, where a system limits neither
LIMITED = (
    "import sys, pytest; from ldpcore.processes import limit_memory, limit_processor_time; "
    f"limit_memory({HUGE}); limit_processor_time({ENDLESS}); sys.exit(pytest.main(sys.argv[1:]))"
)
FILES = ("app.py", "pyproject.toml", "deno.json", "Makefile", "requirements.txt", "requirements-test.txt", ".streamlit")
LEFT_OUT = re.compile(r"BitOr|RemoveDecorator|NoOp")  # unions of types, caches: what nobody evaluates, or can notice
Fate = Literal["caught", "survived", "red before"]


@dataclass(frozen=True)
class Mutant:
    """One mistake in one module, as cosmic-ray names it."""

    path: str
    operator: str
    occurrence: int
    line: int


@dataclass(frozen=True)
class Tried:
    """The outcome of a mutant, and the text of its line."""

    mutant: Mutant
    fate: Fate
    change: str = ""


def installed() -> str:
    """The path of cosmic-ray: beside this Python, or on the path; empty where there is none."""
    places = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    return shutil.which("cosmic-ray", path=places) or ""


def cosmic_ray(*given: str, root: Path) -> str:
    """The output of cosmic-ray for these arguments."""
    return subprocess.run(
        (installed(), *given), cwd=root, capture_output=True, text=True, encoding="utf-8", check=True
    ).stdout


def mutants_of(path: str, root: Path) -> list[Mutant]:
    """All mistakes that cosmic-ray can make in a module."""
    with tempfile.TemporaryDirectory() as folder:
        config, session = Path(folder) / "config.toml", Path(folder) / "session.sqlite"
        settings = f'module-path = ["{path}"]\ntimeout = 1.0\nexcluded-modules = []\ntest-command = ""\n'
        config.write_text(f'[cosmic-ray]\n{settings}[cosmic-ray.distributor]\nname = "local"\n', encoding="utf-8")
        cosmic_ray("init", str(config), str(session), root=root)
        said = cosmic_ray("dump", str(session), root=root)
    found = [each for line in said.splitlines() for each in json.loads(line)[0]["mutations"]]
    return [
        Mutant(path, each["operator_name"], each["occurrence"], each["start_pos"][0])
        for each in sorted(found, key=lambda each: (each["start_pos"], each["operator_name"]))
        if not LEFT_OUT.search(each["operator_name"])
    ]


def copied(folder: Path) -> Path:
    """A checkout of its own, without the files that no test needs."""
    for name in (*FOLDERS, "data", "docs", "static", *FILES):
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "build", "results")
            )
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, folder / name)
    return folder


def is_green(path: str, tree: Tree, root: Path) -> bool:
    """Whether the nearest tests of a module are green in a checkout."""
    plan = plan_of(tree, [path], SECONDS)
    plan = replace(plan, distances=dict(list(plan.distances.items())[:MOST_FILES]))
    command = [sys.executable, "-c", LIMITED, "-q", "-x", "-n", "0", "-p", "tools.nearest", "-p", "no:cacheprovider"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "plan.json"
        file.write_text(json.dumps(asdict(plan)), encoding="utf-8")
        environment = os.environ | ALONE | {PLAN: str(file)}
        try:
            done = subprocess.run(
                [*command, *plan.distances],
                cwd=root,
                env=environment,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0


def tried(mutant: Mutant, tree: Tree, root: Path) -> Tried:
    """Make the mistake, run the tests, and take it back."""
    file = root / mutant.path
    before = file.read_text("utf-8")
    try:
        cosmic_ray("apply", mutant.path, mutant.operator, str(mutant.occurrence), root=root)
        after = file.read_text("utf-8")
        lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
        change = "\n".join(f"    {line}" for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---"))
        return Tried(mutant, "survived" if is_green(mutant.path, tree, root) else "caught", change)
    finally:
        file.write_text(before, "utf-8")


def tried_in(path: str, most: int, seed: int, until: float, root: Path) -> Iterator[Tried]:
    """A random choice of a module's mutants, one after the other, until time is up."""
    tree = Tree(ROOT)
    every = mutants_of(path, root)
    if every and not is_green(path, tree, root):
        yield Tried(Mutant(path, "", 0, 0), "red before")
        return
    for mutant in random.Random(f"{seed} {path}").sample(every, min(most, len(every))):
        if time.monotonic() > until:
            return
        yield tried(mutant, tree, root)


def report(all_tried: Sequence[Tried]) -> str:
    """The score of each module, and the sum."""
    lines = []
    for path in sorted({each.mutant.path for each in all_tried}):
        fates = Counter(each.fate for each in all_tried if each.mutant.path == path)
        total = fates["caught"] + fates["survived"]
        lines.append(f"{fates['caught']:4d} of {total:3d} caught  {path}" if total else f"its tests are red  {path}")
    fates = Counter(each.fate for each in all_tried)
    return "\n".join([*lines, f"{fates['caught']:4d} of {fates['caught'] + fates['survived']:3d} caught in all"])


def main(given: list[str] | None = None) -> int:
    """Make mistakes until the minutes are over, list the survivors, then the score."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", help="modules of the core (all, in a random order)")
    parser.add_argument("--minutes", type=float, default=30.0, help="when to stop (30)")
    parser.add_argument("--each", type=int, default=EACH, help=f"mutants of a module ({EACH})")
    parser.add_argument("--seed", type=int, default=None, help="repeats the choice that it was printed for")
    asked = parser.parse_args(given)
    if not installed():
        print("cosmic-ray is not installed: `make mutants` does it, or pip install -r requirements-mutants.txt")
        return 2
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed: {seed}", flush=True)
    modules = asked.files or sorted(path for path in Tree(ROOT).sources if path.startswith(f"{CORE}/"))
    random.Random(seed).shuffle(modules)
    until, waiting, all_tried = time.monotonic() + 60 * asked.minutes, iter(modules), list[Tried]()

    def work(number: int) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = copied(Path(folder))
            while time.monotonic() < until and (path := next(waiting, None)) is not None:
                for each in tried_in(path, asked.each, seed, until, root):
                    all_tried.append(each)
                    if each.fate != "caught":
                        print(f"{each.fate}: {path}:{each.mutant.line}\n{each.change}", flush=True)

    with ThreadPoolExecutor(processors()) as workers:
        list(workers.map(work, range(processors())))
    print(report(all_tried))
    return 0


if __name__ == "__main__":
    sys.exit(main())
