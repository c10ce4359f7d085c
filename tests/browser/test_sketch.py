"""The first picture of a visit, which needs no Plotly: where it stands, what it costs, and what its exchange moves.

A page is loaded once, with Plotly held back until all is read that stands without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import entries
from tests.browser.reading import LABELS, LINK, address, handle, place_of, until
from tests.browser.walking import SCREENS
from tests.rationing import shared
from tests.scenes import declared
from tools.browsing import axe_violations, settled

STAGED = [entry.slug for entry in entries() if declared(entry.slug).on_stage]
OTHERS = [entry.slug for entry in entries() if entry.slug not in STAGED]
MOST = 1.8  # megabytes until the first picture stands; 3.4 where Streamlit's scripts come unpacked
SLACK = 1.0  # px between the plot of the drawing and Plotly's
SKETCH, DRAWING = ".ldp-sketch svg[data-plot]", ".ldp-drawing svg"
FIRST = f"{SKETCH}, {DRAWING}"
HAS_STRIP = "() => document.querySelector('.ldp-stage').stage.scenes.size > 1"
BOXES = """() => {
  const parts = ["h1", ".ldp-answer", ".ldp-views", ".ldp-box", ".ldp-title", ".ldp-figure", ".ldp-handle",
    ".ldp-handle input", ".ldp-stops", ".ldp-below", ".st-key-settings"]
  return parts.flatMap(part => [...document.querySelectorAll(part)].map(node =>
    [part, ...Object.values(node.getBoundingClientRect().toJSON()).map(Math.round)].join(" ")))
}"""
SKETCHED = """() => {
  const { sketch, figure, ...picture } = document.querySelector(".ldp-stage").stage.picture
  const { width, height } = document.querySelector(".ldp-sketch svg").viewBox.baseVal
  const names = [...document.querySelectorAll(".ldp-sketch .entry")].map(each => each.textContent)
  return { plot: sketch.plot, size: [width, height], names, same: sketch.of === figure }
}"""
PLOTTED = """() => {
  const figure = document.querySelector(".ldp-figure"), { _size: { l, r, t, b }, width, height } = figure._fullLayout
  const names = [...figure.querySelectorAll(".legendtext")].map(each => each.textContent)
  return { plot: [l, t, width - r, height - b], size: [width, height], names, same: true }
}"""
WIRE = """
window.wire = { socket: 0, at: 0, told: false }
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given)
    this.addEventListener("message", ({ data }) => {
      if (wire.told || wire.at) return
      wire.socket += data.byteLength
      wire.told = /data-plot=|"drawing":"/.test(new TextDecoder().decode(data))
    })
  }
}
const look = () => document.querySelector("PART") ? wire.at = performance.now() : requestAnimationFrame(look)
look()
"""
CAME = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(each => each.responseEnd && each.responseEnd <= wire.at)
  .reduce((sum, each) => sum + each.transferSize, wire.socket)"""
HELD = """
window.ldpAsked = 0
const free = new Promise(free => { window.ldpFree = free }), append = Element.prototype.append
Element.prototype.append = function (...nodes) {
  if (!nodes.some(each => /plotly-/.test(each.src))) return append.apply(this, nodes)
  window.ldpAsked++
  free.then(() => append.apply(this, nodes))
}
"""
HEARD = """() => [...document.querySelectorAll(".ldp-stage [role=figure]")].filter(node => node.checkVisibility())
  .map(node => [node.getAttribute("role"), node.getAttribute("aria-label"), node.getAttribute("aria-live")].join())"""


@contextmanager
def held(page: Page) -> Iterator[Callable[[], int]]:
    """Plotly's script is held back, and comes at the end; tells how often it was asked for meanwhile."""
    page.add_init_script(HELD)
    yield lambda: int(page.evaluate("ldpAsked"))
    page.evaluate("ldpFree()")


def weighed(page: Page, until: str) -> None:
    """Count what comes over the wire until a part of the page is seen, headers included."""
    page.add_init_script(WIRE.replace("PART", until))


def megabytes(page: Page) -> float:
    """What had come when the part was seen."""
    page.wait_for_function("() => wire.at")
    return float(page.evaluate(CAME)) / 1e6


def at_rest(page: Page) -> None:
    """Wait until fonts have come and a last row of words: two looks find all boxes where they were."""
    page.evaluate("document.fonts.ready.then(() => null)")
    seen = list[object]()

    def stands() -> bool:
        seen.append(page.evaluate(BOXES))
        return len(seen) > 3 and seen[-1] == seen[-4]

    until(page, stands)


def taken_over(page: Page, link: str) -> None:
    """Open a link and let Plotly take the drawing's place: nothing moves, the plot stays, and nobody hears of it."""
    with held(page):
        page.goto(link)
        expect(page.locator(FIRST).first).to_be_visible()
        if page.locator(DRAWING).count():  # which no Plotly draws
            return
        expect(page.locator(".ldp-keys[aria-label]")).to_be_attached()  # they are the last to come
        page.wait_for_function(HAS_STRIP)
        at_rest(page)
        boxes, heard, drawn = page.evaluate(BOXES), page.evaluate(HEARD), page.evaluate(SKETCHED)
        assert not page.locator(".ldp-figure .main-svg").count() and drawn["same"]
    settled(page)
    plotted = page.evaluate(PLOTTED)
    assert page.evaluate(BOXES) == boxes and page.evaluate(HEARD) == heard
    assert plotted["size"] == drawn["size"] and plotted["names"] == drawn["names"]
    assert plotted["plot"] == pytest.approx(drawn["plot"], abs=SLACK)
    expect(page.locator(".ldp-sketch")).to_be_hidden()


@pytest.mark.parametrize("slug", shared(STAGED, 7, first=1))
def test_the_first_picture_stands_before_plotly_and_is_taken_over_where_it_stands(
    visit: Callable[..., Page], slug: str
) -> None:
    """By day on every seventh page, on a laptop, a projector or a phone by turns."""
    screen = ("laptop", "phone", "projector")[STAGED.index(slug) % 3]
    taken_over(visit(**SCREENS[screen]), address(slug, **({"lecture": "true"} if screen == "projector" else {})))


@pytest.mark.parametrize("slug", shared([*STAGED[:2], *OTHERS], 2, first=1))
def test_who_arrives_waits_for_no_more_than_the_first_picture_or_answer_needs(
    visit: Callable[..., Page], slug: str
) -> None:
    page = visit(cold=True)
    weighed(page, FIRST if slug in STAGED else ".st-key-answer")
    page.goto(address(slug))
    weight = megabytes(page)
    print(f"{weight:.2f} MB until the first picture or the answer of {slug}")
    assert 1 < weight <= MOST


def test_another_stop_is_drawn_when_plotly_is_there_and_shows_no_wrong_picture(page: Page) -> None:
    with held(page) as waiting:
        page.goto(f"{LINK}&counting_tab=one")
        page.locator(SKETCH).wait_for()
        page.wait_for_function(HAS_STRIP)
        handle(page).press("ArrowRight")
        expect(page.locator(".ldp-sketch")).to_have_class("ldp-sketch ldp-other")
        expect(page.locator(".ldp-answer")).to_contain_text("ε = 0.5")
        page.wait_for_url("**epsilon=0.5**")
        assert waiting() == 1, "who touches the stage asks for Plotly"
    assert "0.5" in settled(page).locator(".ldp-answer").inner_text()
    expect(page.locator(".ldp-sketch")).to_be_hidden()
    plot = page.locator(".ldp-figure .nsewdrag").first.bounding_box()
    assert plot is not None
    page.mouse.move(plot["x"] + plot["width"] / 2, plot["y"] + plot["height"] / 2)
    expect(page.locator(".ldp-figure .hoverlayer .hovertext").first).to_be_visible()
    handle(page).press("ArrowLeft")
    expect(page.locator(".ldp-answer")).to_contain_text("ε = 0.3")


def test_where_plotly_never_comes_the_drawing_stays_with_its_numbers_below(visit: Callable[..., Page]) -> None:
    page = visit()
    page.route("**/plotly-*", lambda route: route.fulfill(status=200, content_type="text/html", body="<p>Sign in</p>"))
    page.goto(LINK)
    page.locator(SKETCH).wait_for()
    page.wait_for_function(HAS_STRIP)
    boxes = page.evaluate(BOXES)
    table = page.get_by_text(LABELS["stage"]["plotly_failed"])
    expect(table).to_be_visible()
    expect(page.locator(SKETCH)).to_be_visible()
    assert page.evaluate(BOXES) == boxes
    below = page.locator(".ldp-failed").bounding_box()
    grip = page.locator(".ldp-handle").bounding_box()
    assert below is not None and grip is not None and below["y"] >= grip["y"] + grip["height"]
    assert not axe_violations(page, (".ldp-stage",))
    handle(page).press("ArrowRight")
    expect(page.locator(SKETCH)).to_be_hidden()
    expect(page.locator(".ldp-box .ldp-failed")).to_be_visible()


def test_who_saves_data_is_sent_plotly_when_the_stage_is_touched(page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    with held(page) as waiting:
        page.goto(LINK)
        page.locator(SKETCH).wait_for()
        page.wait_for_timeout(3000)
        assert not waiting()
        page.mouse.move(*place_of(page, 3))
        until(page, lambda: waiting() == 1)
    settled(page)
