"""A view in a notebook: its level here and there, what stands where no script runs, and no app around it."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import io
import json
import logging
import math
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import traitlets

import ldp_explorer as lx
from explorer.ui.opening import opened
from explorer.ui.travel.making import TravelOrder, view_file
from explorer.ui.travel.notebook import notebook_cell
from ldp_explorer.notebook import ViewWidget
from ldpcore.experiments.counting.releases import CountingExperiment
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.rationing import ALL
from tests.scenes import ENDS

ROOT = Path(__file__).resolve().parent.parent
ONE = "/counting?counting_tab=one&epsilon=0.1"


@cache
def said(language: str = "en", answers: bool = True) -> str:
    return notebook_cell(ONE, language, answers, drawn=True).written()


def widget() -> ViewWidget:
    return ViewWidget(json.loads(said()))


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command's file is made in this process, by the same code: the first test sees a process of its own."""

    def run(command: list[str], **more: Any) -> subprocess.CompletedProcess[str]:
        _, _, module, *given = command
        named = module if module.endswith(".notebook") else f"{module}.__main__"
        with redirect_stderr(io.StringIO()) as wrong:
            status = importlib.import_module(named).main(given)
        logging.disable(logging.NOTSET)
        return subprocess.CompletedProcess(command, status, "", wrong.getvalue())

    monkeypatch.setattr(subprocess, "run", run)


def test_a_link_is_shown_as_the_app_shows_it_and_its_level_is_heard() -> None:
    shown, heard = lx.show(ONE, drawn=True), list[float]()
    shown.observe(lambda change: heard.append(change.new), names="level")
    viewed = opened(ONE).viewed
    assert shown.level == viewed.level == 0.1 and {*ENDS} < {*shown.levels}
    shown.level = 0.3
    assert heard == [0.3] and "882" in shown.answer and "0.3" in shown.answer
    assert shown.get_state()["level"] == 0.3 and "_esm" in shown.get_state()
    assert shown.state == base64.b64decode(json.loads(said())["state"]), "a process of its own makes the same cell"


def test_a_level_between_two_stops_becomes_the_nearer_one_and_one_that_is_no_level_is_refused() -> None:
    shown = widget()
    for asked in (0.11, 0.29, 1e-9, 1e9, 1):
        shown.level = asked
        assert shown.level == min(shown.levels, key=lambda stop: abs(math.log(stop / asked)))
    for wrong in (0, -1, math.nan, math.inf):
        with pytest.raises(traitlets.TraitError, match="level must be a positive number; got"):
            shown.level = wrong
    assert shown.level == 1.0


def test_where_no_script_runs_the_picture_and_the_sentence_stand() -> None:
    data, _ = widget()._repr_mimebundle_()
    assert {"text/html", "text/plain", "application/vnd.jupyter.widget-view+json"} == {*data}
    assert widget().answer in data["text/plain"] and widget().answer in data["text/html"]
    assert "<svg " in data["text/html"] and "<script" not in data["text/html"]
    assert len(data["text/html"]) < 60_000


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_cell_in_which_people_predict_holds_no_answer(language: str) -> None:
    for answers in (True, False) if ALL or language == "en" else (False,):
        held = json.loads(said(language, answers))
        inside = held["still"] + " ".join(held["answers"]) + gzip.decompress(base64.b64decode(held["state"])).decode()
        assert ("882" in inside) == answers


@pytest.mark.usefixtures("in_this_process")
def test_a_link_to_nowhere_is_refused_in_one_sentence() -> None:
    with pytest.raises(
        lx.LinkError, match=r"^A link must lead to one of these pages: overview, .*“nothing” is none of them\.$"
    ):
        lx.show("/nothing")
    with pytest.raises(TypeError, match="a link, a question or an object of ldpcore; got int"):
        lx.show(5)


def test_a_part_of_a_link_that_cannot_be_used_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    complaining = json.dumps(json.loads(said()) | {"complaints": ["The link sets foo."]})
    monkeypatch.setattr("ldp_explorer.views._cell", lambda *given: complaining)
    with pytest.warns(UserWarning, match="The link sets foo"):
        lx.show(ONE)


def test_a_fault_of_the_process_is_shown_in_full_and_blames_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = subprocess.CompletedProcess[str]([], 1, "", "Traceback (most recent call last):\n  x\nKeyError: 'y'\n")
    monkeypatch.setattr(subprocess, "run", lambda *given, **named: failed)
    with pytest.raises(RuntimeError, match="KeyError: 'y'"):
        lx.show("/counting?epsilon=0.7")


def test_a_question_is_answered_by_the_library() -> None:
    drawn = lx.show(CountingExperiment(LaplaceMechanism(epsilon=0.1, sensitivity=1.0), 882.0, 2584, seed=4))
    assert lx.show(drawn) is drawn
    html = drawn._repr_html_()
    assert html.count("<rect") == 10 and html.count("<td") == 2 and str(drawn).startswith("CountingExperiment\n")


@pytest.mark.usefixtures("in_this_process")
def test_a_saved_view_is_the_file_that_travels(tmp_path: Path) -> None:
    path = lx.save(ONE, tmp_path / "one.html", languages=["de"], answers=False, drawn=True)
    assert path.read_text("utf-8") == view_file(ONE, TravelOrder(("de",), answers=False, drawn=True)).html()


def test_where_anywidget_is_missing_the_notebook_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "ldp_explorer.notebook")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ModuleNotFoundError, match=r"ldp-explorer\[app,notebook\]"):
        lx.show(ONE)


def test_the_package_is_imported_without_widgets_and_without_numbers() -> None:
    heavy = "{'anywidget', 'ipywidgets', 'numpy', 'streamlit', 'explorer', 'pages'}"
    code = f"import sys, ldp_explorer; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, encoding="utf-8").strip() == "[]"


@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("nbconvert", "ipykernel"))),
    reason="nbconvert and a kernel are not here: python -m pip install nbconvert ipykernel",
)
def test_an_exported_notebook_keeps_the_view_at_its_level_and_else_its_picture(tmp_path: Path) -> None:
    import nbformat
    from nbconvert import HTMLExporter

    code = f"import ldp_explorer as lx\nw = lx.show({ONE!r}, drawn=True)\nw"
    cells = [nbformat.v4.new_code_cell(each) for each in (code, "w.level = 0.3")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "x.ipynb")
    places = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    known = {**os.environ, **places, "IPYTHONDIR": str(tmp_path / "ipython"), "PYTHONPATH": str(ROOT)}
    asked = [sys.executable, "-m", "nbconvert", "--execute", "--to", "notebook", "--output", "y.ipynb", "x.ipynb"]
    subprocess.run(asked, cwd=tmp_path, env=known, check=True, capture_output=True)
    book = nbformat.read(tmp_path / "y.ipynb", as_version=4)
    made, _ = HTMLExporter().from_notebook_node(book)
    kept = re.search(r'<script type="application/vnd.jupyter.widget-state\+json">(.*?)</script>', made, re.DOTALL)
    assert kept is not None and "application/vnd.jupyter.widget-view+json" in made
    (view,) = [each for each in json.loads(kept[1])["state"].values() if each["model_module"] == "anywidget"]
    buffers = {each["path"][0]: each["data"] for each in view["buffers"]}
    assert view["state"]["level"] == 0.3 and buffers["state"] == json.loads(said())["state"]
    del book.metadata["widgets"]
    still, _ = HTMLExporter().from_notebook_node(book)
    assert widget().answer in still and "true answer: 882" in still
