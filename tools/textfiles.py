"""Every text in the files of a language, with the place where it stands: read and replaced there, letter by letter.

A page's Markdown file holds its question, its texts under level-2 headings and its labels as TOML; the other files are
TOML. Whatever is no text for readers (comments, names, numbers, blank lines) stays as it is.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from explorer.text import TextEntry

HEADING = re.compile(r"^## +(?P<key>.+?) *$\n?", re.MULTILINE)
PARTS = re.compile(
    r"^(?P<table>\[.+?\]+)[ \t]*(?:#.*)?$"
    r"|^(?P<name>[\w-]+|\"[^\"\n]*\"|'[^'\n]*')[ \t]*="
    r"|(?P<text>\"\"\"(?:[^\\]|\\[\s\S])*?\"\"\"|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')"
    r"|#.*$",
    re.MULTILINE,
)
KEPT = re.compile(r"^presets\.\d+\.(page|parameters\..*)$|^terms\.\d+\.(group|en|de|fa)$")  # alike in every language


@dataclass(frozen=True)
class TextPlace:
    """A text in a file: its key, its content, and its beginning and end there."""

    key: str
    text: str
    start: int
    end: int
    quoted: bool = False

    def written(self, text: str, source: str) -> str:
        """Another text, as it is written in this place of a file."""
        if text == self.text:
            return source[self.start : self.end]
        if not self.quoted:
            return text
        if source.startswith('"""', self.start):
            escaped = text.replace("\\", "\\\\").replace('"""', '""\\"')
            return f'"""\n{escaped}"""'
        bare = '"' in text and not re.search(r"['\x00-\x1f\x7f]", text)
        return f"'{text}'" if bare else json.dumps(text, ensure_ascii=False)


def leaves(entry: TextEntry, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """The texts inside an entry of a table, with their paths, in their order."""
    if isinstance(entry, str):
        yield path, entry
    elif isinstance(entry, Mapping):
        for name, inner in entry.items():
            yield from leaves(inner, (*path, name))
    elif isinstance(entry, (list, tuple)):
        for place, inner in enumerate(entry):
            yield from leaves(inner, (*path, str(place)))


def _names(header: str) -> tuple[str, ...]:
    """The path of a table, as its header writes it."""
    entry, names = tomllib.loads(header), []
    while entry:
        ((name, inner),) = entry.items()
        names.append(name)
        entry = inner[0] if isinstance(inner, list) else inner
    return tuple(names)


def _table_places(source: str, start: int, key: str) -> Iterator[TextPlace]:
    """The texts of the TOML that begins here, whose keys begin with a word of the file."""
    told = dict(leaves(tomllib.loads(source[start:])))
    within: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for path in told:
        for deep in range(1, len(path) + 1):
            within.setdefault(path[:deep], []).append(path)
    seen: Counter[tuple[str, ...]] = Counter()
    table: tuple[str, ...] = ()
    left: list[tuple[str, ...]] = []
    for part in PARTS.finditer(source, start):
        if header := part["table"]:
            table = _names(header)
            if header.startswith("[["):
                seen[table] += 1
                table = (*table, str(seen[table] - 1))
        elif part["name"]:
            here = (*table, *_names(f"{part['name']} = [[]]"))
            left = list(within.get(here, ()))
        elif part["text"]:
            path = left.pop(0)
            yield TextPlace(".".join((*key.split(), *path)), told[path], part.start(), part.end(), quoted=True)


def _page_places(source: str) -> Iterator[TextPlace]:
    """The question of a page, its texts and its labels."""
    headings = list(HEADING.finditer(source))
    ends = [heading.start() for heading in headings] + [len(source)]
    yield _stripped(source, "question", re.match(r"\s*(?:# )?", source).end(), ends[0])  # type: ignore[union-attr]
    for heading, end in zip(headings, ends[1:], strict=True):
        if heading["key"] == "labels":
            yield from _table_places(source[:end], heading.end(), "labels")
        else:
            yield _stripped(source, heading["key"], heading.end(), end)


def _stripped(source: str, key: str, start: int, end: int) -> TextPlace:
    """A part of a Markdown file without the blanks around it."""
    text = source[start:end].strip()
    begins = source.index(text, start) if text else start
    return TextPlace(key, text, begins, begins + len(text))


def places(path: Path) -> list[TextPlace]:
    """The texts of a file for readers, in their order."""
    source = read(path)
    found = _page_places(source) if path.suffix == ".md" else _table_places(source, 0, "")
    return [place for place in found if place.text.strip() and not KEPT.match(place.key)]


def read(path: Path) -> str:
    """A file with the ends of its lines as they are."""
    return path.read_bytes().decode("utf-8")


def replaced(path: Path, texts: Mapping[str, str]) -> str:
    """The file's content with these texts, by their keys, in place of its own."""
    source = read(path)
    made, position = "", 0
    for place in places(path):
        made += source[position : place.start] + place.written(texts.get(place.key, place.text), source)
        position = place.end
    return made + source[position:]
