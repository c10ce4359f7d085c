"""A drawing of ours as PDF: one page as large as the drawing, lines and letters that stay sharp at any size.

It knows what `explorer.paper.printing` draws and nothing else: paths, boxes, circles, texts and pictures inside the
picture that cut what leaves them. Letters are Helvetica, Symbol and Dingbats, which every reader of PDF has: their
widths and signs are told, so that another typeface in their place sets them alike. A text in another script is refused
(`UnwritableError`). Nothing is compressed, so that what is inside can be read and compared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from explorer.paper.letters import DINGBATS, PLAIN, SYMBOL, TYPEFACES, Piece, Typeface, pieces

POINTS = 72 / 2.54  # in a centimeter
_FACES: Mapping[str, str] = {PLAIN: "F1", SYMBOL: "F2", DINGBATS: "F3"}
_ROUND = 0.5522847498  # how far the handles of a quarter of a circle reach
_STEPS = re.compile(r"([MLHVhvCZ])([^MLHVhvCZ]*)")
_TURNS = re.compile(r"(translate|rotate)\(([^)]*)\)")
_COLOR = re.compile(r"rgba?\(([^)]*)\)")
_MAP = Path(__file__).with_name("signs.cmap")
_NAMED: Mapping[str, str] = {"white": "#FFFFFF", "black": "#000000"}


@dataclass(frozen=True)
class _Pen:
    """With what everything inside an element is drawn."""

    opacity: float = 1.0


@dataclass
class _Page:
    """What is written on the page, and the opacities that it uses."""

    lines: list[str] = field(default_factory=list)
    opacities: dict[float, str] = field(default_factory=dict)

    def write(self, *lines: str) -> None:
        self.lines.extend(lines)

    def see_through(self, opacity: float) -> None:
        """From here on everything lets so much through."""
        if opacity < 1:
            name = self.opacities.setdefault(round(opacity, 3), f"G{len(self.opacities)}")
            self.write(_step("gs", f"/{name}"))


def pdf(svg: str, centimeters: float, about: Mapping[str, str]) -> bytes:
    """The drawing on a page so wide; `about` fills the file's own properties (Title, Subject, Creator, Keywords)."""
    root = ET.fromstring(svg)
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    scale, page = POINTS * centimeters / width, _Page()
    page.write(_step("cm", f"{scale:.6f}", 0, 0, f"{-scale:.6f}", 0, f"{scale * height:.4f}"))
    for child in root:
        _draw(page, child, _Pen())
    return _file(page, (POINTS * centimeters, scale * height), about)


def _step(name: str, *operands: object) -> str:
    """One step of the page: what it works on, and its name."""
    return " ".join((*map(str, operands), name))


def _draw(page: _Page, node: ET.Element, pen: _Pen) -> None:
    """An element and all that is inside."""
    tag, said = node.tag.rpartition("}")[2], node.attrib
    if tag in ("title", "desc", "metadata"):
        return
    pen = replace(pen, opacity=pen.opacity * float(said.get("opacity", 1)))
    page.write("q", *_moved(said.get("transform", "")))
    match tag:
        case "g":
            for child in node:
                _draw(page, child, pen)
        case "svg":
            page.write(*_box(said), "W", "n")
            for child in node:
                _draw(page, child, pen)
        case "text":
            _text(page, node, pen)
        case "path" | "rect" | "circle":
            _shape(page, tag, said, pen)
        case _:
            raise ValueError(tag)
    page.write("Q")


def _moved(transform: str) -> Iterator[str]:
    """Where an element is moved to, and how it is turned."""
    for kind, inside in _TURNS.findall(transform):
        numbers = [float(part) for part in re.split(r"[ ,]+", inside.strip())]
        if kind == "translate":
            yield _step("cm", 1, 0, 0, 1, *numbers)
        else:
            angle, x, y = math.radians(numbers[0]), numbers[1], numbers[2]
            cos, sin = math.cos(angle), math.sin(angle)
            right, down = x - cos * x + sin * y, y - sin * x - cos * y
            turned = (f"{part:.6f}" for part in (cos, sin, -sin, cos, right, down))
            yield _step("cm", *turned)


def _shape(page: _Page, tag: str, said: Mapping[str, str], pen: _Pen) -> None:
    """Something that is filled, or whose edge is drawn, or both."""
    fill, stroke = _color(said.get("fill", "none")), _color(said.get("stroke", "none"))
    alphas = [each[1] for each in (fill, stroke) if each is not None]
    if not alphas:
        return
    page.see_through(pen.opacity * min(alphas))
    if fill is not None:
        page.write(_step("rg", fill[0]))
    if stroke is not None:
        page.write(_step("RG", stroke[0]), _step("w", said.get("stroke-width", "1")))
        if dashes := said.get("stroke-dasharray"):
            page.write(_step("d", f"[{dashes}]", 0))
        if said.get("stroke-linecap") == "round":
            page.write(_step("J", 1))
    page.write(*{"path": _path, "rect": _box, "circle": _circle}[tag](said))
    page.write("B" if fill and stroke else "f" if fill else "S")


def _path(said: Mapping[str, str]) -> Iterator[str]:
    x = y = 0.0
    for step, inside in _STEPS.findall(said["d"]):
        numbers = [float(part) for part in re.findall(r"-?[\d.]+(?:e-?\d+)?", inside)]
        if step == "Z":
            yield "h"
            continue
        if step == "C":
            x, y = numbers[4:]
            yield _step("c", *(f"{number:g}" for number in numbers))
            continue
        if step in "ML":
            x, y = numbers
        elif step in "Hh":
            x = numbers[0] if step == "H" else x + numbers[0]
        else:
            y = numbers[0] if step == "V" else y + numbers[0]
        yield f"{x:g} {y:g} {'m' if step == 'M' else 'l'}"


def _box(said: Mapping[str, str]) -> Iterator[str]:
    yield _step("re", *(said[name] for name in ("x", "y", "width", "height")))


def _circle(said: Mapping[str, str]) -> Iterator[str]:
    x, y, r = (float(said[name]) for name in ("cx", "cy", "r"))
    k = _ROUND * r
    yield f"{x + r:g} {y:g} m"
    for a, b, c, d, e, f in (
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
        (x + k, y - r, x + r, y - k, x + r, y),
    ):
        yield f"{a:g} {b:g} {c:g} {d:g} {e:g} {f:g} c"
    yield "h"


def _color(text: str) -> tuple[str, float] | None:
    """A color as three shares, and how opaque it is; None where nothing is drawn."""
    text = _NAMED.get(text, text)
    if text in ("none", "transparent"):
        return None
    if match := _COLOR.fullmatch(text):
        parts = [float(part) for part in match[1].split(",")]
        channels, alpha = [part / 255 for part in parts[:3]], parts[3] if len(parts) > 3 else 1.0
    else:
        digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
        channels, alpha = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)], 1.0
    return (" ".join(f"{channel:.3f}" for channel in channels), alpha) if alpha else None


def _text(page: _Page, node: ET.Element, pen: _Pen) -> None:
    """A line of letters at its place, in its parts, each in its color."""
    said = node.attrib
    size, ink = float(said["font-size"]), said["fill"]
    runs = [(node.text or "", ink)]
    for child in node:
        runs += [(child.text or "", child.attrib.get("fill", ink)), (child.tail or "", ink)]
    written = [(piece, color) for text, color in runs for piece in pieces(text)]
    x, y = float(said["x"]), float(said["y"]) + _down(said.get("dy", ""), size)
    x -= (
        {"middle": 0.5, "end": 1.0}.get(said.get("text-anchor", "start"), 0.0) * size * sum(p.width for p, _ in written)
    )
    page.see_through(pen.opacity)
    page.write("BT")
    for piece, color in written:
        page.write(*_written(piece, color, size, x, y))
        x += size * piece.width
    page.write("ET")


def _down(dy: str, size: float) -> float:
    return size * float(dy[:-2]) if dy.endswith("em") else float(dy or 0)


def _written(piece: Piece, color: str, size: float, x: float, y: float) -> Iterator[str]:
    """One piece where it stands; the page is upside down for letters, so they are turned back."""
    paint = _color(color)
    escaped = re.sub(rb"([\\()])", rb"\\\1", piece.codes)
    codes = "".join(chr(code) if 32 <= code < 127 else f"\\{code:03o}" for code in escaped)
    yield _step("rg", *([paint[0]] if paint else [0, 0, 0]))
    yield _step("Tf", f"/{_FACES[piece.face]}", f"{size * piece.scale:g}")
    yield _step("Tm", 1, 0, 0, -1, f"{x:.3f}", f"{y - size * piece.rise:.3f}")
    yield f"({codes}) Tj"


def _file(page: _Page, size: tuple[float, float], about: Mapping[str, str]) -> bytes:
    """The file: its objects, and the table that says where each begins."""
    content = "\n".join(page.lines).encode("ascii")
    states = "".join(
        f"/{name} <<{''.join(f'/{key} {alpha:g}' for key in ('ca', 'CA'))}>>" for alpha, name in page.opacities.items()
    )
    fonts = "".join(f"/{_FACES[face.name]} {_font(face, place)}" for place, face in enumerate(TYPEFACES, 6))
    box, drawn_with = f"{size[0]:.3f} {size[1]:.3f}", f"<</Font<<{fonts}>>/ExtGState<<{states}>>>>"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {box}]/Resources{drawn_with}/Contents 4 0 R>>",
        f"<</Length {len(content)}>>\nstream\n{content.decode('ascii')}\nendstream",
        f"<<{''.join(f'/{name} {_said(text)}' for name, text in about.items())}>>",
        *map(_signs, TYPEFACES),
    ]
    file, places = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    start = len(file)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    trailer = f"trailer\n<</Size {count}/Root 1 0 R/Info 5 0 R>>\nstartxref\n{start}\n%%EOF\n"
    return bytes(file) + f"xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}".encode("ascii")


def _font(face: Typeface, signs: int) -> str:
    """A typeface that every reader brings along, with its widths and its frame, and where its signs are told."""
    first, last = min(face.widths), max(face.widths)
    widths = " ".join(str(face.widths.get(code, 0)) for code in range(first, last + 1))
    high, low, capital = face.rise
    described = _object(
        Type="/FontDescriptor",
        FontName=f"/{face.name}",
        Flags=face.flags,
        FontBBox=f"[{' '.join(map(str, face.box))}]",
        ItalicAngle=0,
        Ascent=high,
        Descent=low,
        CapHeight=capital,
        StemV=face.stem,
    )
    encoding = {"Encoding": "/WinAnsiEncoding"} if face.name == PLAIN else {}
    return _object(
        Type="/Font",
        Subtype="/Type1",
        BaseFont=f"/{face.name}",
        **encoding,
        FirstChar=first,
        LastChar=last,
        Widths=f"[{widths}]",
        FontDescriptor=described,
        ToUnicode=f"{signs} 0 R",
    )


def _object(**entries: object) -> str:
    """An object of the file, with all that is said of it."""
    return f"<<{''.join(f'/{name} {entry}' for name, entry in entries.items())}>>"


def _signs(face: Typeface) -> str:
    """What each code of a typeface stands for, so that texts can be searched and copied."""
    lines = [f"<{code:02X}> <{sign.encode('utf-16-be').hex().upper()}>" for code, sign in sorted(face.signs.items())]
    blocks = (lines[start : start + 100] for start in range(0, len(lines), 100))
    mapped = "\n".join("\n".join((_step("beginbfchar", len(block)), *block, "endbfchar")) for block in blocks)
    stream = _MAP.read_text("ascii").replace("%BLOCKS%", mapped)
    return f"{_object(Length=len(stream))}\nstream\n{stream}\nendstream"


def _said(text: Any) -> str:
    """A property of the file, in any script."""
    return f"<FEFF{str(text).encode('utf-16-be').hex().upper()}>"
