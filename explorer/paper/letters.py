"""The widths of letters in the typefaces of printed pictures, which `tools/faces.py` cuts and measures.

Arimo is as wide as Arial and Helvetica, in which a browser sets the same picture; DejaVu Sans has what Arimo lacks.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FACES = ("arimo", "dejavu")  # a letter is set in the first one that has it
FOLDER = Path(__file__).with_name("faces")
WIDTHS = FOLDER / "widths.json"
_STRANGE = 0.7  # of the size: a letter that no face has


@cache
def _widths() -> Mapping[str, float]:
    """The width of each letter, as a share of the size; an unseen one, such as an isolate, has none."""
    told = json.loads(WIDTHS.read_text(encoding="utf-8"))
    unseen = {chr(code): 0.0 for code in range(0x2000, 0x2070) if unicodedata.category(chr(code)) == "Cf"}
    known = (each for face in reversed(FACES) for each in told[face].items())
    return unseen | {letter: width / 1000 for letter, width in known}


def strange(text: str) -> str:
    """The letters of a text that no face has, each once."""
    return "".join(sorted(set(text) - _widths().keys()))


def width_of(text: str, size: float) -> float:
    """The width of a text; letters of other scripts count as wide ones."""
    known = _widths()
    return size * sum(known.get(letter, _STRANGE) for letter in text)


def wrapped(text: str, room: float, size: float) -> list[str]:
    """A text in lines that are as wide as there is room, of nearly the same length; a longer word stands alone."""
    words, whole = text.split(" "), width_of(text, size)
    if whole <= room or len(words) == 1:
        return [text]
    lines = _filled(words, room, size)
    even = min(room, 1.15 * whole / len(lines))
    evened = _filled(words, even, size)
    return evened if len(evened) == len(lines) else lines


def _filled(words: list[str], room: float, size: float) -> list[str]:
    lines = [words[0]]
    for word in words[1:]:
        longer = f"{lines[-1]} {word}"
        if width_of(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
