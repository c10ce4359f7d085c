"""A mechanism's title in a German sentence stands where a nominative is right: nothing there has to be declined.

A title begins a sentence, stands in quotes or parentheses, after a colon, a middle dot or „ist“, or is named by a noun
that takes the case in its place: „mit dem Verfahren Lokales Laplace-Rauschen“. Which slots are filled with titles is
read off the code that fills them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from explorer.text import page_text
from explorer.text.templates import TemplateParts, parsed

ROOT = Path(__file__).resolve().parent.parent
NAMING = ("title_of", "short_of")  # the functions that say what a mechanism is called
SLOT = "\u2026"  # a slot of another fact, where one reads what stands before a title
NOMINATIVE = re.compile(rf"(?:^|^{SLOT} |[.!?:·] |[„(]|\bist |\b(?:Verfahrens?|Mechanismus) )\**$")


def rooms() -> dict[str, list[Path]]:
    """The files that fill the texts of each page, and those of the sheets."""
    found: dict[str, list[Path]] = {"sheet": [*ROOT.glob("explorer/paper/*.py")]}
    for path in (*ROOT.glob("explorer/pages/*/**/*.py"), *ROOT.glob("pages/*.py")):
        slug = path.stem if path.parent.name == "pages" else path.relative_to(ROOT).parts[2]
        found.setdefault(slug, []).append(path)
    return found


def _called(value: ast.expr) -> bool:
    """Whether an expression is what a mechanism is called, and not yet a text of a figure."""
    inner = list(ast.walk(value))
    written = any(isinstance(node, ast.Attribute) and node.attr in ("write", "markdown") for node in inner)
    return not written and any(isinstance(node, ast.Name) and node.id in NAMING for node in inner)


def slots(path: Path) -> Iterator[str]:
    """The names of the facts to which a file gives what a mechanism is called."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and _called(value):
                    yield str(key.value)
        if isinstance(node, ast.keyword) and node.arg and _called(node.value):
            yield node.arg


def texts(entry: object, place: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a page, its labels too, by its place."""
    if isinstance(entry, str):
        yield place, entry
    elif isinstance(entry, Mapping):
        for key, inner in entry.items():
            yield from texts(inner, f"{place}/{key}")


def before(pieces: TemplateParts, names: set[str], said: str = "") -> Iterator[tuple[str, str]]:
    """What stands before each title in a text, its cases too, with the name of its slot."""
    for piece in pieces:
        if isinstance(piece, str):
            said += piece
        elif piece.cases:
            for _, case in piece.cases:
                yield from before(case, names, said)
            said += next((case[-1] for _, case in piece.cases if case and isinstance(case[-1], str)), SLOT)
        else:
            if piece.name in names:
                yield said, piece.name
            said += SLOT


def declined(template: str, names: set[str]) -> list[str]:
    """The titles of a text that a preposition or a verb would decline, with the words before them."""
    found = before(parsed(template), names)
    return [f"{said[-40:]}@{{{name}}}" for said, name in found if not NOMINATIVE.search(said.rpartition("\n")[2])]


@cache
def titled() -> dict[str, set[str]]:
    """The slots that are filled with titles, by page."""
    named = {slug: {name for path in paths for name in slots(path)} for slug, paths in rooms().items()}
    return {slug: names for slug, names in named.items() if names}


@pytest.mark.parametrize("slug", sorted(rooms()))
def test_a_german_title_in_a_sentence_stands_where_the_nominative_is_right(slug: str) -> None:
    looked, names = 0, titled().get(slug, set[str]())
    for place, template in texts(page_text(slug, "de")):
        assert not (wrong := declined(template, names)), (slug, place, wrong)
        looked += sum(1 for _ in before(parsed(template), names))
    assert looked or not names


def test_the_pages_that_name_mechanisms_in_sentences_are_looked_at() -> None:
    assert {"means", "frequencies", "distinguish", "ask", "verify", "sheet"} <= titled().keys()
    assert {"mechanism", "best", "here", "fewest", "planned"} <= titled()["means"]


@pytest.mark.parametrize(
    "planted",
    [
        "Mit @{mechanism} sind es 3.",
        "Das ist, was @{mechanism} lässt.",
        "Meldungen von **@{mechanism}**.",
        "@{n; one: Hier irrt @{mechanism}.; other: Nie.}",
    ],
)
def test_a_title_after_a_preposition_or_a_verb_is_seen(planted: str) -> None:
    assert declined(planted, {"mechanism"})
    assert not declined("Mit dem Verfahren **@{mechanism}** sind es 3. @{mechanism}: 4.", {"mechanism"})
