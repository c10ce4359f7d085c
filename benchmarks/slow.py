"""The first picture of a first visit: over a slow network beside the yardstick's chart, on loopback beside the answer.

Each page and the yardstick are opened at the same moment, in one browser with nothing kept, over lines of their own
(`tools/shaping.py`: 1 Mbit/s, 300 ms there and back, web sockets included); then each page alone over loopback.
`python -m benchmarks.slow --output benchmarks/results/slow.md` fails where a picture comes later than the yardstick's
chart, on loopback later than 1.2 times the answer, or after more than 3.4 MB; it takes nine minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.browser import APP, YARDSTICK, machine, path_of
from benchmarks.reports import judge, options
from explorer.navigation import entries
from tools.browsing import launched, window
from tools.chromium import ADVICE, chromium
from tools.serving import Server, serving
from tools.shaping import shaped

BITS, TRIP = 1e6, 0.3  # bits a second, seconds there and back
RATIO = 1.2  # the picture's time on loopback against the answer's
MOST = 3.4  # megabytes until the first picture
TOGETHER = 3  # pages that are opened beside the yardstick at once
PATIENCE = 180_000.0  # milliseconds until a picture must be there
ROD = "yardstick"
WATCH = """
(() => {
  const seen = window.ldpSeen = { answer: 0, picture: 0 }
  const parts = {
    answer: ".ldp-answer:not(:empty)",
    picture: ".js-plotly-plot .trace path, .ldp-sketch svg[data-plot], .ldp-drawing svg",
  }
  const look = () => {
    for (const [name, part] of Object.entries(parts)) {
      const found = [...document.querySelectorAll(part)].some(each => each.getClientRects().length)
      if (found) seen[name] ||= performance.now()
    }
    if (!seen.answer || !seen.picture) requestAnimationFrame(look)
  }
  look()
})()
"""


@dataclass(frozen=True)
class Seen:
    """Seconds from the click on a link to the answer and to the first picture; when the picture came, on the clock."""

    answer: float
    picture: float
    moment: float


@dataclass(frozen=True)
class Row:
    """A page over its line and over loopback; the megabytes until its picture, and the yardstick's chart beside it."""

    page: str
    far: Seen
    near: Seen
    megabytes: float
    chart: float

    def line(self) -> str:
        """The line of the table."""
        slow, loopback = (f"{self.far.answer:.1f} | {self.far.picture:.1f}", f"{self.near.answer:.2f}")
        return (
            f"| {self.page} | {slow} | {self.chart:.1f} | {self.megabytes:.2f} | {loopback} | {self.near.picture:.2f} |"
        )

    def broken(self) -> list[str]:
        """The limits that the page does not keep."""
        far, near = self.far, self.near
        limits = {
            f"the picture after {far.picture:.1f} s, the yardstick's after {self.chart:.1f}": far.picture < self.chart,
            f"{self.megabytes:.2f} MB until the picture": self.megabytes <= MOST,
            f"over loopback the picture after {near.picture:.2f} s, the answer after {near.answer:.2f}": (
                near.picture <= RATIO * near.answer
            ),
        }
        return [f"{self.page}: {said}" for said, kept in limits.items() if not kept]


@contextmanager
def opened(browser: Browser, address: str, path: str) -> Iterator[Page]:
    """A page that begins to load, in a window with an empty cache."""
    context = window(browser, address)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WATCH)
    page = context.new_page()
    page.goto(path, wait_until="commit")
    yield page
    context.close()


def seen(page: Page, answers: bool = True) -> Seen:
    """The times of a page's answer and of its picture."""
    page.wait_for_function(f"() => ldpSeen.picture && (ldpSeen.answer || {str(not answers).lower()})", timeout=PATIENCE)
    read = page.evaluate("({ ...ldpSeen, began: performance.timeOrigin })")
    return Seen(read["answer"] / 1000, read["picture"] / 1000, (read["began"] + read["picture"]) / 1000)


def over_lines(browser: Browser, app: Server, rod: Server, slugs: Sequence[str]) -> dict[str, tuple[Seen, float]]:
    """Some pages and the yardstick, each over a slow line of its own, all opened at once; with megabytes."""
    places = {ROD: (rod, "/"), **{slug: (app, path_of(slug)) for slug in slugs}}
    with ExitStack() as stack:
        lines = {
            name: stack.enter_context(shaped(urlsplit(server.url).port or 0, BITS, TRIP))
            for name, (server, _) in places.items()
        }
        pages = {
            name: stack.enter_context(opened(browser, lines[name].url, path)) for name, (_, path) in places.items()
        }
        visits = {name: seen(page, answers=name != ROD) for name, page in pages.items()}
        return {name: (visit, lines[name].down.carried(visit.moment) / 1e6) for name, visit in visits.items()}


def on_loopback(browser: Browser, app: Server, slug: str, times: int) -> Seen:
    """The middle visit of some; of each the picture is held against the answer of the same visit."""
    visits = []
    for _ in range(times):
        with opened(browser, app.url, path_of(slug)) as page:
            visits.append(seen(page))
    return sorted(visits, key=lambda visit: visit.picture / visit.answer)[len(visits) // 2]


def measured(browser: Browser, slugs: Sequence[str], times: int) -> Iterator[Row]:
    """Pages one after the other, each printed at once."""
    with serving(APP) as app, serving(YARDSTICK) as rod:
        for slug in slugs:  # everything is computed and loaded once, as on a server that is in use
            on_loopback(browser, app, slug, 1)
        for start in range(0, len(slugs), TOGETHER):
            slow = over_lines(browser, app, rod, slugs[start : start + TOGETHER])
            chart = slow.pop(ROD)[0].picture
            for slug, (far, megabytes) in slow.items():
                row = Row(slug, far, on_loopback(browser, app, slug, times), megabytes, chart)
                print(row.line(), file=sys.stderr, flush=True)
                yield row


def main() -> None:
    """Measure, and hand the table over."""
    staged = [entry.slug for entry in entries() if entry.slug not in ("reference", "ask")]
    parser = options((__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", nargs="*", choices=staged, default=staged, help="which pages (all with a picture)")
    parser.add_argument("--times", type=int, default=3, help="visits over loopback (3)")
    asked = parser.parse_args()
    if chromium() is None:
        raise SystemExit(ADVICE)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        facts = machine(browser)
        rows = [*measured(browser, asked.pages, asked.times)]
        browser.close()
    head = (
        facts,
        "",
        f"Seconds to the answer and to the first picture; over {BITS / 1e6:g} Mbit/s with {1000 * TRIP:.0f} ms there",
        "and back, beside the yardstick's chart; what had come until the picture; and over loopback.",
        "",
        "| page | answer | picture | yardstick's chart | MB | answer, loopback | picture, loopback |",
        "|---|--:|--:|--:|--:|--:|--:|",
    )
    judge(
        "# The first picture",
        [*head, *(row.line() for row in rows)],
        [b for row in rows for b in row.broken()],
        asked.output,
    )


if __name__ == "__main__":
    main()
