"""A drawing of ours as PDF: one page as large as the drawing, with what it takes of its typefaces inside.

`explorer.paper.printing` and `flow.py` draw paths, boxes, circles, texts, and pictures inside the picture that cut what
leaves them; fpdf2 writes the file. It is loaded with the first file that leaves, for no page needs it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, nullcontext
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from fpdf import FPDF
from fpdf.drawing import PaintedPath
from fpdf.drawing_primitives import DeviceRGB, Transform
from fpdf.svg import svg_path_converter

from explorer.paper.letters import FACES, FOLDER, strange

_MADE = datetime(1970, 1, 1, tzinfo=UTC)  # the same picture is the same file on every day
_TURNS = re.compile(r"(translate|rotate)\(([^)]*)\)")
_COLOR = re.compile(r"rgba?\(([^)]*)\)")
_NAMED: Mapping[str, str] = {"white": "#FFFFFF", "black": "#000000"}
_FROM_THE_RIGHT = frozenset({"R", "AL", "AN"})
_ABOVE = 0.8  # of the size: how far below the upper edge of fpdf2's cell the letters stand


class UnwritableError(ValueError):
    """A letter that no typeface has."""


def pdf(svg: str, points: float, about: Mapping[str, str]) -> bytes:
    """The drawing on a page so wide; `about` fills the file's own properties (Title, Subject, Creator, Keywords)."""
    root = ET.fromstring(svg)
    if unknown := strange("".join("".join(text.itertext()) for text in root.iterfind(".//{*}text"))):
        raise UnwritableError(unknown)
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    paper = FPDF(unit=points / width, format=(width, height))
    paper.set_creation_date(_MADE)
    setters = (paper.set_title, paper.set_subject, paper.set_creator, paper.set_keywords)
    for say, name in zip(setters, ("Title", "Subject", "Creator", "Keywords"), strict=True):
        say(about.get(name, ""))
    for name in FACES:
        paper.add_font(name, fname=FOLDER / f"{name}.ttf")
    paper.set_fallback_fonts(FACES[1:])
    paper.set_auto_page_break(False)
    paper.c_margin = 0
    paper.add_page()
    for child in root:
        _draw(paper, child, 1.0)
    return bytes(paper.output())


def _draw(paper: FPDF, node: ET.Element, opacity: float) -> None:
    """An element and all that is inside."""
    tag, said = node.tag.rpartition("}")[2], node.attrib
    if tag in ("title", "desc", "metadata"):
        return
    opacity *= float(said.get("opacity", 1))
    with ExitStack() as around:
        for kind, inside in _TURNS.findall(said.get("transform", "")):
            first, *other = (float(part) for part in re.split(r"[ ,]+", inside.strip()))
            turned = (
                Transform.rotation_d(first).about(*other) if kind == "rotate" else Transform.translation(first, *other)
            )
            around.enter_context(paper.transform(turned))
        match tag:
            case "g" | "svg":
                box = (float(said[name]) for name in ("x", "y", "width", "height")) if tag == "svg" else None
                with paper.rect_clip(*box) if box else nullcontext():
                    for child in node:
                        _draw(paper, child, opacity)
            case "text":
                _text(paper, node, opacity)
            case "path" | "rect" | "circle":
                _shape(paper, tag, said, opacity)
            case _:
                raise ValueError(tag)


def _shape(paper: FPDF, tag: str, said: Mapping[str, str], opacity: float) -> None:
    """Something that is filled, or whose edge is drawn, or both; a path without steps is nothing."""
    if said.get("d") == "":
        return
    path = PaintedPath()
    path.style.auto_close = False
    path.style.fill_color, path.style.stroke_color = (
        _color(said.get(name, "none"), opacity) for name in ("fill", "stroke")
    )
    path.style.stroke_width = float(said.get("stroke-width", 1))
    if dashes := said.get("stroke-dasharray"):
        path.style.stroke_dash_pattern = [float(each) for each in re.split(r"[ ,]+", dashes)]
    path.style.stroke_cap_style = said.get("stroke-linecap", "butt")
    match tag:
        case "path":
            svg_path_converter(path, said["d"])
        case "rect":
            path.rectangle(*(float(said[name]) for name in ("x", "y", "width", "height")))
        case "circle":
            path.circle(*(float(said[name]) for name in ("cx", "cy", "r")))
    with paper.drawing_context() as drawing:
        drawing.add_item(path)


def _color(text: str, opacity: float = 1.0) -> DeviceRGB | None:
    """A color and how opaque it is; None where nothing is drawn."""
    text = _NAMED.get(text, text)
    if text in ("none", "transparent"):
        return None
    if match := _COLOR.fullmatch(text):
        red, green, blue, *alpha = (float(part) for part in match[1].split(","))
    else:
        digits = text[1:] if len(text) == 7 else "".join(2 * digit for digit in text[1:])
        red, green, blue, *alpha = (float(int(digits[place : place + 2], 16)) for place in (0, 2, 4))
    return DeviceRGB(red / 255, green / 255, blue / 255, opacity * (alpha[0] if alpha else 1.0))


def _text(paper: FPDF, node: ET.Element, opacity: float) -> None:
    """A line of letters at its place, in its parts, each in its color."""
    said = node.attrib
    size, x, y = (float(said[name]) for name in ("font-size", "x", "y"))
    parts = [(_settable(text), color) for text, color in _parts(node) if text]
    paper.set_font(FACES[0], size=size * paper.k)
    paper.set_text_shaping(_shaped("".join(text for text, _ in parts)))
    widths = [paper.get_string_width(text) for text, _ in parts]
    x -= {"middle": 0.5, "end": 1.0}.get(said.get("text-anchor", "start"), 0.0) * sum(widths)
    top = y + _down(said.get("dy", ""), size) - _ABOVE * size
    for (text, color), width in zip(parts, widths, strict=True):
        ink = _color(color, opacity) or DeviceRGB(0, 0, 0)
        with paper.local_context(text_color=ink, fill_opacity=ink.a):
            paper.x, paper.y = x, top  # `set_xy` would count what is negative from the other end
            paper.cell(width, size, text)
        x += width


def _parts(node: ET.Element) -> Iterator[tuple[str, str]]:
    """The texts of a line with their colors."""
    ink = node.attrib["fill"]
    yield node.text or "", ink
    for child in node:
        yield from ((child.text or "", child.attrib.get("fill", ink)), (child.tail or "", ink))


def _settable(text: str) -> str:
    """A text without its unseen signs, unless one says how letters join."""
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cf" or _shaped(text))


def _shaped(text: str) -> bool:
    """Whether letters join, or are read from the right."""
    return any(unicodedata.bidirectional(letter) in _FROM_THE_RIGHT for letter in text)


def _down(dy: str, size: float) -> float:
    return size * float(dy[:-2]) if dy.endswith("em") else float(dy or 0)
