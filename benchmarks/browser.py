"""What a reader waits for: the slider's release to the repainted chart, and a first visit to a server just started.

Each page is measured beside the yardstick, move by move in turn, so that a busy minute slows both; the first moves are
not counted, and both are opened anew for it: a page that has been moved a hundred times is compiled further.
`python -m benchmarks.browser --output benchmarks/results/browser.md` fails where a limit is broken.
"""

from __future__ import annotations

import argparse
import base64
import os
import platform
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from benchmarks.stopwatch import STOPWATCH
from explorer.navigation import DEFAULT, entries
from tools.browsing import launched, settled, window
from tools.chromium import ADVICE, chromium
from tools.serving import Server, serving

YARDSTICK, APP = "benchmarks/yardstick/app.py", "app.py"
SLIDER = ".st-key-epsilon [role='group']"
PLACES = (0.2, 0.5, 0.8, 0.35, 0.65, 0.1, 0.9)  # fractions of the slider's length, so that each move changes the value
WARM_UP = 4
RATIO_LIMIT, RATIO_AIM, P95_LIMIT = 1.6, 1.3, 300.0  # against the yardstick's median; milliseconds
HEAVY_LIMIT = 4.0  # the same, for a thousand answers of a billion people
HEAVY = "/frequencies?frequencies_k=1024&frequencies_n=1000000000&frequencies_mechanism="
HEAVY_MEMBERS = ("grr", "sue", "oue", "olh", "hadamard", "subset")  # the first four a hundred times, the others once
PATIENCE = 5_000.0  # milliseconds after which a chart counts as one that does not follow the slider


@dataclass(frozen=True)
class Waits:
    """Milliseconds from release to repainted chart, one for each move."""

    milliseconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle wait."""
        return float(np.median(self.milliseconds))

    @property
    def p95(self) -> float:
        """What nineteen of twenty moves stay under."""
        return float(np.quantile(self.milliseconds, 0.95))


@dataclass(frozen=True)
class Cold:
    """A first visit: seconds to health, of the first run, and to the first chart (or the settled page); megabytes."""

    health: float
    first_run: float
    first_chart: float
    again: float
    megabytes: float


@contextmanager
def visitor(browser: Browser, server: Server) -> Iterator[Page]:
    """A page with a stopwatch in it."""
    context = window(browser, server.url)
    context.add_init_script(STOPWATCH)
    yield context.new_page()
    context.close()


class StillChartError(RuntimeError):
    """The slider moved and no chart did."""


def move(page: Page, place: float) -> float:
    """Drag the slider to a place, let it go, and read the stopwatch."""
    page.bring_to_front()
    slider = page.locator(SLIDER).first
    slider.scroll_into_view_if_needed()
    track, thumb = (
        slider.bounding_box(),
        slider.locator("[data-testid='stSliderThumbValue']").locator("..").bounding_box(),
    )
    if track is None or thumb is None:
        raise RuntimeError(f"the slider at {page.url} must be visible; it is not")
    height = thumb["y"] + thumb["height"] / 2
    page.mouse.move(thumb["x"] + thumb["width"] / 2, height)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] * place, height, steps=3)
    page.wait_for_timeout(60)  # the drag itself is drawn before the release
    page.mouse.up()
    try:
        page.wait_for_function("__stopwatch.last > __stopwatch.released", timeout=PATIENCE)
    except PlaywrightTimeoutError:
        raise StillChartError(f"the chart must change when the slider moves to {place:.0%}; it did not") from None
    settled(page)
    read = page.evaluate("window.__stopwatch")
    return float(read["last"] - read["released"])


def side_by_side(page: Page, yardstick: Page, moves: int) -> tuple[Waits, Waits]:
    """The waits on a page and on the yardstick, taken in turn."""
    both: tuple[list[float], list[float]] = ([], [])
    for turn in range(WARM_UP + moves):
        for each, waits in zip((page, yardstick), both, strict=True):
            waits.append(move(each, PLACES[turn % len(PLACES)]))
    return Waits(tuple(both[0][WARM_UP:])), Waits(tuple(both[1][WARM_UP:]))


def measurable(page: Page) -> bool:
    """Whether the page has the slider and a Plotly chart that follows it."""
    return page.locator(SLIDER).count() > 0 and page.locator(".js-plotly-plot").count() > 0


def path_of(slug: str) -> str:
    """Where the page answers; the overview is the root."""
    return "/" if slug == DEFAULT else f"/{slug}"


def cases(wanted: list[str]) -> dict[str, tuple[str, float]]:
    """What is measured, by name: where it is, and how many times the yardstick it may take."""
    found = {slug: (path_of(slug), RATIO_LIMIT) for slug in wanted}
    if "frequencies" in wanted:
        found |= {f"frequencies, k = 1024, n = 10⁹: {slug}": (HEAVY + slug, HEAVY_LIMIT) for slug in HEAVY_MEMBERS}
    return found


def warm(browser: Browser, moves: int, wanted: list[str]) -> tuple[list[str], dict[str, bool]]:
    """Rows of the table of waits; and for each case whether it keeps the limits (absent where there is no chart)."""
    rows, verdicts = [], {}
    with serving(APP) as app, serving(YARDSTICK) as rod:
        for slug, (path, limit) in cases(wanted).items():
            with visitor(browser, app) as page, visitor(browser, rod) as yardstick:
                for each, place in ((page, path), (yardstick, "/")):
                    each.goto(place)
                    settled(each)
                if not measurable(page):
                    rows.append(f"| {slug} | no slider with a Plotly chart | | | | | |")
                    continue
                try:
                    here, there = side_by_side(page, yardstick, moves)
                except StillChartError as still:
                    rows.append(f"| {slug} | {still} | | | | | |")
                    verdicts[slug] = False
                    continue
            ratio = here.median / there.median
            verdicts[slug] = ratio <= limit and (here.p95 < P95_LIMIT or limit > RATIO_LIMIT)
            words = "too slow" if not verdicts[slug] else "as aimed" if ratio <= RATIO_AIM else "within the limits"
            numbers = " | ".join(f"{wait:.0f}" for wait in (here.median, here.p95, there.median, there.p95))
            rows.append(f"| {slug} | {numbers} | {ratio:.2f} | {words} |")
    return rows, verdicts


def first_visit(browser: Browser, server: Server, path: str) -> tuple[dict[str, Any], float]:
    """The stopwatch after a visit with an empty cache, and the megabytes that came over the wire."""
    with visitor(browser, server) as page:
        received = [0.0]
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")

        def count_file(event: dict[str, Any]) -> None:
            received[0] += event["encodedDataLength"]

        def count_frame(event: dict[str, Any]) -> None:
            data = event["response"]["payloadData"]
            received[0] += len(base64.b64decode(data)) if event["response"]["opcode"] == 2 else len(data)

        wire.on("Network.loadingFinished", count_file)
        wire.on("Network.webSocketFrameReceived", count_frame)
        page.goto(path)
        settled(page)
        read = dict(page.evaluate("window.__stopwatch"))
        read["shown"] = read["chart"] or read["ran"]
        return read, received[0] / 1e6


def cold(browser: Browser, script: str, path: str) -> Cold:
    """A server just started and its first visitor; then a second visitor with an empty cache."""
    with serving(script) as server:
        read, megabytes = first_visit(browser, server, path)
        again, _ = first_visit(browser, server, path)
    run = (read["ran"] - read["asked"]) / 1000
    return Cold(server.seconds_to_health, run, read["shown"] / 1000, again["shown"] / 1000, megabytes)


def cold_rows(browser: Browser, repeats: int, charted: list[str]) -> list[str]:
    """Rows of the table of first visits: the yardstick, the overview, and the first page with a chart; medians."""
    places = [("yardstick", YARDSTICK, "/"), (DEFAULT, APP, "/"), *((slug, APP, path_of(slug)) for slug in charted[:1])]
    found: dict[str, list[Cold]] = {name: [] for name, _, _ in places}
    for _ in range(repeats):
        for name, script, path in places:
            found[name].append(cold(browser, script, path))
    rows = []
    for name, visits in found.items():
        middle = np.median([(v.health, v.first_run, v.first_chart, v.again, v.megabytes) for v in visits], axis=0)
        rows.append(f"| {name} | " + " | ".join(f"{number:.2f}" for number in middle) + " |")
    return rows


def machine(browser: Browser) -> str:
    """What the numbers were taken on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    packages = ", ".join(f"{name} {version(name)}" for name in ("streamlit", "plotly", "numpy"))
    return (
        f"{cores} cores ({platform.machine()}, {platform.system()}), Python {platform.python_version()}, {packages}, "
        f"Chromium {browser.version}, loopback; load average at the start {os.getloadavg()[0]:.1f}"
    )


def report(browser: Browser, moves: int, repeats: int, wanted: list[str]) -> tuple[str, bool]:
    """The results as Markdown, and whether every page keeps the limits."""
    facts = machine(browser)
    waits, verdicts = warm(browser, moves, wanted)
    lines = [
        "# In the browser",
        "",
        facts,
        "",
        f"## Slider release to repainted chart, {moves} moves in turn with the yardstick (ms)",
        "",
        f"Limits: ratio of medians at most {RATIO_LIMIT} (aim {RATIO_AIM}), p95 under {P95_LIMIT:.0f} ms;",
        f"for a thousand answers of a billion people a ratio of at most {HEAVY_LIMIT:.0f}.",
        "",
        "| page | median | p95 | yardstick median | yardstick p95 | ratio | verdict |",
        "|---|--:|--:|--:|--:|--:|---|",
        *waits,
    ]
    if repeats:
        lines += [
            "",
            f"## Cold start, median of {repeats} (seconds; the browser's cache is empty each time)",
            "",
            "| page | process to health | first run | first visit to first chart | the next visitor's | megabytes |",
            "|---|--:|--:|--:|--:|--:|",
            *cold_rows(browser, repeats, list(verdicts)),
        ]
    return "\n".join(lines) + "\n", all(verdicts.values())


def main() -> int:
    """Measure, print, and fail where a limit is broken."""
    slugs = [entry.slug for entry in entries()]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.browser", description=__doc__)
    parser.add_argument("--pages", nargs="*", choices=slugs, default=slugs, help="which pages (all)")
    parser.add_argument("--moves", type=int, default=20, help="counted moves on each page (20)")
    parser.add_argument("--cold", type=int, default=3, help="cold starts of each kind (3; 0 for none)")
    parser.add_argument("--output", type=Path, help="also write the Markdown to this file")
    asked = parser.parse_args()
    if chromium() is None:
        print(ADVICE)
        return 1
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # unwinds, so that no server is left behind
    with sync_playwright() as playwright:
        browser = launched(playwright)
        text, kept = report(browser, asked.moves, asked.cold, asked.pages)
        browser.close()
    print(text)
    if asked.output:
        asked.output.parent.mkdir(parents=True, exist_ok=True)
        asked.output.write_text(text)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
