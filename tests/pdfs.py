"""PDF as another program reads it: the typefaces that a file declares, what is written with them, and where."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

NAMES = ("Title", "Subject", "Creator", "Keywords")
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f"}
_TOKEN = re.compile(rb"\((?:\\.|[^\\()])*\)|\[[^\]]*\]|/?[^\s\[\]()/]+", re.DOTALL)
_PLACED = {b"m": 1, b"l": 1, b"c": 3}  # how many points a step has
Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True)
class Typeface:
    """The description of a typeface in a file: how it is called, what is inside, and each code's width and letters."""

    name: str
    inside: bytes
    widths: dict[int, float]
    letters: dict[int, str]

    @property
    def embedded_in_part(self) -> bool:
        """Whether it is inside, as a part: by the six letters before its name."""
        return bool(self.inside) and re.fullmatch(r"[A-Z]{6}\+\w+", self.name) is not None


@dataclass(frozen=True)
class Written:
    """Letters at a place of the page, in points from its lower left corner."""

    text: str
    x: float
    y: float
    size: float


def unescaped(text: bytes) -> bytes:
    """A literal string as its bytes."""
    return re.sub(rb"\\(.)", lambda match: _ESCAPED.get(match[1], match[1]), text, flags=re.DOTALL)


def joined(first: Matrix, then: Matrix) -> Matrix:
    """A movement, and another one around it."""
    a, b, c, d, e, f = first
    k, l, m, n, o, p = then  # noqa: E741
    return a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, e * k + f * m + o, e * l + f * n + p


@dataclass(frozen=True)
class File:
    """A file of one page."""

    whole: bytes

    @cached_property
    def objects(self) -> dict[int, bytes]:
        """Each object, found by the table of the file."""
        start = int(re.search(rb"startxref\n(\d+)", self.whole)[1])  # type: ignore[index]
        assert self.whole[start:].startswith(b"xref\n0 ")
        found = dict[int, bytes]()
        for number, place in enumerate(re.findall(rb"(\d{10}) 00000 n ", self.whole[start:]), 1):
            opening = b"%d 0 obj\n" % number
            assert self.whole[int(place) :].startswith(opening), number
            found[number] = self.whole[int(place) + len(opening) : self.whole.index(b"\nendobj", int(place))]
        return found

    def stream(self, number: int) -> bytes:
        """The content of an object, unpacked."""
        head, _, rest = self.objects[number].partition(b"stream\n")
        packed = rest[: int(re.search(rb"/Length (\d+)", head)[1])]  # type: ignore[index]
        return zlib.decompress(packed) if b"/FlateDecode" in head else packed

    def named(self, number: int, name: bytes) -> int:
        """The object that another one names."""
        found = re.search(rb"/%s \[?(\d+) 0 R" % name, self.objects[number])
        return int(found[1]) if found else 0

    @cached_property
    def page(self) -> int:
        """The one page."""
        (page,) = (number for number, body in self.objects.items() if re.search(rb"/Type /Page\s", body))
        return page

    @cached_property
    def size(self) -> tuple[float, float]:
        """How wide and how high the page is, in points."""
        width, height = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", self.whole).groups()  # type: ignore[union-attr]
        return float(width), float(height)

    @cached_property
    def typefaces(self) -> dict[str, Typeface]:
        """All typefaces that the page names."""
        resources = self.objects[self.named(self.page, b"Resources")]
        named = re.search(rb"/Font <<(.*?)>>", resources, re.DOTALL)
        found = re.findall(rb"/(F\d+) (\d+) 0 R", named[1]) if named else []
        return {name.decode(): self._typeface(int(number)) for name, number in found}

    def _typeface(self, number: int) -> Typeface:
        name = re.search(rb"/BaseFont /(\S+)", self.objects[number])[1].decode()  # type: ignore[index]
        if not (below := self.named(number, b"DescendantFonts")):
            return Typeface(name, b"", {}, {})
        described = self.named(below, b"FontDescriptor")
        inside = self.named(described, b"FontFile2")
        told = self.stream(self.named(number, b"ToUnicode"))
        letters = dict[int, str]()
        for block in re.findall(rb"beginbfchar(.*?)endbfchar", told, re.DOTALL):
            for code, letter in re.findall(rb"<(\w+)> <(\w+)>", block):
                letters[int(code, 16)] = bytes.fromhex(letter.decode()).decode("utf-16-be")
        return Typeface(name, self.stream(inside) if inside else b"", dict(self._widths(below)), letters)

    def _widths(self, number: int) -> Iterator[tuple[int, float]]:
        """By its code each width: those of a list follow one another, the others are told from one code to another."""
        told = re.search(rb"/W \[(.*)\]", self.objects[number], re.DOTALL)[1]  # type: ignore[index]
        tokens = re.findall(rb"\[[^\]]*\]|[\d.]+", told)
        while tokens:
            first, then = int(tokens.pop(0)), tokens.pop(0)
            if then.startswith(b"["):
                yield from enumerate(map(float, then[1:-1].split()), first)
            else:
                width = float(tokens.pop(0))
                yield from ((code, width) for code in range(first, int(then) + 1))

    @cached_property
    def about(self) -> dict[str, str]:
        """What the file says of itself."""
        body = self.objects[int(re.search(rb"/Info (\d+) 0 R", self.whole)[1])]  # type: ignore[index]
        said = re.findall(rb"/(\w+) (?:<(\w*)>|\(((?:\\.|[^\\()])*)\))", body, re.DOTALL)
        return {
            name.decode(): bytes.fromhex(told.decode()).decode("utf-16") if told else unescaped(plain).decode("latin-1")
            for name, told, plain in said
        }

    @cached_property
    def drawn(self) -> tuple[list[Written], list[tuple[float, float]]]:
        """What is written, each run of one typeface, and all points of what is drawn."""
        now: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        kept, waiting = list[Matrix](), list[bytes]()
        written, points = list[Written](), list[tuple[float, float]]()
        face, size, pen = "", 0.0, (0.0, 0.0)
        for token in _TOKEN.findall(self.stream(self.named(self.page, b"Contents"))):
            waiting.append(token)
            match token:
                case b"q":
                    kept.append(now)
                case b"Q":
                    now = kept.pop()
                case b"cm":
                    now = joined(tuple(map(float, waiting[-7:-1])), now)  # type: ignore[arg-type]
                case b"Tf":
                    face, size = waiting[-3][1:].decode(), float(waiting[-2])
                case b"Td":
                    pen = float(waiting[-3]), float(waiting[-2])
                case b"Tj":
                    text, wide = self._read(face, waiting[-2])
                    *_, x, y = joined((1, 0, 0, 1, *pen), now)
                    written.append(Written(text, x, y, size))
                    pen = pen[0] + wide * size, pen[1]
                case b"m" | b"l" | b"c":
                    numbers = [float(each) for each in waiting[-1 - 2 * _PLACED[token] : -1]]
                    for place in range(0, len(numbers), 2):
                        points.append(joined((1, 0, 0, 1, *numbers[place : place + 2]), now)[4:])  # type: ignore[arg-type]
                case b"re":
                    points.append(joined((1, 0, 0, 1, *map(float, waiting[-5:-3])), now)[4:])  # type: ignore[arg-type]
        assert not kept
        return written, points

    def _read(self, name: str, codes: bytes) -> tuple[str, float]:
        """The letters of some codes, and how wide they are as a share of the size; each code has both."""
        raw, face = unescaped(codes[1:-1]), self.typefaces[name]
        each = [int.from_bytes(raw[place : place + 2], "big") for place in range(0, len(raw), 2)]
        return "".join(face.letters[code] for code in each), sum(face.widths[code] for code in each) / 1000

    @property
    def text(self) -> str:
        """All that is written."""
        return "".join(each.text for each in self.drawn[0])

    @property
    def readable(self) -> str:
        """All that a file tells, in letters: of itself, and on its page with all steps of its lines."""
        steps = self.stream(self.named(self.page, b"Contents")).decode("latin-1")
        return "\n".join((*(f"{name}: {text}" for name, text in self.about.items()), self.text, steps))
