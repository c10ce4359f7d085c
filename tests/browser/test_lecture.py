"""Whole ways, told by one key."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from explorer.text.catalogue import catalogue_of
from explorer.ways import Point, Way, way_of
from explorer.ways.words import told_at
from tests.browser.reading import LABELS, QUESTIONS, address, opened, pressed
from tests.rationing import ALL, at_night
from tests.test_ways import path
from tools.browsing import settled

CHOSEN = ".ldp-views button[aria-checked=true]"
RELOADED = (3, 6) if ALL else (4,)  # steps of the lecture, each hidden and shown
LEFT_OUT = range(0) if ALL else range(5, 14)  # steps of the lecture, which is taken up again behind them


def reached(page: Page, slug: str) -> None:
    """Wait until a page stands, at its top."""
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS[slug])
    assert settled(page).get_by_test_id("stMain").evaluate("node => node.scrollTop") == 0


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


def begun(page: Page, slug: str, **room: str) -> list[Point]:
    """A way that was begun by its card on the first page."""
    opened(page, address("overview", **room))
    page.locator(f"[data-go='way-{slug}']").click()
    points = path(way_of(slug))
    stands(page, points[0])
    return points


def taken_up(page: Page, point: Point, **room: str) -> None:
    """Open a step of a way by its link."""
    link, hidden = point.step.link, {"hide": "true"} if point.hidden else {}
    place = {"way": point.way.slug, "step": f"{point.place}"}
    opened(page, address(link.page, **link.parameters, **place, **hidden, **room))
    stands(page, point)


def test_the_lecture_is_told_by_one_key_and_survives_reload_and_the_way_back(page: Page) -> None:
    """By day its first four steps and its last."""
    page.set_viewport_size({"width": 1280, "height": 720})
    points = begun(page, "lecture", lecture="true")
    for before, point in pairwise(each for each in points if each.place not in LEFT_OUT):
        if before.place < LEFT_OUT.stop == point.place:
            taken_up(page, point, lecture="true")
            continue
        page.keyboard.press("PageDown")
        stands(page, point)
        if point.place in RELOADED:  # a reload keeps step and state; so does the browser's way back, and forth again
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
    """By day to its third step."""
    points = begun(page, "five")
    points = points if ALL else points[:3]
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


@at_night
def test_the_notebook_is_told_by_one_key_to_one_alone_and_from_its_middle_on_in_a_lecture(page: Page) -> None:
    points, task = begun(page, "notebook"), page.locator(".st-key-task")
    middle = 7  # the step from which on it is a lecture
    for place, point in enumerate(each for each in points if each.place < middle):
        if place:
            page.keyboard.press("PageDown")
            stands(page, point)
        words = told_at(point.step, point.way, catalogue_of("en"))
        expect(task).to_contain_text(words.do if point.hidden or not words.seen else words.seen)
        expect(task).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 720})
    before, *others = points[max(place for place, point in enumerate(points) if point.place < middle) :]
    taken_up(page, before, lecture="true")
    for point in others:
        page.keyboard.press("PageDown")
        stands(page, point)
        expect(task).to_have_count(0)


def test_on_a_way_the_arrows_turn_views_and_escape_leads_home_and_back(page: Page) -> None:
    lecture = way_of("lecture")
    point = Point(lecture, 5, hidden=True)
    taken_up(page, point, lecture="true")
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


@at_night
def test_who_scans_the_code_comes_to_the_same_step_in_the_same_state(visit: Callable[..., Page], page: Page) -> None:
    point = Point(way_of("lecture"), 4, hidden=True)
    taken_up(page, point, lecture="true")
    page.keyboard.press("q")
    link = page.locator(".ldp-keys[open] p").inner_text().split()[0]  # then where it opens
    phone = opened(visit(width=390, height=844, touch=True), link)
    stands(phone, point)
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
