"""Whole ways, told by one key; all views of all pages, by keys alone; and the pages on a phone, by touch alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import CDPSession, Page, expect

from explorer.navigation import entries
from explorer.text.catalogue import catalogue_of
from explorer.ways import Point, Way, arrived, way_of
from explorer.ways.words import told_at
from tests.browser.reading import (
    LABELS,
    QUESTIONS,
    address,
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
PLACE = re.compile(r"View (\d+) of (\d+), page (\d+) of (\d+)")
CHOSEN = ".ldp-views button[aria-checked=true]"


def place(page: Page) -> tuple[int, ...]:
    """Which view of how many, and which page of how many, as it is said below."""
    said = PLACE.search(settled(page).get_by_test_id("stMain").inner_text())
    assert said is not None
    return tuple(map(int, said.groups()))


def reached(page: Page, slug: str) -> None:
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
    reached(page, slug)
    number, views, *_ = place(page)
    views_met = [page.locator(CHOSEN).get_attribute("value") or ""] if page.locator(CHOSEN).count() else [""]
    assert (number, place(page)[2:]) == (1, (SLUGS.index(slug) + 1, len(SLUGS)))
    for number in range(2, views + 1):
        pressed(page, "PageDown")
        assert place(page) == (number, views, SLUGS.index(slug) + 1, len(SLUGS))
        views_met.append(page.locator(CHOSEN).get_attribute("value") or "")
        expect(page.get_by_test_id("stException")).to_have_count(0)
    return views_met


def notes_on(page: Page, way: Way) -> list[str]:
    """What the speaker alone should read and the page says all the same."""
    words = page.locator("body").inner_text()
    return [text for step in way.steps for _, text in told_at(step, way, catalogue_of("en")).notes() if text in words]


def stands(page: Page, point: Point) -> None:
    """The page is at a step of a way, hidden or shown, as its address says, and keeps the notes to itself."""
    way, link = point.way, point.step.link
    expect(page).to_have_url(re.compile(rf"[?&]way={way.slug}&step={point.place}(&|$)"))
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS[link.page])
    hidden = page.locator(".ldp-stage .ldp-answer", has_text=LABELS["app"]["hidden_answer"])
    expect(hidden).to_have_count(int(point.hidden))
    settled(page)
    assert ("hide=true" in page.url) is point.hidden
    for key, text in link.parameters.items():
        assert parse_qs(urlsplit(page.url).query)[key] == [text]
    facts = f"Step {point.place} of {len(way.steps)} · {way.minutes(point.place)} minute"
    expect(page.get_by_text(facts)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlert")).to_have_count(0)
    assert not notes_on(page, way)


def states(way: Way) -> list[Point]:
    """Every state of a way, as one key leads through them."""
    points = [arrived(way, 1)]
    while (further := points[-1].next()) != points[-1]:
        points.append(further)
    return points


def begun(page: Page, slug: str, **room: str) -> list[Point]:
    """A way that was begun by its card on the first page."""
    opened(page, address("overview", **room))
    page.locator(f"[data-go='way-{slug}']").click()
    points = states(way_of(slug))
    stands(page, points[0])
    return points


def test_the_lecture_is_told_by_one_key_and_survives_reload_and_the_way_back(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    points = begun(page, "lecture", lecture="true")
    for before, point in pairwise(points):
        page.keyboard.press("PageDown")
        stands(page, point)
        if point.place in (3, 6):  # a reload keeps step and state; so does the browser's way back, and forth again
            page.reload()
            stands(page, point)
            page.go_back()
            stands(page, before)
            page.go_forward()
            stands(page, point)
    page.keyboard.press("PageDown")  # behind the last step there is none
    stands(page, points[-1])
    page.keyboard.press("PageUp")
    stands(page, points[-2])


def test_five_minutes_are_gone_alone_by_one_key_or_button_and_say_what_to_do(page: Page) -> None:
    points = begun(page, "five")
    for place, point in enumerate(points):
        if place:
            page.keyboard.press("PageDown")
            stands(page, point)
        do = told_at(point.step, point.way, catalogue_of("en")).do
        expect(page.locator(".st-key-task")).to_contain_text(do)
        expect(page.locator(".st-key-task")).to_be_in_viewport()
    page.go_back()
    stands(page, points[-2])
    page.locator(".st-key-task_next button").click()
    stands(page, points[-1])


def test_on_a_way_the_arrows_turn_views_and_escape_leads_home_and_back(page: Page) -> None:
    lecture = way_of("lecture")
    point = Point(lecture, 5, hidden=True)
    opened(page, address("budget", way="lecture", step="5", hide="true", lecture="true"))
    stands(page, point)
    pressed(page, "ArrowRight")
    assert page.locator(CHOSEN).get_attribute("value") == "ledger"
    pressed(page, "ArrowLeft")
    assert page.locator(CHOSEN).get_attribute("value") == "totals"
    page.keyboard.press("q")
    expect(page.locator(".ldp-keys[open] p")).to_have_text(re.compile(r"/budget\?.*way=lecture&step=5&hide=true"))
    pressed(page, "Escape")  # closes the code
    stands(page, point)
    page.keyboard.press("Escape")
    reached(page, "overview")
    expect(page).to_have_url(re.compile("way=lecture&step=5"))
    settled(page)
    page.keyboard.press("PageDown")
    stands(page, point)


def test_who_scans_the_code_comes_to_the_same_step_in_the_same_state(visit: Callable[..., Page], page: Page) -> None:
    opened(page, address("averaging", way="lecture", step="4", hide="true", lecture="true"))
    page.keyboard.press("q")
    link = page.locator(".ldp-keys[open] p").inner_text().split()[0]  # then where it opens
    phone = opened(visit(width=390, height=844, touch=True), link)
    stands(phone, Point(way_of("lecture"), 4, hidden=True))
    assert "lecture=true" not in phone.url


def test_the_notes_follow_in_a_window_of_their_own_and_their_keys_turn_the_way(page: Page) -> None:
    points = begun(page, "lecture", lecture="true")
    notes = page.context.new_page()
    notes.goto("/?notes=lecture")
    now = notes.locator(".ldp-notes section.now")
    for point in points[:3]:
        expect(now).to_have_attribute("data-step", str(point.place))
        for _, text in told_at(point.step, point.way, catalogue_of("en")).notes():
            expect(now).to_contain_text(text)
        stands(page, point)
        notes.keyboard.press("PageDown")
    stands(page, points[3])
    expect(notes.locator("section:visible")).to_have_count(1)
    notes.emulate_media(media="print")
    expect(notes.locator("section:visible")).to_have_count(len(way_of("lecture").steps))


def test_all_views_are_walked_by_keys_alone_off_every_way(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(reduced_motion="reduce")  # a ring that is still fading in would not be seen
    opened(page, "/?lecture=true")
    assert walked(page, "overview") == ["ratio"]
    pressed(page, "PageDown")
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
        reached(phone, slug)
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
    reached(phone, SLUGS[-2])
    phone.go_back()
    if not settled(phone).url.endswith(SLUGS[-1]):  # the view that one comes to from behind may be a step of its own
        phone.go_back()
    reached(phone, SLUGS[-1])
