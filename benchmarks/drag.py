"""What a finger feels: from the handle's move to the repainted picture, beside Plotly's own `react` on an empty page.

Each page is dragged to and fro in its first view while the bare figures of the same stops are drawn in turn, so that a
busy minute slows both. `python -m benchmarks.drag --output benchmarks/results/drag.md` fails where a limit is broken.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from explorer.navigation import DEFAULT, entries
from tools.browsing import launched, settled, window
from tools.chromium import ADVICE, chromium
from tools.serving import Server, serving

MOVES, ROUNDS = 60, 2
RATIO_LIMIT, P95_LIMIT = 1.3, 80.0  # against the bare figure's median; milliseconds
STRIP_LIMIT = 500.0  # milliseconds from the first picture to the whole strip
SLIDER = "input[type=range]"

WATCH = """() => {
  const range = [...document.querySelectorAll("input[type=range]")].find(each => each.getClientRects().length)
    ?? [...document.querySelectorAll("*")].map(each => each.shadowRoot?.querySelector("input[type=range]"))
      .find(Boolean)
  const stage = range.closest(".ldp-stage") ?? range.getRootNode()
  const seen = window.__drag = { waits: [], since: null }
  const painted = () => requestAnimationFrame(() => {
    if (seen.since === null) return
    seen.waits.push(performance.now() - seen.since)
    seen.since = null
  })
  range.addEventListener("input", () => { seen.since ??= performance.now() }, true)
  const figure = stage.querySelector(".ldp-figure:not([hidden])")
  if (figure?.on) figure.on("plotly_afterplot", painted)
  else new MutationObserver(painted).observe(stage, { subtree: true, childList: true, attributes: true })
  const { left, top, width, height } = range.getBoundingClientRect()
  return { left, top, width, height, drawn: Boolean(figure?.on) }
}"""

FIGURES = """() => {
  const [strip] = [...(window.ldpStages?.strips.values() ?? [])]
  const figure = document.querySelector(".ldp-stage .ldp-figure")
  const { width, height } = figure?.getBoundingClientRect() ?? {}
  return strip ? { figures: [...strip.scenes.values()].map(scene => scene[1]), width, height } : null
}"""

BARE = """async ({ figures, width, height }) => {
  const place = document.getElementById("place"), waits = []
  for (const text of figures) {
    const figure = JSON.parse(text)
    Object.assign(figure.layout, { width, height })
    const start = performance.now()
    await Plotly.react(place, { ...figure, config: { displayModeBar: false } })
    await new Promise(requestAnimationFrame)
    waits.push(performance.now() - start)
  }
  return waits
}"""


@dataclass
class Drag:
    """Milliseconds from finger to picture, those of the bare figures, and how often the server was spoken to."""

    slug: str
    waits: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    messages: int = 0
    strip: float = float("nan")

    def line(self) -> str:
        """One row of the report."""
        median, p95 = np.median(self.waits), np.quantile(self.waits, 0.95)
        bare = np.median(self.bare) if self.bare else float("nan")
        return (
            f"| {self.slug} | {median:.0f} | {p95:.0f} | {bare:.0f} | {median / bare:.2f} | {self.strip:.0f} "
            f"| {self.messages} | {'; '.join(self.faults()) or 'within the limits'} |"
        )

    def faults(self) -> list[str]:
        """Which limits are broken."""
        bare = np.median(self.bare) if self.bare else np.inf
        found = [f"{self.messages} messages while dragging"] if self.messages else []
        found += ["slower than the bare figure allows"] if np.median(self.waits) > RATIO_LIMIT * bare else []
        found += ["slow moves"] if np.quantile(self.waits, 0.95) > P95_LIMIT else []
        return found + (["a late strip"] if self.strip > STRIP_LIMIT else [])


def bare_page(browser: Browser, server: Server) -> Page:
    """An empty page with Plotly on it."""
    page = window(browser, server.url).new_page()
    page.set_content('<div id="place"></div>')
    page.add_script_tag(content=files("plotly").joinpath("package_data/plotly.min.js").read_text("utf-8"))
    return page


def dragged(page: Page, found: Drag, place: dict[str, Any], sent: list[int]) -> None:
    """One press, moves to and fro, one release."""
    height = place["top"] + place["height"] / 2
    page.mouse.move(place["left"] + place["width"] / 2, height)
    page.mouse.down()
    before = len(sent)
    for turn in range(MOVES):
        share = 0.5 + 0.48 * np.sin(2 * np.pi * turn / MOVES)
        page.mouse.move(place["left"] + place["width"] * float(share), height)
        page.wait_for_timeout(30)
    found.messages += len(sent) - before
    page.mouse.up()
    settled(page)
    found.waits = page.evaluate("window.__drag.waits")


def measured(browser: Browser, server: Server, slug: str) -> Drag:
    """One page, and its figures on an empty page, in turn."""
    found, sent = Drag(slug), []
    page, bare = window(browser, server.url).new_page(), bare_page(browser, server)
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append(1)))
    page.goto("/" if slug == DEFAULT else f"/{slug}")
    page.wait_for_function("document.querySelector('.ldp-figure .main-svg, .ldp-drawing svg, .stApp svg')")
    start = page.evaluate("performance.now()")
    if page.query_selector(".ldp-stage"):
        page.wait_for_function("window.ldpStages?.strips.size", timeout=20_000)
        found.strip = page.evaluate("performance.now()") - start
    settled(page)
    place, figures = page.evaluate(WATCH), page.evaluate(FIGURES)
    for _ in range(ROUNDS):
        dragged(page, found, place, sent)
        if figures and place["drawn"]:
            found.bare += bare.evaluate(BARE, figures)
    page.context.close()
    bare.context.close()
    return found


def main() -> int:
    """Measure every page, print the table, and say by the exit code whether all limits hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--pages", nargs="*", default=[entry.slug for entry in entries() if entry.slug != "reference"])
    asked = parser.parse_args()
    if chromium() is None:
        print(ADVICE)
        return 2
    lines = [
        f"Load at the start: {os.getloadavg()[0]:.1f}. Milliseconds.",
        "",
        "| page | finger → picture | p95 | bare figure | ratio | strip | messages | verdict |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with sync_playwright() as playwright, serving() as server:
        browser = launched(playwright)
        drags = [measured(browser, server, slug) for slug in asked.pages]
        browser.close()
    lines += [drag.line() for drag in drags]
    print("\n".join(lines))
    if asked.output:
        asked.output.parent.mkdir(parents=True, exist_ok=True)
        asked.output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return int(any(drag.faults() for drag in drags))


if __name__ == "__main__":
    sys.exit(main())
