"""How a view is looked at on a walk: in which windows, in which size of text and colors, and what is wrong with it.

A view is seen in a laptop's window or in that of a projector or phone, at night in all. The other sizes and larger
text take turns, by day from page to page, as do the two schemes. What meets what follows from the view's place alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

from playwright.sync_api import Page

from tests.browser.boxes import faults, measured, share
from tests.browser.quickly import drawn_wrongly
from tests.browser.reading import handle, place_of
from tests.browser.walking import LARGER, SCREENS, SLUGS, USUAL, resized
from tests.rationing import ALL
from tests.scenes import declared
from tools.browsing import axe_violations, settled, without_sideways_scrolling

SHARES = {  # of the height, that the figure takes
    "laptop": 0.45,
    "tablet": 0.45,
    "projector": 0.5,
    "hall": 0.5,
    "wall": 0.5,
    "phone": 0.36,
    "turned": 260 / 390,
}
STAGED = [slug for slug in SLUGS if declared(slug).on_stage]
OF_A_VIEW = (".ldp-stage", ".st-key-settings")  # what another view brings along; the rest of a page stays


@dataclass(frozen=True)
class Look:
    """In which window a view is looked at, with text how large."""

    window: str
    times: float = USUAL

    def __str__(self) -> str:
        """How a red line says it."""
        return f"on a {self.window} at {self.times:.0%}"


WAYS = {  # of each screen, the ways from its own window to another that take turns
    "laptop": (
        (Look("laptop"), Look("tablet")),
        (Look("laptop"), Look("tablet", LARGER)),
        (Look("laptop"), Look("laptop", LARGER)),
    ),
    "projector": (
        (Look("projector"), Look("projector", LARGER)),
        (Look("projector"), Look("hall")),
        (Look("projector"), Look("wall")),
    ),
    "phone": (
        (Look("phone"), Look("phone", LARGER)),
        (Look("phone"), Look("turned")),
    ),
}


def looks(screen: str, slug: str) -> Iterator[tuple[Look, ...]]:
    """The looks at the views of a page in the order in which they are chosen.

    A view is seen along a way, the next one back, where the last has ended. By day the first one is seen along a way,
    and the others in the screen's own window.
    """
    ways = WAYS[screen]
    first = SLUGS.index(slug) % len(ways)
    for way in cycle((*ways[first:], *ways[:first])):
        yield way
        while not ALL:
            yield way[:1]
        yield way[::-1]


def schemes(slug: str, views: int) -> list[bool]:
    """Which views of a page are seen in dark colors: one half, and on the next page the other half."""
    dark = SLUGS.index(slug) % 2 == 1
    return [dark if place < views // 2 else not dark for place in range(views)]


WATCHED = """() => {
  const stage = document.querySelector(".ldp-stage"), figure = stage.querySelector(".ldp-figure")
  const parts = [document.querySelector("h1"), ...stage.querySelectorAll(":is(.ldp-answer, .ldp-views, .ldp-title, "
    + ".ldp-figure, .ldp-which, .ldp-note, .ldp-stops, input[type=range])")]
  const seen = () => JSON.stringify([figure.mark, parts.map(part => part.isConnected && part.getClientRects().length
    && Object.values(part.getBoundingClientRect().toJSON()).map(Math.round)),
    stage.querySelector(".ldp-answer").innerText, Boolean(stage.querySelector(".ldp-stale"))])
  const watch = window.watched = { seen: [seen()], on: true }
  const look = () => {
    if (seen() !== watch.seen.at(-1)) watch.seen.push(seen())
    if (watch.on) requestAnimationFrame(look)
  }
  look()
}"""


# Of what elements and attributes a view is built, and how its words are painted: all that axe reads of it but the words
# and the numbers. Of Plotly's drawing, which is the same everywhere, what could be named, reached or pressed.
MADE = """selectors => {
  const plain = { class: 1, role: 1, type: 1, tabindex: 1, "aria-hidden": 1, "aria-live": 1 }, painted = new Set()
  const under = node => node ? `${under(node.parentElement)} ${getComputedStyle(node).backgroundColor}` : ""
  const paint = (node, around) => {
    const { color, backgroundColor, fill, opacity, fontSize, fontWeight, filter } = getComputedStyle(node)
    const ground = `${around} ${backgroundColor} ${opacity} ${filter}`.replace(" rgba(0, 0, 0, 0) 1 none", "")
    const words = [...node.childNodes].some(each => each.nodeType === Node.TEXT_NODE && each.data.trim())
    if (words) painted.add([node.localName, color, fill, fontSize, fontWeight, ground].join())
    return ground
  }
  const shape = (node, around) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data.trim() && "…"
    if (node.nodeType !== Node.ELEMENT_NODE) return ""
    const ground = paint(node, around)
    const parts = [...new Set([...node.childNodes].map(each => shape(each, ground)))].filter(Boolean)
    const drawn = node.closest(".main-svg") && !node.matches("[role], [tabindex], [href], .main-svg")
    if (drawn && ![...node.attributes].some(({ name }) => name.startsWith("aria-"))) {
      return parts.filter(each => each !== "…").join(" ")
    }
    const given = [...node.attributes].map(({ name, value }) => plain[name] ? `${name}=${value.replace(/[0-9]+/g, "")}`
      : value ? name : `no ${name}`)
    return [node.localName, given, "(", ...parts, ")"].join(" ")
  }
  const parts = selectors.flatMap(each => [...document.querySelectorAll(each)])
  return [parts.map(node => shape(node, under(node.parentElement))).join(), [...painted]]
}"""
_BUILT, _PAINTED = set[str](), set[str]()


def wrong(page: Page, screen: str, times: float) -> list[str]:
    """What of the view that is shown stands wrongly in a window of this size, with text of this size."""
    width, height = int(SCREENS[screen]["width"]), int(SCREENS[screen]["height"])
    page.get_by_test_id("stMain").evaluate("node => node.scrollTo({ top: 0 })")
    parts = measured(page)
    wrongs = list(faults(parts, width, height))
    # Where words stand beside it, a drawing is held to its share too.
    held = screen == "turned" or any(part.kind == "plot" for part in parts)
    if times == USUAL and held and share(parts, height) < SHARES[screen] - 0.005:
        wrongs.append(f"the figure takes {share(parts, height):.0%} of the height")
    without_sideways_scrolling(page)
    return wrongs


def read_wrongly(page: Page, *, whole: bool, contrasts: bool) -> list[str]:
    """What axe finds on the whole page, or in what another view brings along; all of it, or contrasts alone.

    What another view brings along is read where it is built otherwise than all that was read before, and its contrasts
    where words are painted otherwise.
    """
    if whole:
        return axe_violations(page, alone=contrasts)
    built, painted = page.evaluate(MADE, [*OF_A_VIEW])
    same, seen = contrasts or built in _BUILT, _PAINTED.issuperset(painted)
    _BUILT.add(built)
    _PAINTED.update(painted)
    return [] if same and seen else axe_violations(page, OF_A_VIEW, colors=not seen, alone=same)


def seen_wrongly(page: Page, name: str, ways: Sequence[Look], *, dark: bool = False, first: bool = False) -> list[str]:
    """What is wrong with the view of a name in each of these looks, in the last of which it stays.

    On a laptop what is drawn quickly is compared with what is drawn whole; a page's `first` view nearly always is.
    """
    wrongs = []
    for look in ways:
        resized(page, look.window, look.times, dark=dark)
        wrongs += [f"{name} {look}: {each}" for each in wrong(page, look.window, look.times)]
        if look == Look("laptop"):
            wrongs += drawn_wrongly(page, name, first=first)
    return wrongs


def let_go(page: Page) -> list[str]:
    """What moved or flickered when the handle was let go where it had been for a moment."""
    page.wait_for_function("() => document.querySelector('.ldp-stage').stage.scenes.size > 1")
    stop = int(handle(page).input_value())
    page.mouse.move(*place_of(page, stop))
    page.mouse.down()
    for step in (stop + 4, stop + 1):
        page.mouse.move(*place_of(page, step))
    settled(page)  # the picture at the last step is there
    page.evaluate(WATCHED)
    page.mouse.up()
    page.wait_for_url("**epsilon=**")
    settled(page)
    page.evaluate("watched.on = false")
    seen: list[str] = page.evaluate("watched.seen")
    return [f"moved when the handle was let go: {each}" for each in seen[1:]]
