"""The first screen: question, answer, views, the whole figure and the handle, on every screen, in every view.

A tab stays open on each screen, and each view is chosen once on it: as the window is, and with text of 120 %. On the
laptop the window also takes the tablet's size, larger text there is in dark colors, axe reads both, the quick drawings
are compared with whole ones, and at last the handle is let go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from tests.browser.boxes import faults, measured, share
from tests.browser.quickly import drawn_wrongly
from tests.browser.reading import LABELS, LINK, handle, look_at, opened, place_of, views_of
from tests.browser.walking import LARGER, SCREENS, SLUGS, USUAL, resized
from tests.scenes import declared
from tools.browsing import axe_violations, settled, without_sideways_scrolling

SHARES = {"laptop": 0.45, "projector": 0.5, "phone": 0.36, "tablet": 0.45}  # of the height, that the figure takes
STAGED = [slug for slug in SLUGS if declared(slug).on_stage]
OF_A_VIEW = (".ldp-stage", ".st-key-settings")  # what another view brings along; the rest of a page stays
SAME = "document.querySelector('.ldp-figure').mark = 'the same'"
IS_SAME = "document.querySelector('.ldp-figure').mark === 'the same'"


@dataclass(frozen=True)
class Look:
    """How a view is looked at: in which window, with text how large, in which colors; whether axe reads it then.

    With `quick`, what is drawn quickly is compared with what is drawn whole.
    """

    window: str
    times: float
    dark: bool = False
    read: bool = False
    quick: bool = False

    def __str__(self) -> str:
        """How a red line says it."""
        return f"on a {self.window} at {self.times:.0%}{' in dark colors' * self.dark}"


LOOKS = {  # of each screen, from one end to the other and back: a window that is one pixel narrower has the larger text
    "laptop": (
        Look("laptop", USUAL, read=True, quick=True),
        Look("tablet", USUAL),
        Look("tablet", LARGER, dark=True),
        Look("laptop", LARGER, dark=True, read=True),
    ),
    "projector": (Look("projector", USUAL), Look("projector", LARGER)),
    "phone": (Look("phone", USUAL), Look("phone", LARGER)),
}

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


def wrong(page: Page, screen: str, times: float) -> list[str]:
    """What of the view that is shown stands wrongly in a window of this size, with text of this size."""
    width, height = int(SCREENS[screen]["width"]), int(SCREENS[screen]["height"])
    page.get_by_test_id("stMain").evaluate("node => node.scrollTo({ top: 0 })")
    parts = measured(page)
    wrongs = list(faults(parts, width, height))
    if times == USUAL and any(part.kind == "plot" for part in parts) and share(parts, height) < SHARES[screen] - 0.005:
        wrongs.append(f"the figure takes {share(parts, height):.0%} of the height")
    without_sideways_scrolling(page)
    return wrongs


def read_wrongly(page: Page, *, whole: bool, dark: bool) -> list[str]:
    """What axe finds on the whole page, or in what another view brings along; in dark colors, its contrasts."""
    return axe_violations(page) if whole else axe_violations(page, OF_A_VIEW, colors_alone=dark)


def seen_wrongly(page: Page, name: str, looks: tuple[Look, ...], *, first: bool) -> list[str]:
    """What is wrong with the view of a name in each of these looks, in the last of which it stays."""
    wrongs = []
    for look in looks:
        resized(page, look.window, look.times, dark=look.dark)
        found = wrong(page, look.window, look.times)
        found += read_wrongly(page, whole=first, dark=look.dark) if look.read else []
        wrongs += [f"{name} {look}: {each}" for each in found]
        if look.quick:
            wrongs += drawn_wrongly(page, name, first=first)
    return wrongs


def let_go(page: Page) -> list[str]:
    """What moved or flickered when the handle was let go where it had been for a moment."""
    page.wait_for_function("() => document.querySelector('.ldp-stage').stage.scenes.size > 1")
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
    seen: list[str] = page.evaluate("watched.seen")
    return [f"moved when the handle was let go: {each}" for each in seen[1:]]


@pytest.mark.parametrize("slug", STAGED)
@pytest.mark.parametrize("screen", LOOKS)
def test_every_view_stands_whole_on_the_first_screen_and_everybody_can_read_it(
    tab: Callable[[str, str], Page], slug: str, screen: str
) -> None:
    page, looks = tab(screen, slug), LOOKS[screen]
    page.evaluate(SAME)
    wrongs: list[str] = []
    first, *others = views_of(page)
    for view in (*others, first):  # each begins as the one before has ended
        wrongs += seen_wrongly(look_at(page, view), f"{slug}/{view}", looks, first=view == first)
        looks = looks[::-1]
    if screen == "laptop":
        resized(page, screen, USUAL)
        wrongs += let_go(page)
        page.get_by_role("button", name=LABELS["app"]["reset"]).click()
        page.wait_for_url(lambda url: "epsilon" not in url)
    assert page.evaluate(IS_SAME)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not wrongs, "\n".join(wrongs)


def test_a_tablet_that_arrives_is_laid_out_as_one_that_was_turned(visit: Callable[..., Page]) -> None:
    page = opened(visit(**SCREENS["tablet"]), LINK)
    assert not wrong(page, "tablet", USUAL)
    assert not wrong(resized(page, "tablet", LARGER), "tablet", LARGER)
