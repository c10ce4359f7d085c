"""The delay under a finger: from the handle's move to the repainted picture, beside Plotly's own `react`.

Each page is dragged to and fro in its first view while the bare figures of the same stops are drawn in turn, so that a
busy minute slows both; the yardstick app, whose chart follows its slider's release, is moved in between.
`python -m benchmarks.drag --output benchmarks/results/drag.md` fails where a limit is broken; with `--views` every view
is dragged alone, as fast as this machine is and with the page's own processor slowed down four times, as a phone's is.
A move ends where the figure is painted, or where the handle's words follow it, if a stop shows the same figure.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, CDPSession, Error, Page, sync_playwright

from benchmarks.browser import PLACES, YARDSTICK, move, visitor
from explorer.navigation import DEFAULT, entries
from ldpcore.processes import load_average, processors
from tools.browsing import launched, settled, window
from tools.chromium import ADVICE, chromium
from tools.serving import Server, serving

PLAIN = ("reference", "ask")  # pages without a stage
MOVES, ROUNDS = 60, 3
RATIO_LIMIT, P95_LIMIT = 1.3, 80.0  # against the bare figure's median; milliseconds
YARDSTICK_LIMIT = 1 / 3  # of the yardstick's release to its repainted chart
STRIP_LIMIT = 500.0  # milliseconds from the first picture to the whole strip
LIMITS = {1: 33.0, 4: 100.0}  # p95 in milliseconds of every view, by how many times the processor is slowed down
VIEWS = """() => [...document.querySelectorAll(".ldp-stage .ldp-views button[value]")]
  .map(each => each.value).filter(Boolean)"""
PICTURE = ".ldp-figure .main-svg, .ldp-sketch > svg, .ldp-drawing :not(style)"

WATCH = """() => {
  const range = [...document.querySelectorAll("input[type=range]")].find(each => each.getClientRects().length)
    ?? [...document.querySelectorAll("*")].map(each => each.shadowRoot?.querySelector("input[type=range]"))
      .find(Boolean)
  const stage = range.closest(".ldp-stage, body") ?? range.getRootNode()
  const seen = window.__drag = { waits: [], since: null }
  const painted = () => requestAnimationFrame(() => {
    if (seen.since === null) return
    seen.waits.push(performance.now() - seen.since)
    seen.since = null
  })
  range.addEventListener("input", () => { seen.since ??= performance.now() }, true)
  const figure = stage.querySelector(".ldp-figure:not([hidden])")
  const level = stage.querySelector(".ldp-which b")
  const said = () => { if (!figure.busy && !stage.querySelector(".ldp-stale")) painted() }  // where the figure stays
  if (figure?.on) figure.on("plotly_afterplot", painted)
  const under = { subtree: true, childList: true }
  if (figure?.on && level) new MutationObserver(said).observe(level, { ...under, characterData: true })
  if (!figure?.on) new MutationObserver(painted).observe(stage, { ...under, attributes: true })
  const { left, top, width, height } = range.getBoundingClientRect()
  return { left, top, width, height, drawn: Boolean(figure?.on) }
}"""

FIGURES = """() => {
  const [strip] = [...(window.ldpStages?.strips.values() ?? [])]
  const figure = document.querySelector(".ldp-stage .ldp-figure")
  if (!strip || !figure?.on) return null
  const { width, height } = figure.getBoundingClientRect(), { template } = figure.layout
  return { figures: [...strip.scenes.values()].map(scene => scene[1]), width, height, template }
}"""

BARE = """({ figures, width, height, template }) => {
  const figure = document.querySelector(".ldp-figure"), range = document.querySelector("input")
  range.max = figures.length - 1
  let asked
  const paint = () => {
    asked = undefined
    const { data, layout, frames } = JSON.parse(figures[range.value])
    Object.assign(layout, { width, height, template: structuredClone(template) })
    return Plotly.react(figure, { data, layout, frames, config: { displayModeBar: false } })
  }
  range.oninput = () => { asked ??= requestAnimationFrame(paint) }
  return paint().then(() => null)
}"""

EMPTY = """<div class="ldp-figure" style="height: 700px"></div>
<input type="range" style="width: 700px" min="0" value="0">"""


@dataclass
class Drag:
    """Milliseconds from finger to picture, those of the bare figures, and the number of messages to the server."""

    slug: str
    waits: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    yardstick: list[float] = field(default_factory=list)
    work: float = 0.0  # the page's own milliseconds of processor time for a painted move
    bare_work: float = 0.0
    messages: int = 0
    strip: float = float("nan")

    def ratio(self) -> float:
        """The page's work for a move as a multiple of a bare `react`; other programs stretch waits, not this."""
        return self.work / self.bare_work if self.bare_work else float("nan")

    def line(self) -> str:
        """One row of the report."""
        bare = np.median(self.bare) if self.bare else float("nan")
        median, rod = np.median(self.waits), np.median(self.yardstick)
        numbers = (f"{each:.0f}" for each in (median, np.quantile(self.waits, 0.95), bare))
        ratios = (f"{median / bare:.2f}", f"{self.ratio():.2f}", f"{rod:.0f}", f"{self.strip:.0f}", str(self.messages))
        return f"| {' | '.join((self.slug, *numbers, *ratios, '; '.join(self.faults()) or 'within the limits'))} |"

    def faults(self) -> list[str]:
        """The broken limits; waits count only where the machine has time, else the page's own work does."""
        quiet = load_average() < processors()
        bare = np.median(self.bare) if self.bare else np.inf
        slow = (np.median(self.waits) / bare if quiet else self.ratio()) > RATIO_LIMIT
        broken = [f"{self.messages} messages while dragging"] if self.messages else []
        broken += [f"more than {RATIO_LIMIT} times the bare figure"] if slow else []
        third = YARDSTICK_LIMIT * np.median(self.yardstick)
        broken += ["more than a third of the yardstick"] if np.median(self.waits) > third else []
        broken += ["slow moves"] if quiet and np.quantile(self.waits, 0.95) > P95_LIMIT else []
        return broken + (["a late strip"] if quiet and self.strip > STRIP_LIMIT else [])


def bare_page(browser: Browser, server: Server) -> Page:
    """An empty page with Plotly, a place for a figure and a bare handle on it."""
    page = window(browser, server.url).new_page()
    page.set_content(EMPTY)
    page.add_script_tag(content=files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8"))
    return page


def clocked(page: Page) -> CDPSession:
    """The clock of the page's own thread."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    return session


def working(page: Page, clock: CDPSession) -> tuple[float, int]:
    """The processor milliseconds of the page so far, and the moves that it has painted."""
    known = {each["name"]: each["value"] for each in clock.send("Performance.getMetrics")["metrics"]}
    return 1000 * known["TaskDuration"], page.evaluate("window.__drag.waits.length")


def dragged(page: Page, clock: CDPSession, place: dict[str, Any]) -> tuple[list[float], float]:
    """One press and moves to and fro: all waits on this page so far, and the work of a painted move."""
    page.bring_to_front()
    height = place["top"] + place["height"] / 2
    page.mouse.move(place["left"] + place["width"] / 2, height)
    page.mouse.down()
    before = working(page, clock)
    for turn in range(MOVES):
        share = 0.5 + 0.48 * np.sin(2 * np.pi * turn / MOVES)
        page.mouse.move(place["left"] + place["width"] * float(share), height)
        page.wait_for_timeout(30)
    waits: list[float] = page.evaluate("window.__drag.waits")
    after = working(page, clock)
    return waits, (after[0] - before[0]) / max(after[1] - before[1], 1)


def measured(browser: Browser, server: Server, yardstick: Page, slug: str) -> Drag:
    """One page, and its figures on an empty page under the same finger, in turn."""
    drag, sent = Drag(slug), []
    page, bare = window(browser, server.url).new_page(), bare_page(browser, server)
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append(1)))
    page.goto("/" if slug == DEFAULT else f"/{slug}")
    page.wait_for_selector(PICTURE)
    start = page.evaluate("performance.now()")
    if page.query_selector(".ldp-stage"):
        page.wait_for_function("() => window.ldpStages?.strips.size", timeout=20_000)
        drag.strip = page.evaluate("performance.now()") - start
    settled(page)
    place, figures = page.evaluate(WATCH), page.evaluate(FIGURES)
    clock, beside = clocked(page), clocked(bare)
    if figures:
        bare.evaluate(BARE, figures)
        bare_place = bare.evaluate(WATCH)
    for _ in range(ROUNDS):  # the first warms both up: of the work, the last one's counts
        before = len(sent)
        drag.waits, drag.work = dragged(page, clock, place)
        drag.messages += len(sent) - before
        page.mouse.up()
        settled(page)
        if figures:
            drag.bare, drag.bare_work = dragged(bare, beside, bare_place)
            bare.mouse.up()
        drag.yardstick += [move(yardstick, place) for place in PLACES]
    page.context.close()
    bare.context.close()
    return drag


@dataclass
class View:
    """Milliseconds from finger to picture in one view, as fast as the machine is and slowed down."""

    name: str
    waits: dict[int, list[float]] = field(default_factory=dict)

    def line(self) -> str:
        """One row of the report."""
        numbers = (f"{np.quantile(self.waits[times], share):.0f}" for times in LIMITS for share in (0.5, 0.95))
        return f"| {' | '.join((self.name, *numbers, '; '.join(self.faults()) or 'within the limits'))} |"

    def faults(self) -> list[str]:
        """The broken limits."""
        late = {times: np.quantile(self.waits[times], 0.95) for times in LIMITS}
        return [f"over {limit:g} ms at {times}×" for times, limit in LIMITS.items() if late[times] > limit]


def viewed(browser: Browser, server: Server, slug: str) -> Iterator[View]:
    """Every view of a page in which the handle moves something."""
    context = window(browser, server.url)
    page = context.new_page()
    page.goto("/" if slug == DEFAULT else f"/{slug}")
    page.wait_for_selector(PICTURE)
    for view in settled(page).evaluate(VIEWS) or [""]:
        page.goto("/" if slug == DEFAULT else f"/{slug}?{slug}_tab={view}")
        page.wait_for_selector(PICTURE)
        if not settled(page).locator(".ldp-stage input[type=range]:visible").count():
            continue
        with suppress(Error):  # where each stop is asked for, there is no strip
            page.wait_for_function("() => window.ldpStages?.strips.size", timeout=3_000)
        settled(page)
        found = slowed(page, f"{slug} {view}".strip())
        if all(found.waits.values()):
            yield found
    context.close()


def slowed(page: Page, name: str) -> View:
    """The view that stands on a page, dragged as fast as the machine is and slowed down."""
    found, place, clock = View(name), page.evaluate(WATCH), clocked(page)
    dragged(page, clock, place)  # warms it up
    for times in LIMITS:
        page.mouse.up()
        page.wait_for_timeout(1000)
        page.evaluate("window.__drag.waits.length = 0")
        clock.send("Emulation.setCPUThrottlingRate", {"rate": times})
        found.waits[times], _ = dragged(page, clock, place)
        clock.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return found


def travelled(browser: Browser, file: Path) -> Iterator[View]:
    """The view that a file shows first, dragged without a server."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(file.resolve().as_uri())
    page.wait_for_selector(PICTURE)
    page.wait_for_timeout(2000)
    yield slowed(page, file.name)
    page.close()


def every_view(views: Iterator[View], output: Path | None) -> int:
    """Measure every view, print the table, and return whether all limits hold, as an exit status."""
    titles = " | ".join(f"median at {times}× | p95" for times in LIMITS)
    lines = [f"| view | {titles} | verdict |", f"|---{'|---' * (2 * len(LIMITS) + 1)}|"]
    print("\n".join(lines), flush=True)
    broken = 0
    for view in views:
        lines.append(f"{view.line()}")
        broken += len(view.faults())
        print(lines[-1], f"load {load_average():.1f}", flush=True)
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(broken > 0)


def main() -> int:
    """Measure every page, print the table, and return whether all limits hold, as an exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--pages", nargs="*", default=[entry.slug for entry in entries() if entry.slug not in PLAIN])
    parser.add_argument("--views", action="store_true", help="every view, at two speeds of the page's processor")
    parser.add_argument("--files", nargs="*", type=Path, default=[], help="files that travel, after the pages' views")
    asked = parser.parse_args()
    if chromium() is None:
        print(ADVICE)
        return 2
    if asked.views:
        with sync_playwright() as playwright, serving() as server:
            browser = launched(playwright)
            views = [partial(viewed, browser, server, slug) for slug in asked.pages]
            views += [partial(travelled, browser, file) for file in asked.files]
            return every_view(chain.from_iterable(each() for each in views), asked.output)
    lines = [
        f"Load at the start: {load_average():.1f}. Milliseconds.",
        "",
        "| page | finger → picture | p95 | bare figure | ratio | of work | yardstick | strip | messages | verdict |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    with sync_playwright() as playwright, serving() as server, serving(YARDSTICK) as rod:
        browser = launched(playwright)
        with visitor(browser, rod) as yardstick:
            yardstick.goto("/")
            settled(yardstick)
            print("\n".join(lines))
            drags = []
            for slug in asked.pages:
                drags.append(measured(browser, server, yardstick, slug))
                print(drags[-1].line(), flush=True)
        browser.close()
    lines += [drag.line() for drag in drags]
    if asked.output:
        asked.output.parent.mkdir(parents=True, exist_ok=True)
        asked.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(any(drag.faults() for drag in drags))


if __name__ == "__main__":
    sys.exit(main())
