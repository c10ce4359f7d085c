"""A plugin of pytest's: tests in the order of a plan of `tools/quick.py`, until its time is spent.

Time is the processor's, so that on a busy machine no fewer tests are tried. What is left is said in the last lines.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.quick import PLAN, Plan, place, processor_seconds

FIRST = re.compile(r"\[(\w+)")  # the page or the mechanism of a test with parameters
WORD = re.compile(r"[A-Za-z0-9]+")


class Nearest:
    """The tests of one worker, the nearest first."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.left, self.tried = plan, 0, 0

    def rank(self, item: pytest.Item) -> tuple[int, int]:
        """The place of a test: tests about the change first, then by the distance of their files."""
        path, _, name = item.nodeid.partition("::")
        words, others = set(self.plan.words), set(self.plan.others)
        first, distance = FIRST.search(name), self.plan.distances.get(path, 9)
        if first and first[1] in others:
            return 2, distance
        about = distance == 0 or words & set(WORD.findall(item.nodeid))
        return 0 if about else place(path, words, others), distance

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=self.rank)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """The end of the run when time is up: nothing more is run."""
        if processor_seconds() > self.plan.seconds:
            self.left += 1
            return True
        self.tried += 1
        return None

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["left"] = self.left

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        self.left += getattr(node, "workeroutput", {}).get("left", 0)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.lines():
            terminalreporter.write_line(line)

    def lines(self) -> Iterator[str]:
        """The tests that were left, in words."""
        if self.left:
            yield f"{self.left} tests that are farther away are left to `make check`: a minute has no room for them."
        if self.plan.beyond:
            yield f"So are {self.plan.beyond} files of tests, the farthest."


def pytest_configure(config: pytest.Config) -> None:
    """Read the plan, which every worker has."""
    plan = Plan(**json.loads(Path(os.environ[PLAN]).read_text("utf-8")))
    config.pluginmanager.register(Nearest(plan), "nearest")
