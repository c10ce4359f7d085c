"""The metadata of the built package that no file can hold: addresses below the one repository, also in the README.

`[tool.ldp-explorer]` of pyproject.toml holds the repository's address, and nothing else does. hatchling calls this.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!\[[^\]]*)?\]\((?!https?:|#|mailto:)([^)\s]+)\)")  # a picture may stand inside a link
PAGES = {
    "Documentation": "tree/main/docs",
    "Source": "",
    "Changelog": "blob/main/CHANGELOG.md",
    "Issues": "issues",
}


def repository(root: Path) -> str:
    """The address of the repository."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return str(settings["tool"]["ldp-explorer"]["repository"]).rstrip("/")


def absolute(text: str, address: str) -> str:
    """A Markdown text whose pictures and links lead to the repository, wherever it is read."""

    def led(found: re.Match[str]) -> str:
        picture, place = found.group(1) or "", found.group(2)
        if place.startswith("../../"):  # beside the files of the repository, as its actions are
            return f"{picture}]({address}/{place.removeprefix('../../')})"
        return f"{picture}]({address}/{'raw' if picture else 'blob'}/main/{place})"

    return LINK.sub(led, text)


class CustomMetadataHook(MetadataHookInterface):
    """The addresses and the README of the built package."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        address = repository(root)
        metadata["urls"] = {name: f"{address}/{place}".rstrip("/") for name, place in PAGES.items()}
        readme = absolute((root / "README.md").read_text(encoding="utf-8"), address)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
