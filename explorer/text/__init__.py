"""Everything that is said, one folder per language; a page's Markdown file holds its texts under level-2 headings.

`# ` is the page's question; `## key` starts a text; `## labels` holds short labels as TOML. A placeholder is written
`@{name}`, which clashes with neither LaTeX nor Markdown. May import the standard library only.
"""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

LANGUAGE = "en"
_FOLDER = Path(__file__).parent
_HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)


class Template(string.Template):
    """Text with `@{name}` placeholders; every other @, $, { and } is left alone."""

    delimiter = "@"
    pattern = r"@\{(?:(?P<braced>[a-z][a-z0-9_]*)\}|(?P<invalid>))|(?P<named>(?!))|(?P<escaped>(?!))"  # type: ignore[assignment]


def _page(path: Path) -> Mapping[str, Any]:
    head, *rest = _HEADING.split(path.read_text(encoding="utf-8"))
    texts: dict[str, Any] = {"question": head.strip().removeprefix("# ").strip()}
    for key, body in zip(rest[::2], rest[1::2], strict=True):
        texts[key] = body.strip()
    texts["labels"] = MappingProxyType(tomllib.loads(texts.get("labels", "")))
    return MappingProxyType(texts)


def _toml(path: Path) -> Mapping[str, Any]:
    return MappingProxyType(tomllib.loads(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=256)
def page_text(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """The texts of a page: its question, its sections by heading, and its labels; read once, for good."""
    path = _FOLDER / language / f"{name}.md"
    return _page(path)


@lru_cache(maxsize=64)
def listing(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """A table of short texts: `labels`, `glossary`; read once, for good."""
    path = _FOLDER / language / f"{name}.toml"
    return _toml(path)


def languages() -> tuple[str, ...]:
    """The languages that exist, as folders."""
    return tuple(sorted(path.name for path in _FOLDER.iterdir() if (path / "labels.toml").exists()))
