"""How wide letters are in the typefaces that every reader of PDF brings along: Helvetica, Symbol for Greek, Dingbats.

Their widths in thousandths of the size are those of Adobe's metrics (AFM, 1997), which Arial shares.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

PLAIN, SYMBOL, DINGBATS = "Helvetica", "Symbol", "ZapfDingbats"
# By its code in Windows' western set (cp1252), from the blank on; 0 where none is.
_WIDTHS = tuple(
    int(width)
    for width in """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584
584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278
278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500
500 334 260 334 584 0 556 0 222 556 333 1000 556 556 333 1000 667 333 1000 0 611 0 0 222 222 333 333 350 556 1000 333
1000 500 333 944 0 500 667 278 333 556 556 556 556 260 556 333 737 370 556 584 333 737 333 400 584 333 333 333 556 537
278 333 333 365 556 834 834 834 611 667 667 667 667 667 667 1000 722 667 667 667 667 278 278 278 278 722 722 778 778 778
778 778 584 778 722 722 722 722 667 667 611 556 556 556 556 556 556 889 500 556 556 556 556 278 278 278 278 556 556 556
556 556 556 556 584 611 556 556 556 556 500 556 500""".split()
)


def _placed(table: str) -> Mapping[str, tuple[int, int]]:
    """Signs with their codes in a typeface and their widths."""
    parts = table.split()
    return MappingProxyType(
        {sign: (int(code, 16), int(width)) for sign, code, width in zip(*[iter(parts)] * 3, strict=True)}
    )


_SYMBOL = _placed("""
α 61 631 β 62 549 χ 63 549 δ 64 494 ε 65 439 φ 66 521 γ 67 411 η 68 603 ι 69 329 ϕ 6A 603 κ 6B 549 λ 6C 549
μ 6D 576 ν 6E 521 π 70 549 θ 71 521 ρ 72 549 σ 73 603 τ 74 439 ω 77 686 ξ 78 493 ψ 79 686 ζ 7A 494 Δ 44 612
Φ 46 763 Γ 47 603 Λ 4C 686 Π 50 768 Θ 51 741 Σ 53 592 Ω 57 768 Ξ 58 645 Ψ 59 795 − 2D 549 ≤ A3 549 ≥ B3 549
∞ A5 713 ≠ B9 549 ≈ BB 549 ≡ BA 549 → AE 987 ← AC 987 ↑ AD 603 ↓ AF 603 ↔ AB 1042 ∈ CE 713 √ D6 549 ∑ E5 713
∂ B6 494 ∫ F2 274 ′ A2 247
""")
_MARKS = _placed("■ 6E 761 ● 6C 791 ○ 6D 873 ▲ 73 892 ▼ 74 892 ◆ 75 788 ✓ 33 755")
_RAISED = MappingProxyType(dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿⁱ", "0123456789−+ni", strict=True)))
_LOWERED = MappingProxyType(dict(zip("₀₁₂₃₄₅₆₇₈₉₋₊", "0123456789−+", strict=True)))
SMALL, UP, DOWN = 0.65, 0.36, -0.16  # of the size: how large raised letters are, and how far they are moved
_THIN = "\u202f\u2009"  # half a space
THIN = 139
_UNSEEN = ("Cf", "Mn")


@dataclass(frozen=True)
class Typeface:
    """What a file says of a typeface that it does not bring along: by its code each width and each sign, and its frame.

    By these a reader that has another typeface in its place sets letters where they are, and knows what they are.
    """

    name: str
    widths: Mapping[int, int]
    signs: Mapping[int, str]
    flags: int  # 32 for Latin letters, 4 for signs of its own
    box: tuple[int, int, int, int]
    rise: tuple[int, int, int]  # how high letters stand, how low they hang, how high capitals are
    stem: int


def _western() -> Mapping[int, str]:
    """The signs of Windows' western set that have a width."""
    known = (code for code, width in enumerate(_WIDTHS, 32) if width)
    return MappingProxyType({code: bytes([code]).decode("cp1252") for code in known})


def _of(table: Mapping[str, tuple[int, int]], place: int) -> Mapping[int, Any]:
    return MappingProxyType({code: (sign, width)[place] for sign, (code, width) in table.items()})


TYPEFACES = (
    Typeface(
        PLAIN,
        MappingProxyType(dict(enumerate(_WIDTHS, 32))),
        _western(),
        32,
        (-166, -225, 1000, 931),
        (718, -207, 718),
        88,
    ),
    Typeface(SYMBOL, _of(_SYMBOL, 1), _of(_SYMBOL, 0), 4, (-180, -293, 1090, 1010), (1010, -293, 729), 85),
    Typeface(DINGBATS, _of(_MARKS, 1), _of(_MARKS, 0), 4, (-1, -143, 981, 820), (820, -143, 820), 90),
)


class UnwritableError(ValueError):
    """A letter that none of the typefaces has."""


@dataclass(frozen=True)
class Piece:
    """Letters of one typeface, as its codes: how wide they are, how large and how far they are moved up."""

    face: str
    codes: bytes
    width: float  # of the size
    scale: float = 1.0
    rise: float = 0.0


def pieces(text: str) -> Iterator[Piece]:
    """A text letter by letter, neighbors of a kind together."""
    last: Piece | None = None
    for piece in _letters(text):
        alike = last is not None and (last.face, last.scale, last.rise) == (piece.face, piece.scale, piece.rise)
        if last is not None and alike:
            last = Piece(last.face, last.codes + piece.codes, last.width + piece.width, last.scale, last.rise)
            continue
        if last is not None:
            yield last
        last = piece
    if last is not None:
        yield last


def _letters(text: str) -> Iterator[Piece]:
    for letter in text:
        if letter in _THIN:
            yield Piece(PLAIN, b" ", THIN / 1000, THIN / 278)
        elif letter in _RAISED:
            yield _letter(_RAISED[letter], SMALL, UP)
        elif letter in _LOWERED:
            yield _letter(_LOWERED[letter], SMALL, DOWN)
        elif unicodedata.category(letter) not in _UNSEEN:
            yield _letter(letter)


def _letter(letter: str, scale: float = 1.0, rise: float = 0.0) -> Piece:
    for face, known in ((SYMBOL, _SYMBOL), (DINGBATS, _MARKS)):
        if letter in known:
            code, width = known[letter]
            return Piece(face, bytes([code]), scale * width / 1000, scale, rise)
    codes = letter.encode("cp1252", "ignore")
    width = _WIDTHS[codes[0] - 32] if codes and codes[0] >= 32 else 0
    if not width:
        raise UnwritableError(letter)
    return Piece(PLAIN, codes, scale * width / 1000, scale, rise)


def width_of(text: str, size: float) -> float:
    """How wide a text is; letters of other scripts count as wide ones."""
    try:
        return size * sum(piece.width for piece in pieces(text))
    except UnwritableError:
        return size * 0.7 * len(text)


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
