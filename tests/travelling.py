"""Files that travel, taken apart again: what is in them, said by a decoder of their own."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any


class _Scripts(HTMLParser):
    """The contents of all script elements, by their names."""

    def __init__(self) -> None:
        super().__init__()
        self.held: dict[str, str] = {}
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "script":
            self.inside = dict(attrs).get("id") or "starter"

    def handle_endtag(self, tag: str) -> None:
        self.inside = "" if tag == "script" else self.inside

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.held[self.inside] = self.held.get(self.inside, "") + data


@dataclass(frozen=True)
class Held:
    """The content of a file: what it says of itself, its states by name, and its text outside of both."""

    said: dict[str, Any]
    states: dict[str, str]
    outside: str

    @property
    def text(self) -> str:
        """Everything that somebody can read in it."""
        return "\n".join([self.outside, json.dumps(self.said, ensure_ascii=False), *self.states.values()])

    def scenes(self, name: str) -> list[dict[str, Any]]:
        """The scenes of a state, in the order of its stops."""
        _, *lines = self.states[name].split("\n")
        parts = [list(map(json.loads, lines[at : at + 4])) for at in range(0, len(lines), 4)]
        names = ("words", "figure", "below", "unusual")
        return [dict(zip(names, each, strict=True)) for each in parts]

    def head(self, name: str) -> dict[str, Any]:
        """The head of a state."""
        head: dict[str, Any] = json.loads(self.states[name].split("\n")[0])
        return head


def taken_apart(html: str) -> Held:
    """The content of a file."""
    reader = _Scripts()
    reader.feed(html)
    unpacked = {
        name: gzip.decompress(base64.b85decode(text.strip().replace(",", "<"))).decode()
        for name, text in reader.held.items()
        if name.startswith("state-")
    }
    outside = re.sub(r"<script.*?</script>|<style.*?</style>", "", html, flags=re.DOTALL)
    return Held(json.loads(reader.held["said"]), unpacked, outside)
