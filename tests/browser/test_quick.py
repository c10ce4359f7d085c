"""What a quick drawing leaves as it was, and where nothing is drawn quickly.

Quick drawings of all views are compared with whole ones in `test_walks.py`, by day those of a third of the pages.
"""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.reading import address, chart, handle, opened
from tools.browsing import settled

QUICKLY = "[...window.ldpStages.stages.values()][0].picture.quickly"


def test_what_is_hovered_says_the_numbers_that_stand_there(page: Page) -> None:
    opened(page, address("trust"))
    plot = page.locator(".ldp-figure .nsewdrag").first.bounding_box()
    assert plot is not None
    page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + plot["height"] / 2)
    label = page.locator(".ldp-figure .hoverlayer .hovertext").first
    before = label.text_content()
    handle(page).press("ArrowLeft")
    page.wait_for_url("**epsilon=**")
    assert page.evaluate(QUICKLY)
    while_still = label.text_content()
    page.mouse.move(plot["x"] + 4, plot["y"] + 4)
    page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + plot["height"] / 2)
    assert before != while_still == label.text_content()


def test_another_plotly_than_the_tested_one_or_one_without_its_parts_draws_all_whole(page: Page) -> None:
    opened(page, address("trust"))
    tested = page.evaluate("window.Plotly.version")
    for version, quick in ((f"{tested}.1", False), ("", False), (tested, True)):
        page.evaluate("version => { window.Plotly.version = version }", version)
        before, link = chart(page), page.url
        handle(page).press("ArrowRight")
        page.wait_for_function("link => location.href !== link", arg=link)
        assert chart(page) != before
        assert settled(page).evaluate(QUICKLY) is quick, version
    page.evaluate("document.querySelector('.ldp-figure')._fullLayout._basePlotModules = [{ plot: null }]")
    for key in ("ArrowRight", "ArrowRight"):
        before, link = chart(page), page.url
        handle(page).press(key)
        page.wait_for_function("link => location.href !== link", arg=link)
        assert chart(page) != before
        assert not settled(page).evaluate(QUICKLY)
