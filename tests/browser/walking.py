"""A reader on each screen whose tab stays open while tests turn its pages, as a reader turns them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from explorer.navigation import DEFAULT, entries
from tests.browser.reading import QUESTIONS, address, look_at, opened, views_of
from tests.scenes import declared
from tools.browsing import colored, settled

SLUGS = [entry.slug for entry in entries()]
NAMES = {entry.slug: entry.name() for entry in entries()}
SCREENS = {
    "laptop": {"width": 1440, "height": 900},
    "projector": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844, "touch": True},
    "tablet": {"width": 1024, "height": 768},
    "hall": {"width": 1920, "height": 1080},
    "wall": {"width": 2560, "height": 1440},
    "turned": {"width": 844, "height": 390, "touch": True},
}
LECTURE = "projector"  # whose pages are those of a lecture
USUAL, LARGER = 1.0, 1.2  # the size of text
ENLARGED = """times => {
  const root = document.documentElement
  root.style.fontSize = ""
  if (times !== 1) root.style.fontSize = `${times * parseFloat(getComputedStyle(root).fontSize)}px`
}"""


@dataclass
class Tab:
    """One open tab: its page, the slug that it shows, and how it is closed."""

    page: Page
    slug: str
    closing: ExitStack


class Tabs:
    """The open tabs of a worker, one for each screen; `arrive` opens a window for a new visitor on a screen."""

    def __init__(self, arrive: Callable[..., AbstractContextManager[Page]]) -> None:
        self.arrive, self.complaints, self.open = arrive, list[str](), dict[str, Tab]()

    def at(self, screen: str, slug: str) -> Page:
        """The page of a slug on a screen: turned to where a tab is open, loaded where there is none."""
        tab = self.open.get(screen) or self._opened(screen, slug)
        if tab.slug != slug:
            _turned(tab, screen, slug)
            tab.slug = slug
        expect(tab.page.get_by_role("heading", level=1)).to_have_text(QUESTIONS[slug])
        return settled(tab.page)

    def close(self) -> None:
        """Close every tab: the next test finds new visitors."""
        for tab in self.open.values():
            tab.closing.close()
        self.open.clear()
        self.complaints.clear()

    def _opened(self, screen: str, slug: str) -> Tab:
        closing = ExitStack()
        page = closing.enter_context(self.arrive(self.complaints, SCREENS[screen]))
        tab = self.open[screen] = Tab(page, slug, closing)
        opened(page, _address(screen, slug))
        return tab


def _address(screen: str, slug: str) -> str:
    return address(slug, **({"lecture": "true"} if screen == LECTURE else {}))


def _turned(tab: Tab, screen: str, slug: str) -> None:
    """Turn to a page: by the list of pages, which a phone opens first; in a lecture from the last view to the next."""
    page, touch = tab.page, "touch" in SCREENS[screen]
    if screen != LECTURE:
        if touch:
            page.get_by_test_id("stExpandSidebarButton").tap()
        link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=NAMES[slug], exact=True)
        link.tap() if touch else link.click()
    elif SLUGS.index(slug) == SLUGS.index(tab.slug) + 1:
        for last in told(page, tab.slug)[-1:]:
            look_at(page, last)
        page.keyboard.press("PageDown")
    else:
        opened(page, _address(screen, slug))
    page.wait_for_url(lambda url: _shown(url) == slug)


def told(page: Page, slug: str) -> list[str]:
    """The views through which the presenter's keys lead on a page."""
    return [view for view in views_of(page) if declared(slug).views[view].first]


def _shown(url: str) -> str:
    """The slug of the page that an address leads to."""
    return url.partition("?")[0].rstrip("/").rpartition("/")[2].partition(":")[0] if _deep(url) else DEFAULT


def _deep(url: str) -> bool:
    return url.partition("?")[0].rstrip("/").count("/") > 2


def resized(page: Page, screen: str, times: float, *, dark: bool = False) -> Page:
    """The page in the size of another screen, with text so many times its usual size.

    A window that is one pixel narrower is laid out anew with the larger text.
    """
    size = SCREENS[screen]
    page.evaluate(ENLARGED, times)
    page.set_viewport_size({"width": int(size["width"]) - (times == LARGER), "height": int(size["height"])})
    return colored(page, dark=dark)
