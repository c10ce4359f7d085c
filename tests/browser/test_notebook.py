"""A view in a cell: drawn, dragged, and its level told both ways; beside a kernel that is played, and in JupyterLab."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.ui.travel.notebook import notebook_cell
from ldpcore.processes import end_group, start_group
from tools.browsing import axe_violations
from tools.serving import ROOT, free_port

LAB = pytest.mark.skipif(
    importlib.util.find_spec("jupyterlab") is None, reason="JupyterLab is not here: python -m pip install jupyterlab"
)
LINK = "/counting?counting_tab=one&epsilon=0.1"
KERNEL = """
const bytes = text => new DataView(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer)
const held = { ...SAID, state: bytes(SAID.state), plotly: bytes(SAID.plotly) }, heard = new Set()
window.told = []
window.pressed = []
addEventListener("keydown", ({ key }) => pressed.push(key))
window.model = {
  get: name => held[name],
  set: (name, value) => { held[name] = value; heard.forEach(each => each()) },
  save_changes: () => told.push(held.level),
  on: (name, each) => heard.add(each), off: (name, each) => heard.delete(each),
}
window.places = [...document.querySelectorAll(".place")]
window.ends = await Promise.all(places.map(el => render({ model, el })))
window.listeners = () => heard.size
"""


@cache
def page_of(cells: int = 1, language: str = "en") -> str:
    """The HTML of a page with a kernel that is played, and the same widget in several cells."""
    cell = notebook_cell(LINK, language, drawn=True)
    said, places = cell.written().replace("<", "\\u003c"), '<div class="place"></div>' * cells
    return (
        f'<!doctype html><html lang="{language}"><meta charset="utf-8"><title>Cell</title><style>{cell.styles} '
        f"body {{ margin: 1rem; background: #fff; }}</style><main><h1>Cells</h1>{places}</main>"
        f'<script type="module">{cell.module}\nconst SAID = {said}\n{KERNEL}</script></html>'
    )


def level(page: Page, place: int = 0) -> str:
    return page.locator(".ldp-which b").nth(place).inner_text()


def stands(page: Page) -> None:
    expect(page.locator(".ldp-sketch > svg").first).to_be_visible()
    page.wait_for_function("window.ends")


def test_a_cell_tells_the_kernel_its_level_and_hears_of_its(from_disk: Callable[..., Page]) -> None:
    page = from_disk(page_of(cells=2))
    stands(page)
    assert [level(page, place) for place in (0, 1)] == ["0.1", "0.1"]
    slider = page.get_by_role("slider").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("told.length")
    assert page.evaluate("told") == [0.15] and page.evaluate("pressed") == [], "arrow keys stay in the cell"
    expect(page.locator(".ldp-which b").nth(1)).to_have_text("0.15")  # the other cell of this widget follows
    page.evaluate("model.set('level', 3)")
    for place in (0, 1):
        expect(page.locator(".ldp-which b").nth(place)).to_have_text("3")
        expect(page.locator(".ldp-answer").nth(place)).to_contain_text("ε = 3 ")
    assert page.evaluate("told") == [0.15], "what the kernel has said is not said back"
    page.evaluate("ends[1]()")
    assert page.locator(".ldp-cell").count() == 1 and page.evaluate("listeners()") == 1


def test_a_cell_is_as_light_or_dark_as_the_notebook_also_when_that_changes(from_disk: Callable[..., Page]) -> None:
    page = from_disk(page_of())
    stands(page)
    paper = "getComputedStyle(document.querySelector('.ldp-cell')).backgroundColor"
    assert page.evaluate(paper) == "rgb(255, 255, 255)"
    before = page.locator(".ldp-sketch").inner_html()
    page.evaluate("document.body.style.background = '#111'")
    page.wait_for_function(f"{paper} === 'rgb(18, 22, 28)'")
    assert page.locator(".ldp-sketch").inner_html() != before
    page.evaluate("document.body.style.background = 'none'")  # then as the system is, which is light here
    page.wait_for_function(f"{paper} === 'rgb(255, 255, 255)'")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_cell_can_be_read_by_everybody(from_disk: Callable[..., Page], language: str) -> None:
    page = from_disk(page_of(language=language), width=700)
    stands(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for dark in (False, True):
        page.evaluate(f"document.body.style.background = '{'#111' if dark else '#fff'}'")
        page.wait_for_function(f"document.querySelector('.ldp-cell').hasAttribute('data-dark') === {str(dark).lower()}")
        assert not axe_violations(page, [".ldp-cell"])


CELLS = (
    f"import ldp_explorer as lx\nw = lx.show({LINK!r})\nw",
    "heard = []\nw.observe(lambda change: heard.append(change.new), names='level')",
    "print(w.level, heard, w.answer)",
    "w.level = 0.3",
    "import ldpcore\nldpcore.plan('auto', 1.0, 5, n=1000)",
)
RUN = """async place => {
  const panel = jupyterapp.shell.currentWidget
  await panel.sessionContext.ready
  panel.content.activeCellIndex = place
  await jupyterapp.commands.execute("notebook:run-cell")
}"""
CHOSEN = "[...document.querySelectorAll('.jp-Cell')].findIndex(each => each.classList.contains('jp-mod-active'))"


@pytest.fixture
def lab(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A notebook in JupyterLab, whose kernel knows this checkout."""
    cells = [
        {"cell_type": "code", "id": f"c{place}", "source": code, "metadata": {}, "outputs": [], "execution_count": None}
        for place, code in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "x.ipynb").write_text(json.dumps(whole), "utf-8")
    port, own = free_port(), {"CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"}
    known = {f"JUPYTER_{name}": str(tmp_path / name) for name in own} | {"IPYTHONDIR": str(tmp_path / "ipython")}
    options = ["--no-browser", "--allow-root", "--LabApp.expose_app_in_browser=True", f"--ServerApp.port={port}"]
    options += [
        "--Application.log_level=ERROR",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={tmp_path}",
    ]
    process = start_group(
        [sys.executable, "-m", "jupyterlab", *options], tmp_path, {**os.environ, **known, "PYTHONPATH": str(ROOT)}
    )
    window = browser.new_context(viewport={"width": 1440, "height": 1000})
    try:
        with closing(window):
            page = window.new_page()
            _begun(f"http://127.0.0.1:{port}/api")
            page.goto(f"http://127.0.0.1:{port}/lab/tree/x.ipynb")
            page.wait_for_function("window.jupyterapp")
            page.evaluate("jupyterapp.restored")
            page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
            yield page
    finally:
        end_group(process)
        process.communicate()


def _begun(address: str) -> None:
    """Return as soon as a server answers."""
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return


@LAB
def test_in_jupyterlab_a_view_is_drawn_and_dragged_and_its_level_comes_back(lab: Page) -> None:
    problems: list[str] = []
    lab.on("pageerror", lambda error: problems.append(str(error)))
    for place in (0, 1):
        lab.evaluate(RUN, place)
    expect(lab.locator(".ldp-cell .main-svg").first).to_be_visible()  # by Plotly
    slider = lab.locator(".ldp-cell input[type=range]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None and level(lab) == "0.1"
    lab.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    lab.mouse.down()
    lab.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2, steps=5)
    lab.mouse.up()
    dragged = level(lab)
    before = lab.evaluate(CHOSEN)
    lab.keyboard.press("ArrowRight")
    lab.keyboard.press("ArrowUp")
    expect(lab.locator(".ldp-which b")).to_have_text("3")
    assert dragged == "1.5" and lab.evaluate(CHOSEN) == before, "arrow keys stay in the cell"
    slider.blur()
    lab.evaluate(RUN, 2)
    said = lab.locator(".jp-CodeCell").nth(2).locator(".jp-OutputArea-output")
    expect(said).to_contain_text("3.0 [1.5, 3.0]")
    expect(said).to_contain_text("At ε = 3 ")
    lab.evaluate(RUN, 3)
    expect(lab.locator(".ldp-which b")).to_have_text("0.3")
    expect(lab.locator(".ldp-answer")).to_contain_text("ε = 0.3 ")
    lab.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    expect(lab.locator(".ldp-cell[data-dark]")).to_be_visible()
    lab.evaluate(RUN, 4)
    expect(lab.locator(".jp-CodeCell").nth(4).locator("svg rect").first).to_be_visible()
    assert not problems
