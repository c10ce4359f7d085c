"""Search in the reference: letters and digits count alike, however keyboards and documents write them."""

from __future__ import annotations

import re
import unicodedata

# Arabic yeh and kaf stand for the Persian ones on many keyboards; joiners of no width and vowel signs may be left out.
_ALIKE: dict[int, int | None] = {0x064A: 0x06CC, 0x0649: 0x06CC, 0x0643: 0x06A9, 0x200C: None, 0x200D: None}
_ALIKE |= dict.fromkeys((*range(0x064B, 0x0656), 0x0670))
_ALIKE |= {zero + digit: 0x30 + digit for zero in (0x06F0, 0x0660) for digit in range(10)}  # of Persian and Arabic
_BETWEEN = re.compile(
    r"(?<=[\u0600-\u06ff]) (?=[\u0600-\u06ff])"
)  # a space that stands for a joiner, or a joiner for it
_LINKED = re.compile("\u0647(?:\u06cc|\u0654)(?=[\u0600-\u06ff])")  # heh with the yeh that links it to the next word


def mentions(wanted: str, *texts: str) -> bool:
    """Whether any of the texts holds the search text, however its letters are written."""
    return any(folded(wanted) in folded(text) for text in texts)


def folded(text: str) -> str:
    """A text without the case of its letters; a Persian one without joiners, vowel signs and spaces inside of it."""
    alike = unicodedata.normalize("NFKC", text).casefold().replace("\u2013", "-").translate(_ALIKE)
    return _LINKED.sub("\u0647", _BETWEEN.sub("", " ".join(alike.split())))
