"""Every page in a real browser: it opens without complaint, can be read by everybody, and fits a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import Entry, entries
from tests.browser.reading import address, look_at, opened, views_of
from tests.scenes import declared
from tools.browsing import axe_violations, settled, without_sideways_scrolling

EACH_PAGE = pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.slug)
WITHOUT_STAGE = [entry for entry in entries() if not declared(entry.slug).views]


def found(page: Page, entry: Entry) -> Page:
    """The page of an entry, with its question as title and no error box; the overview is the root."""
    opened(page, address(entry.slug))
    expect(page.get_by_role("heading", level=1)).to_have_text(entry.question())
    expect(page.get_by_test_id("stException")).to_have_count(0)
    return page


@EACH_PAGE
def test_page_opens_with_its_question_and_can_be_read_by_everybody_in_light_and_dark(page: Page, entry: Entry) -> None:
    broken = {"first, light": axe_violations(found(page, entry))}
    for slug in (offered := views_of(page))[len(offered) // 2 :: max(1, len(offered) // 2)][:2]:
        broken[slug] = axe_violations(look_at(page, slug))
    page.emulate_media(color_scheme="dark")
    settled(page).wait_for_timeout(300)  # the new colors fade in
    broken["dark"] = axe_violations(settled(page))
    assert {view: rules for view, rules in broken.items() if rules} == {}


@pytest.mark.parametrize("entry", WITHOUT_STAGE, ids=lambda entry: entry.slug)
def test_a_page_without_a_stage_fits_a_phone(phone: Page, entry: Entry) -> None:
    without_sideways_scrolling(found(phone, entry))  # the others: see `test_first_screen.py`
