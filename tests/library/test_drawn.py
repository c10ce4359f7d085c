"""The library draws by itself: every number of a table, every end of a whisker, in colors of the page around it."""

from __future__ import annotations

import builtins
import re
from html import unescape
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import ldpcore
from ldpcore.library.designs import Design
from ldpcore.library.drawn import Bar, SelfDrawn, bars, label_of
from tests.library.members import designs

SHOWN = [pytest.param(design, values, id=design.slug) for design, values in designs()]
SVG = "{http://www.w3.org/2000/svg}"


def pictures(html: str) -> list[ET.Element]:
    return [ET.fromstring(each) for each in re.findall(r"<svg.*?</svg>", html)]


def scale(picture: ET.Element) -> tuple[np.ndarray, np.ndarray]:
    """The places of ticks, and their numbers, as somebody reads them off."""
    ticks = [each for each in picture.findall(f"{SVG}text") if re.fullmatch(r"-?[\d.e+-]+", each.text or "")]
    ticks = [each for each in ticks if each.get("text-anchor") == "middle"]
    return np.array([float(each.get("x", "")) for each in ticks]), np.array([float(each.text or "") for each in ticks])


def read(picture: ET.Element) -> list[tuple[float, ...]]:
    """The ends of bars and whiskers, read off along the axis."""
    places, numbers = scale(picture)
    assert len(places) >= 3
    found, zero = [], np.interp(0, numbers, places)
    for bar in picture.findall(f"{SVG}rect"):
        left, wide = float(bar.get("x", "")), float(bar.get("width", ""))
        found.append((float(np.interp(left if abs(left - zero) > 0.11 else left + wide, places, numbers)),))
    whiskers = [
        re.findall(r"M([\d.]+) \d+H([\d.]+)", each.get("d", ""))[0]
        for each in picture.findall(f"{SVG}path")
        if each.get("class")
    ]
    if whiskers:
        assert len(whiskers) == len(found)
        found = [
            (*value, *np.interp([float(end) for end in ends], places, numbers))
            for value, ends in zip(found, whiskers, strict=True)
        ]
    return found


@pytest.mark.parametrize(("design", "values"), SHOWN)
def test_an_estimate_is_drawn_as_it_is(design: Design, values: list[object]) -> None:
    estimate = design.tally(design.privatize(values, np.random.default_rng(1))).estimate()
    html = estimate._repr_html_()
    drawn = [row for each in pictures(html) for row in read(each)]
    true = [(line.value, line.low, line.high) for line in estimate]
    span = max(abs(end) for row in true for end in row)
    for (value, low, high), line in zip(drawn, estimate, strict=True):
        assert np.allclose([value, low, high], [line.value, line.low, line.high], atol=0.01 * max(span, 1e-9))
        assert f"{line.value:.5f}" in html and label_of(line.label) in unescape(html)


@pytest.mark.parametrize(("design", "values"), SHOWN)
def test_a_design_tells_its_level_and_its_errors(design: Design, values: list[object]) -> None:
    html = design._repr_html_()
    (picture,) = pictures(html)
    hundred, thousand, many = (row[0] for row in read(picture))
    crowd, _ = design.domain.crowd()
    exact = design.standard_errors(crowd * (300 // len(crowd))).max() * np.sqrt(300 // len(crowd) * len(crowd))
    assert np.allclose([hundred, thousand, many], exact / np.sqrt([100, 1000, 10_000]), atol=0.01 * hundred)
    assert f"{design.guarantee().epsilon:.4g}" in html


def test_a_tally_shows_every_sum_and_counts_what_is_left_off() -> None:
    survey = ldpcore.build("grr", 3.0, 80)
    tally = survey.tally(survey.privatize([each % 80 for each in range(400)], np.random.default_rng(2)))
    html = tally._repr_html_()
    assert "and 20 more" in html and html.count("<rect") == 60
    (picture,) = pictures(html)
    assert np.allclose([row[0] for row in read(picture)], tally.counts[:60], atol=0.3)


def test_a_plan_shows_what_each_mechanism_reaches_and_what_a_wish_takes() -> None:
    planned = ldpcore.plan("auto", 1.0, 5, n=2_000, width=0.02)
    (picture,) = pictures(planned._repr_html_())
    assert np.allclose([row[0] for row in read(picture)], [each.width for each in planned.options], atol=1e-3)
    assert str(planned.people) in planned._repr_html_() and str(planned.people) in str(planned)
    assert "none will do" in str(ldpcore.plan("grr", 1.0, 5, n=1, width=1e-6))


def test_labels_of_readers_are_text_and_never_markup() -> None:
    survey = ldpcore.build("grr", 1.0, ["<script>alert(1)</script>", 'a"b', "c&d"])
    tally = survey.tally([0, 1, 2])
    for held in (survey, tally, tally.estimate()):
        html = held._repr_html_()
        assert "<script" not in html
        for each in pictures(html):
            assert each.tag == f"{SVG}svg"
    assert "c&amp;d" in tally._repr_html_()


def test_no_color_is_set_so_that_dark_and_light_pages_are_both_right() -> None:
    html = ldpcore.plan("auto", 1.0, 5, n=20)._repr_html_()
    assert "currentColor" in html and not re.search(r"#[0-9a-f]{3,6}\b|rgb|black|white", html, re.IGNORECASE)


def test_bars_that_cannot_be_drawn_are_left_off() -> None:
    drawn = bars([Bar("a", float("nan")), Bar("b", 1.0, float("-inf"), float("inf")), Bar("c", 0.0)], "x")
    assert drawn.count("<rect") == 2 and "whisker" not in drawn and "nan" not in drawn and "inf" not in drawn
    assert bars([], "nothing").startswith("<svg")


def test_shown_in_a_notebook_it_is_drawn_and_in_a_terminal_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    coin = ldpcore.build("rr", 1.0, ["no", "yes"])
    coin.show()
    coin.tally([0, 1]).show()
    assert capsys.readouterr().out == "rr(epsilon=1.0)\nn = 2: [1, 1]\n"
    shown: list[SelfDrawn] = []
    monkeypatch.setattr(builtins, "display", shown.append, raising=False)
    coin.show()
    assert shown == [coin] and not capsys.readouterr().out
