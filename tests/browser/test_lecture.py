"""One whole lecture, told by keys alone; and the same pages on a phone, by touch alone."""

from __future__ import annotations

import re

from playwright.sync_api import CDPSession, Page, expect

from explorer.navigation import entries
from explorer.text import listing
from tests.browser.reading import (
    LABELS,
    MOST_STOPS,
    QUESTIONS,
    answer,
    handle,
    look_at,
    opened,
    place_of,
    pressed,
    stops,
    tab_to,
    views_of,
)
from tests.scenes import declared
from tools.browsing import settled

SLUGS = [entry.slug for entry in entries()]
STAGED = [slug for slug in SLUGS if declared(slug).on_stage]
NAMES = {entry.slug: entry.name() for entry in entries()}
FIRST_STEP = listing("labels")["lecture"][1]  # the overview itself is the first
PLACE = re.compile(r"View (\d+) of (\d+), page (\d+) of (\d+)")
CHOSEN = ".ldp-views button[aria-checked=true]"


def place(page: Page) -> tuple[int, ...]:
    """Which view of how many, and which page of how many, as it is said below."""
    said = PLACE.search(settled(page).get_by_test_id("stMain").inner_text())
    assert said is not None
    return tuple(map(int, said.groups()))


def arrived(page: Page, slug: str) -> None:
    """Wait until a page stands, at its top."""
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS[slug])
    assert settled(page).get_by_test_id("stMain").evaluate("node => node.scrollTop") == 0


def moved(page: Page) -> None:
    """The handle goes to both ends and back to where it stood, by keys; the picture follows."""
    if not handle(page).count() or not handle(page).is_visible():
        return
    tab_to(page, ".ldp-handle")
    if not page.evaluate("document.activeElement.matches('input[type=range]')"):
        page.keyboard.press("Tab")  # the level may also be typed, beside it
    start, last = int(handle(page).input_value()), int(handle(page).get_attribute("max") or 0)
    for key, stop in (("End", last), ("Home", 0), *(("ArrowRight", each) for each in range(1, start + 1))):
        page.keyboard.press(key)
        expect(handle(page)).to_have_value(str(stop))
    expect(answer(settled(page))).not_to_be_empty()


def predicted(page: Page, slug: str) -> None:
    """Predict first, draw again, and the code of this view; each by one key."""
    if declared(slug).on_stage:
        pressed(page, "h")
        expect(answer(page)).to_contain_text(LABELS["app"]["hidden_answer"])
        pressed(page, "h")
        expect(answer(page)).not_to_contain_text(LABELS["app"]["hidden_answer"])
    before = page.url
    pressed(page, "d")
    assert page.url == before or f"{slug}_seed=" in page.url
    page.keyboard.press("q")
    expect(page.locator(".ldp-keys[open] svg")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".ldp-keys[open]")).to_have_count(0)


def walked(page: Page, slug: str) -> list[str]:
    """The views through which Page Down leads, on one page, to the last of its row."""
    arrived(page, slug)
    number, views, *_ = place(page)
    views_met = [page.locator(CHOSEN).get_attribute("value") or ""] if page.locator(CHOSEN).count() else [""]
    assert (number, place(page)[2:]) == (1, (SLUGS.index(slug) + 1, len(SLUGS)))
    for number in range(2, views + 1):
        pressed(page, "PageDown")
        assert place(page) == (number, views, SLUGS.index(slug) + 1, len(SLUGS))
        views_met.append(page.locator(CHOSEN).get_attribute("value") or "")
        expect(page.get_by_test_id("stException")).to_have_count(0)
    return views_met


def start(page: Page, title: str) -> None:
    """A step of the running order is found by the Tab key and taken."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if title in page.evaluate("document.activeElement.matches('a') ? document.activeElement.textContent : ''"):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"{title} must be reached by the Tab key")


def test_a_lecture_is_told_by_keys_alone(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion="reduce")  # a ring that is still fading in would not be seen
    opened(page, "/?lecture=true")
    assert walked(page, "overview") == ["ratio"]
    start(page, FIRST_STEP["title"])
    for slug in SLUGS[1:]:
        views = walked(page, slug)
        offered = views_of(page) or [""]
        assert views == offered[: len(views)], slug
        firsts = {name: view.first for name, view in declared(slug).on_stage.items()} or {"": True}
        assert all(firsts[name] for name in views) and not any(firsts[name] for name in offered[len(views) :])
        predicted(page, slug)
        if slug == STAGED[1]:  # what is opened once stays open while pages are turned
            tab_to(page, ".ldp-settings")
            pressed(page, "Enter")
        unseen = [stop for stop in stops(page) if stop.startswith("unseen")]
        assert not unseen, (slug, unseen)
        moved(page)
        pressed(page, "PageDown")
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS[SLUGS[-1]])  # behind which there is none


def test_the_truth_is_hidden_and_shown_as_often_as_the_key_is_pressed_however_fast(page: Page) -> None:
    """Each time as soon as the answer stands, while the rest of the page is still on its way."""
    opened(page, f"/{STAGED[1]}?lecture=true")
    for _ in range(4):
        page.keyboard.press("h")
        expect(answer(page)).to_contain_text(LABELS["app"]["hidden_answer"])
        page.keyboard.press("h")
        expect(answer(page)).not_to_contain_text(LABELS["app"]["hidden_answer"])


def dragged(page: Page) -> None:
    """The handle is drawn by a finger; the words follow while it is down, the address when it is lifted."""
    finger: CDPSession = page.context.new_cdp_session(page)
    start = int(handle(page).input_value())
    stop = start + 3 if start < int(handle(page).get_attribute("max") or 0) - 3 else start - 3
    handle(page).scroll_into_view_if_needed()

    def touch(kind: str, *where: float) -> None:
        points = [{"x": where[0], "y": where[1]}] if where else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", *place_of(page, start))
    for share in (0.3, 0.6, 1.0):
        (left, y), (right, _) = place_of(page, start), place_of(page, stop)
        touch("touchMove", left + share * (right - left), y)
    expect(handle(page)).to_have_value(str(stop))
    before = page.url
    touch("touchEnd")
    expect(page).not_to_have_url(before)
    finger.detach()
    expect(handle(settled(page))).to_have_value(str(stop))


def test_the_same_pages_are_read_on_a_phone_by_touch_alone(phone: Page) -> None:
    opened(phone, "/")
    for slug in SLUGS[1:]:
        phone.get_by_test_id("stExpandSidebarButton").tap()
        phone.get_by_test_id("stSidebarNav").get_by_role("link", name=NAMES[slug], exact=True).tap()
        arrived(phone, slug)
        expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()
        if not declared(slug).on_stage:
            continue
        dragged(phone)
        settings = phone.locator(".st-key-settings")
        expect(settings).not_to_be_visible()
        phone.locator(".ldp-settings").tap()
        expect(settings).to_be_visible()
        phone.locator(".ldp-settings").tap()
        expect(settings).not_to_be_visible()
        for fold in phone.locator(f".st-key-{slug}_below button").all():
            fold.tap()
            expect(settled(phone).locator(".st-key-below")).not_to_be_empty()
        fold.tap()
        expect(settled(phone).locator(".st-key-below")).to_have_count(0)
        first, *_, last = views_of(phone)
        for view in (last, first):  # behind the menu, and in the row
            look_at(phone, view)
            expect(phone.locator(CHOSEN)).to_have_attribute("value", view)
    phone.get_by_role("button", name=LABELS["app"]["previous"]).tap()
    arrived(phone, SLUGS[-2])
    phone.go_back()
    if not settled(phone).url.endswith(SLUGS[-1]):  # the view that one comes to from behind may be a step of its own
        phone.go_back()
    arrived(phone, SLUGS[-1])
