"""Pages without a stage in a real browser: open without complaint, read by everybody, fit for a phone.

The others are visited view by view: see `test_first_screen.py`.
"""

from __future__ import annotations

from itertools import combinations

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import Entry, entries
from tests.browser.reading import address, opened
from tests.scenes import declared
from tools.browsing import axe_violations, settled, without_sideways_scrolling

WITHOUT_STAGE = [entry for entry in entries() if not declared(entry.slug).on_stage]
EACH_PAGE = pytest.mark.parametrize("entry", WITHOUT_STAGE, ids=lambda entry: entry.slug)


def found(page: Page, entry: Entry, **parameters: str) -> Page:
    """The page of an entry, with its question as title and no error box; the overview is the root."""
    opened(page, address(entry.slug, **parameters))
    expect(page.get_by_role("heading", level=1)).to_have_text(entry.question())
    expect(page.get_by_test_id("stException")).to_have_count(0)
    return page


@EACH_PAGE
def test_page_opens_with_its_question_and_can_be_read_by_everybody_in_light_and_dark(page: Page, entry: Entry) -> None:
    page.emulate_media(reduced_motion="reduce")
    broken = {"light": axe_violations(found(page, entry))}
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    broken["dark"] = axe_violations(settled(page))
    assert {scheme: rules for scheme, rules in broken.items() if rules} == {}


@EACH_PAGE
def test_a_page_without_a_stage_fits_a_phone(phone: Page, entry: Entry) -> None:
    without_sideways_scrolling(found(phone, entry))


NAMES = ".ldp-ratio :is(.people > span, .ticks > span, .tells > span)"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_names_in_the_first_picture_stand_apart_on_a_phone(phone: Page, language: str) -> None:
    opened(phone, address("overview", lang=language))
    for size in ("100%", "120%"):
        phone.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        phone.set_viewport_size({"width": 391 if size == "120%" else 390, "height": 844})
        boxes = [text.bounding_box() for text in settled(phone).locator(NAMES).all()]
        assert len(boxes) == 7
        for one, other in combinations([box for box in boxes if box], 2):
            beside = max(one["x"], other["x"]) >= min(one["x"] + one["width"], other["x"] + other["width"])
            below = max(one["y"], other["y"]) >= min(one["y"] + one["height"], other["y"] + other["height"]) - 3
            assert beside or below, (size, one, other)
        assert all(box and box["x"] + box["width"] <= 391 for box in boxes), (size, boxes)
