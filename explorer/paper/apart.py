"""Words of a picture that stand apart on paper, whose letters are wider than those of a screen.

In a line where two would touch all are small; where that is not enough, those of several words take two lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from itertools import pairwise

from explorer.paper.letters import width_of, wrapped
from explorer.paper.traces import lettered

SMALL, LARGE = 12.0, 15.0  # letters in units
LEADING = 1.25
_APART = 3.0  # units between two words
_SAID = re.compile(
    r'<text x="([-\d.]+)" y="([-\d.]+)" text-anchor="(\w+)" font-size="([\d.]+)" fill="([^"]*)"([^>]*)>([^<]*)</text>'
)


@dataclass(frozen=True)
class _Words:
    """Some words at a place."""

    x: float
    y: float
    anchor: str
    size: float
    color: str
    more: str
    text: str

    @classmethod
    def of(cls, said: re.Match[str]) -> _Words:
        """The words of an element."""
        x, y, anchor, size, color, more, text = said.groups()
        return cls(float(x), float(y), anchor, min(max(float(size), SMALL), LARGE), color, more, unescape(text))

    def ends(self, size: float) -> tuple[float, float]:
        """The two ends of the words in letters of a size."""
        wide = width_of(self.text, size)
        start = self.x - {"middle": 0.5, "end": 1.0}.get(self.anchor, 0.0) * wide
        return start, start + wide

    def small(self) -> Iterator[str]:
        """The words in small letters, in one line."""
        yield self._at(self.y, self.text)

    def folded(self) -> Iterator[str]:
        """The words in two lines, where there are several."""
        lines = wrapped(self.text, 0.6 * width_of(self.text, SMALL), SMALL)
        for place, line in enumerate(lines):
            yield self._at(self.y + LEADING * SMALL * (place - (len(lines) - 1) / 2), line)

    def _at(self, y: float, text: str) -> str:
        down = re.search(r'dy="([^"]*)"', self.more)
        return lettered(
            self.x, y, escape(text, quote=False), SMALL, self.color, self.anchor, "", down[1] if down else ""
        )


def apart(drawn: Sequence[str]) -> Iterator[str]:
    """The shapes of a picture, those of words so that none touches another in its line."""
    said = [match and _Words.of(match) for match in map(_SAID.fullmatch, drawn)]
    lines: dict[float, list[_Words]] = {}
    for each in filter(None, said):
        lines.setdefault(each.y, []).append(each)
    close = {y for y, line in lines.items() if _touch([words.ends(words.size) for words in line])}
    tight = {y for y in close if _touch([words.ends(SMALL) for words in lines[y]])}
    for shape, words in zip(drawn, said, strict=True):
        if words is None or words.y not in close:
            yield shape
        else:
            yield from words.folded() if words.y in tight else words.small()


def _touch(ends: list[tuple[float, float]]) -> bool:
    """Whether any two of the words in a line touch."""
    return any(first[1] + _APART > second[0] for first, second in pairwise(sorted(ends)))
