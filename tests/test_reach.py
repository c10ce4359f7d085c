"""`make quick` finds the tests that a change can reach: none is lost, the nearest come first, the rest is counted."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path

import pytest

from tests.rationing import shared
from tools import quick, reach
from tools.quick import IN_A_PAGE, MOST_FILES, PLAN, Plan, limit_of, plan_of
from tools.reach import FOUND, Tree, matches

ROOT = Path(__file__).resolve().parent.parent
TREE = Tree(ROOT)
MATCHES = cache(matches)  # the same names are looked for from file after file
REACHED = (  # a file that somebody changes, and the tests of which one must turn red for a mistake in it
    ("ldpcore/mechanisms/laplace.py", "test_mechanisms test_titles test_added_noise library/test_designs"),
    ("ldpcore/mechanisms/additivenoise.py", "test_mechanisms test_added_noise test_tablemoves"),
    ("ldpcore/mechanisms/base.py", "test_mechanisms"),
    ("ldpcore/experiments/counting/tableplan.py", "test_tableplan test_plans_keep_their_confidence test_scenes"),
    ("ldpcore/laws/divergences.py", "test_divergences"),
    ("ldpcore/limits/bounds.py", "test_limits"),
    ("ldpcore/reading/answers.py", "test_answers"),
    ("explorer/pages/counting/facts.py", "test_scenes test_sheets test_truths screens/test_counting_page"),
    ("explorer/pages/counting/figures/releases.py", "test_scenes test_counting_figures screens/test_counting_page"),
    ("explorer/predicting.py", "test_predicting"),
    ("explorer/pages/verify/facts.py", "test_scenes test_masks screens/test_verify_page"),
    ("explorer/text/de/counting.md", "test_scenes test_catalogue test_languages test_new_language test_wording"),
    ("explorer/text/en/labels.toml", "test_titles test_catalogue test_scenes test_ways test_wording"),
    ("explorer/text/en/ways.toml", "test_ways screens/test_ways"),
    ("explorer/text/catalogue.py", "test_catalogue test_scenes"),
    ("explorer/ways/lecture.toml", "test_ways screens/test_ways"),
    ("explorer/ui/cache.py", "test_cache"),
    ("explorer/ui/uploads.py", "test_upload screens/test_brought"),
    ("explorer/ui/stage/quick.js", "test_scripts test_stage"),
    ("explorer/paper/leaving.py", "test_public test_sheets"),
    ("pages/counting.py", "test_scenes screens/test_counting_page screens/test_every_page"),
    ("tests/samples/counting.py", "test_scenes test_predicting"),
    ("tests/screens/links.toml", "screens/test_addresses"),
    (".streamlit/config.toml", "test_architecture"),
    ("requirements.txt", "test_packaging"),
    ("Makefile", "test_packaging"),
)


@pytest.fixture(autouse=True)
def _matched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "matches", MATCHES)


def parsed(source: str) -> Iterator[str]:
    """What a source imports, as Python's own parser reads it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_imports_are_those_that_pythons_own_parser_reads() -> None:
    assert len(TREE.sources) > 900
    read = shared(TREE.sources.items(), 6)
    lost = {path: set(parsed(source)) - TREE.imports[path] for path, source in read}
    assert not {path: names for path, names in lost.items() if names}


@pytest.mark.parametrize(("changed", "tests"), REACHED, ids=[changed for changed, _ in REACHED])
def test_a_change_reaches_the_tests_that_must_turn_red_and_finds_time_for_them(changed: str, tests: str) -> None:
    assert (ROOT / changed).exists()
    tried = plan_of(TREE, [changed], 1.0).distances
    assert {f"tests/{name}.py" for name in tests.split()} <= set(tried), sorted(tried)


def test_every_file_of_the_product_reaches_a_test() -> None:
    """Backwards from the tests, so that one walk serves all files."""
    texts = ("*.py", "*.md", "*.toml", "*.js", "*.css")
    files = {
        path.relative_to(ROOT).as_posix()
        for top in ("explorer", "ldpcore", "pages")
        for kind in texts
        for path in (ROOT / top).rglob(kind)
    }
    assert len(files) > 700
    arrows = {path: {each for each, _ in TREE.arrows(path)} for path in {*files, *TREE.sources}}
    reaching = set(TREE.tests)
    while more := {path for path, users in arrows.items() if path not in reaching and not reaching.isdisjoint(users)}:
        reaching |= more
    assert not {path for path in files - reaching if not TREE.readers(path)}


def test_every_pattern_of_what_is_found_finds_something() -> None:
    for pattern, names, _ in FOUND:
        for name in names:
            known = name.replace("{0}", "*")
            assert any(matches(path, known) for path in TREE.sources), f"{pattern}: nobody is called {name}"


def test_a_page_that_is_not_changed_comes_last() -> None:
    plan = plan_of(TREE, ["explorer/pages/counting/facts.py"], 1.0)
    assert plan.words == ("counting",)
    assert {"budget", "vectors", "grr", "LaplaceMechanism"} <= set(plan.others)
    tried = list(plan.distances)
    assert tried.index("tests/screens/test_counting_page.py") < tried.index("tests/test_scenes.py")
    assert "tests/screens/test_budget_page.py" not in tried[:20]
    assert len(tried) == MOST_FILES and plan.beyond > 0


def test_types_are_looked_at_where_a_source_was_changed() -> None:
    assert "mypy" in {layer.name for layer in quick.style(["pages/counting.py", "explorer/text/de/counting.md"])}
    assert {layer.name for layer in quick.style(["explorer/text/de/counting.md"])} == {
        "ruff check",
        "ruff format",
        "imports",
    }


def test_a_page_has_a_minute_and_everything_else_half_a_minute_more() -> None:
    assert limit_of(TREE, ["pages/counting.py", "explorer/text/de/counting.md"]) == IN_A_PAGE
    assert limit_of(TREE, ["pages/counting.py", "explorer/ui/page.py"]) == 1.5 * IN_A_PAGE


def test_a_module_that_is_gone_reaches_whoever_still_imports_it(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_old.py").write_text("from ldpcore.gone import (  # why\n    thing,\n)\n", encoding="utf-8")
    assert Tree(tmp_path).near(["ldpcore/gone.py"]) == [(1, "tests/test_old.py")]


def test_where_nothing_was_changed_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quick, "changed_files", lambda since: [])
    assert quick.main([]) == 2
    assert capsys.readouterr().out == "Nothing differs from HEAD: name files, or another commit with --since.\n"


def test_where_no_test_is_reached_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quick, "style", lambda changed: [])
    monkeypatch.setattr(quick, "tried", pytest.fail)
    assert quick.main(["no/such" + ".file"]) == 0
    assert "No test reads this or imports it" in capsys.readouterr().out


@pytest.mark.parametrize(("seconds", "closing"), [(1000.0, "1 failed, 3 passed"), (0.0, "4 tests that are farther")])
def test_tests_run_in_the_order_of_the_plan_until_time_is_up(tmp_path: Path, seconds: float, closing: str) -> None:
    names = {"test_far.py": 3, "test_near.py": 1, "test_counting.py": 2}
    for name in names:
        (tmp_path / name).write_text("def test_it():\n    pass\n", encoding="utf-8")
    with (tmp_path / "test_far.py").open("a", encoding="utf-8") as file:
        file.write("def test_of_counting():\n    raise AssertionError\n")
    plan = Plan(names, ("counting",), ("budget",), seconds)
    (tmp_path / "plan.json").write_text(json.dumps(asdict(plan)), encoding="utf-8")
    environment = os.environ | {PLAN: str(tmp_path / "plan.json"), "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # whatever else is installed is not asked, and not loaded
    command = [sys.executable, "-m", "pytest", "-v", "-p", "xdist", "-p", "tools.nearest", "-n", "1"]
    command += ["--rootdir", str(tmp_path)]
    done = subprocess.run(
        [*command, "--dist", "load", "--maxschedchunk", "1", *names],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert closing in done.stdout, done.stdout + done.stderr
    order = [line.split()[-1] for line in done.stdout.splitlines() if re.match(r"\[gw0\] \[", line)]
    expected = ["counting.py::test_it", "far.py::test_of_counting", "near.py::test_it", "far.py::test_it"]
    assert order == [f"test_{name}" for name in expected if seconds]
