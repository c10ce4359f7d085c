"""The concordance: what the four documents behind the explorer call their items, and where each of them is seen.

`concordance.toml` beside this module holds what no language changes: documents, names and places. A place is a link, an
exercise (`exercise slug`) or a word of the glossary (`word name`). Texts stand in `concordance.toml` of each language.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from explorer.exercises import exercise
from explorer.facts import Count, Name
from explorer.pages.reference.matching import folded
from explorer.text.catalogue import Catalogue
from explorer.text.escaping import hypertext
from explorer.ways import Link

FILE = Path(__file__).parent / "concordance.toml"
TEXTS = "concordance"


@dataclass(frozen=True)
class DocumentItem:
    """One item of a document: its key, its name there (`kind:number` of a Persian one), and where it is seen."""

    key: str
    name: str
    place: str


@dataclass(frozen=True)
class SourceDocument:
    """A document: its key, its items in their order, and the works that it cites."""

    name: str
    items: tuple[DocumentItem, ...]
    works: tuple[str, ...] = ()


@dataclass(frozen=True)
class Misprint:
    """A mistake that a document prints: its key, the document, and the place in it."""

    key: str
    document: str
    place: str


@dataclass(frozen=True)
class Concordance:
    """All documents, what is misprinted in them, and the words of the Persian one for its kinds of items."""

    documents: tuple[SourceDocument, ...]
    misprints: tuple[Misprint, ...]
    kinds: Mapping[str, str]


@lru_cache(maxsize=1)
def concordance() -> Concordance:
    """The concordance, read from its file."""
    read: dict[str, Any] = tomllib.loads(FILE.read_text("utf-8"))
    documents = tuple(
        SourceDocument(
            each["name"], tuple(DocumentItem(**item) for item in each["items"]), tuple(each.get("works", ()))
        )
        for each in read["documents"]
    )
    return Concordance(
        documents, tuple(Misprint(**each) for each in read["misprints"]), MappingProxyType(dict(read["kinds"]))
    )


def called(name: str, catalogue: Catalogue) -> str:
    """The name of an item: as its document has it, or a Persian one in the reader's language."""
    kind, _, number = name.rpartition(":")
    if kind not in concordance().kinds:
        return name
    template = catalogue.listing(TEXTS).text("kinds", kind)
    return template.replace("@{number}", catalogue.write(Name(number)))


def names_of(name: str, catalogue: Catalogue) -> tuple[str, ...]:
    """The names under which an item is searched: that of the reader's language, and that of the Persian document."""
    kind, _, number = name.rpartition(":")
    persian = concordance().kinds.get(kind)
    return (called(name, catalogue), *([f"{persian} {number}"] if persian else []))


def found(wanted: str, *texts: str) -> bool:
    """Whether a text holds what is searched; its numbers are whole ones, so that 2.1 does not find 2.10."""
    sought = folded(wanted)
    before, after = (r"(?<!\d)" if sought[:1].isdigit() else "", r"(?!\d)" if sought[-1:].isdigit() else "")
    return any(re.search(before + re.escape(sought) + after, folded(text)) for text in texts)


def link_of(place: str) -> Link:
    """The link to a place."""
    kind, _, name = place.partition(" ")
    if kind == "exercise":
        return exercise(name).link
    if kind == "word":
        return Link("reference", {"reference_find": name, "reference_tab": "words"})
    return Link.of(place)


def documents(catalogue: Catalogue, wanted: str, room: Mapping[str, str]) -> str:
    """The concordance as HTML: a fold for each document, one for misprints, and one for the works that are cited.

    A fold with something that is searched is open; without a search all are closed.
    """
    folds = [_items(document, catalogue, wanted, room) for document in concordance().documents]
    folds += [_misprints(catalogue, wanted), _works(catalogue, wanted)]
    return f'<div class="ldp-words">{"".join(folds)}</div>' if any(folds) else ""


def _items(document: SourceDocument, catalogue: Catalogue, wanted: str, room: Mapping[str, str]) -> str:
    texts = catalogue.listing(TEXTS)
    title = texts.text("titles", document.name)
    rows = []
    for item in document.items:
        said = texts.text(document.name, item.key)
        if found(wanted, title, said, *names_of(item.name, catalogue)):
            link = html.escape(f"./{link_of(item.place).beside(room)}")
            name = hypertext(called(item.name, catalogue))
            rows.append(
                f'<tr><th scope="row">{name}</th><td><a href="{link}" target="_self">{hypertext(said)}</a></td></tr>'
            )
    return _fold(catalogue, title, rows, bool(wanted))


def _misprints(catalogue: Catalogue, wanted: str) -> str:
    texts, words = catalogue.listing(TEXTS), catalogue.page("reference").labels
    title, rows = words.text("misprints"), []
    heads = [html.escape(words.text(name)) for name in ("place", "printed", "right")]  # beside each on a phone
    for misprint in concordance().misprints:
        printed, right = (texts.text("misprints", misprint.key, side) for side in ("printed", "right"))
        document, names = texts.text("titles", misprint.document), names_of(misprint.place, catalogue)
        if found(wanted, title, document, printed, right, *names):
            place = f"{hypertext(names[0])}<br><small>{hypertext(document)}</small>"
            sides = zip(heads[1:], (printed, right), strict=True)
            told = "".join(f'<td data-head="{head}">{hypertext(side)}</td>' for head, side in sides)
            rows.append(f'<tr><th scope="row">{place}</th>{told}</tr>')
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    return _fold(catalogue, title, rows, bool(wanted), f"<thead><tr>{head}</tr></thead>")


def _works(catalogue: Catalogue, wanted: str) -> str:
    words = catalogue.page("reference").labels
    title, rows = words.text("works"), []
    for document in concordance().documents:
        named = catalogue.listing(TEXTS).text("titles", document.name)
        chosen = [work for work in document.works if found(wanted, title, named, work)]
        if chosen:
            rows.append(f'<tr><th scope="rowgroup">{hypertext(named)}</th></tr>')
            rows += [f'<tr><td lang="en">{hypertext(work)}</td></tr>' for work in chosen]
    return _fold(catalogue, title, rows, bool(wanted))


def _fold(catalogue: Catalogue, title: str, rows: list[str], opened: bool, head: str = "") -> str:
    """A fold with its rows, as many as its summary says; nothing where there is none."""
    if not rows:
        return ""
    count = catalogue.write(Count(sum('scope="rowgroup"' not in row for row in rows)))
    summary = f"<summary>{hypertext(title)} ({count})</summary>"
    table = f"<table>{head}<tbody>{''.join(rows)}</tbody></table>"
    return f"<details{' open' if opened else ''}>{summary}{table}</details>"
