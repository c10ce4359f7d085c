"""Two worlds drawn by hand: a pointer and keys move bars, the link carries them, and everybody can read them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import until
from tools.browsing import axe_violations, settled

LINK = "/distinguish?distinguish_kind=bars&distinguish_bars_first=4|4|2&distinguish_bars_second=2|4|4"


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    found = visit()
    found.goto(LINK)
    return settled(found)


def heights(page: Page) -> list[float]:
    return [
        float(bar.get_attribute("aria-valuenow") or "nan")
        for bar in page.get_by_role("slider").all()
        if "answer" in (bar.get_attribute("aria-label") or "")
    ]


def linked(page: Page) -> tuple[str, str]:
    asked = parse_qs(urlsplit(page.url).query)
    return asked["distinguish_bars_first"][0], asked["distinguish_bars_second"][0]


def test_bars_are_painted_and_moved_by_keys_come_and_go_and_the_link_carries_them(page: Page) -> None:
    moved_by_keys(page)
    painted(page)
    come_and_gone(page)


def painted(page: Page) -> None:
    """A pointer paints across the bars."""
    assert heights(page) == [4, 4, 2, 3, 0, 4]
    box = page.get_by_role("group", name="First world").bounding_box()
    assert box is not None
    left, top, wide, high = box["x"], box["y"], box["width"], box["height"] - 2
    page.mouse.move(left + wide / 6, top + 0.1 * high)
    page.mouse.down()
    page.mouse.move(left + wide / 2, top + 0.5 * high, steps=4)
    page.mouse.up()
    settled(page)
    assert heights(page)[0] >= 8 and heights(page)[1] == 5 and heights(page)[2:] == [2, 3, 0, 4]
    assert linked(page)[0].split("|")[1:] == ["5", "2"] and linked(page)[1] == "3|0|4"


def moved_by_keys(page: Page) -> None:
    """Keys move one bar after the other, and everybody can read them."""
    assert heights(page) == [4, 4, 2, 2, 4, 4]
    bar = page.get_by_role("slider", name="Second world, answer 1")
    bar.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider", name="Second world, answer 2")).to_be_focused()
    page.keyboard.press("Home")
    until(page, lambda: linked(page) == ("4|4|2", "3|0|4"))
    settled(page)
    assert not axe_violations(page)


def come_and_gone(page: Page) -> None:
    """An answer more, and two fewer."""
    high = linked(page)[0].partition("|")[0]
    page.get_by_role("button", name="One answer more").click()
    until(page, lambda: len(heights(page)) == 8 and linked(page)[0] == f"{high}|5|2|2.5")
    settled(page).get_by_role("button", name="One answer fewer").click()
    until(page, lambda: len(heights(page)) == 6)
    settled(page).get_by_role("button", name="One answer fewer").click()
    until(page, lambda: linked(page) == (f"{high}|5", "3|0"))
    expect(page.get_by_role("button", name="One answer fewer")).to_be_disabled()
