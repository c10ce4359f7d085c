"""`make mutants` makes one mistake at a time, takes it back, and counts what the tests notice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools import mutants
from tools.mutants import Mutant, Tried
from tools.reach import Tree

FILE = "ldpcore/half.py"
SOURCE = "def half(x: float) -> float:\n    return x / 2\n"
DIVIDES = Mutant(FILE, "core/ReplaceBinaryOperator_Div_Mul", 0, 2)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of one module, and a cosmic-ray that knows one mistake that counts and two that do not."""
    (tmp_path / "ldpcore").mkdir()
    (tmp_path / FILE).write_text(SOURCE, "utf-8")
    names = ("core/ReplaceBinaryOperator_BitOr_Add", DIVIDES.operator, "core/RemoveDecorator")

    def told(command: str, *given: str, root: Path) -> str:
        if command == "apply":
            (root / FILE).write_text(SOURCE.replace("/", "*"), "utf-8")
        found = [[{"operator_name": name, "occurrence": 0, "start_pos": [2, 13]}] for name in names]
        return "\n".join(json.dumps([{"mutations": each}, None]) for each in found)

    monkeypatch.setattr(mutants, "cosmic_ray", told)
    return tmp_path


def test_mistakes_that_nobody_can_notice_are_not_made(checkout: Path) -> None:
    assert mutants.mutants_of(FILE, checkout) == [DIVIDES]


@pytest.mark.parametrize(("green", "fate"), [(True, "survived"), (False, "caught")])
def test_a_mistake_is_there_while_it_is_tried_and_then_taken_back(
    green: bool, fate: str, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def is_green(path: str, tree: Tree, root: Path) -> bool:
        seen.append((root / path).read_text("utf-8"))
        return green

    monkeypatch.setattr(mutants, "is_green", is_green)
    found = mutants.tried(DIVIDES, Tree(checkout), checkout)
    assert found == Tried(DIVIDES, fate, "    -    return x / 2\n    +    return x * 2")
    assert seen == [SOURCE.replace("/", "*")] and (checkout / FILE).read_text("utf-8") == SOURCE


def test_a_module_whose_tests_are_red_already_has_no_score(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "is_green", lambda path, tree, root: False)
    found = list(mutants.tried_in(FILE, 5, 1, float("inf"), checkout))
    assert [each.fate for each in found] == ["red before"]
    assert mutants.report(found) == f"its tests are red  {FILE}\n   0 of   0 caught in all"


def test_the_score_is_by_module_and_in_all() -> None:
    tries = [Tried(DIVIDES, "caught"), Tried(DIVIDES, "survived"), Tried(Mutant("ldpcore/a.py", "", 0, 1), "caught")]
    expected = f"   1 of   1 caught  ldpcore/a.py\n   1 of   2 caught  {FILE}\n   2 of   3 caught in all"
    assert mutants.report(tries) == expected


def test_where_cosmic_ray_is_not_there_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutants, "installed", str)
    assert mutants.main([]) == 2
    assert "requirements-mutants.txt" in capsys.readouterr().out
