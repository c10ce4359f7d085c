"""A walk through the pages on three screens: at night all of them on each, by day each page on one.

Every view is chosen, by day the first one and every third one of the rest; all that holds in it is looked at then, and
axe reads it. On the laptop its quick drawings are compared with whole ones; in the lecture keys alone lead through
pages and views; the phone is worked by touch alone. A tab stays open on each screen while tests turn its pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from playwright.sync_api import CDPSession, Page, expect

from explorer.text import languages
from tests.browser.looking import STAGED, Look, let_go, looks, read_wrongly, schemes, seen_wrongly, wrong
from tests.browser.reading import (
    LABELS,
    LINK,
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
from tests.browser.walking import LARGER, NAMES, SCREENS, SLUGS, USUAL, resized, told
from tests.rationing import ALL, at_night, shared
from tools.browsing import colored, settled, without_sideways_scrolling

CHOSEN = ".ldp-views button[aria-checked=true]"
PICTURED = ".ldp-ratio :is(.people > span, .ticks > span, .tells > span)"
SAME = "document.querySelector('.ldp-figure').mark = 'the same'"
IS_SAME = "document.querySelector('.ldp-figure').mark === 'the same'"
# By day the lecture has pages that follow one another, as they are turned there; the others are dealt by pairs, for
# colors go by even and odd places.
THIRD = len(SLUGS) // 3
IN_A_LECTURE = SLUGS if ALL else SLUGS[:THIRD]
ON_A_LAPTOP, ON_A_PHONE = (
    SLUGS if ALL else [slug for place, slug in enumerate(SLUGS[THIRD:]) if place // 2 % 2 == screen]
    for screen in (0, 1)
)
TRANSLATED = [(slug, language) for slug in STAGED for language in languages() if language != "en"]
TRANSLATED = TRANSLATED if ALL else [("response", "fa")]


def looked_at(slug: str, views: Sequence[str]) -> list[str]:
    """The views of a page that are looked at, the first one last: by day every third one of the others."""
    first, *others = views
    return [*shared(others, 3, SLUGS.index(slug)), first]


# On a laptop


@pytest.mark.parametrize("slug", ON_A_LAPTOP)
def test_on_a_laptop_every_view_stands_whole_and_everybody_can_read_it(
    tab: Callable[[str, str], Page], slug: str
) -> None:
    page = tab("laptop", slug)
    wrongs = walked_by_mouse(page, slug) if slug in STAGED else read_whole(page, "laptop", slug)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not wrongs, "\n".join(wrongs)


def walked_by_mouse(page: Page, slug: str) -> list[str]:
    """The faults of the views of a page, the first view last; one node stays, in which all their figures stand."""
    page.evaluate(SAME)
    wrongs, order, ways = list[str](), looked_at(slug, views_of(page)), looks("laptop", slug)
    first = order[-1]
    for slug_of_view, dark in zip(order, schemes(slug, len(order)), strict=True):
        look_at(page, slug_of_view)
        name, is_first = f"{slug}/{slug_of_view}", slug_of_view == first
        wrongs += seen_wrongly(page, name, next(ways), dark=dark, first=is_first)
        # Whole in the scheme of the page's first view, which on the next page is the other one; at night in both.
        read = read_wrongly(page, whole=is_first or (ALL and slug_of_view == order[0]), contrasts=False)
        wrongs += [f"{name}{' in dark colors' * dark}: {each}" for each in read]
    if len(order) == 1:
        colored(page, dark=not dark)
        wrongs += read_wrongly(page, whole=True, contrasts=True)
    resized(page, "laptop", USUAL, dark=dark)
    if ALL or SLUGS.index(slug) % 3 == 0:
        wrongs += let_go(page)
    page.get_by_role("button", name=LABELS["app"]["reset"]).click()
    page.wait_for_url(lambda url: "epsilon" not in url)
    assert page.evaluate(IS_SAME)
    return wrongs


def read_whole(page: Page, screen: str, slug: str) -> list[str]:
    """The faults that axe finds on a page: in light colors, on the next page in dark ones.

    In both on the overview, on pages without a stage, and at night on all.
    """
    dark = SLUGS.index(slug) % 2 == 1
    found = read_wrongly(resized(page, screen, USUAL, dark=dark), whole=True, contrasts=False)
    if ALL or slug not in STAGED[1:]:
        found += read_wrongly(colored(page, dark=not dark), whole=True, contrasts=True)
    return [f"{slug} on a {screen}: {each}" for each in found]


@pytest.mark.parametrize("slug", shared(["counting", "overview"], 2))
def test_the_tab_key_shows_where_it_stops(tab: Callable[[str, str], Page], slug: str) -> None:
    page = resized(tab("laptop", slug), "laptop", USUAL)
    found = stops(page)
    assert len(found) > 20 and not [stop for stop in found if stop.startswith("unseen")]


@at_night
def test_a_tablet_that_arrives_is_laid_out_as_one_that_was_turned(visit: Callable[..., Page]) -> None:
    page = opened(visit(**SCREENS["tablet"]), LINK)
    assert not wrong(page, "tablet", USUAL)
    assert not wrong(resized(page, "tablet", LARGER), "tablet", LARGER)


# In a lecture


@pytest.mark.parametrize("slug", IN_A_LECTURE)
def test_in_a_lecture_keys_alone_lead_through_every_view_and_each_stands_whole(
    tab: Callable[[str, str], Page], slug: str
) -> None:
    page = colored(tab("projector", slug), dark=False)
    on_way, ways, wrongs = told(page, slug), looks("projector", slug), list[str]()
    held = looked_at(slug, views_of(page)) if on_way else []
    page_of_all = f"page {SLUGS.index(slug) + 1} of {len(SLUGS)}"
    for number, slug_of_view in enumerate(on_way or [""]):
        if number:
            pressed(page, "PageDown")
        elif on_way:
            look_at(page, slug_of_view)
        view = f"View {number + 1} of {max(len(on_way), 1)}"
        expect(page.get_by_test_id("stMain")).to_contain_text(f"{view}, {page_of_all}")
        if on_way:
            expect(page.locator(CHOSEN)).to_have_attribute("value", slug_of_view)
            if slug_of_view in held:
                wrongs += seen_and_read(page, f"{slug}/{slug_of_view}", next(ways))
    for slug_of_view in (each for each in held if each not in on_way):
        wrongs += seen_and_read(look_at(page, slug_of_view), f"{slug}/{slug_of_view}", next(ways))
    wrongs += read_whole(page, "projector", slug)
    parts = shared(("predicted", "stops", "moved"), 3, first=SLUGS.index(slug))  # on the next page the next one
    if "predicted" in parts:
        predicted(page, slug)
    if slug == STAGED[1]:  # what is opened once stays open while pages are turned
        tab_to(page, ".ldp-settings")
        pressed(page, "Enter")
    if "stops" in parts:
        wrongs += [stop for stop in stops(page) if stop.startswith("unseen")]
    if "moved" in parts:
        moved(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not wrongs, "\n".join(wrongs)


def seen_and_read(page: Page, name: str, ways: Sequence[Look]) -> list[str]:
    """The faults of a view in each of these looks, and those that axe finds in the last of them."""
    wrongs = seen_wrongly(page, name, ways)
    return wrongs + [f"{name}: {each}" for each in read_wrongly(page, whole=False, contrasts=False)]


def predicted(page: Page, slug: str) -> None:
    """Predict first, draw again, fit, and the code of this view; each by one key."""
    if slug in STAGED:
        pressed(page, "h")
        expect(answer(page)).to_contain_text(LABELS["app"]["hidden_answer"])
        pressed(page, "h")
        expect(answer(page)).not_to_contain_text(LABELS["app"]["hidden_answer"])
    before = page.url
    pressed(page, "d")
    assert page.url == before or f"{slug}_seed=" in page.url
    fits = page.locator(".ldp-fit:visible")
    for on in ("true", "false") if fits.count() else ():
        page.keyboard.press("f")
        expect(fits).to_have_attribute("aria-pressed", on)
    page.keyboard.press("q")
    expect(page.locator(".ldp-keys[open] svg")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".ldp-keys[open]")).to_have_count(0)


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


def test_the_truth_is_hidden_and_shown_as_often_as_the_key_is_pressed_however_fast(
    tab: Callable[[str, str], Page],
) -> None:
    """Each time as soon as the answer stands, while the rest of the page is still on its way."""
    page = tab("projector", STAGED[1])
    for _ in range(4 if ALL else 2):
        page.keyboard.press("h")
        expect(answer(page)).to_contain_text(LABELS["app"]["hidden_answer"])
        page.keyboard.press("h")
        expect(answer(page)).not_to_contain_text(LABELS["app"]["hidden_answer"])


# On a phone


@pytest.mark.parametrize("slug", ON_A_PHONE)
def test_on_a_phone_every_view_stands_whole_and_is_worked_by_touch_alone(
    tab: Callable[[str, str], Page], slug: str
) -> None:
    page, ways, wrongs = tab("phone", slug), looks("phone", slug), list[str]()
    expect(page.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(page.get_by_role("link", name=NAMES[slug], exact=True).first).not_to_be_in_viewport()
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollTop") == 0
    views = views_of(page)
    for slug_of_view in looked_at(slug, views) if slug in STAGED else ():
        wrongs += seen_and_read(look_at(page, slug_of_view), f"{slug}/{slug_of_view}", next(ways))
        swiped = page.locator(".ldp-views-row button").evaluate_all("all => all.map(each => each.value)")
        assert swiped == told(page, slug) or len(views) == 1  # all of them, for a finger brings each
        if slug_of_view not in swiped:
            chosen = page.locator(".ldp-views .ldp-chosen")  # the menu's button bears its name
            expect(chosen).to_be_in_viewport(ratio=0.9)
            expect(chosen).to_contain_text(page.locator(f"{CHOSEN}").text_content() or "?")
    wrongs += read_whole(page, "phone", slug)
    if slug in STAGED:
        worked_by_touch(page, slug)
    without_sideways_scrolling(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    assert not wrongs, "\n".join(wrongs)


def worked_by_touch(page: Page, slug: str) -> None:
    """The handle, the settings and one part of what stands below are opened, moved and closed by a finger.

    The handle by day on every other page.
    """
    if handle(page).count() and handle(page).is_visible() and (ALL or SLUGS.index(slug) % 2):
        dragged(page)
    sets = page.locator(".st-key-settings")
    expect(sets).not_to_be_visible()
    page.locator(".ldp-settings").tap()
    expect(sets).to_be_visible()
    page.locator(".ldp-settings").tap()
    expect(sets).not_to_be_visible()
    folds = page.locator(f".st-key-{slug}_below button").all()
    folds = shared(folds, len(folds), first=SLUGS.index(slug)) if folds else []
    for fold in folds:
        fold.tap()
        expect(settled(page).locator(".st-key-below")).not_to_be_empty()
    for fold in folds[-1:]:
        fold.tap()
        expect(settled(page).locator(".st-key-below")).to_have_count(0)


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


def test_a_phone_on_its_side_shows_one_panel(visit: Callable[..., Page]) -> None:
    """Who arrives so, turns the phone or turns the page finds the list of pages folded, and opens it over the page."""
    page = opened(visit(**SCREENS["turned"]), LINK)
    link = page.get_by_test_id("stSidebarNav").get_by_role("link", name=NAMES["means"], exact=True)
    expect(link).not_to_be_in_viewport()
    resized(page, "phone", USUAL)
    expect(link).not_to_be_in_viewport()
    resized(page, "turned", USUAL)
    expect(link).not_to_be_in_viewport()
    stage = page.locator(".ldp-stage").bounding_box()
    page.get_by_test_id("stExpandSidebarButton").tap()
    expect(link).to_be_attached()
    assert page.locator(".ldp-stage").bounding_box() == stage
    link.tap()
    page.wait_for_url("**/means*")
    expect(link).not_to_be_in_viewport()
    assert not wrong(settled(page), "turned", USUAL)


@pytest.mark.parametrize(("slug", "language"), TRANSLATED)
def test_in_another_language_every_view_stands_whole_on_a_phone(
    visit: Callable[..., Page], slug: str, language: str
) -> None:
    """At night all pages in all languages; by day a third of a page of drawings, from right to left."""
    page, wrongs = opened(visit(**SCREENS["phone"]), address(slug, lang=language)), list[str]()
    for slug_of_view in looked_at(slug, views_of(page)):
        found = wrong(look_at(page, slug_of_view), "phone", USUAL)
        wrongs += [f"{slug}/{slug_of_view} in {language}: {each}" for each in found]
    assert not wrongs, "\n".join(wrongs)


@pytest.mark.parametrize("language", shared(["en", "de"], 2, 1))
def test_the_names_in_the_first_picture_stand_apart_on_a_phone(visit: Callable[..., Page], language: str) -> None:
    """By day those in German, which are longer."""
    page = opened(visit(**SCREENS["phone"]), address("overview", lang=language))
    for times in (USUAL, LARGER):
        boxes = [text.bounding_box() for text in resized(page, "phone", times).locator(PICTURED).all()]
        assert len(boxes) == 7
        for one, other in combinations([box for box in boxes if box], 2):
            beside = max(one["x"], other["x"]) >= min(one["x"] + one["width"], other["x"] + other["width"])
            below = max(one["y"], other["y"]) >= min(one["y"] + one["height"], other["y"] + other["height"]) - 3
            assert beside or below, (times, one, other)
        assert all(box and box["x"] + box["width"] <= 391 for box in boxes), (times, boxes)


def test_a_phone_goes_a_page_and_a_view_back(tab: Callable[[str, str], Page]) -> None:
    page = tab("phone", SLUGS[-1])
    page.get_by_role("button", name=LABELS["app"]["previous"]).tap()
    expect(page.get_by_role("heading", level=1)).not_to_have_text("")
    page.wait_for_url(re.compile(f"/{SLUGS[-2]}"))
    settled(page).go_back()
    if not settled(page).url.endswith(SLUGS[-1]):  # the view that one comes to from behind may be a step of its own
        page.go_back()
    page.wait_for_url(re.compile(f"/{SLUGS[-1]}"))
    settled(page)
