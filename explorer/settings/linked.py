"""A ledger as a link says it: line by line as people would read it, and packed where that would be too long.

    laplace,0.1,x30|gauss,1,1e-06    up to 40 lines, as links have always said them
    ~q1YqKMpMTq1UslIy…               more: a letter for each kind of noise, deflated (RFC 1951), in base64 for addresses

Neither carries a line's name or its day. A ledger that does not fit into a link even so is told by its number
of lines alone, and the page that opens says so.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from explorer.settings.typed import plain_number

if TYPE_CHECKING:
    from ldpcore.accounting.lines import LedgerRow

LINES = 40  # that a link says line by line
LONGEST_LEDGER = 1700  # letters of a packed ledger: with all else an address stays below 2000
_UNPACKED = 64_000  # bytes at most, whatever a link claims
PACKED, UNTOLD = "~", "own-"
LETTERS: Mapping[str, str] = MappingProxyType(
    {
        "any": "a",
        "rr": "r",
        "laplace": "l",
        "discrete": "d",
        "exponential": "e",
        "gauss": "g",
        "sigma": "s",
        "sampled": "u",
        "zcdp": "z",
    }
)
_KINDS = {letter: kind for kind, letter in LETTERS.items()}
_LINE = re.compile(rf"([{''.join(_KINDS)}])([\d.e+-]{{1,25}})(?:,([\d.e+-]{{1,25}}))?(x\d{{1,7}})?")


class LinkedError(ValueError):
    """A text that is no packed ledger."""


def linked_lines(lines: Sequence[LedgerRow]) -> str:
    """Lines as a link writes them; of too many only their number."""
    if len(lines) <= LINES:
        return "|".join(",".join(parts(row)) for row in lines)
    text = _packed("\n".join(LETTERS[row.kind] + "".join(_numbers(row)) for row in lines))
    return text if len(text) <= LONGEST_LEDGER else f"{UNTOLD}{len(lines)}"


def worded(text: str) -> str:
    """The lines of a link, as people type them."""
    if not text.startswith(PACKED):
        return text[: 60 * LINES].replace("|", "\n").replace(",", " ")
    matches = [_LINE.fullmatch(line) for line in _unpacked(text).split("\n")]
    if not all(matches):
        raise LinkedError
    lines = [match.groups(default="") for match in matches if match]
    return "\n".join(" ".join(filter(None, (_KINDS[letter], *more))) for letter, *more in lines)


def untold(text: str) -> int:
    """The number of lines that a link states without carrying them; none where it does not say."""
    number = text.removeprefix(UNTOLD)[:9]
    return int(number) if text.startswith(UNTOLD) and number.isdecimal() else 0


def parts(row: LedgerRow) -> list[str]:
    """The parts of a line that cost, without its name and its day."""
    second = row.rate if row.kind == "sampled" else row.delta
    more = [plain_number(second)] if second else []
    times = [f"x{row.times}"] if row.times > 1 else []
    return [row.kind, plain_number(row.size), *more, *times]


def _numbers(row: LedgerRow) -> tuple[str, ...]:
    """The size, δ or share, and the number of times, as `_LINE` reads them."""
    second = row.rate if row.kind == "sampled" else row.delta
    return (
        plain_number(row.size),
        f",{plain_number(second)}" if second else "",
        f"x{row.times}" if row.times > 1 else "",
    )


def _packed(text: str) -> str:
    """A text deflated, in the letters that an address leaves as they are."""
    pressing = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    return PACKED + base64.urlsafe_b64encode(pressing.compress(text.encode()) + pressing.flush()).decode().rstrip("=")


def _unpacked(text: str) -> str:
    """The text of a packed one; unpacked no further than a ledger may be long, whatever it claims."""
    raw = text[len(PACKED) : len(PACKED) + LONGEST_LEDGER]
    opening = zlib.decompressobj(-15)
    try:
        whole = opening.decompress(base64.urlsafe_b64decode(raw + "=" * (-len(raw) % 4)), _UNPACKED)
        if not opening.eof:
            raise LinkedError
        return whole.decode("ascii")
    except (binascii.Error, zlib.error, ValueError) as problem:
        raise LinkedError from problem
