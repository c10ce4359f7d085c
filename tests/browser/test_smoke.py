"""Every page in a real browser: it opens without complaint, can be read by everybody, and fits a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import DEFAULT, Entry, entries
from tools.browsing import axe_violations, settled, without_sideways_scrolling

EACH_PAGE = pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.slug)


def opened(page: Page, entry: Entry) -> Page:
    """The page of an entry, settled, with its question as title and no error box; the overview is the root."""
    page.goto("/" if entry.slug == DEFAULT else f"/{entry.slug}")
    expect(page.get_by_role("heading", level=1)).to_have_text(entry.question(), timeout=20_000)
    settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    return page


@EACH_PAGE
def test_page_opens_with_its_question_and_can_be_read_by_everybody_in_light_and_dark(page: Page, entry: Entry) -> None:
    assert axe_violations(opened(page, entry)) == []
    page.emulate_media(color_scheme="dark")
    assert axe_violations(opened(page, entry)) == []  # opened again: the figures take their colors from the visit


@EACH_PAGE
def test_page_fits_a_phone(phone: Page, entry: Entry) -> None:
    without_sideways_scrolling(opened(phone, entry))
