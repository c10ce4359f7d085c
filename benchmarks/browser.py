"""The reader's waits: from the handle's release to the server's last word, and on a first visit to a new server.

While the handle is dragged the picture follows without the server (`benchmarks.drag`); after its release come the link
and what is open below. Each page is measured beside the yardstick, whose chart is repainted after the release, move by
move in turn, so that a busy minute slows both; the first moves are not counted, and both are opened anew for it.
`python -m benchmarks.browser --output benchmarks/results/browser.md` fails where a limit is broken.
"""

from __future__ import annotations

import argparse
import base64
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

from benchmarks.reports import hand_over
from benchmarks.stopwatch import STOPWATCH
from explorer.navigation import DEFAULT, entries
from ldpcore.processes import load_average, processors
from tools.browsing import launched, settled, window
from tools.chromium import ADVICE, chromium
from tools.serving import Server, serving

YARDSTICK, APP = "benchmarks/yardstick/app.py", "app.py"
SLIDER = ".st-key-epsilon [role='group']"
HANDLE = ".ldp-stage .ldp-handle input"
PLACES = (0.2, 0.5, 0.8, 0.35, 0.65, 0.1, 0.9)  # fractions of the slider's length, so that each move changes the value
WARM_UP = 4
RATIO_LIMIT, RATIO_AIM, P95_LIMIT = 1.6, 1.3, 300.0  # against the yardstick's median; milliseconds
VISIT_LIMIT = 5.2  # megabytes of a first visit
HEAVY_LIMIT = 4.0  # the same, for a thousand answers of a billion people
HEAVY = "/frequencies?frequencies_k=1024&frequencies_n=1000000000&frequencies_mechanism="
HEAVY_MEMBERS = ("grr", "sue", "oue", "olh", "hadamard", "subset")  # the first four a hundred times, the others once
PATIENCE = 5_000.0  # milliseconds after which a chart counts as one that does not follow the slider


@dataclass(frozen=True)
class Waits:
    """Milliseconds from release to the repainted chart, or to the last word of the server; one for each move."""

    milliseconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle wait."""
        return float(np.median(self.milliseconds))

    @property
    def p95(self) -> float:
        """The wait that nineteen of twenty moves stay under."""
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


class SilentError(RuntimeError):
    """The handle was let go, and nothing happened."""


def move(page: Page, place: float) -> float:
    """Drag the yardstick's slider to a place, let it go, and read the stopwatch."""
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
        page.wait_for_function("() => __stopwatch.last > __stopwatch.released", timeout=PATIENCE)
    except PlaywrightTimeoutError:
        raise SilentError(f"the chart must change when the slider moves to {place:.0%}; it did not") from None
    settled(page)
    read = page.evaluate("window.__stopwatch")
    return float(read["last"] - read["released"])


def release(page: Page, place: float) -> float:
    """Drag the handle of a page to a place, let it go, and wait for the last word of the server."""
    page.bring_to_front()
    handle = page.locator(HANDLE).first
    handle.scroll_into_view_if_needed()
    box, last = handle.bounding_box(), float(handle.get_attribute("max") or 1)
    if box is None:
        raise RuntimeError(f"the handle at {page.url} must be visible; it is not")
    height, present = box["y"] + box["height"] / 2, float(handle.input_value()) / last
    page.mouse.move(box["x"] + box["width"] * (0.02 + 0.96 * present), height)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * place, height, steps=3)
    page.wait_for_timeout(60)
    page.mouse.up()
    try:
        page.wait_for_function("() => __socket.received > __stopwatch.released", timeout=PATIENCE)
    except PlaywrightTimeoutError:
        raise SilentError(f"the server must hear of the handle at {place:.0%}; it did not") from None
    settled(page)
    return float(page.evaluate("__socket.received - __stopwatch.released"))


def side_by_side(page: Page, yardstick: Page, moves: int) -> tuple[Waits, Waits]:
    """The waits on a page and on the yardstick, taken in turn."""
    both: tuple[list[float], list[float]] = ([], [])
    for turn in range(WARM_UP + moves):
        place = PLACES[turn % len(PLACES)]
        both[0].append(release(page, place))
        both[1].append(move(yardstick, place))
    return Waits(tuple(both[0][WARM_UP:])), Waits(tuple(both[1][WARM_UP:]))


def path_of(slug: str) -> str:
    """The path of a page; the overview is the root."""
    return "/" if slug == DEFAULT else f"/{slug}"


def cases(wanted: list[str]) -> dict[str, tuple[str, float]]:
    """The measured cases by name: path, and limit as a multiple of the yardstick."""
    places = {slug: (path_of(slug), RATIO_LIMIT) for slug in wanted}
    if "frequencies" in wanted:
        places |= {f"frequencies, k = 1024, n = 10⁹: {slug}": (HEAVY + slug, HEAVY_LIMIT) for slug in HEAVY_MEMBERS}
    return places


def warm(browser: Browser, moves: int, wanted: list[str]) -> tuple[list[str], dict[str, bool]]:
    """Rows of the table of waits; and for each case whether it keeps the limits (absent where there is no handle)."""
    rows, verdicts = [], {}
    with serving(APP) as app, serving(YARDSTICK) as rod:
        for slug, (path, limit) in cases(wanted).items():
            with visitor(browser, app) as page, visitor(browser, rod) as yardstick:
                for each, place in ((page, path), (yardstick, "/")):
                    each.goto(place)
                    settled(each)
                if not page.locator(HANDLE).count():
                    rows.append(f"| {slug} | no handle | | | | | |")
                    continue
                try:
                    here, there = side_by_side(page, yardstick, moves)
                except SilentError as silent:
                    rows.append(f"| {slug} | {silent} | | | | | |")
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


def cold_rows(browser: Browser, repeats: int, wanted: list[str]) -> tuple[list[str], bool]:
    """Rows of the table of first visits: the yardstick, the overview, and the first page beside it; medians."""
    others = [slug for slug in wanted if slug != DEFAULT][:1]
    places = [("yardstick", YARDSTICK, "/"), (DEFAULT, APP, "/"), *((slug, APP, path_of(slug)) for slug in others)]
    visits: dict[str, list[Cold]] = {name: [] for name, _, _ in places}
    for _ in range(repeats):
        for name, script, path in places:
            visits[name].append(cold(browser, script, path))
    rows, kept = [], True
    for name, known in visits.items():
        middle = np.median([(v.health, v.first_run, v.first_chart, v.again, v.megabytes) for v in known], axis=0)
        large = name != "yardstick" and middle[-1] > VISIT_LIMIT
        kept = kept and not large
        words = "too much" if large else "the measure" if name == "yardstick" else "within the limit"
        rows.append(f"| {name} | " + " | ".join(f"{number:.2f}" for number in middle) + f" | {words} |")
    return rows, kept


def machine(browser: Browser) -> str:
    """The machine behind the numbers."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("streamlit", "plotly", "numpy"))
    return (
        f"{processors()} cores ({platform.machine()}, {platform.system()}), Python {platform.python_version()}, "
        f"{packages}, Chromium {browser.version}, loopback; load average at the start {load_average():.1f}"
    )


def report(browser: Browser, moves: int, repeats: int, wanted: list[str]) -> tuple[str, bool]:
    """The results as Markdown, and whether every page keeps the limits."""
    facts = machine(browser)
    waits, verdicts = warm(browser, moves, wanted)
    visits, light = cold_rows(browser, repeats, wanted) if repeats else ([], True)
    lines = [
        "# In the browser",
        "",
        facts,
        "",
        f"## Release to the server's last word, {moves} moves in turn with the yardstick's repainted chart (ms)",
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
            f"Limit: {VISIT_LIMIT} megabytes.",
            "",
            "| page | process to health | first run | to the first chart | the next visitor's | megabytes | verdict |",
            "|---|--:|--:|--:|--:|--:|---|",
            *visits,
        ]
    return "\n".join(lines) + "\n", all(verdicts.values()) and light


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
    hand_over(text, asked.output)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
