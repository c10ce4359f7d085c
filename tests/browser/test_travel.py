"""Files that travel: from the disk, without a network, they show and tell what the app does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from explorer.text.catalogue import catalogue_of
from explorer.ui.travel import states
from explorer.ui.travel.making import TravelOrder, view_file, way_file
from explorer.ways import way_of
from tests.rationing import ALL, crossed, shared
from tests.scenes import ENDS
from tests.test_travel import numbers
from tools.browsing import axe_violations, settled
from tools.site import gallery

DRAWN = """() => {
  const place = document.querySelector(".ldp-figure"), plotted = [...place.data ?? []]
  const plain = part => part?.bdata ? part : ArrayBuffer.isView(part) ? [...part] : part
  const known = ["type", "x", "y", "z", "name"]
  return { data: plotted.map(trace => Object.fromEntries(known.map(name => [name, plain(trace[name])]))) }
}"""
PAINTED = """() => {
  const place = document.querySelector(".ldp-figure"), said = document.querySelector(".ldp-answer")?.textContent
  return said && (place.hidden || place.querySelector(".main-svg") && !place.busy)
}"""
FEW = ("/counting?counting_tab=one", "/means", "/regression?regression_tab=classes", "/verify", "/budget", "/shapes")
PIXELS = shared(("/counting?counting_tab=one", "/means", "/averaging"), 3)  # of long lines Plotly leaves points out
VIEWS = [view.link for _, views in gallery() for view in views] if ALL else shared(FEW, 6, 3)
API = """
window.said = []
window.API = Object.fromEntries(["LMSInitialize", "LMSSetValue", "LMSCommit", "LMSFinish"].map(name =>
  [name, (...given) => { said.push([name, ...given]); return "true" }]))
"""


@contextmanager
def few_stops() -> Iterator[None]:
    """Files are written with a few stops of the handle, both ends among them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(states, "all_stops", lambda level: tuple(sorted({*ENDS, level})))
        yield


@cache
def tour(slug: str, languages: tuple[str, ...] = ("en",), scored: bool = False, drawn: bool = False) -> str:
    """A tour as a file."""
    with few_stops():
        return way_file(slug, TravelOrder(languages, scored=scored, drawn=drawn)).html()


def written(link: str, order: TravelOrder) -> str:
    """A view as a file: at night with all stops."""
    with nullcontext() if ALL else few_stops():
        return view_file(link, order).html()


def painted(page: Page) -> Page:
    page.wait_for_function(PAINTED)
    return page


def shown(page: Page) -> tuple[str, str, list[float]]:
    """The question, the answer, and the numbers of the figure."""
    return (
        page.locator("h1").first.inner_text(),
        page.locator(".ldp-answer").inner_text(),
        numbers(json.dumps(page.evaluate(DRAWN))),
    )


PICTURED = """async () => {
  const { data, layout } = document.querySelector(".ldp-figure"), margin = { l: 90, r: 20, t: 20, b: 140 }
  const size = { width: 800, height: 450 }, font = { ...layout.font, family: "Arial" }  // a file brings no typeface
  return Plotly.toImage({ data, layout: { ...layout, ...size, margin, font } }, { format: "svg", ...size })
}"""
PLACES = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
NAMED = re.compile(r'(?:id|class|clip-path|href)="[^"]*"')  # by the moment at which it was drawn


def pictured(page: Page) -> tuple[str, np.ndarray]:
    """The figure as Plotly draws it in one size: its marks without their places, and the places."""
    drawn = unquote(page.evaluate(PICTURED).partition(",")[2])
    bare = NAMED.sub("", drawn)
    return PLACES.sub("", bare), np.array([float(each) for each in PLACES.findall(bare)])


@pytest.mark.parametrize("link", PIXELS)
def test_a_file_draws_to_a_tenth_of_a_pixel_what_the_page_draws(
    link: str, from_disk: Callable[..., Page], visit: Callable[..., Page]
) -> None:
    """In one size, on light and on dark paper, by day on dark; colors too. Another level is drawn elsewhere."""
    file = from_disk(written(link, TravelOrder()))
    for dark in shared((False, True), 2, 1):
        page = visit(color_scheme="dark" if dark else "light")
        page.goto(link)
        settled(page)
        if dark:
            file.get_by_role("button", name=catalogue_of("en").label("travel.dark")).click()
        (marks, places), (others, elsewhere) = pictured(page), pictured(painted(file))
        assert marks == others and len(places) == len(elsewhere)
        assert np.abs(places - elsewhere).max() < 0.1, dark
    file.get_by_role("slider").press("End")
    moved = pictured(painted(file))[1]
    assert len(moved) != len(places) or np.abs(moved - places).max() > 1


@pytest.mark.parametrize(("link", "language"), crossed(VIEWS, ["de", "en"]))
def test_a_file_shows_what_the_page_shows(
    link: str, language: str, from_disk: Callable[..., Page], visit: Callable[..., Page]
) -> None:
    """The same words and the same figure, at both ends and where the handle stands."""
    page, file = visit(), from_disk(written(link, TravelOrder((language,))))
    page.goto(f"{link}{'&' if '?' in link else '?'}lang={language}")
    settled(page)
    for key in ("", "Home", "End"):
        for each in (page, file) if key else ():
            each.get_by_role("slider").first.press(key)
        settled(page)
        (asked, answer, exact), (question, told, short) = shown(page), shown(painted(file))
        assert (asked, answer) == (question, told)
        assert len(exact) == len(short)
        assert np.allclose(exact, short, rtol=1e-5, atol=1e-6 * max(map(abs, exact), default=0.0), equal_nan=True)


def test_a_lecture_is_told_by_its_keys_and_its_notes_follow_in_a_second_window(from_disk: Callable[..., Page]) -> None:
    """Page Down shows what is hidden and goes on, Page Up goes back the same way; H hides, L enlarges.

    By day to its fourth step, and at its last.
    """
    page, way = painted(from_disk(tour("lecture"))), way_of("lecture")
    hide = page.get_by_role("button", name=catalogue_of("en").label("travel.hide"))
    there = [
        (place, hidden)
        for place, step in enumerate(way.steps if ALL else way.steps[:4])
        for hidden in ((True, False) if step.predict else (False,))
    ]
    steps, met = page.locator("nav select").first, []

    def here() -> tuple[int, bool]:
        at: int = steps.evaluate("each => each.selectedIndex")
        return at, hide.get_attribute("aria-pressed") == "true"

    for _ in there:
        painted(page)
        met.append(here())
        page.keyboard.press("PageDown")
    assert met == there
    if not ALL:
        page.keyboard.press("PageUp")
        painted(page)
    for state in reversed(there[:-1]):
        page.keyboard.press("PageUp")
        painted(page)
        assert here() == state
    steps.select_option(index=len(way.steps) - 1)
    for _ in range(3):
        page.keyboard.press("PageDown")
        painted(page)
    assert here() == (len(way.steps) - 1, False)  # behind which there is none
    steps.select_option(index=0)
    page.keyboard.press("h")
    expect(hide).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("l")
    expect(page.locator("html")).to_have_attribute("data-large", "")
    steps.select_option(index=0)
    notes_follow(page)


def notes_follow(page: Page) -> None:
    """The notes stand in a second window, turn with the lecture from its first step on, and turn it."""
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.locator("section.now")).to_have_attribute("data-step", "1")
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(notes.locator("section.now")).to_have_attribute("data-step", "2")
    notes.keyboard.press("PageDown")
    expect(notes.locator("section.now")).to_have_attribute("data-step", "3")
    assert page.locator("nav select").first.evaluate("each => each.selectedIndex") == 2


def test_a_control_that_is_pressed_keeps_the_focus_and_the_language_that_is_chosen_is_in_the_address(
    from_disk: Callable[..., Page],
) -> None:
    page = painted(from_disk(tour("five", ("en", "de"), drawn=True)))
    steps = page.locator("nav select").first
    steps.focus()
    steps.select_option(index=1)
    expect(steps).to_be_focused()
    expect(steps).to_have_value(re.compile("^2 "))
    page.keyboard.press("PageUp")
    expect(steps).to_have_value(re.compile("^1 "))
    page.locator("nav button[value=next]").press("Enter")
    expect(page.locator("nav button[value=next]")).to_be_focused()
    page.locator("nav select").last.select_option("Deutsch")
    expect(page).to_have_url(re.compile("lang=de"))
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_file_speaks_every_language_and_lets_one_more_setting_be_chosen(from_disk: Callable[..., Page]) -> None:
    control = ("counting_mechanism", "Noise", {"laplace": "Laplace", "gauss": "Normal"})
    made = view_file("/counting?counting_tab=one", TravelOrder(("en", "de"), drawn=True), control).html()
    page = from_disk(made)
    expect(page.locator(".ldp-sketch > svg")).to_be_visible()
    before = page.locator(".ldp-answer").inner_text()
    page.locator("#file .settings select").select_option("Normal")
    expect(page.locator(".ldp-answer")).not_to_have_text(before)
    page.locator("nav select").last.select_option("Deutsch")
    expect(page.locator("h1")).to_have_text(catalogue_of("de").text("counting", "question"))
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_what_stands_below_opens_and_follows_the_handle(from_disk: Callable[..., Page]) -> None:
    page = painted(from_disk(view_file("/counting?counting_tab=one", TravelOrder()).html()))
    words = catalogue_of("en")
    page.get_by_text(words.label("travel.why"), exact=True).click()
    expect(page.locator(".why math").first).to_be_visible()
    before = page.locator(".why").inner_text()
    page.get_by_role("slider").press("End")
    expect(page.locator(".why")).not_to_have_text(before)
    page.get_by_text(words.label("travel.numbers"), exact=True).click()
    expect(page.locator(".numbers table tr").nth(3)).to_be_visible()
    page.get_by_text(words.label("travel.tasks"), exact=True).click()
    page.get_by_text(words.label("travel.reveal")).first.click()
    expect(page.locator(".tasks details[open] div").first).to_be_visible()


def test_a_file_can_be_read_by_everybody(from_disk: Callable[..., Page]) -> None:
    """A laptop shows light colors, a phone dark ones; on the laptop the contrasts of dark ones are read too."""
    page = painted(from_disk(tour("lecture")))
    assert not axe_violations(page)
    page.get_by_role("button", name=catalogue_of("en").label("travel.dark")).click()
    assert not axe_violations(painted(page), alone=True)
    page.set_viewport_size({"width": 390, "height": 844})
    painted(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth") and not axe_violations(page)


def test_on_paper_a_file_is_its_question_its_answer_and_its_figure(from_disk: Callable[..., Page]) -> None:
    page = painted(from_disk(tour("five")))
    page.emulate_media(media="print")
    assert not page.locator("#file nav").is_visible() and not page.locator(".ldp-tools").is_visible()
    assert page.locator("h1").is_visible() and page.locator(".ldp-answer").is_visible()
    assert not page.get_by_text(catalogue_of("en").label("travel.why"), exact=True).is_visible()


def test_a_slide_begins_at_its_step(from_disk: Callable[..., Page], tmp_path: Path) -> None:
    """Inside of a page that allows frames and nothing else, as a course page may."""
    (tmp_path / "lecture.html").write_text(tour("lecture"), "utf-8")
    policy = "default-src 'none'; frame-src 'self' file:; style-src 'unsafe-inline'"
    page = from_disk(
        f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{policy}"><title>Slide</title>'
        '<iframe src="lecture.html#bet" title="A bet" style="width: 900px; height: 600px"></iframe>',
        tmp_path / "lecture.html",
    )
    frame = page.frame_locator("iframe")
    expect(frame.locator("nav select").first).to_have_value("3 · The room bets")
    expect(frame.locator(".ldp-figure .main-svg").first).to_be_visible()


def test_a_course_platform_hears_once_that_the_last_step_was_reached(
    from_disk: Callable[..., Page], tmp_path: Path
) -> None:
    """By SCORM 1.2, from the window around the file, and nothing else."""
    page = from_disk(tour("five", scored=True))
    page.evaluate(API)
    for _ in range(3 * len(way_of("five").steps)):
        page.keyboard.press("PageDown")
        painted(page)
    said: list[Any] = page.evaluate("said")
    assert said == [["LMSInitialize", ""], ["LMSSetValue", "cmi.core.lesson_status", "completed"], ["LMSCommit", ""]]
