"""The first screen: question, answer, views, the whole figure and the handle, on every screen, in every view.

Each view is visited once on each screen: as the window is, and with text of 120 %; on the laptop that is in dark colors
too, and both are read by axe.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import entries
from tests.browser.boxes import faults, measured, share
from tests.browser.reading import QUESTIONS, address, handle, look_at, opened, place_of, views_of
from tests.scenes import declared
from tools.browsing import axe_violations, settled, without_sideways_scrolling

SCREENS = {
    "laptop": {"width": 1440, "height": 900},
    "projector": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844, "touch": True},
    "tablet": {"width": 1024, "height": 768},
}
SHARES = {"laptop": 0.45, "projector": 0.5, "phone": 0.36, "tablet": 0.45}  # of the height, that the figure takes
STAGED = [entry.slug for entry in entries() if declared(entry.slug).on_stage]
USUAL, LARGER = 1.0, 1.2  # the size of text; a window that is one pixel narrower is laid out anew with it

ENLARGED = """times => {
  const root = document.documentElement
  root.style.fontSize = ""
  if (times !== 1) root.style.fontSize = `${times * parseFloat(getComputedStyle(root).fontSize)}px`
}"""

WATCHED = """() => {
  const stage = document.querySelector(".ldp-stage"), figure = stage.querySelector(".ldp-figure")
  const parts = [document.querySelector("h1"), ...stage.querySelectorAll(":is(.ldp-answer, .ldp-views, .ldp-title, "
    + ".ldp-figure, .ldp-which, .ldp-note, .ldp-stops, input[type=range])")]
  const seen = () => JSON.stringify([figure.mark, parts.map(part => part.isConnected && part.getClientRects().length
    && Object.values(part.getBoundingClientRect().toJSON()).map(Math.round)),
    stage.querySelector(".ldp-answer").innerText, Boolean(stage.querySelector(".ldp-stale"))])
  const watch = window.watched = { seen: [seen()], on: true }
  const look = () => {
    if (seen() !== watch.seen.at(-1)) watch.seen.push(seen())
    if (watch.on) requestAnimationFrame(look)
  }
  look()
}"""


def resized(page: Page, screen: str, times: float) -> Page:
    """The page with text so many times its usual size; on the laptop, larger text is also in dark colors."""
    size = SCREENS[screen]
    page.evaluate(ENLARGED, times)
    page.set_viewport_size({"width": size["width"] - (times == LARGER), "height": size["height"]})
    if screen == "laptop":
        page.emulate_media(color_scheme="dark" if times == LARGER else "light", reduced_motion="reduce")
    return settled(page)


def wrong(page: Page, screen: str, times: float) -> list[str]:
    """What is wrong with the view that is shown, with text of this size."""
    width, height = SCREENS[screen]["width"], SCREENS[screen]["height"]
    page.get_by_test_id("stMain").evaluate("node => node.scrollTo({ top: 0 })")
    parts = measured(page)
    wrongs = list(faults(parts, width, height))
    if times == USUAL and any(part.kind == "plot" for part in parts) and share(parts, height) < SHARES[screen] - 0.005:
        wrongs.append(f"the figure takes {share(parts, height):.0%} of the height")
    if screen == "laptop":
        wrongs += axe_violations(page)
    without_sideways_scrolling(page)
    return [f"at {times:.0%}: {each}" for each in wrongs]


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("slug", STAGED)
def test_every_view_stands_whole_on_the_first_screen_and_everybody_can_read_it(
    visit: Callable[..., Page], slug: str, screen: str
) -> None:
    page = opened(visit(**SCREENS[screen]), address(slug, **({"lecture": "true"} if screen == "projector" else {})))
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS[slug])
    page.evaluate("document.querySelector('.ldp-figure').mark = 'the same'")
    times, wrongs = USUAL, []
    for view in views_of(page):  # each begins in the size of text in which the one before has ended
        wrongs += [f"{slug}/{view} on a {screen} {each}" for each in wrong(look_at(page, view), screen, times)]
        times = USUAL + LARGER - times
        resized(page, screen, times)
        wrongs += [f"{slug}/{view} on a {screen} {each}" for each in wrong(page, screen, times)]
    assert page.evaluate("document.querySelector('.ldp-figure').mark") == "the same"
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not wrongs, "\n".join(wrongs)


@pytest.mark.parametrize("slug", STAGED)
def test_nothing_moves_or_flickers_when_the_handle_is_let_go(page: Page, slug: str) -> None:
    opened(page, address(slug))
    page.evaluate("document.querySelector('.ldp-figure').mark = 'the same'")
    page.wait_for_function("() => window.ldpStages.strips.size > 0")
    stop = int(handle(page).input_value())
    page.mouse.move(*place_of(page, stop))
    page.mouse.down()
    for step in (stop + 4, stop + 1):
        page.mouse.move(*place_of(page, step))
    page.wait_for_timeout(300)  # a picture takes its time on a busy machine
    page.evaluate(WATCHED)
    page.mouse.up()
    page.wait_for_url("**epsilon=**")
    settled(page)
    page.evaluate("watched.on = false")
    seen = page.evaluate("watched.seen")
    assert len(seen) == 1, "\n".join(seen)
    assert "the same" in seen[0]
