"""What the browser tests read off a page, and the few ways in which they move it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from explorer.navigation import DEFAULT, entries
from explorer.text import listing
from tools.browsing import LOOKS, settled

LABELS = listing("labels")
LINK = "/counting?data=clinic&epsilon=0.3&counting_seed=7"
QUESTIONS = {entry.slug: entry.question() for entry in entries()}
THUMB = 13  # half of the handle, in pixels
PATIENCE = 60_000  # milliseconds after which a test that hangs says so
MOST_STOPS = 200  # of the Tab key on a page
VIEWS = """() => [...document.querySelectorAll(".ldp-stage .ldp-views button[value]")]
  .map(each => each.value).filter(Boolean)"""

FOCUS = """() => {
  let focused = document.activeElement
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused
}"""
IS_MARKED = """async focused => {
  let shown = focused  // the input of a switch or a slider is hidden in a pixel, and what is drawn for it stands around
  for (let around = focused; around; around = around.parentElement) {
    if (around.offsetWidth === 1) shown = around.parentElement
  }
  const parts = []
  for (; shown && parts.length < 4; shown = shown.parentElement) parts.push(shown)
  const marks = () => parts.map(part => {
    const {outlineStyle, outline, boxShadow, borderStyle, borderColor} = getComputedStyle(part)
    return [outlineStyle === "none" || outline, boxShadow, borderStyle === "none" || borderColor].join()
  })
  const before = marks()
  focused.blur()
  await new Promise(requestAnimationFrame)
  const after = marks()
  focused.focus()
  return before.some((mark, place) => mark !== after[place])
}"""
FROM_THE_TOP = """() => {
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute("tabindex")
}"""
PASSED_OVER = """() => {
  const away = "[inert], [aria-hidden=true]"
  const seen = node => node.checkVisibility({ visibilityProperty: true }) && !node.closest(away)
  const controls = "a[href], button, input, select, textarea, summary, [tabindex]"
  const group = node => node.type === "radio" ? [...document.getElementsByName(node.name)]
    : [node, ...node.closest("[role=radiogroup]")?.querySelectorAll("[role=radio]") ?? []]  // the arrows go on from one
  return [...document.querySelectorAll(controls)]
    .filter(node => seen(node) && !node.disabled && node.tabIndex >= 0 && !group(node).some(each => each.reached))
    .map(node => `${node.localName} ${node.ariaLabel || node.textContent || node.type}`)
}"""


def until(page: Page, holds: Callable[[], object]) -> None:
    """Let the browser work until something holds, however long a busy machine takes for it."""
    for _ in range(PATIENCE // LOOKS):
        if holds():
            return
        page.wait_for_timeout(LOOKS)
    assert holds(), "it never came to hold"


def address(slug: str, **parameters: str) -> str:
    """A page's own address; the overview is the root."""
    return ("/" if slug == DEFAULT else f"/{slug}") + (f"?{urlencode(parameters)}" if parameters else "")


def opened(page: Page, link: str = LINK) -> Page:
    """The page once it stands."""
    page.goto(link)
    expect(page.locator(".ldp-keys[aria-label]")).to_be_attached()  # they are the last to come
    return settled(page)


def main_text(page: Page) -> str:
    """Everything that the page says."""
    return settled(page).get_by_test_id("stMain").inner_text()


def answer(page: Page) -> Locator:
    """The sentence that answers the question, at the top of the stage."""
    return page.locator(".ldp-stage .ldp-answer")


def handle(page: Page) -> Locator:
    """The handle of the stage."""
    return page.locator(".ldp-stage input[type=range]")


def place_of(page: Page, stop: int) -> tuple[float, float]:
    """Where the handle's middle stands at a stop."""
    box, last = handle(page).bounding_box(), int(handle(page).get_attribute("max") or 0)
    assert box is not None
    return box["x"] + THUMB + (box["width"] - 2 * THUMB) * stop / last, box["y"] + box["height"] / 2


def chart(page: Page) -> list[list[Any]]:
    """The x and then the y values of every trace on screen."""
    settled(page)
    found: list[list[Any]] = page.evaluate(
        "[...document.querySelector('.ldp-figure')._fullData].map(({ x, y }) => [...x ?? [], ...y ?? []])"
    )
    return found


def names(page: Page) -> list[str]:
    """The names of the traces on screen."""
    found: list[str] = settled(page).evaluate(
        "document.querySelector('.ldp-figure').data.map(trace => trace.name ?? '')"
    )
    return found


def views_of(page: Page) -> list[str]:
    """The slugs of all views that the page offers, those behind the menu too."""
    found: list[str] = page.evaluate(VIEWS)
    return found


def view(page: Page, slug: str) -> Locator:
    """A view's button in the row."""
    return page.locator(f".ldp-views-row button[value='{slug}']")


def look_at(page: Page, slug: str) -> Page:
    """The page after another view was chosen, in the row or in the menu, by tap on a phone; the present one stays."""
    press = Locator.tap if page.evaluate("navigator.maxTouchPoints > 0") else Locator.click
    if page.locator(f".ldp-views button[value='{slug}'][aria-checked=true]").count():
        return settled(page)
    if not view(page, slug).count():
        press(page.locator(".ldp-views .ldp-menued > button"))
    press(page.locator(f".ldp-views button[value='{slug}']"))
    expect(page.locator(f".ldp-views button[value='{slug}'][aria-checked=true]")).to_be_attached()  # it has come
    return settled(page)


def folded(page: Page, name: str) -> Page:
    """The page with what stands below the figure opened or closed."""
    page.locator("[class*='_below'] button").filter(has_text=LABELS["frame"][name]).click()
    return settled(page)


def link(page: Page) -> str:
    """The link that the page offers, once what can be taken along is open."""
    return page.get_by_test_id("stCode").filter(has_text="://").first.inner_text().replace("\n", "").strip()


def pressed(page: Page, *keys: str) -> Page:
    """The page after keys, one by one."""
    for key in keys:
        page.keyboard.press(key)
        settled(page)
    return page


def stops(page: Page) -> list[str]:
    """Where the Tab key stops on its way round; those that do not show it, or are passed over, are "unseen"."""
    found: list[str] = []
    page.evaluate(FROM_THE_TOP)
    while len(found) < MOST_STOPS:
        page.keyboard.press("Tab")
        focused = page.evaluate_handle(FOCUS)
        tag, name = focused.evaluate("it => [it.localName, it.ariaLabel || it.textContent, it.reached = true]")[:2]
        if tag == "body":
            return found + [f"unseen: {name}" for name in page.evaluate(PASSED_OVER)]
        if tag != "main":  # no control: the arrows scroll it, and a frame around it says so
            found.append(f"{'' if focused.evaluate(IS_MARKED) else 'unseen: '}{tag} {name[:60]}")
    raise AssertionError(f"the Tab key must come round within {MOST_STOPS} stops; got {found}")


def tab_to(page: Page, place: str) -> None:
    """Press Tab until the focus is in a place."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("place => Boolean(document.activeElement.closest(place))", place):
            return
    raise AssertionError(f"{place} must be reached by the Tab key")
