"""All texts, one folder per language; a page's Markdown file holds its texts under level-2 headings.

`# ` is the page's question; `## key` starts a text; `## labels` holds short labels as TOML. A placeholder is written
`@{name}`, which clashes with neither LaTeX nor Markdown; `explorer.text.catalogue` fills it, and chooses the case of a
sentence (see `explorer.text.templates`). May import `explorer.facts` and Babel; the files themselves are read with the
standard library alone.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

LANGUAGE = "en"
_FOLDER = Path(__file__).parent
_HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)
_TABLE = re.compile(r"^\[\[?([\w-]+)", re.MULTILINE)


class Template(string.Template):
    """Text with `@{name}` placeholders; every other @, $, { and } is left alone."""

    delimiter = "@"
    pattern = r"@\{(?:(?P<braced>[a-z][a-z0-9_]*)\}|(?P<invalid>))|(?P<named>(?!))|(?P<escaped>(?!))"  # type: ignore[assignment]


TextEntry: TypeAlias = (
    "str | float | Sequence[TextEntry] | Mapping[str, TextEntry]"  # what a file of texts holds under a name
)


class _Entries(Mapping[str, TextEntry]):
    """The entries of a file of short texts, each table parsed when it is first asked for: a page needs few of them.

    A line that begins with a bracket begins a table, in a text of several lines too.
    """

    def __init__(self, text: str) -> None:
        places = [0, *(table.start() for table in _TABLE.finditer(text)), len(text)]
        head, *tables = (text[start:end] for start, end in pairwise(places))
        self._parsed: dict[str, TextEntry] = tomllib.loads(head)
        self._written = dict.fromkeys(self._parsed, "")
        for table in tables:
            name = _TABLE.findall(table)[0]
            self._written[name] = self._written.get(name, "") + table

    def __getitem__(self, name: str) -> TextEntry:
        if name not in self._parsed:
            self._parsed[name] = tomllib.loads(self._written[name])[name]
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._written)

    def __len__(self) -> int:
        return len(self._written)


class Texts(Mapping[str, TextEntry]):
    """A table of short texts with tables inside; each reader of a path states the type it expects there."""

    def __init__(self, entries: Mapping[str, TextEntry]) -> None:
        self._entries = entries

    def __getitem__(self, name: str) -> TextEntry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def at(self, *path: str) -> TextEntry | None:
        """The entry at a path of names; none where there is nothing."""
        entry: TextEntry | None = self._entries
        for name in path:
            entry = entry.get(name) if isinstance(entry, Mapping) else None
        return entry

    def text(self, *path: str) -> str:
        """The text at a path."""
        entry = self.at(*path)
        if not isinstance(entry, str):
            raise KeyError(f"no text at {'.'.join(path)!r}")
        return entry

    def table(self, *path: str) -> Texts:
        """The table at a path."""
        entry = self.at(*path)
        if not isinstance(entry, Mapping):
            raise KeyError(f"no table at {'.'.join(path)!r}")
        return Texts(entry)

    def strings(self, *path: str) -> dict[str, str]:
        """The texts of the table at a path, without the tables and numbers in it; none where there is no table."""
        entry = self.at(*path)
        inside = entry.items() if isinstance(entry, Mapping) else ()
        return {name: text for name, text in inside if isinstance(text, str)}

    def listed(self, *path: str) -> tuple[TextEntry, ...]:
        """The entries of the list at a path; none where there is no list."""
        entry = self.at(*path)
        return () if isinstance(entry, str) or not isinstance(entry, Sequence) else tuple(entry)

    def tables(self, *path: str) -> tuple[Texts, ...]:
        """The tables of the list at a path."""
        return tuple(Texts(entry) for entry in self.listed(*path) if isinstance(entry, Mapping))


class PageTexts(Mapping[str, TextEntry]):
    """The texts of a page by their keys; its labels are read on demand: a name in a list needs none."""

    def __init__(self, texts: Mapping[str, str], labels: Callable[[], Texts]) -> None:
        self._texts, self._read = texts, labels

    def __getitem__(self, key: str) -> TextEntry:
        return self.labels if key == "labels" else self._texts[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def text(self, key: str) -> str:
        """The text of a key."""
        return self._texts[key]

    @cached_property
    def labels(self) -> Texts:
        """The page's own short texts."""
        return self._read()


def _page(path: Path) -> PageTexts:
    head, *rest = _HEADING.split(path.read_text(encoding="utf-8"))
    texts = {"question": head.strip().removeprefix("# ").strip()}
    for key, body in zip(rest[::2], rest[1::2], strict=True):
        texts[key] = body.strip()
    labels = texts.setdefault("labels", "")
    return PageTexts(texts, lambda: Texts(_Entries(labels)))


@lru_cache(maxsize=256)
def page_text(name: str, language: str = LANGUAGE) -> PageTexts:
    """The texts of a page: its question, its sections by heading, and its labels; read once, for good."""
    path = _FOLDER / language / f"{name}.md"
    return _page(path)


@lru_cache(maxsize=64)
def listing(name: str, language: str = LANGUAGE) -> Texts:
    """A table of short texts: `labels`, `glossary`; read once, for good."""
    path = _FOLDER / language / f"{name}.toml"
    return Texts(_Entries(path.read_text(encoding="utf-8")))


def languages() -> tuple[str, ...]:
    """The languages that are complete: those whose folder has every file that English has."""
    return _complete(_FOLDER)


@lru_cache(maxsize=8)
def _complete(texts: Path) -> tuple[str, ...]:
    """The languages in a folder of texts that have every file of English, looked through once."""
    wanted = {path.name for path in (texts / LANGUAGE).iterdir()}
    folders = (path for path in texts.iterdir() if path.is_dir())
    return tuple(sorted(path.name for path in folders if wanted <= {file.name for file in path.iterdir()}))


def _weight(preference: str) -> tuple[str, float]:
    """A language of a browser's list, and its weight: `de;q=0.8`."""
    tag, _, quality = preference.partition(";")
    try:
        return tag.strip().lower().replace("_", "-"), float(quality.strip().removeprefix("q=") or 1)
    except ValueError:
        return "", 0


@lru_cache(maxsize=256)
def negotiate(accepted: str | None, offered: tuple[str, ...]) -> str:
    """The offered language that a browser wants most: `de-AT` or `fr, de;q=0.8` takes `de`; else English."""
    preferences = sorted(map(_weight, (accepted or "").split(",")), key=lambda preference: -preference[1])
    for tag in (tag for tag, quality in preferences if quality > 0):
        parts = tag.split("-")
        for length in range(len(parts), 0, -1):
            for language in offered:
                if language.lower() == "-".join(parts[:length]):
                    return language
    return LANGUAGE if LANGUAGE in offered else offered[0]
