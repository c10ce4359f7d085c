"""The site says what is so: its code prints what stands there, mechanisms and pictures are those of the tree."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import ldpcore
from benchmarks import beside
from tests.cases import for_each
from tools import docs, notebooks
from tools.serving import ROOT

PAGES = {path.stem: path for path in notebooks.pages()}
NOTEBOOKS = {path.stem: path for path in notebooks.notebooks()}
FIRST = ("index", "start", "which", "plan", "collector")
SITE = (*FIRST, "library", "notebook", "mechanisms", "laws", "reference", "papers", "beside")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def text(name: str) -> str:
    return (docs.DOCS / f"{name}.md").read_text("utf-8")


def agrees(kept: str, today: str, digits: float) -> bool:
    """Whether two texts are the same, but for the last digit of a number, which processors round apart."""
    numbers = [np.array([float(each) for each in NUMBER.findall(part)]) for part in (kept, today)]
    return NUMBER.sub("", kept) == NUMBER.sub("", today) and np.allclose(*numbers, rtol=digits, atol=digits)


# --- code ------------------------------------------------------------------------------------------------------------


def test_the_pages_with_code_are_those_of_the_site() -> None:
    assert {"start", "which", "plan", "collector", "papers", "beside", "library"} == set(PAGES)
    assert set(NOTEBOOKS) == {"survey", "means", "collector", "regression"}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_code_of_a_page_prints_what_stands_below_it(name: str) -> None:
    page = PAGES[name]
    assert agrees(page.read_text("utf-8"), notebooks.renewed(page, notebooks.values_of(page)), 2e-4), (
        "python -m tools.notebooks keeps what is printed today"
    )


@pytest.mark.parametrize("name", sorted(NOTEBOOKS))
def test_a_notebook_says_what_is_kept_in_it(name: str) -> None:
    kept, today = notebooks.kept(NOTEBOOKS[name]), notebooks.outputs(NOTEBOOKS[name])
    assert any(kept) and len(kept) == len(today)
    for one, other in zip(map(notebooks.told, kept), map(notebooks.told, today), strict=True):
        digits = 1e-3 if "<svg" in one else 2e-4  # places in a picture have one digit behind the point
        assert agrees(one, other, digits), "python -m tools.notebooks keeps what is printed today"
    assert NOTEBOOKS[name].stat().st_size < 16_000


@pytest.mark.parametrize("name", sorted(NOTEBOOKS))
def test_a_notebook_shows_a_figure_of_the_librarys_own(name: str) -> None:
    drawn = [notebooks.told(outputs) for outputs in notebooks.kept(NOTEBOOKS[name])]
    assert any("<svg" in each and "<table" in each for each in drawn)


def test_a_changed_output_is_seen() -> None:
    page = PAGES["start"]
    assert not agrees(
        page.read_text("utf-8").replace("[464 276 260]", "[464 277 259]"), notebooks.renewed(page, {}), 2e-4
    )
    assert notebooks.run("x = 2\nprint(x)\nx + 1", {}) == "2\n3\n"
    assert notebooks.run("x = 2", {}) == ""


@for_each("name", ldpcore.__all__)
def test_a_public_name_stands_in_the_reference_with_an_example(name: str) -> None:
    held = getattr(ldpcore, name)
    assert re.search(rf"^\.\. auto\w+:: ldpcore\.{name}$", text("reference"), re.MULTILINE)
    examples = [test for test in doctest.DocTestFinder().find(held, name) if test.examples]
    assert examples, f"{name} must have an example in its docstring"
    if not inspect.ismodule(held):
        assert ">>>" in (held.__doc__ or "")
    with notebooks.empty_folder():
        for example in examples:
            assert doctest.DocTestRunner().run(example).failed == 0


def test_the_reference_names_nothing_else() -> None:
    assert set(re.findall(r":: ldpcore\.(\w+)", text("reference"))) == set(ldpcore.__all__)


# --- what is written by a script -------------------------------------------------------------------------------------


def test_the_page_of_every_mechanism_is_that_of_the_registry() -> None:
    page = docs.page()
    assert agrees(docs.MECHANISMS.read_text("utf-8"), page, 2e-3), "python -m tools.docs writes it anew"
    assert [member.slug for member in docs.REGISTRY if f'ldpcore.build("{member.slug}", ' not in page] == []


@pytest.mark.parametrize(("slug", "view"), docs.VIEWS)
def test_a_picture_is_drawn_by_the_app_today(slug: str, view: str) -> None:
    kept = (docs.PICTURES / f"{slug}-{view}.svg").read_text("utf-8")
    assert agrees(kept, docs.drawn(slug, view), 0.11), "python -m tools.docs draws it anew"
    assert "<script" not in kept and len(kept) < 40_000


def test_every_picture_is_the_apps_and_is_shown_with_words() -> None:
    drawn = {f"{slug}-{view}.svg" for slug, view in docs.VIEWS}
    assert {path.name for path in docs.PICTURES.iterdir()} == drawn
    shown = [found for name in SITE for found in re.findall(r"!\[(.*?)\]\(pictures/(.*?)\)", text(name))]
    assert {picture for _, picture in shown} == drawn
    assert all(len(words) > 60 for words, _ in shown)


# --- the whole site --------------------------------------------------------------------------------------------------


def test_every_page_is_reached_from_the_first_and_every_link_leads_somewhere() -> None:
    listed = set(
        re.findall(r"^([\w/]+)$", "".join(re.findall(r"```{toctree}(.*?)```", text("index"), re.DOTALL)), re.MULTILINE)
    )
    assert listed == {*SITE, "science"} - {"index"} | {f"notebooks/{name}" for name in NOTEBOOKS}
    for name in SITE:
        for target in re.findall(r"\]\(((?!https?:)[^)#]+)\)", text(name)):
            assert (docs.DOCS / target).is_file(), f"{name}.md leads to {target}"


def test_nothing_is_fetched_from_elsewhere() -> None:
    for name in SITE:
        assert not re.search(r"https?://|<script|<iframe", text(name)), name
    assert "intersphinx" not in (docs.DOCS / "conf.py").read_text("utf-8")


def test_the_lines_of_code_side_by_side_are_counted() -> None:
    printed = re.findall(r"^\| ([\w-]+) \| (\d+) \| ", text("beside"), re.MULTILINE)
    assert printed == [(job.library, str(job.lines)) for job in beside.jobs()]
    assert len(printed) == 6


def test_ranges_of_the_site_have_their_pins_and_agree_with_the_other_locks() -> None:
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]["docs"]
    pins = {name: _pins(ROOT / f"requirements{name}.txt") for name in ("", "-test", "-docs")}
    assert (ROOT / "requirements-docs.txt").read_text("utf-8").startswith("-r requirements.txt\n")
    for requirement in map(Requirement, extra):
        assert requirement.specifier.contains(pins["-docs"][canonicalize_name(requirement.name)])
    assert not set(pins["-docs"]) & set(pins[""])
    shared = set(pins["-docs"]) & set(pins["-test"])
    assert {name: pins["-docs"][name] for name in shared} == {name: pins["-test"][name] for name in shared}


def _pins(lock: Path) -> dict[str, str]:
    lines = re.findall(r"^([\w.-]+)(?:\[.*?\])?==([^\s;]+)", lock.read_text("utf-8"), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in lines}


def test_notebooks_are_as_a_notebook_must_be() -> None:
    for path in NOTEBOOKS.values():
        whole = json.loads(path.read_text("utf-8"))
        assert (whole["nbformat"], whole["nbformat_minor"]) == (4, 5)
        assert len({cell["id"] for cell in whole["cells"]}) == len(whole["cells"])
        assert whole["cells"][0]["cell_type"] == "markdown"
