"""Data, mechanism and level; noisy counts, their error and their average: on one screen, in two actions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from explorer.facts.naming import title_of
from explorer.settings.noises import LAPLACE, noises, randomizers
from explorer.text.catalogue import catalogue_of
from tests.browser.reading import LABELS, QUESTIONS, answer, names
from tests.browser.walking import NAMES
from tests.rationing import shared
from tools.browsing import settled

ENGLISH = catalogue_of("en")
CURATED = {slug: ENGLISH.write(title_of(slug)) for slug in noises(True)}
ALONE = {slug: ENGLISH.label("without_curator", "counting", {"name": title_of(slug)}) for slug in randomizers("count")}
CHOSEN = {slug: (title,) if slug != LAPLACE.slug else () for slug, title in (CURATED | ALONE).items()}


def shown(slug: str) -> set[str]:
    """The names of noisy counts, of their error and of their running mean."""
    drawn = "estimated" if slug in ALONE else "released"
    return {f"{drawn} (arrows: beyond the picture)", "off on average", "running mean"}


@pytest.mark.parametrize("slug", shared(CHOSEN, 5, 4))
def test_everything_that_the_project_was_asked_for_is_two_actions_from_its_first_page(page: Page, slug: str) -> None:
    """By day with a randomizer, which takes both actions; the noise that the page has at first takes one."""
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS["overview"])
    settled(page)
    actions = list[Callable[[], None]]()
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=NAMES["counting"], exact=True)
    actions.append(link.click)
    for title in CHOSEN[slug]:

        def choose(title: str = title) -> None:
            page.get_by_role("combobox", name=LABELS["parameters"]["mechanism"]).click()
            page.get_by_role("option", name=title, exact=True).click()

        actions.append(choose)
    assert len(actions) <= 2
    for act in actions:
        act()
        expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS["counting"])
        settled(page)
    assert shown(slug) <= set(names(page))
    expect(page.get_by_text(f"Privacy level {'α' if slug in ALONE else 'ε'}", exact=False).first).to_be_visible()
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
