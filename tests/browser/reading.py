"""What the browser tests read off a page, and the few ways in which they move it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from explorer.navigation import DEFAULT
from explorer.text import listing
from tools.browsing import settled

LABELS = listing("labels")
LINK = "/counting?data=clinic&epsilon=0.3&counting_seed=7"
THUMB = 13  # half of the handle, in pixels
VIEWS = """() => [...document.querySelectorAll(".ldp-stage .ldp-views button[value]")]
  .map(each => each.value).filter(Boolean)"""


def address(slug: str, **parameters: str) -> str:
    """A page's own address; the overview is the root."""
    return ("/" if slug == DEFAULT else f"/{slug}") + (f"?{urlencode(parameters)}" if parameters else "")


def opened(page: Page, link: str = LINK) -> Page:
    """The page once it stands."""
    page.goto(link)
    expect(page.locator(".ldp-keys[aria-label]")).to_be_attached()  # they are the last to come
    return settled(page)


def main_text(page: Page) -> str:
    """Everything that the page says."""
    return settled(page).get_by_test_id("stMain").inner_text()


def answer(page: Page) -> Locator:
    """The sentence that answers the question, at the top of the stage."""
    return page.locator(".ldp-stage .ldp-answer")


def handle(page: Page) -> Locator:
    """The handle of the stage."""
    return page.locator(".ldp-stage input[type=range]")


def place_of(page: Page, stop: int) -> tuple[float, float]:
    """Where the handle's middle stands at a stop."""
    box, last = handle(page).bounding_box(), int(handle(page).get_attribute("max") or 0)
    assert box is not None
    return box["x"] + THUMB + (box["width"] - 2 * THUMB) * stop / last, box["y"] + box["height"] / 2


def chart(page: Page) -> list[list[Any]]:
    """The x and then the y values of every trace on screen."""
    settled(page)
    found: list[list[Any]] = page.evaluate(
        "[...document.querySelector('.ldp-figure')._fullData].map(({ x, y }) => [...x ?? [], ...y ?? []])"
    )
    return found


def names(page: Page) -> list[str]:
    """The names of the traces on screen."""
    found: list[str] = settled(page).evaluate(
        "document.querySelector('.ldp-figure').data.map(trace => trace.name ?? '')"
    )
    return found


def views_of(page: Page) -> list[str]:
    """The slugs of all views that the page offers, those behind the menu too."""
    found: list[str] = page.evaluate(VIEWS)
    return found


def view(page: Page, slug: str) -> Locator:
    """A view's button in the row."""
    return page.locator(f".ldp-views-row button[value='{slug}']")


def look_at(page: Page, slug: str) -> Page:
    """The page after another view was chosen, in the row or in the menu; the present one stays."""
    if page.locator(f".ldp-views button[value='{slug}'][aria-checked=true]").count():
        return settled(page)
    if not view(page, slug).count():
        page.locator(".ldp-views .ldp-menued > button").click()
    page.locator(f".ldp-views button[value='{slug}']").click()
    return settled(page)


def folded(page: Page, name: str) -> Page:
    """The page with what stands below the figure opened or closed."""
    page.locator("[class*='_below'] button").filter(has_text=LABELS["frame"][name]).click()
    return settled(page)


def link(page: Page) -> str:
    """The link that the page offers, once what can be taken along is open."""
    return page.get_by_test_id("stCode").first.inner_text().replace("\n", "").strip()


def pressed(page: Page, *keys: str) -> Page:
    """The page after keys, one by one."""
    for key in keys:
        page.keyboard.press(key)
        settled(page)
    return page
