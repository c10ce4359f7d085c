"""Where only the traces of a picture are drawn anew, it is the one that Plotly draws whole, in every view.

What one drawing leaves in the page's tree may stay for the next: the numbers, the texts and their places are compared.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.reading import address, chart, handle, look_at, opened, views_of
from tests.browser.test_first_screen import STAGED
from tools.browsing import settled

EVERY = 4  # stops apart, besides the two ends
SLACK = 0.05  # px: margins that Plotly pushes for texts come to rest in steps
ALWAYS_WHOLE = {  # whose axes name other things at every stop, or that are maps of colors
    "frequencies/which",
    "frequencies/top",
    "regression/classes",
    "regression/plane",
    "limits/constants",
    "verify/reports",
}
DRAWN_TWICE = """async every => {
  const [{ picture, scenes }] = window.ldpStages.stages.values(), pairs = []
  const stops = [...scenes.keys()].sort((one, other) => one - other)
  const chosen = stops.filter((stop, place) => place % every === 0 || place === stops.length - 1)
  const svg = () => [...picture.place.querySelectorAll(".main-svg")].map(each => each.innerHTML).join("\\n")
  for (const stop of picture.drawn ? [...chosen, ...chosen.toReversed()] : []) {
    const [words, figure] = scenes.get(stop)
    if (picture.figure === figure) continue
    await picture.show(JSON.parse(words), figure)
    const quick = picture.quickly && svg()
    if (quick) {
      picture.stands = null
      picture.wanted++
      await picture.draw()
    }
    pairs.push([stop, quick, quick && svg()])
  }
  return pairs
}"""
QUICKLY = "[...window.ldpStages.stages.values()][0].picture.quickly"
NUMBER = re.compile(r"-?\d+\.\d+|-?\d+")


def parted(quick: str, whole: str) -> str:
    """Where two drawings part: texts that differ, or numbers that are further apart than can be seen; else nothing."""
    one, other = (text.replace(' style="opacity: 1;"', "") for text in (quick, whole))
    if NUMBER.sub("0", one) != NUMBER.sub("0", other):
        place = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
        return f"{one[max(place - 100, 0) : place + 60]} for {other[max(place - 100, 0) : place + 60]}"
    numbers = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return "; ".join(f"{a} for {b}" for a, b in numbers if abs(float(a) - float(b)) > SLACK)


@pytest.mark.parametrize("slug", STAGED)
def test_a_quick_picture_is_the_whole_one(page: Page, slug: str) -> None:
    opened(page, address(slug))
    whole = set()
    for place, view in enumerate(views_of(page)):
        pairs = look_at(page, view).evaluate(DRAWN_TWICE, EVERY)
        wrong = [f"at stop {stop}: {apart}" for stop, *both in pairs if both[0] and (apart := parted(*both))]
        assert not wrong, f"{slug}/{view}: " + "\n".join(wrong[:3])
        quick = sum(bool(each) for _, each, _ in pairs)
        whole |= {f"{slug}/{view}"} if pairs and not quick else set()
        assert place or quick >= 0.7 * len(pairs), f"the first view of {slug}: {quick} of {len(pairs)}"
    assert whole == {each for each in ALWAYS_WHOLE if each.startswith(f"{slug}/")}


def test_what_is_hovered_says_the_numbers_that_stand_there(page: Page) -> None:
    opened(page, address("trust"))
    plot = page.locator(".ldp-figure .nsewdrag").first.bounding_box()
    assert plot is not None
    page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + plot["height"] / 2)
    label = page.locator(".ldp-figure .hoverlayer .hovertext").first
    before = label.text_content()
    handle(page).press("ArrowLeft")
    page.wait_for_url("**epsilon=**")
    assert page.evaluate(QUICKLY)
    while_still = label.text_content()
    page.mouse.move(plot["x"] + 4, plot["y"] + 4)
    page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + plot["height"] / 2)
    assert before != while_still == label.text_content()


def test_where_plotly_is_not_as_expected_all_is_drawn_whole(page: Page) -> None:
    opened(page, address("trust"))
    page.evaluate("document.querySelector('.ldp-figure')._fullLayout._basePlotModules = [{ plot: null }]")
    for key in ("ArrowRight", "ArrowRight"):
        before, link = chart(page), page.url
        handle(page).press(key)
        page.wait_for_function("link => location.href !== link", arg=link)
        assert chart(page) != before
        assert not settled(page).evaluate(QUICKLY)


def test_another_plotly_than_the_tested_one_draws_all_whole(page: Page) -> None:
    opened(page, address("trust"))
    tested = page.evaluate("window.Plotly.version")
    for version, quick in ((f"{tested}.1", False), ("", False), (tested, True)):
        page.evaluate("version => { window.Plotly.version = version }", version)
        before, link = chart(page), page.url
        handle(page).press("ArrowRight")
        page.wait_for_function("link => location.href !== link", arg=link)
        assert chart(page) != before
        assert settled(page).evaluate(QUICKLY) is quick, version
