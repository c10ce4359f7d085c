"""The presenter's page and phones in real Chromium: what leaves the phones is what the screen counts and concludes.

Three phones in every run, or as many as `LDP_EXPLORER_PHONES` says.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from explorer.poll.questions import choice, yes_or_no
from explorer.poll.rooms import Limits, Presenter, Rooms
from explorer.poll.store import RoomStore
from ldpcore.experiments.polls import RoomAnswers
from tests.rationing import shared
from tools.browsing import axe_violations, settled, without_sideways_scrolling
from tools.serving import Server

PHONES = int(os.environ.get("LDP_EXPLORER_PHONES", "3"))
CODE = re.compile("[BCDFGHJKLMNPQRSTVWXYZ]{6}")


@dataclass
class Hall:
    """The server, and the rooms that it keeps."""

    server: Server
    rooms: Rooms


@pytest.fixture(scope="module")
def hall(server: Server, database: str) -> Hall:
    return Hall(server, Rooms(RoomStore(database), Limits(joins=10**6)))


def opened(page: Page) -> str:
    """A room is opened with the example that stands there; its code."""
    settled(page)
    page.get_by_role("button", name="Open the room").click()
    code = page.locator(".ldp-door .code")
    expect(code).to_have_text(CODE)
    return code.inner_text()


def key_of(page: Page) -> Presenter:
    """The presenter's key, from the link for another device."""
    page.get_by_role("button", name="Another device").click()
    link = page.locator("[data-testid=stPopoverBody] code").inner_text()
    page.keyboard.press("Escape")
    code, _, key = link.partition("#key=")[2].partition(".")
    return Presenter(code, key)


class Audience:
    """Phones in a room, and the reports that have left them."""

    def __init__(self, browser: Browser, hall: Hall, code: str) -> None:
        self.reports: list[object] = []
        self.contexts = [self._context(browser) for _ in range(PHONES)]
        self.pages = [context.new_page() for context in self.contexts]
        for page in self.pages:
            page.on("request", self._hear)
            page.goto(f"{hall.server.url}/room/{code}")

    def _context(self, browser: Browser) -> BrowserContext:
        return browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", locale="en-US")

    def _hear(self, request: Request) -> None:
        if request.url.endswith("/report"):
            self.reports.append(json.loads(request.post_data or "")["report"])

    def answer(self) -> None:
        """Every second phone says yes, the others say no."""
        for place, page in enumerate(self.pages):
            page.get_by_role("button", name=("Yes", "No")[place % 2], exact=True).click()
            expect(page.get_by_role("status")).to_have_text("It has been counted.")

    def leave(self) -> None:
        for context in self.contexts:
            context.close()


def test_what_leaves_the_phones_is_what_the_screen_counts_and_concludes(
    hall: Hall, browser: Browser, visit: Callable[..., Page]
) -> None:
    page = visit(hall.server.url)
    page.goto("/ask")
    code = opened(page)
    assert not axe_violations(page)
    held = key_of(page)
    assert held.code == code and held.key not in page.url
    other = visit(hall.server.url)
    other.goto(f"/ask#key={held.code}.{held.key}")
    expect(other.locator(".ldp-door .code")).to_have_text(code)
    assert held.key not in other.url
    other.close()
    audience = Audience(browser, hall, code)
    audience.answer()
    counts = Counter(map(str, audience.reports))
    yes, no = counts["[0]"], counts["[1]"]
    assert yes + no == len(audience.reports) == PHONES
    expect(page.locator(".ldp-door .counts")).to_have_text(re.compile(rf"{PHONES} joined\s*{PHONES} answered"))
    expect(page.locator(".ldp-poll")).to_contain_text(f"{yes} yes, {no} no")
    current = hall.rooms.look(held).current
    assert current is not None
    assert current.rounds[-1].totals == (yes, no)
    low, high = RoomAnswers(current.asked.toss, (yes, no), PHONES).run().intervals[0]
    big = page.locator(".ldp-poll .big").inner_text().replace("\u202f", "")
    ends = [float(end) for end in re.findall(r"[\d.]+", big)]
    assert {round(ends[0]), round(ends[-1])} == {round(100 * low), round(100 * high)}
    page.get_by_role("button", name="Close", exact=True).click()
    expect(audience.pages[0].get_by_text("This round is closed.")).to_be_visible()
    expect(page.get_by_role("button", name="Ask it again")).to_be_visible()
    settled(page)
    assert not axe_violations(page)
    without_sideways_scrolling(page)
    page.get_by_role("button", name="Forget everything now").click()
    expect(audience.pages[0].get_by_text("This room has been forgotten")).to_be_visible()
    expect(page.get_by_role("button", name="Open the room")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Open the room")).to_be_visible()
    audience.leave()


def test_a_page_loaded_anew_goes_on_with_its_room_and_its_phones_follow_the_lecture(
    hall: Hall, browser: Browser, visit: Callable[..., Page]
) -> None:
    page = visit(hall.server.url, width=1280, height=720)
    page.goto("/ask?lecture=true")
    code = opened(page)
    page.reload()
    expect(page.locator(".ldp-door .code")).to_have_text(code)
    settled(page)
    page.keyboard.press("q")
    expect(page.locator(".ldp-keys .ldp-code")).to_have_text(code)
    expect(page.locator(".ldp-keys .ldp-code")).to_be_in_viewport(ratio=1)
    expect(page.locator(".ldp-keys svg")).to_be_in_viewport(ratio=1)
    page.keyboard.press("q")
    expect(page.locator(".st-key-ask_close button")).to_be_in_viewport(ratio=1)
    audience = Audience(browser, hall, code)
    phone = audience.pages[0]
    expect(phone.get_by_role("button", name="Yes", exact=True)).to_be_visible()
    page.keyboard.press("PageDown")
    expect(phone.get_by_role("link", name="Open what the screen shows")).to_have_attribute(
        "href", re.compile("/counting")
    )
    settled(page)
    page.keyboard.press("q")  # one code for the whole lecture
    expect(page.locator(".ldp-keys .ldp-code")).to_have_text(code)
    audience.leave()


def test_a_hall_sees_board_and_buttons_on_one_screen_also_after_fresh_rounds(
    hall: Hall, visit: Callable[..., Page]
) -> None:
    presenter = hall.rooms.open("4711")
    asked = choice("How did you come here today?", [f"By means number {place}" for place in range(4)], 1.1, kept=False)
    cheating = yes_or_no("Have you ever copied from somebody else in an exam?", 1.1, kept=False)
    for question, lang in ((cheating, "en"), (asked, "de")):
        hall.rooms.ask(presenter, question)
        for last in (False, True):
            card = hall.rooms.card(presenter.code)
            for place in range(30):
                report = (place % question.toss.answers,)
                hall.rooms.report(presenter.code, hall.rooms.join(presenter.code, "4711"), card.serial, report)
            hall.rooms.again(presenter) if not last else hall.rooms.close(presenter)
        page = visit(hall.server.url, width=1280, height=720)
        page.goto(f"/ask?lecture=true&lang={lang}#key={presenter.code}.{presenter.key}")
        buttons = page.locator(".st-key-ask_buttons button")
        expect(buttons).to_have_count(6)
        settled(page)
        for seen in (page.locator(".ldp-door"), *page.locator(".ldp-says").all()[:1], *buttons.all()):
            expect(seen).to_be_in_viewport(ratio=0.99)
        assert not axe_violations(page)
        page.close()


@pytest.mark.parametrize(("lang", "scheme"), shared([("en", "light"), ("de", "dark")], 2, 1))
def test_everybody_can_present_from_a_phone(hall: Hall, visit: Callable[..., Page], lang: str, scheme: str) -> None:
    """By day in German, whose words are longer, and in dark colors."""
    page = visit(hall.server.url, width=390, height=844, touch=True, color_scheme=scheme)
    page.goto(f"/ask?lang={lang}")
    fits_phones(page)
    assert not axe_violations(page)
    page.locator(".st-key-ask_open button").click()
    expect(page.locator(".ldp-door .code")).to_have_text(CODE)
    fits_phones(page)
    assert not axe_violations(page)
    page.locator(".st-key-ask_forget button").click()
    expect(page.locator(".st-key-ask_open button")).to_be_visible()


def fits_phones(page: Page) -> None:
    """The page is no wider than a small phone, nor than a usual one, as which it stays."""
    for width, height in ((360, 640), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        without_sideways_scrolling(settled(page))
