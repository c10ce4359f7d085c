"""Pictures for papers as PDF: what journals ask of a file, and what a reader's program finds in it."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from operator import sub
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from fontTools.ttLib import TTFont
from fpdf import FPDF
from fpdf.fonts import CORE_FONTS_CHARWIDTHS

from explorer.figures import marks, plot
from explorer.figures.theme import Look
from explorer.paper.letters import FACES, FOLDER, strange, width_of
from explorer.paper.pdf import UnwritableError, pdf
from explorer.paper.plates import COLUMNS, POINTS, as_pdf, plate, unsettable
from explorer.paper.sheets import numerals_of
from explorer.scenes import scene
from explorer.text.catalogue import catalogue_of
from tests import scenes
from tests.pdfs import NAMES, File, Typeface
from tests.rationing import ALL, at_night
from tests.test_plates import ABOUT, SPACE, drawings, figures, simple

PAIR = re.compile(r"(-?[\d.]+)[ ,](-?[\d.]+)")
NEAR = 0.03  # points: three times the step of the numbers that fpdf2 writes


def pictures() -> Iterator[tuple[str, str]]:
    """Every fifth figure and every kind of drawing, as SVG for a column and for a page."""
    write = numerals_of(catalogue_of("de"))
    found = [*figures("de", 2), *dict(drawings("de")).values()]
    for place, picture in enumerate(found):
        column = ("one", "two")[place % 2]
        yield plate(picture, write, column, ABOUT), column


def named(text: str) -> str:
    """The simple figure about something of this name, as SVG."""
    drawn = plot.Figure([marks.line([0, 1], [0, 1], text, "#123456")], simple().layout)
    return plate(drawn, numerals_of(catalogue_of("en")), "one", ABOUT)


def said_in(svg: str) -> list[str]:
    """All texts of a picture, without blanks."""
    return [re.sub(r"\s", "", "".join(text.itertext())) for text in ET.fromstring(svg).iter(f"{SPACE}text")]


def begun(text: ET.Element) -> tuple[float, float]:
    """Where a text of SVG begins: before its anchor, below its line, and turned around its place."""
    said = text.attrib
    size, x, y = (float(said[name]) for name in ("font-size", "x", "y"))
    dy = said.get("dy", "0")
    down = size * float(dy[:-2]) if dy.endswith("em") else float(dy)
    across = -{"middle": 0.5, "end": 1.0}.get(said["text-anchor"], 0.0) * width_of("".join(text.itertext()), size)
    turn = re.match(r"rotate\((-?\d+)", said.get("transform", ""))
    angle = math.radians(float(turn[1])) if turn else 0.0
    return x + math.cos(angle) * across - math.sin(angle) * down, y + math.sin(angle) * across + math.cos(angle) * down


def in_order(text: str) -> list[str]:
    return sorted(re.sub(r"\s", "", text))


def not_embedded(file: File) -> list[Typeface]:
    return [face for face in file.typefaces.values() if not face.embedded_in_part]


def test_every_picture_brings_a_part_of_its_typefaces_and_its_text_can_be_read_and_stands_where_svg_has_it() -> None:
    """By the file's own tables: names, programs, widths and letters of its typefaces, and the steps of its page."""
    looked_at, faces = 0, set[str]()
    for svg, column in pictures():
        file, root = File(as_pdf(svg, column, ABOUT)), ET.fromstring(svg)
        faces |= {face.name.partition("+")[2] for face in file.typefaces.values()}
        assert file.typefaces and not not_embedded(file), svg
        assert in_order(file.text) == in_order("".join(said_in(svg)))
        width, height = map(float, root.attrib["viewBox"].split()[2:])
        scale = POINTS * COLUMNS[column] / width
        assert file.size == pytest.approx((scale * width, scale * height), abs=NEAR)
        written, points = file.drawn
        for text in root.iter(f"{SPACE}text"):
            if "".join(text.itertext()).strip():
                x, y = begun(text)
                here = (scale * x, scale * (height - y), scale * float(text.attrib["font-size"]))
                found = any(max(map(abs, map(sub, (one.x, one.y, one.size), here))) <= NEAR for one in written)
                assert found, (ET.tostring(text), here)
                looked_at += 1
        places = {(round(x, 1), round(y, 1)) for x, y in points}
        for path in root.iter(f"{SPACE}path"):
            moved = [
                (x, y) for x, y in PAIR.findall(path.get("transform", "")) if "rotate" not in path.attrib["transform"]
            ]
            x, y = (sum(map(float, each)) for each in zip(*PAIR.findall(path.attrib["d"])[:1], *moved, strict=True))
            here = scale * x, scale * (height - y)
            near = {(round(here[0] + a, 1), round(here[1] + b, 1)) for a in (-0.05, 0.05) for b in (-0.05, 0.05)}
            assert near & places, (path.attrib, near)
    assert looked_at > 200 and faces == {"Arimo", "DejaVuSansBook"}


def test_a_typeface_that_a_file_does_not_bring_along_is_found() -> None:
    """As our PDF was made before: with Helvetica, which a journal's program looks for in vain."""
    paper = FPDF()
    paper.add_page()
    paper.set_font("Helvetica", size=9)
    paper.text(20, 20, "planted")
    file = File(bytes(paper.output()))
    assert [face.name for face in not_embedded(file)] == ["Helvetica"]


KINDS = {  # of the parts of pictures: a drawing of HTML, or a series by its type, its mode and whether it is filled
    "drawing",
    "bar",
    "heatmap",
    "scatter lines",
    "scatter lines filled",
    "scatter lines+markers",
    "scatter lines+markers+text",
    "scatter markers",
    "scatter markers+text",
    "scatter text",
}


def kinds_of(picture: plot.Figure | str) -> set[str]:
    """The kinds of a picture's parts."""
    if isinstance(picture, str):
        return {"drawing"}
    parts = [(each["type"], each.get("mode"), "filled" if "fill" in each else None) for each in picture.data]
    return {" ".join(filter(None, part)) for part in parts}


def of_each_kind() -> Iterator[tuple[set[str], plot.Figure | str]]:
    """The first picture of every view that has a kind of which none was yet; at night that of every view."""
    views, had = set[tuple[str, str]](), set[str]()
    for one in scenes.settings():
        if (one.page.slug, one.view.slug) not in views:
            views.add((one.page.slug, one.view.slug))
            drawn = scene(one.page, one.view, one.asked, 1.0, Look(), "en", scenes.answered, one.own)
            picture = drawn.figure if drawn.figure is not None else drawn.drawing
            if picture and (ALL or not kinds_of(picture) <= had):
                had |= kinds_of(picture)
                yield kinds_of(picture), picture


def told_by_pdffonts(made: Path) -> list[str]:
    """The typefaces of a file by `pdffonts`, where it is installed: name, type, encoding, and whether all is inside."""
    if shutil.which("pdffonts") is None:
        return []
    told = subprocess.run(["pdffonts", made], capture_output=True, check=True, text=True, encoding="utf-8").stdout
    return told.splitlines()[2:]


@at_night
def test_a_picture_of_each_kind_brings_all_its_typefaces_along(tmp_path: Path) -> None:
    """By day every fifth figure and each kind of drawing are held to the same, beside their texts."""
    write, seen, looked_at = numerals_of(catalogue_of("en")), set[str](), 0
    for kinds, picture in of_each_kind():
        made = tmp_path / f"{looked_at}.pdf"
        made.write_bytes(as_pdf(plate(picture, write, "one", ABOUT), "one", ABOUT))
        file, rows = File(made.read_bytes()), told_by_pdffonts(made)
        assert file.typefaces and not not_embedded(file), kinds
        assert len(rows) in (0, len(file.typefaces)), rows
        assert all(re.search(r"Identity-H\s+yes yes yes", row) for row in rows), (kinds, rows)
        seen |= kinds
        looked_at += 1
    print(f"{looked_at} pictures of {len(seen)} kinds: every typeface is inside")
    assert seen == KINDS


def test_every_typeface_is_embedded_as_pdffonts_says_where_it_is_installed(tmp_path: Path) -> None:
    made = tmp_path / "simple.pdf"
    made.write_bytes(as_pdf(named("10⁻⁵ ∈ ε"), "one", ABOUT))
    assert {face.name for face in File(made.read_bytes()).typefaces.values()} == {
        "MPDFAA+Arimo",
        "MPDFAA+DejaVuSansBook",
    }
    rows = told_by_pdffonts(made)
    assert len(rows) in (0, 2) and all(re.search(r"Identity-H\s+yes yes yes", row) for row in rows), rows
    planted = FPDF()
    planted.add_page()
    planted.set_font("Helvetica", size=9)
    planted.text(20, 20, "planted")
    made.write_bytes(bytes(planted.output()))
    assert not any(re.search(r"Identity-H\s+yes yes yes", row) for row in told_by_pdffonts(made))


def test_letters_are_as_wide_as_the_faces_say_and_those_of_english_and_german_as_wide_as_helvetica() -> None:
    """By what the carried faces themselves hold, and by Adobe's metrics."""
    known = set[str]()
    for name in FACES:
        with TTFont(FOLDER / f"{name}.ttf") as font:
            letters, widths = font.getBestCmap(), font["hmtx"].metrics
        for code, glyph in letters.items():
            assert width_of(chr(code), 2048) == pytest.approx(widths[glyph][0], abs=1.1), chr(code)
            assert chr(code) not in known
            known.add(chr(code))
    assert len(known) > 1500
    helvetica = CORE_FONTS_CHARWIDTHS["helvetica"]
    western = [chr(code) for code in (*range(32, 127), *range(192, 256)) if chr(code) not in "×÷"]
    apart = [each for each in western if abs(1000 * width_of(each, 1) - helvetica[each]) > 1]
    assert apart == [], apart


def test_what_a_pdf_declares_as_widths_is_what_the_layout_has_measured() -> None:
    for face in File(as_pdf(named("Weite: 10⁻⁵ ≤ ε ∈ [0, 1]"), "one", ABOUT)).typefaces.values():
        assert face.letters
        for code, letter in face.letters.items():
            if code and letter != " ":  # fpdf2 declares both in every typeface
                assert face.widths[code] == pytest.approx(width_of(letter, 1000), abs=1e-6), letter


def test_every_letter_of_the_catalogues_can_be_set() -> None:
    texts = Path(FOLDER).parent.parent / "text"
    used = "".join(path.read_text(encoding="utf-8") for path in texts.rglob("*") if path.suffix in (".md", ".toml"))
    visible = {letter for letter in used if unicodedata.category(letter) not in ("Cc", "Co")}
    assert len(visible) > 150 and strange("".join(visible)) == ""


def test_a_pdf_says_of_itself_what_it_is_in_any_script() -> None:
    file = File(as_pdf(named("x"), "one", ABOUT))
    assert {name: file.about[name] for name in NAMES} == dict(
        zip(NAMES, (ABOUT.title, ABOUT.shows, ABOUT.version, ABOUT.origin), strict=True)
    )


def test_the_same_picture_is_the_same_file_in_every_process() -> None:
    code = "import sys\nfrom explorer.paper.pdf import pdf\nprint(pdf(sys.stdin.read(), 240.0, {}).hex())"
    told = subprocess.run(
        [sys.executable, "-c", code],
        input=named("10⁻⁵ ∈ ε, مردم"),
        cwd=FOLDER.parents[2],
        env=os.environ | {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1", "PYTHONUTF8": "1"},
        capture_output=True,
        check=True,
        text=True,
        encoding="utf-8",
    ).stdout
    here = pdf(named("10⁻⁵ ∈ ε, مردم"), 240.0, {})
    assert bytes.fromhex(told) == here and here.startswith(b"%PDF-")


def test_a_letter_that_no_typeface_has_is_named_before_a_file_is_made() -> None:
    svg = named("люди, 人 & 人山")
    assert unsettable(svg) == "人山" and unsettable(named("люди & ε")) == ""
    with pytest.raises(UnwritableError, match="人"):
        as_pdf(svg, "one", ABOUT)


def test_persian_is_read_from_the_right_and_its_letters_join() -> None:
    """Three of the four letters of “people” have another shape than alone, and the first one stands rightmost."""
    people = "مردم"
    file = File(as_pdf(named(people), "one", ABOUT))
    assert people[::-1] in file.text and people not in file.text
    (face,) = (each for each in file.typefaces.values() if people[0] in each.letters.values())
    assert sum(letter == "م" for letter in face.letters.values()) == 2, "at the beginning and alone"
    assert "5 000" in File(as_pdf(named("5 000 \u2068مردم\u2069"), "one", ABOUT)).text


def test_a_path_without_steps_is_not_drawn() -> None:
    svg = '<svg viewBox="0 0 100 50"><path d="" stroke="#123456"/><path d="M1,2H9" stroke="#123456"/></svg>'
    written, points = File(pdf(svg, 50.0, {})).drawn
    assert written == [] and points == [(0.5, 24.0), (4.5, 24.0)]


def test_marks_that_are_not_seen_take_no_room() -> None:
    assert width_of("\u2068a\u2069\u200e", 10) == width_of("a", 10)
    assert "a b" in File(as_pdf(named("\u2068a\u2069 b"), "one", ABOUT)).text
