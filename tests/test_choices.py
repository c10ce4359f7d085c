"""Texts are no programs: a translator meets at most two choices in a sentence; the rest is chosen in a page's facts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from explorer import text as texts
from explorer.text import languages, listing, page_text
from explorer.text.templates import Slot, TemplateParts, parsed
from tests.test_catalogue import strings

MOST = 2
FOLDER = Path(texts.__file__).parent
END = re.compile(r"(?<=[.!?])[*”“»)]*\s+|\s*\n\s*| · ")  # of a sentence, or of a part of a line of settings
WHOLE = re.compile(r"[.!?][*”“»)]*$")


def filled(pieces: TemplateParts) -> TemplateParts:
    """TemplateParts without blanks that say nothing."""
    return tuple(piece for piece in pieces if isinstance(piece, Slot) or piece.strip())


def whole(text: TemplateParts | Slot) -> bool:
    """Whether a text is nothing, or ends as a sentence does, whichever of its cases holds."""
    if isinstance(text, Slot):
        return bool(text.cases) and all(whole(case) for _, case in text.cases)
    *_, last = filled(text) or ("",)
    return whole(last) if isinstance(last, Slot) else not last or bool(WHOLE.search(last))


def sentences(text: TemplateParts) -> Iterator[TemplateParts]:
    """The sentences of a text; a slot at the beginning of one, all cases of which are whole, is one by itself."""
    sentence: list[str | Slot] = []
    for piece in text:
        if isinstance(piece, Slot):
            sentence.append(piece)
            if len(filled(tuple(sentence))) == 1 and whole(piece):
                yield (piece,)
                sentence = []
            continue
        first, *others = END.split(piece)
        sentence.append(first)
        for other in others:
            yield filled(tuple(sentence))
            sentence = [other]
    yield filled(tuple(sentence))


def slots(text: TemplateParts) -> int:
    """The choices among the pieces of a text, those inside of cases with them."""
    chosen = [piece for piece in text if isinstance(piece, Slot) and piece.cases]
    return len(chosen) + sum(slots(case) for slot in chosen for _, case in slot.cases)


def choices(text: TemplateParts) -> int:
    """The choices in that sentence of a text which has most: those that lead to it, and those inside of it."""
    most = 0
    for sentence in sentences(text):
        match sentence:
            case (Slot(cases=cases),):
                inside = max((choices(case) for _, case in cases), default=-1)
                most = max(most, 1 + inside)
            case _:
                most = max(most, slots(sentence))
    return most


def tables(language: str) -> dict[str, Mapping[str, Any]]:
    """All files of a language, as tables of texts."""
    files = sorted((FOLDER / language).iterdir())
    return {path.name: (page_text if path.suffix == ".md" else listing)(path.stem, language) for path in files}


def crowded(tables: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The texts of some tables that have more choices in a sentence than a translator can follow."""
    every = [entry for name, table in tables.items() for entry in strings(table, name)]
    return [f"{path}: {count} choices" for path, text in every if (count := choices(parsed(text))) > MOST]


@pytest.mark.parametrize("language", languages())
def test_no_sentence_of_any_file_has_more_than_two_choices(language: str) -> None:
    assert crowded(tables(language)) == []


@pytest.mark.parametrize(
    ("template", "count"),
    [
        ("Nothing is chosen: @{n}.", 0),
        ("@{n; one: # person; other: # people}", 1),
        ("@{n; one: One is @{k; a: A; other: B}.; other: # are.} @{m; one: One.; other: Two.}", 2),
        ("@{n; one: One is.; other: # are, @{k; a: A; other: B} and @{m; one: one; other: two}.}", 3),
        ("@{n; one: One; other: #} of @{m; one: one; other: # @{k; a: A; other: B}}", 3),
        ("A @{n; one: a; other: b} c. D @{n; one: a; other: b} e: f @{n; one: a; other: b}.", 2),
        ("@{n; one: a; other: b} · @{m; one: a; other: @{k; a: A; other: B}} · @{k; a: A; other: B}", 2),
        ("@{n; one: ; other: A @{m; one: a; other: b}.} @{k; a: A; other: B} is.", 2),
        ("A @{n; one: a; other: b}.\n\n@{m; one: a; other: b} c @{k; a: A; other: B}", 2),
        ("A @{n; one: a; other: b}\n\n@{m; one: a; other: b} c @{k; a: A; other: B}", 2),
        ("**@{n; one: a; other: b}**, @{m; one: a; other: b}, @{k; a: A; other: B}", 3),
    ],
)
def test_choices_are_counted_sentence_by_sentence(template: str, count: int) -> None:
    assert choices(parsed(template)) == count


@pytest.mark.parametrize("file", ["counting.md", "labels.toml"])
def test_a_sentence_with_three_choices_is_found_wherever_it_is_planted(file: str) -> None:
    planted = "Of @{n; one: # person; other: # people}@{k; a: , A,; other: } @{m; one: one is; other: # are} asked."
    table = tables("en") | {file: {**tables("en")[file], "planted": {"deep": [planted]}}}
    assert crowded(table) == [f"{file}.planted.deep.0: 3 choices"]
