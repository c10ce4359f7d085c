"""Data, mechanism and level; noisy counts, their error and their average: on one screen, in two actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from explorer.settings.noises import LAPLACE, noises
from tests.browser.reading import LABELS, QUESTIONS, answer, names
from tests.browser.walking import NAMES
from tools.browsing import settled

SHOWN = ("released (arrows: beyond the picture)", "off on average", "running mean")
CHOSEN = {slug: () if slug == LAPLACE.slug else (LABELS["mechanisms"][slug]["title"],) for slug in noises(whole=True)}


@pytest.mark.parametrize("slug", CHOSEN)
def test_everything_that_the_project_was_asked_for_is_two_actions_from_its_first_page(page: Page, slug: str) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS["overview"])
    settled(page)
    actions = list[Callable[[], None]]()
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=NAMES["counting"], exact=True)
    actions.append(link.click)
    for title in CHOSEN[slug]:

        def choose(title: str = title) -> None:
            page.get_by_role("combobox", name=LABELS["parameters"]["mechanism"]).click()
            page.get_by_role("option", name=title).click()

        actions.append(choose)
    assert len(actions) <= 2
    for act in actions:
        act()
        expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS["counting"])
        settled(page)
    assert set(SHOWN) <= set(names(page))
    expect(answer(page)).to_contain_text("is off by")
    bottom = page.evaluate("innerHeight")
    for part in (
        page.get_by_role("combobox", name=LABELS["parameters"]["data"]),
        page.get_by_role("combobox", name=LABELS["parameters"]["mechanism"]),
        page.get_by_role("slider").last,
        answer(page),
    ):
        box = part.bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= bottom
