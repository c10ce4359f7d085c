"""The program for OpenDP beside a release: run with what OpenDP's documentation says of its calls, it has the page's
answer and the page's noise, for every question, relation of neighbors and number of rows of a person."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from explorer.paper.leaving import Viewed
from explorer.paper.opendp import ABSENT, NORMAL, NOTE, wider
from explorer.settings.cells import Cells, TableCells
from explorer.settings.cuts import Cut, Group
from explorer.settings.noises import ChosenNoise, noises
from explorer.ui import opendp, share
from ldpcore.mechanisms.centralgaussian import GaussianMechanism
from ldpcore.reading.readings import Reading
from ldpcore.tables.conditions import Where
from tests.rationing import shared
from tests.scenes import declared
from tests.test_releases import LEVEL, OTHERS, RELATIONS, asked, lines


@dataclass(frozen=True)
class Chain:
    """Calls of OpenDP in a row: of how many values, between which bounds, and the scale of the noise."""

    size: int | None = None
    ends: tuple[float, float] | None = None
    scale: float = 0.0
    delta: float = 0.0

    def far(self, d_in: int) -> float:
        """How far neighbors are apart: values come and go, or of so many some become others; a number by itself.

        Between bounds of both signs a value takes the place of another: measured with OpenDP 0.16.0.
        """
        if self.ends is None:
            return float(d_in)
        low, high = self.ends
        return d_in * max(abs(low), abs(high), high - low) if self.size is None else d_in // 2 * (high - low)

    def __call__(self, values: Any) -> Any:
        """The answer, without its noise."""
        if self.ends is None:
            return values
        assert self.size in (None, len(values))
        return float(np.clip(values, *self.ends).sum())


@dataclass(frozen=True)
class Step:
    """One more call, behind a domain with its metric or behind others."""

    more: Callable[[Chain], Chain]

    def __rrshift__(self, before: Chain | tuple[int | None, str]) -> Chain:
        return self.more(before if isinstance(before, Chain) else Chain(before[0]))


def stand_in(scales: list[float]) -> ModuleType:
    """OpenDP's prelude as far as the programs call it; the scales that it finds are kept."""

    def search(
        make: Callable[[float], Chain],
        d_in: int,
        d_out: float | tuple[float, float],
        bounds: tuple[float, float] = (0.0, math.inf),
    ) -> Chain:
        moved = make(1.0).far(d_in)
        scales.append(GaussianMechanism(*d_out, moved).sigma if isinstance(d_out, tuple) else moved / d_out)
        assert bounds[0] < scales[-1] < 1.2 * scales[-1] < bounds[1], "OpenDP's own is a tenth wider"
        return make(scales[-1])

    def fixed(chain: Chain, delta: float) -> Chain:
        return replace(chain, delta=delta)

    def then_noise(scale: float) -> Step:
        return Step(lambda chain: replace(chain, scale=scale))

    made = {
        "enable_features": lambda name: None,
        "atom_domain": lambda T, nan=None: T,
        "vector_domain": lambda atoms, size=None: size,
        **{f"{name}_distance": lambda T=int: "" for name in ("symmetric", "absolute", "l1", "l2")},
        "binary_search_chain": search,
        "t": SimpleNamespace(
            then_clamp=lambda ends: Step(lambda chain: replace(chain, ends=ends)),
            then_sum=lambda: Step(lambda chain: chain),
        ),
        "m": SimpleNamespace(
            **{f"then_{law}": then_noise for law in ("laplace", "gaussian")},
            **{f"make_{law}": lambda domain, metric, scale: Chain(scale=scale) for law in ("laplace", "gaussian")},
        ),
        "c": SimpleNamespace(make_zCDP_to_approxDP=lambda chain: chain, make_fix_delta=fixed),
    }
    module = ModuleType("opendp.prelude")
    vars(module).update(made)
    return module


def run(program: str, rows: list[tuple[str, str, int]], folder: Path, patch: pytest.MonkeyPatch) -> list[float]:
    """Run a program beside the file that it reads; the scales of the noise that it asks for."""
    text = "who,ward,pay\n" + "".join(f"{who},{ward},{pay}\n" for who, ward, pay in rows)
    (folder / share.ANYBODYS).write_text(text, encoding="utf-8")
    patch.chdir(folder)
    scales: list[float] = []
    patch.setitem(sys.modules, "opendp", ModuleType("opendp"))
    patch.setitem(sys.modules, "opendp.prelude", stand_in(scales))
    vars(sys.modules["opendp"])["prelude"] = sys.modules["opendp.prelude"]
    exec(program, {})
    return scales


# Every eleventh by day: no number of the choices has a divisor in common with it, so that each is met.
ASKED = shared(
    product(("laplace", "gauss", "staircase"), (False, True), ("count", "sum", "mean"), (0, 1, 3), RELATIONS), 11
)


@pytest.mark.parametrize(("slug", "somebody", "verb", "each", "relation"), ASKED)
def test_the_program_has_the_page_s_answer_and_noise(
    verb: str,
    relation: str,
    each: int,
    somebody: bool,
    slug: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    about = replace(asked(verb, relation, each, somebody), noise=ChosenNoise(slug))
    listed = lines(about)
    view = "ratio" if listed.release.asked == "ratio" else "one"
    viewed = Viewed(declared("counting"), declared("counting").views[view], about, None, 0.75)
    program = opendp.code(share.Taken(viewed, "", Reading(), True), listed.release)
    rows = [row for row in OTHERS for _ in range(max(each, 1))]
    scales = run(program, rows, tmp_path, monkeypatch)
    said = [float(word) for word in capsys.readouterr().out.split()]
    kept = [row for row in rows if row[1] == "north" or not somebody]
    total, count = float(sum(row[2] for row in kept)), len(kept)
    due = {"count": [count], "sum": [total], "mean": [total / count], "ratio": [total / count, total, count]}
    assert said == pytest.approx(due[listed.release.asked])
    ours = np.array(listed.release.scales)
    if listed.release.asked != "count":
        ours[0] *= wider(listed.release) * (
            len(rows) if listed.release.asked == "mean" else 1
        )  # a mean's sum is divided
    if slug == "staircase":  # in whose place stands Laplace noise of its level
        ours *= np.array(listed.release.moves) / np.array(listed.release.levels) / np.array(listed.release.scales)
    assert scales == pytest.approx(ours)
    assert (ABSENT.format("staircase noise") in program) == (slug == "staircase")
    assert wider(listed.release) == (1.4 if verb != "count" and relation == "add-remove" else 1)
    assert (NOTE.format(1.4) in program) == (wider(listed.release) > 1)
    assert (NORMAL in program) == (slug == "gauss")


@pytest.mark.parametrize(
    ("columns", "noise", "each", "relation"),
    shared(product((("ward",), ("ward", "pay")), noises(True), (0, 1, 3), RELATIONS), 5),
)
def test_the_program_of_a_whole_table_has_its_cells_and_the_noise_of_the_page(
    columns: tuple[str, ...],
    relation: str,
    each: int,
    noise: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Of normal noise all tables at once, for the length of what one person moves; of other noise each by its level."""
    about = replace(asked("count", relation, each), noise=ChosenNoise(noise))
    cuts = (Cut(groups=(Group("some", ("north",)),), together=True), Cut(edges=(0.0,)))[: len(columns)]
    own = Cells.of(TableCells(about.question.table, columns, Where(), False, cuts))
    listed = lines(about, own)
    viewed = Viewed(declared("counting"), declared("counting").views["cells"], about, own, 0.75)
    program = opendp.code(share.Taken(viewed, "", Reading(), True), listed.release)
    rows = [row for row in OTHERS for _ in range(max(each, 1))]
    scales = run(program, rows, tmp_path, monkeypatch)
    said = capsys.readouterr().out.strip().splitlines()
    wards = [sum(ward == "north" for _, ward, _ in rows), sum(ward != "north" for _, ward, _ in rows)]
    pays = [sum(pay < 0 for *_, pay in rows), sum(pay >= 0 for *_, pay in rows)]
    assert [int(line.rpartition(", ")[2].rstrip(")")) for line in said] == (wards + pays)[: 2 * len(columns)]
    moved = max(each, 1) * (2 if relation == "replace-one" else 1)
    joined = noises(True)[noise].norm == 2
    if joined:
        length = max(each, 1) * math.sqrt(len(columns) * moved / max(each, 1))
        assert scales == pytest.approx([GaussianMechanism(LEVEL, 1e-6, length).sigma])
    else:
        assert scales == pytest.approx([moved * len(columns) / LEVEL] * len(columns))
    assert (NORMAL in program) == joined and len(listed.rows) == 2 * len(columns)
