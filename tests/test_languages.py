"""Every language says the same: its files hold the texts of the English ones and ask for the same facts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import explorer.text as texts
from explorer.text import LANGUAGE, listing, page_text, templates
from tests.cases import for_each

FOLDER = Path(texts.__file__).parent
ENGLISH = {path.name for path in (FOLDER / LANGUAGE).iterdir()}
FILES = sorted(
    (path.parent.name, path.name)
    for folder in FOLDER.iterdir()
    if folder.is_dir() and folder.name not in (LANGUAGE, "__pycache__")
    for path in folder.iterdir()
)
EACH_FILE = for_each(("language", "file"), FILES, ids=lambda name: name)
PLURALS = ("zero", "one", "two", "few", "many", "other")
KEPT = re.compile(r"^(?:presets)\.\d+\.(page|parameters\..*)$|^terms\.\d+\.(group|en|de|fa|also)$")
LONGEST_TITLE = 24
NO_WORDS = re.compile(
    r"\$\$[^$]+?\$\$|\$[^$\n]+?\$|`[^`]*`"  # formulas and code
    r"|\]\([^)]*\)|https?://\S+"  # addresses
    r"|^.*\(\d{4}\), \*.*$"  # references
    r"|@\{\s*\w+",  # the names of facts
    re.MULTILINE,
)
STOP_WORDS = re.compile(r"\b([Tt]he|[Aa]nd|[Ii]s|[Aa]re|[Oo]f|[Ww]ith|[Pp]eople)\b")


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """All that stands inside a table, with its path."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for position, inner in enumerate(value):
            yield from leaves(inner, f"{path}.{position}")
    else:
        yield path, value


@cache
def told(language: str, file: str) -> Mapping[str, Any]:
    """What a file says, by path; the key of a section is its path."""
    name, kind = file.split(".")
    return dict(leaves(page_text(name, language) if kind == "md" else listing(name, language)))


@pytest.mark.parametrize("language", sorted({LANGUAGE, *(language for language, _ in FILES)}))
def test_texts_that_are_read_table_by_table_are_those_of_the_whole_file(language: str) -> None:
    for path in sorted((FOLDER / language).iterdir()):
        written = path.read_text("utf-8")
        if path.suffix == ".toml":
            read, whole = listing(path.stem, language), tomllib.loads(written)
        else:
            read = page_text(path.stem, language).labels
            whole = tomllib.loads([*re.split(r"(?m)^## +labels *$", written), ""][1])
        assert list(read) == list(whole) and dict(read) == whole, path.name


def slots(pieces: templates.TemplateParts) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each fact that a text asks for, with the slugs it has cases for; plurals are up to the language."""
    for piece in pieces:
        if isinstance(piece, templates.Slot):
            yield piece.name, tuple(key for key, _ in piece.cases if key not in PLURALS and not key.startswith("="))
            for _, text in piece.cases:
                yield from slots(text)


def asked(template: str) -> tuple[set[str], set[tuple[str, tuple[str, ...]]]]:
    """The facts of a text, and the slugs that some of them are told by."""
    found = set(slots(templates.parsed(template)))
    return {name for name, _ in found}, {(name, keys) for name, keys in found if keys}


def counted(pieces: templates.TemplateParts) -> Iterator[set[str]]:
    """The cases of each slot that has one for a single thing."""
    for piece in pieces:
        if isinstance(piece, templates.Slot) and piece.cases:
            keys = {key for key, _ in piece.cases}
            if "one" in keys:
                yield keys
            for _, text in piece.cases:
                yield from counted(text)


def test_there_is_another_language() -> None:
    assert ("de", "labels.toml") in FILES
    assert {file for _, file in FILES} <= ENGLISH


@EACH_FILE
def test_a_language_has_the_texts_of_english_in_the_same_order(language: str, file: str) -> None:
    assert list(told(language, file)) == list(told(LANGUAGE, file))


@EACH_FILE
def test_a_text_asks_for_the_facts_of_its_english(language: str, file: str) -> None:
    for path, english in told(LANGUAGE, file).items():
        text = told(language, file)[path]
        if not isinstance(english, str) or KEPT.match(path):
            assert text == english, path
        else:
            assert asked(text) == asked(english), path
            assert bool(text.strip()) == bool(english.strip()), path


@EACH_FILE
def test_what_has_a_case_for_one_has_a_case_for_the_rest(language: str, file: str) -> None:
    for path, text in told(language, file).items():
        if isinstance(text, str) and not KEPT.match(path):
            assert all("other" in keys for keys in counted(templates.parsed(text))), path


@EACH_FILE
def test_the_titles_of_views_are_short(language: str, file: str) -> None:
    titles = {path: text for path, text in told(language, file).items() if path.startswith("view ")}
    assert all(len(text) <= LONGEST_TITLE for text in titles.values()), titles


@EACH_FILE
def test_no_english_word_is_left_over(language: str, file: str) -> None:
    for path, text in told(language, file).items():
        if isinstance(text, str) and not KEPT.match(path):
            found = STOP_WORDS.search(NO_WORDS.sub("", text))
            assert found is None, f"{path} still says {found}: {text}"


@pytest.mark.parametrize("sentence", ["Das ist the count.", "$x$ is eins", "mehr als people"])
def test_a_left_over_word_would_be_found(sentence: str) -> None:
    assert STOP_WORDS.search(NO_WORDS.sub("", sentence))


def test_what_keeps_its_english_is_not_looked_at() -> None:
    kept = "$the$ und `is of` und [hier](https://example.org/the/and)\n\nWarner (1965), *A survey of the and*."
    assert not STOP_WORDS.search(NO_WORDS.sub("", kept))
