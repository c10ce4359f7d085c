"""Pictures for papers, as SVG and PDF: as wide as a column, with letters of 7 to 9 points, none of them cut."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

from explorer.figures import marks, plot
from explorer.figures.theme import Look, layout
from explorer.paper.letters import width_of, wrapped
from explorer.paper.plates import COLUMNS, POINTS, About, plate
from explorer.paper.sheets import numerals_of
from explorer.paper.tex import tex
from explorer.scenes import scene
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from tests import scenes
from tests.rationing import shared

ABOUT = About(
    "A title", "What it shows: ε < 1 & more", "LDP Explorer 0.1.0, seed 3", "ε = 0.3", "https://a.example/?b=1"
)
SPACE = "{http://www.w3.org/2000/svg}"


def figures(language: str, start: int) -> Iterator[plot.Figure]:
    """The figure of every fifth view, as it is set first."""
    seen = set[tuple[str, str]]()
    for one in scenes.settings():
        if (one.page.slug, one.view.slug) not in seen:
            seen.add((one.page.slug, one.view.slug))
            if len(seen) % 5 != start:
                continue
            drawn = scene(one.page, one.view, one.asked, 1.0, Look(), language, scenes.answered, one.own).figure
            if drawn is not None:
                yield drawn


def drawings(language: str) -> Iterator[tuple[str, str]]:
    """Every drawing of a view that is none of Plotly's, under each of its settings."""
    for one in scenes.settings():
        if "drawings" in one.view.draw.__module__ or one.page.slug in ("overview", "ask"):
            present = scene(one.page, one.view, one.asked, 1.0, Look(), language, scenes.answered, one.own)
            if present.drawing:
                yield f"{one.page.slug} {one.view.slug}", present.drawing


@pytest.mark.parametrize("language", languages())
def test_every_drawing_is_a_picture_for_a_paper_with_all_its_words_and_no_letter_cut(language: str) -> None:
    seen = set[str]()
    for place, (named, drawn) in enumerate(drawings(language)):
        words = unescape(re.sub(r"<style>.*?</style>|<button.*?</button>", "", drawn, flags=re.DOTALL))
        for column, wide in shared(COLUMNS.items(), 2, place + languages().index(language)):
            svg = plate(drawn, numerals_of(catalogue_of(language)), column, ABOUT)
            root = ET.fromstring(svg)
            width, height = map(float, root.attrib["viewBox"].split()[2:])
            assert not re.search(r"\bnan\b", svg) and height < 2.5 * width, (named, column, height)
            boxes = sorted(
                (corners(text) for text in root.iter(f"{SPACE}text")), key=lambda box: (box[0][1], box[0][0])
            )
            for (_, (right, low)), ((left, _), (_, lower)) in pairwise(boxes):
                assert low != lower or right < left + 0.5, (named, column, low, right, left)
            for text in root.iter(f"{SPACE}text"):
                assert 7 <= float(text.attrib["font-size"]) * POINTS * wide / width <= 9, (named, ET.tostring(text))
                (left, top), (right, bottom) = corners(text)
                inside = left > -1 and right < width + 1 and top > -1 and bottom < height + 1
                assert inside, (named, column, ET.tostring(text))
            spoken = re.sub(r"\s+", "", "".join("".join(text.itertext()) for text in root.iter(f"{SPACE}text")))
            for said in re.findall(r">([^<>]*[^\W\d_]{3}[^<>]*)<", "" if "ldp-wide" in drawn else words):
                assert re.sub(r"\s+", "", said) in spoken, (named, said)
        seen.add(named)
    assert len(seen) >= 10, seen


def test_all_letters_of_the_views_are_7_to_9_points_and_none_is_cut_at_either_width() -> None:
    """In both languages, by the widths of Helvetica: no text reaches beyond the picture."""
    looked_at = 0
    for start, language in enumerate(languages()):
        for place, drawn in enumerate(figures(language, start)):
            for column, wide in shared(COLUMNS.items(), 2, place):
                root = ET.fromstring(plate(drawn, numerals_of(catalogue_of(language)), column, ABOUT))
                width, height = map(float, root.attrib["viewBox"].split()[2:])
                assert root.attrib["width"] == f"{10 * wide:g}mm"
                for text in root.iter(f"{SPACE}text"):
                    size = float(text.attrib["font-size"]) * POINTS * wide / width
                    assert 7 <= size <= 9, ET.tostring(text)
                    (left, top), (right, bottom) = corners(text)
                    assert left > -1 and right < width + 1 and top > -1 and bottom < height + 1, ET.tostring(text)
                    looked_at += 1
    assert looked_at > 500


def corners(text: ET.Element) -> tuple[tuple[float, float], tuple[float, float]]:
    """The upper left and the lower right corner of what a text takes on the picture."""
    said = text.attrib
    size, x, y = (float(said[name]) for name in ("font-size", "x", "y"))
    wide = width_of("".join(text.itertext()), size)
    start = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[said["text-anchor"]] * wide
    dy = said.get("dy", "0")
    line = y + (size * float(dy[:-2]) if dy.endswith("em") else float(dy))
    angle = math.radians(float(turn[1])) if (turn := re.match(r"rotate\((-?\d+)", said.get("transform", ""))) else 0.0
    points = [
        (
            x + math.cos(angle) * (a - x) - math.sin(angle) * (b - y),
            y + math.sin(angle) * (a - x) + math.cos(angle) * (b - y),
        )
        for a in (start, start + wide)
        for b in (line - 0.72 * size, line + 0.2 * size)
    ]
    across, down = zip(*points, strict=True)
    return (min(across), min(down)), (max(across), max(down))


def simple() -> plot.Figure:
    line = marks.line([0.01, 1, 1e5], [0, 50, 100], "ε = 10⁻⁵ (50 %)", "#123456")
    ends = {"xaxis": {"type": "log", "range": [-2, 6]}, "yaxis": {"range": [0, 100]}}
    return plot.Figure([line], layout(Look(), "t", "ε", "y", **ends))


def test_the_picture_says_inside_what_it_is_and_where_it_comes_from() -> None:
    svg = plate(simple(), numerals_of(catalogue_of("en")), "one", ABOUT)
    root = ET.fromstring(svg)
    parts = {name: root.findtext(f"{SPACE}{name}") for name in ("title", "desc", "metadata")}
    origin = "LDP Explorer 0.1.0, seed 3 · ε = 0.3 · https://a.example/?b=1"
    assert parts == {"title": ABOUT.title, "desc": ABOUT.shows, "metadata": origin}
    texts = {"".join(text.itertext()) for text in root.iter(f"{SPACE}text")}
    assert {"10⁶", "10⁻²"} <= texts and "100000" not in texts and ABOUT.title not in texts
    assert ABOUT.caption.splitlines() == [ABOUT.title, ABOUT.shows, origin]


def test_a_picture_for_the_room_shows_that_it_is() -> None:
    warned = replace(
        ABOUT, warning="For the room alone: true values of a table of somebody's own. Do not publish them."
    )
    for column in COLUMNS:
        root = ET.fromstring(plate(simple(), numerals_of(catalogue_of("en")), column, warned))
        assert warned.warning in " ".join("".join(text.itertext()) for text in root.iter(f"{SPACE}text"))
        assert (root.findtext(f"{SPACE}metadata") or "").startswith(warned.warning)


def test_texts_are_as_wide_as_their_letters_and_broken_between_words() -> None:
    assert width_of("W i", 1000) == 944 + 278 + 222 and width_of("люди 人", 1000) > 4 * 556
    assert 2 * 556 + 300 < width_of("10⁵", 1000) < 3 * 556 and 2 * 556 < width_of("1\u202f0", 1000) < 3 * 556
    lines = wrapped("how many people it takes for each of them", 90.0, 10.0)
    assert len(lines) == 3 and " ".join(lines) == "how many people it takes for each of them"
    assert all(width_of(line, 10) <= 90 for line in lines) and wrapped("unbreakable", 3.0, 10.0) == ["unbreakable"]


def test_letters_for_tex() -> None:
    assert tex("ε = 10⁻⁵, 50 % of x₁") == r"$\varepsilon$ = $10^{-5}$, 50 \% of x$_{1}$"
    assert tex("10\u202f000 ± 2 & $a_b") == r"10\,000 $\pm$ 2 \& \$a\_b"
    root = ET.fromstring(plate(simple(), numerals_of(catalogue_of("en")), "one", ABOUT, in_tex=True))
    texts = {"".join(text.itertext()) for text in root.iter(f"{SPACE}text")}
    assert {r"$10^{6}$", r"$\varepsilon$", r"$\varepsilon$ = $10^{-5}$ (50 \%)"} <= texts
