"""The table of systems, `docs/science.md`, is held against the tree: its numbers, its places and its tests."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from explorer.navigation import entries
from explorer.text import languages, page_text
from tests.scenes import ENDS, Setting, declared, scenes_of, settings, texts

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "science.md"
SEEN, NOTHING = "Seen", "Nothing to be seen"
COLUMNS = {SEEN: 4, NOTHING: 2}


def cells(line: str) -> list[str]:
    """The cells of one row of the table."""
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def sections() -> dict[str, list[list[str]]]:
    """The cells of each row, by the heading that it stands under."""
    parts = re.split(r"^## (.+)$", TABLE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {
        heading: [cells(line) for line in body.split("\n") if line.startswith("| S")]
        for heading, body in zip(parts[::2], parts[1::2], strict=True)
    }


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of all tests in a file, read without running it."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"
    )


def is_place(place: str) -> bool:
    """Whether a page has a view of this name, or a text of this name in every language."""
    page, _, name = place.partition(".")
    if page not in {entry.slug for entry in entries()}:
        return False
    if name in declared(page).views:
        return True
    texts = [page_text(page, language) for language in languages()]
    return bool(name) and all(name in text or f"view {name}" in text for text in texts)


def is_test(test: str) -> bool:
    """Whether a test of this name stands in the file that is named before it."""
    file, _, name = test.partition("::")
    return (ROOT / file).is_file() and name in names_in(file)


def test_every_system_stands_in_the_table_once_and_no_number_is_missing() -> None:
    found = Counter(row[0] for rows in sections().values() for row in rows)
    assert found == {f"S{number}": 1 for number in range(1, len(found) + 1)}
    assert len(found) >= 210


def test_every_row_has_its_columns_and_says_what_the_system_is() -> None:
    assert set(sections()) == set(COLUMNS)
    for heading, rows in sections().items():
        assert rows
        for row in rows:
            assert len(row) == COLUMNS[heading], row
            assert len(row[1]) > 10, row


def test_every_place_of_the_table_exists() -> None:
    assert [row for row in sections()[SEEN] if not is_place(row[2].strip("`"))] == []


def test_every_test_of_the_table_exists() -> None:
    assert [row for row in sections()[SEEN] if not is_test(row[-1].strip("`"))] == []


def seen_at(setting: Setting, level: float) -> str:
    """The answer and the picture of a view, as a reader sees them."""
    scene = scenes_of(setting).scene(level)
    return texts(scene)["answer"] + (scene.figure.json() if scene.figure else str(scene.drawing))


def moves(place: str) -> bool:
    """Whether a setting changes what a view shows: the level at the handle, or a control of the page or of the view."""
    page, _, view = place.partition(".")
    told = [each for each in settings() if (each.page.slug, each.view.slug) == (page, view)]
    seen = set[str]()
    for each in told:
        for level in ENDS if each.moves else ENDS[:1]:
            seen.add(seen_at(each, level))
            if len(seen) > 1:
                return True
    return False


IN_A_SEARCH = {"reference.words"}  # which a reader moves by what is searched


def test_no_system_stands_still() -> None:
    """Each is seen in a view, and in none that looks the same whatever a reader sets."""
    places = {row[2].strip("`") for row in sections()[SEEN]} - IN_A_SEARCH
    assert [place for place in sorted(places) if not moves(place)] == []


@pytest.mark.parametrize("place", ["counting.why", "reference.mechanisms", "counting.nothing"])
def test_a_text_is_no_view_that_moves(place: str) -> None:
    assert not moves(place)


@pytest.mark.parametrize("place", ["counting", "counting.", "counting.nothing", "nothing.one", "Counting.one", ""])
def test_a_place_that_does_not_exist_is_found(place: str) -> None:
    assert not is_place(place)


@pytest.mark.parametrize("test", ["tests/test_systems.py::test_nothing", "tests/test_nothing.py::test_a", "–", ""])
def test_a_test_that_does_not_exist_is_found(test: str) -> None:
    assert not is_test(test)
