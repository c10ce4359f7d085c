"""The overview's cards: a picture for every page, drawn from its own scene, small, and a link that leads there."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from explorer import navigation
from explorer.pages.overview import cards
from explorer.pages.overview.pictures import FOLDER, picture
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ways import ORDER, decisions, way_of
from explorer.ways.words import NOTES, table
from tools import pictures, portraits
from tools.serving import ROOT

MOST = 150_000  # bytes of all pictures, in light and dark colors
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
BARE = ("ask", "reference")  # what they show is made while they are open, or is text
PAGES = [entry.slug for entry in navigation.entries() if entry.slug not in (navigation.DEFAULT, *BARE)]


def test_every_page_with_a_stage_has_its_picture_and_every_way_one_of_them() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == {*PAGES} == {*pictures.CHOSEN}
    assert {way_of(slug).picture for slug in ORDER} <= {*PAGES}


def test_all_pictures_together_are_small() -> None:
    drawn = [picture(slug, dark) for slug in PAGES for dark in (False, True)]
    assert 50_000 < sum(len(each.encode()) for each in drawn) <= MOST, "light and dark ones"
    assert sum((FOLDER / f"{slug}.svg").stat().st_size for slug in PAGES) <= MOST


@pytest.mark.parametrize("slug", PAGES)
def test_a_picture_is_that_of_its_scene_today(slug: str) -> None:
    """Drawn anew it is the same, but for the last digit of a place."""
    kept, drawn = (FOLDER / f"{slug}.svg").read_text("utf-8"), pictures.picture(slug)
    assert NUMBER.sub("", kept) == NUMBER.sub("", drawn), "make pictures draws it anew"
    places = [np.array([float(each) for each in NUMBER.findall(text)]) for text in (kept, drawn)]
    assert np.allclose(*places, atol=0.11)


@pytest.mark.parametrize("slug", PAGES)
def test_a_picture_holds_no_word_and_no_script_and_has_one_shape_on_light_and_dark_paper(slug: str) -> None:
    light, dark = picture(slug, dark=False), picture(slug, dark=True)
    assert "<text" not in light and "href" not in light and "script" not in light and "id=" not in light
    assert light.startswith("<svg")
    assert pictures.COLOR.sub("", light) == pictures.COLOR.sub("", dark)


@pytest.mark.parametrize("portrait", portraits.PORTRAITS, ids=lambda portrait: portrait.slug)
def test_the_readme_shows_what_the_app_says_today(portrait: portraits.Portrait) -> None:
    kept = json.loads(portraits.SAID.read_text("utf-8"))
    assert kept[portrait.slug] == portraits.says(portrait), "make pictures draws it anew"
    image = f"docs/portraits/{portrait.slug}.png"
    assert image in (ROOT / "README.md").read_text("utf-8") and (ROOT / image).exists()


def test_pictures_have_colors_of_their_own_in_the_dark() -> None:
    assert sum(picture(slug, dark=False) != picture(slug, dark=True) for slug in PAGES) > len(PAGES) / 2


@pytest.mark.parametrize("language", languages())
def test_every_way_decision_and_page_is_offered_and_nothing_that_the_speaker_says(language: str) -> None:
    catalogue = catalogue_of(language)
    room = {"lecture": "true", "lang": language}
    html = cards.ways(catalogue, False, room) + cards.others(catalogue, False, room, {"epsilon": "0.3"})
    offered = {name: href for href, name in re.findall(r'<a href="([^"]+)" data-go="([^"]+)"', html)}
    names = {*(f"way-{slug}" for slug in ORDER), *(f"decision-{each.name}" for each in decisions()), cards.DECIDE}
    assert {*offered} == names | {f"page-{slug}" for slug in (*PAGES, *BARE)}
    assert offered.pop(cards.DECIDE) == "#decisions"
    assert all("lecture=true" in href and f"lang={language}" in href for href in offered.values())
    assert offered["way-lecture"] == f"./?way=lecture&amp;step=1&amp;hide=true&amp;lecture=true&amp;lang={language}"
    for slug in ORDER:
        steps = table(catalogue, slug)["steps"].values()
        assert not [text for step in steps for kind in NOTES if (text := step.get(kind)) and text in html]


def test_every_page_has_its_line() -> None:
    for language in languages():
        lines = catalogue_of(language).page("overview")["labels"]["lines"]
        assert {*lines} == {entry.slug for entry in navigation.entries()} - {navigation.DEFAULT}
