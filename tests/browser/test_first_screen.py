"""The first screen: question, answer, views, the whole figure and the handle, on every screen, in every view."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from explorer.navigation import entries
from tests.browser.reading import address, look_at, opened, views_of
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


def whole(page: Page, height: int, where: str) -> list[str]:
    """What of the first screen is not on it, or is cut."""
    settled(page).get_by_test_id("stMain").evaluate("node => node.scrollTo({ top: 0 })")
    below = [
        f"{where}: {part['selector']} ends at {part['bottom']:.0f} of {height}"
        for part in page.evaluate(PARTS)
        if part["bottom"] > height + 1
    ]
    return below + [f"{where}: {text!r} is cut" for text in page.evaluate(CUT)]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("slug", STAGED)
def test_every_view_stands_whole_on_the_first_screen(visit: Callable[..., Page], slug: str, screen: str) -> None:
    size = SCREENS[screen]
    page = opened(visit(**size), address(slug, **({"lecture": "true"} if screen == "projector" else {})))
    faults: list[str] = []
    for view in (offered := views_of(page)):
        look_at(page, view)
        faults += whole(page, int(size["height"]), f"{slug}/{view} on a {screen}")
        without_sideways_scrolling(page)
    if screen == "laptop":  # and the first one with larger text
        look_at(page, offered[0]).add_style_tag(content=ENLARGED)
        page.set_viewport_size({"width": 1440, "height": 901})
        faults += whole(page, 901, f"{slug}/{offered[0]} with larger text")
    assert not faults, "\n".join(faults)
