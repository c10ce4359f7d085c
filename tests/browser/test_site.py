"""The project's home page: every page of it opens from a folder, without a network, and its handle moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.exercises import PAGE, exercise
from explorer.ui.opening import opened
from explorer.ui.travel import states
from tests.rationing import ALL
from tests.scenes import ENDS
from tools import site
from tools.browsing import axe_violations

# A handle's picture is painted in the next frame: the one after has it.
PAINTED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
CARDS = [view for _, views in site.gallery() for view in views]
SOME = ("overview-ratio", "counting-one")  # by day; at night every view


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, by day with a few views at a few stops."""
    made = tmp_path_factory.mktemp("site")
    every = list(site.gallery())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(states, "all_stops", lambda level: tuple(sorted({*ENDS, level})))
        if not ALL:
            few = [(page, [view for view in views if view.file[:-5] in SOME]) for page, views in every]
            patched.setattr(site, "gallery", lambda: iter([(page, views) for page, views in few if views]))
            patched.setattr(site, "TOURS", ("five",))
        patched.setattr(site, "DOCS", made / "nothing")
        site.write(made)
    return made


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A window without a network, whose complaints fail the test."""
    window = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    tab, said = window.new_page(), []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("pageerror", lambda error: said.append(str(error)))
    yield tab
    window.close()
    assert not said


def test_every_view_of_every_page_is_in_the_gallery() -> None:
    listed = {view.file for view in CARDS}
    assert len(listed) > 70 and {f"{each}.html" for each in SOME} <= listed


def test_every_card_of_the_gallery_opens_its_view() -> None:
    """By day one card of each page, and of the exercises one of each topic."""
    cards = {(view.page, exercise(view.slug).topic if view.page == PAGE else ""): view for view in CARDS}
    for view in CARDS if ALL else cards.values():
        seen = opened(view.link, site.SPOKEN)
        assert (seen.viewed.view.slug, seen.complaints) == (view.slug, ()), view.link


def test_every_page_of_the_site_opens_and_moves(folder: Path, page: Page) -> None:
    """Each view stands as its card says, with its answer, and another answer or picture at the handle's other end."""
    for file in sorted(folder.rglob("*.html")):
        if file.name == "index.html":
            continue
        page.goto(file.as_uri())
        expect(page.locator(".ldp-answer")).not_to_be_empty()
        handle = page.get_by_role("slider").first
        if not handle.is_visible():  # nothing moves it
            continue
        states_of = []
        for key in ("Home", "End"):
            handle.press(key)
            page.evaluate(PAINTED)
            states_of.append(page.locator(".ldp-stage").inner_html())
        assert states_of[0] != states_of[1], file.name


def test_the_home_page_leads_to_its_parts(folder: Path, page: Page) -> None:
    page.goto((folder / "index.html").as_uri())
    links = page.locator("a[href]").evaluate_all("all => all.map(each => each.getAttribute('href'))")
    assert "five.html" in links and all((folder / link).is_file() for link in links)
    pictures = page.locator("img").evaluate_all("all => all.map(each => each.getAttribute('src'))")
    assert all((folder / each).is_file() for each in pictures)
    expect(page.frame_locator("iframe").locator(".ldp-answer")).not_to_be_empty()
    page.locator("iframe").evaluate("frame => frame.remove()")  # axe may not look into a frame from the disk
    assert not axe_violations(page)
    text = (folder / "index.html").read_text("utf-8")
    assert not re.search(r"https?://", text) and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
