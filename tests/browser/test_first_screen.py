"""The first screen: question, answer, views, the whole figure and the handle, on every screen, in every view."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import DEFAULT, entries
from tests.scenes import declared
from tools.browsing import settled, without_sideways_scrolling

SCREENS = {
    "laptop": {"width": 1440, "height": 900},
    "projector": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844, "touch": True},
    "tablet": {"width": 1024, "height": 768},
}
STAGED = [entry.slug for entry in entries() if declared(entry.slug).views]
ENLARGED = "html { font-size: 120% !important }"

PARTS = """() => {
  const box = selector => {
    const found = [...document.querySelectorAll(selector)].filter(each => each.getClientRects().length)
    return found.map(each => {
      const { top, bottom, left, right } = each.getBoundingClientRect()
      return { selector, top, bottom, left, right }
    })
  }
  const stage = [".ldp-answer", ".ldp-views", ".ldp-box", ".ldp-stops"].flatMap(part => box(`.ldp-stage ${part}`))
  return [...box("h1"), ...stage]
}"""

CUT = """() => {
  const figure = document.querySelector(".ldp-stage .ldp-figure:not([hidden])")
  if (!figure) return []
  const frame = figure.getBoundingClientRect()
  const titles = ".xtitle, .ytitle, .x2title, .y2title, .legendtext"
  return [...figure.querySelectorAll(titles)].filter(text => {
    const { left, right, top, bottom, width } = text.getBoundingClientRect()
    const aside = left < frame.left - 2 || right > frame.right + 2
    return width && (aside || top < frame.top - 2 || bottom > frame.bottom + 2)
  }).map(text => text.textContent)
}"""


def address(slug: str, **parameters: str) -> str:
    return ("/" if slug == DEFAULT else f"/{slug}") + (f"?{urlencode(parameters)}" if parameters else "")


def views_of(page: Page) -> list[str]:
    """The slugs of all views that the page offers, those behind the menu too."""
    return page.evaluate("[...document.querySelectorAll('.ldp-stage .ldp-views [value], .ldp-stage .ldp-menu [value]')]"
                         ".map(each => each.value).filter(slug => slug && !['png', 'svg'].includes(slug))")  # fmt: skip


def whole(page: Page, height: int, where: str) -> list[str]:
    """What of the first screen is not on it, or is cut."""
    settled(page)
    below = [f"{where}: {part['selector']} ends at {part['bottom']:.0f} of {height}" for part in page.evaluate(PARTS)
             if part["bottom"] > height + 1]  # fmt: skip
    return below + [f"{where}: {text!r} is cut" for text in page.evaluate(CUT)]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("slug", STAGED)
def test_every_view_stands_whole_on_the_first_screen(visit: Callable[..., Page], slug: str, screen: str) -> None:
    size = SCREENS[screen]
    page = visit(**size)
    room = {"lecture": "true"} if screen == "projector" else {}
    page.goto(address(slug, **room))
    expect(page.locator(".ldp-stage .ldp-answer")).not_to_be_empty()
    faults: list[str] = []
    for view in views_of(settled(page)):
        page.goto(address(slug, **room, **{f"{slug}_tab": view}))
        expect(page.locator(".ldp-stage .ldp-answer")).not_to_be_empty()
        faults += whole(page, int(size["height"]), f"{slug}/{view} on a {screen}")
        without_sideways_scrolling(page)
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("slug", STAGED)
def test_the_first_view_stays_whole_with_larger_text(visit: Callable[..., Page], slug: str) -> None:
    page = visit(**SCREENS["laptop"])
    page.goto(address(slug))
    expect(page.locator(".ldp-stage .ldp-answer")).not_to_be_empty()
    page.add_style_tag(content=ENLARGED)
    page.set_viewport_size({"width": 1440, "height": 901})
    assert whole(page, 901, slug) == []
