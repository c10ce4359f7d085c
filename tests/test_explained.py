"""The drawing above a formula says how a release is made, with the numbers of the present level and of no other."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from explorer.facts import Facts
from explorer.figures.theme import Look
from explorer.pages.counting.drawings import BOXES
from explorer.pages.counting.settings import Counting
from explorer.scenes import facts_at, said_of
from explorer.settings.noises import noises
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.counting.releases import CountingExperiment
from ldpcore.tables.table import built_in
from tests import scenes
from tests.cases import for_each
from tests.samples.counting import samples
from tests.scenes import answered, declared, numbers_in

LEVELS = (0.01, 0.1, 1.0, 50.0)
SINGLE = [asked for asked in samples() if asked.single() and asked.curated()]
REPORTED = [asked for asked in samples() if not asked.curated()]


def said(asked: Counting, level: float, look: Look, view: str = "one") -> Facts:
    page = declared("counting")
    return said_of(page.views[view], facts_at(page, asked, level, answered)[0], look)


def boxes(asked: Counting, level: float, look: Look, language: str = "en", why: str = "why") -> list[list[list[str]]]:
    """The texts of each box, in the copy for wide screens and in that for phones."""
    page, words = declared("counting"), catalogue_of(language).words("counting", "explained", said(asked, level, look))
    assert page.explained is not None
    copies = ET.fromstring(f"<div>{page.explained(why, look, words)}</div>")
    texts = [[text.text or "" for text in copy.iter("{http://www.w3.org/2000/svg}text")] for copy in copies]
    return [[copy[3 * place : 3 * place + 3] for place in range(len(BOXES))] for copy in texts]


@for_each("asked", SINGLE, ids=lambda asked: asked.question.verb)
@for_each("level", LEVELS)
def test_the_boxes_hold_the_people_the_answer_the_scale_and_the_release_of_this_level(
    asked: Counting, level: float
) -> None:
    wide, tall = boxes(asked, level, Look())
    assert wide == tall
    column = built_in(asked.question.table.name)
    sensitivity = asked.question.sensitivity(asked.neighbors)
    (data,), (answer,), (scale,), (release,) = (numbers_in(number) for _, number, _ in wide)
    assert data == column.n
    assert answer == pytest.approx(asked.question.answer, rel=5e-3)
    noise = asked.mechanism(level)
    assert scale == pytest.approx(noise.scale, rel=5e-3)
    last = [sensitivity, level] if noise.slug == "laplace" else [noise.mean_absolute_error()]
    assert numbers_in(wide[2][2])[-len(last) :] == pytest.approx(last, rel=5e-3)
    drawn = CountingExperiment(noise, asked.question.answer, column.n, seed=asked.seed).run().releases[0]
    assert release == pytest.approx(drawn, rel=5e-4)


@pytest.mark.parametrize("asked", REPORTED, ids=lambda asked: asked.question.verb)
@pytest.mark.parametrize("level", LEVELS)
def test_without_a_curator_the_boxes_hold_people_level_reports_and_the_estimate(asked: Counting, level: float) -> None:
    wide, tall = boxes(asked, level, Look(), why="why local")
    assert wide == tall
    (people,), (alpha,), (reports,), (estimate,) = (numbers_in(number) for _, number, _ in wide)
    assert people == reports == built_in(asked.question.table.name).n
    assert alpha == pytest.approx(level)
    assert estimate == pytest.approx(asked.experiment(level).run().releases[0], rel=5e-4)
    assert numbers_in(wide[-1][-1]) == pytest.approx([asked.reported(level).mean_absolute_error()], rel=5e-3)


@pytest.mark.parametrize("language", languages())
def test_a_hidden_answer_is_a_question_mark_and_the_noise_stays(language: str) -> None:
    """A truth is hidden alone, as on paper; while a room predicts, everything is that the view does not tell."""
    asked, expected = SINGLE[0], {"paper": ["2584", "?", "10", "909"], "room": ["?", "?", "?", "?"]}
    for where, look in (("paper", Look(truth=False, asks=False)), ("room", Look(truth=False))):
        for copy in boxes(asked, 0.1, look, language):
            found = [
                re.sub(r"[^\d?.,]", "", scenes.neutral(number.replace("؟", "?"), language)) for _, number, _ in copy
            ]
            assert [part.split(".")[0] for part in found] == expected[where]
            assert not any(882 in numbers_in(text, language) for box in copy for text in box)


@pytest.mark.parametrize("language", languages())
def test_no_text_is_wider_than_its_box(language: str) -> None:
    """A letter of Source Sans is about half its size wide on average, and a box 210 wide."""
    for asked in (*SINGLE, *REPORTED):
        page, why = declared("counting"), "why" if asked.curated() else "why local"
        words = catalogue_of(language).words("counting", "explained", said(asked, 0.01, Look(), "ten"))
        assert page.explained is not None
        for size, text in re.findall(r'font-size="([\d.]+)"[^>]*>([^<]*)<', page.explained(why, Look(), words)):
            assert 0.52 * float(size) * len(re.sub("[\u200c\u2066-\u2069]", "", text)) <= 210, text


@pytest.mark.parametrize("dark", [False, True])
def test_it_is_drawn_in_the_colors_of_its_page(dark: bool) -> None:
    page, look = declared("counting"), Look(dark=dark)
    words = catalogue_of("en").words("counting", "explained", said(SINGLE[0], 0.1, look))
    assert page.explained is not None
    colors = set(re.findall(r'(?:fill|stroke)="(#\w+)"', page.explained("why", look, words)))
    assert {look.ink, look.paper, look.accent} <= colors
    assert not {Look(dark=not dark).ink, Look(dark=not dark).accent} & colors


def test_nothing_is_drawn_above_a_formula_of_anything_but_one_release() -> None:
    page, words = declared("counting"), catalogue_of("en").words("counting", "explained", said(SINGLE[0], 0.1, Look()))
    assert page.explained is not None
    keys = [key for key in catalogue_of("en").keys("counting") if key.split()[0] == "why"]
    drawn = {key for key in keys if page.explained(key, Look(), words)}
    alone = "why local", "why local number"
    assert drawn == {key for key in keys if key in ("why", *alone, *(f"why {noise}" for noise in noises(True)))}
    assert {"why", "why gauss"} <= drawn and {"why ratio", "why ratio gauss", "why records"} <= {*keys} - drawn
