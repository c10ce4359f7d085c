"""Files that people bring by mistake or with intent: sound tables, bent in one to four ways; a seed says which."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable

Bend = Callable[[random.Random, bytes], bytes]
CELLS = (
    "1",
    "-2.5",
    "1e308",
    "1e999",
    "inf",
    "NaN",
    "NA",
    "",
    " ",
    "0x1F",
    "1_0",
    "01234",
    "1.234,5",
    "1 234",
    "1’234",
    "1,2,3",
    "true",
    "FALSE",
    "2024-02-29",
    "29.02.2024",
    "13/13/2024",
    "0000-00-00",
    "=1+1",
    "\u202e",
    "\x1b[31m",
    "İ",
    "é",
    "ß",
    "\U0001d7d9",
    "١٢٣",
    "<b>",
    "$x$",
    "`",
    "\\",
    "a" * 300,
    "9" * 400,
    "9" * 5000,
    "(" * 200,
    '"',
    '""',
    "'",
    "a\tb",
    "\u2028",
    "\x85",
    "😀",
)
MARKS = (",", ";", "\t", "|", " ", "é", "::", "\x00", "~", "")
ENCODINGS = ("utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32")
HEADS = (b"\x89PNG", b"%PDF", b"PK\x03\x04", b"{", b"[{", b"\xef\xbb\xbf", b"\xff\xfe")
TAILS = (b"\0", b"\x1a", b"\xff\xfe", b'"', b"\r", b"\n\n\n", b"a,b,c,d,e,f,g", b"\x80" * 40, b"sep=;")


def table(chance: random.Random) -> bytes:
    """A table: few columns or many, words and numbers, with any mark between them, in any encoding."""
    wide = chance.random() < 0.04
    columns = chance.choice((300, 1000, 2000)) if wide else chance.randint(1, 8)
    rows = chance.randint(0, 3) if wide else chance.choice((0, 1, 2, 5, 20, 200))
    mark = chance.choice(MARKS[:5])
    kinds = [chance.choice(("whole", "real", "word", "odd", "date")) for _ in range(columns)]
    lines = [mark.join(f"{kind}{place}" for place, kind in enumerate(kinds))] if chance.random() < 0.8 else []
    lines += [mark.join(_cell(chance, kind) for kind in kinds) for _ in range(rows)]
    text = chance.choice(("\n", "\n", "\r\n", "\r")).join(lines) + chance.choice(("", "\n"))
    return text.encode(chance.choice(ENCODINGS), errors="replace")


def _cell(chance: random.Random, kind: str) -> str:
    if kind == "odd" or chance.random() < 0.02:
        return chance.choice(CELLS)
    if kind == "date":
        return f"{chance.randint(1, 31):02}.{chance.randint(1, 12):02}.{chance.randint(1, 9999):04}"
    if kind == "word":
        return chance.choice(("Ada", "Ben", "Cem Öz", "D'Arc", '"a, b"'))
    return str(chance.randint(-(10**6), 10**6)) if kind == "whole" else f"{chance.gauss(0, 1e3):.3f}"


def _place(chance: random.Random, raw: bytes) -> int:
    return chance.randint(0, len(raw))


def _put(chance: random.Random, raw: bytes, piece: bytes) -> bytes:
    place = _place(chance, raw)
    return raw[:place] + piece + raw[place:]


def flipped(chance: random.Random, raw: bytes) -> bytes:
    """A few bytes are others."""
    bent = bytearray(raw or b"x")
    for _ in range(chance.randint(1, 8)):
        bent[chance.randrange(len(bent))] = chance.randrange(256)
    return bytes(bent)


BENDS: tuple[Bend, ...] = (
    flipped,
    lambda chance, raw: raw[: _place(chance, raw)],
    lambda chance, raw: raw[_place(chance, raw) :],
    lambda chance, raw: _put(chance, raw, chance.choice(CELLS).encode("utf-8", "replace")),
    lambda chance, raw: _put(chance, raw, chance.choice(MARKS).encode("utf-8") * chance.choice((1, 3, 3000))),
    lambda chance, raw: f"sep={chance.choice(MARKS)}\n".encode(chance.choice(("utf-8", "cp1252"))) + raw,
    lambda chance, raw: raw + chance.choice(TAILS),
    lambda chance, raw: raw * chance.randint(2, 30),
    lambda chance, raw: raw.replace(b"\n", chance.choice((b"\r", b"\r\n", b"\n\n", b",\n", b'"\n'))),
    lambda chance, raw: raw.replace(b",", chance.choice((b", ", b" ,", b";", b"\t", b",,"))),
    lambda chance, raw: _put(chance, raw, b"a" * chance.choice((1_000, 70_000, 140_000))),
    lambda chance, raw: _put(chance, raw, b" " * chance.choice((1_000, 20_000)) + b"x"),
    lambda chance, raw: _put(chance, raw, b"9" * 60_000 + b"x"),
    lambda chance, raw: b" " * (1 << 16) + raw + b"\0",
    lambda chance, raw: gzip.compress(raw, 1),
    lambda chance, raw: gzip.compress(raw, 1)[: _place(chance, raw)],
    lambda chance, raw: chance.choice(HEADS) + raw,
    lambda chance, raw: chance.randbytes(chance.choice((1, 40, 4000))),
)


def file(seed: int) -> tuple[str, bytes]:
    """A name and the bytes of the file with this number."""
    chance = random.Random(f"file {seed}")
    raw = table(chance)
    for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4))):
        raw = chance.choice(BENDS)(chance, raw)[: 1 << 21]
    name = chance.choice(("table.csv", "a b.txt", "x.csv.gz", "ü" * 60 + ".tsv", "<b>.csv", "", "=1+1.csv"))
    return name, raw
