"""How often a page goes through a large table in its own thread: what takes as long as the table is part of a question.

A table of four million rows is allowed, and NumPy goes through as many numbers in some thirty milliseconds: a run that
goes through its table at most twelve times stays below half a second.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.ui import page as pages
from explorer.ui import session
from ldpcore import fingerprints
from ldpcore.parameters import ParameterError
from ldpcore.people.populations import Population
from ldpcore.reading.dialects import read_table
from tests.screens.opening import ROOT, answer, answered

ROWS = 30_000
PASSES, AGAIN = 12, 6  # through the table, in one run; and where the answers are there
VIEWS = ("everybody", "report", "variance", "plan")


class Passes:
    """How many numbers a page has gone through in its own thread: those it averages, and those it reads off."""

    def __init__(self) -> None:
        self.local, self.runs = threading.local(), list[int]()

    def add(self, numbers: int) -> None:
        if getattr(self.local, "inside", False):
            self.runs[-1] += numbers

    @contextmanager
    def run(self) -> Iterator[None]:
        self.runs.append(0)
        self.local.inside = True
        try:
            yield
        finally:
            self.local.inside = False


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> Passes:
    counted, run = Passes(), pages.Page.run
    averaged, part, made = Population.mean_of, fingerprints._part, Population.__post_init__

    def counted_run(page: Any) -> None:
        with counted.run():
            run(page)

    def counted_mean(people: Population, function: Any) -> float:
        counted.add(people.k)
        return averaged(people, function)

    def counted_part(digest: Any, tag: str, content: bytes) -> None:
        counted.add(len(content) // 8)
        part(digest, tag, content)

    def counted_made(people: Population) -> None:
        made(people)
        counted.add(2 * people.k)

    monkeypatch.setattr(pages, "AT_ONCE", 0.02)  # a table of four million is long work, and so is this one
    monkeypatch.setattr(pages.Page, "run", counted_run)
    monkeypatch.setattr(Population, "mean_of", counted_mean)
    monkeypatch.setattr(Population, "__post_init__", counted_made)
    monkeypatch.setattr(fingerprints, "_part", counted_part)
    return counted


def with_table(slug: str, **parameters: str) -> AppTest:
    """A page on a table of the reader's own, in which everybody has another number."""
    numbers = np.random.default_rng(1).permutation(ROWS)
    table, understood = read_table(b"x,y\n" + b"\n".join(b"%d,%.5f" % (n, n / 300) for n in numbers), "table.csv")
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    own = session.OwnTable(table, understood, b"", understood.reading)
    app.session_state[session.OWN.name] = session.shelf().put(own, 1e6)
    for key, text in parameters.items():
        app.query_params[key] = text
    app.query_params["data"] = f"own-{table.n}x2"
    app.switch_page(f"pages/{slug}.py").run()
    return answered(app)


@pytest.mark.parametrize("view", VIEWS)
def test_no_run_on_a_large_table_goes_through_it_often(view: str, passes: Passes) -> None:
    app = with_table("means", means_source="column", means_tab=view)
    assert answer(app) and not app.exception and not app.error
    assert len(passes.runs) > 1 and max(passes.runs) <= PASSES * ROWS, [run / ROWS for run in passes.runs]
    app.run()
    assert passes.runs[-1] <= AGAIN * ROWS, "nothing is read off again that was before"


@pytest.mark.parametrize("slug", ["counting", "averaging", "trust", "frequencies", "regression"])
def test_no_page_on_a_large_table_goes_through_it_often(slug: str, passes: Passes) -> None:
    source = {"trust": {"trust_source": "column"}, "frequencies": {"frequencies_source": "column"}}
    app = with_table(slug, **source.get(slug, {}))
    assert answer(app) and not app.exception
    assert passes.runs and max(passes.runs) <= PASSES * ROWS, [run / ROWS for run in passes.runs]


def test_people_are_made_without_a_step_for_each() -> None:
    steps = 0

    def step(frame: Any, event: str, argument: Any) -> None:
        nonlocal steps
        steps += 1

    numbers = np.random.default_rng(1).normal(size=10**5)
    sys.setprofile(step)
    try:
        people = Population.of_numbers(numbers)
        assert people.n == 10**5 and people.__fingerprint__()
    finally:
        sys.setprofile(None)
    assert steps < 2_000
    taken = steps
    assert people.n == 10**5 and people.__fingerprint__() and steps == taken


def test_counts_that_no_machine_number_adds_up_are_added_up() -> None:
    with pytest.raises(ParameterError):
        Population(np.arange(4), np.full(4, 2**62))
