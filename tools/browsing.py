"""Questions of tests and benchmarks to a page in the browser: whether it is settled, fits, and is readable."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from tools.chromium import ARGUMENTS, chromium

SOCKET_CLOCK = """
window.__socket = {opened: 0, sent: 0, received: 0};
const NativeSocket = window.WebSocket;
window.WebSocket = class extends NativeSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("message", () => { window.__socket.received = performance.now(); });
  }
  send(data) {
    window.__socket.sent = performance.now();
    window.__socket.opened ||= window.__socket.sent;
    super.send(data);
  }
};
"""
"""Notes when the page spoke to the server and last heard from it: in between, a rerun is pending."""

IS_SETTLED = """([start, quiet]) => {
  const now = performance.now(), {sent, received} = window.__socket ?? {sent: 0, received: 0};
  const app = document.querySelector('[data-testid="stApp"]');
  const answered = received && (received >= sent || now - sent > 3000);  // some messages have no answer
  const ready = app && app.dataset.testScriptState === "notRunning"
    && answered && now - Math.max(sent, received, start) > quiet
    && !document.documentElement.hasAttribute("data-ldp-late")  // other stops are about to be asked for
    && !document.querySelector('[data-testid="stAppSkeleton"], [data-testid="stSkeleton"], [data-stale=true]')
    && [...document.querySelectorAll('.ldp-stage')].every(stage => stage.querySelector('.ldp-answer')?.textContent)
    && [...document.querySelectorAll('.ldp-figure, [data-testid="stPlotlyChart"]')]
         .every(chart => !chart.getClientRects().length || (chart.querySelector(".main-svg") && !chart.busy
           && chart.querySelector(".ldp-sketch")?.hidden !== false));
  return Boolean(ready);
}"""

LOOKS = 40  # milliseconds apart: what looks at each frame has each frame laid out and drawn

SIDEWAYS = """() => {
  const width = document.documentElement.clientWidth;
  const wide = element => element.scrollWidth > element.clientWidth + 1;
  const frames = document.querySelectorAll('[data-testid="stApp"], [data-testid="stMain"]');
  const scrolling = [document.documentElement, ...frames].filter(wide);
  if (!scrolling.length) return [];
  const outside = [...document.querySelectorAll('[data-testid="stMain"] *')].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width && (box.right > width + 1 || box.left < -1);
  });
  return [...scrolling, ...outside].slice(0, 6).map(e => `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""} `
    + `[${e.dataset.testid ?? ""}] reaches ${Math.round(e.getBoundingClientRect().right)} of ${width} px`);
}"""


READS_A_COLOR = "this.parseString=function(e){"
SCROLLS = "function Vn(e){"
SCROLLS_ONCE = """function Vn(e,t=0){  // axe 4.4 asks forty times whether an element scrolls: two fifths of its time
  if(t)return ldpScroll(e,t);
  const kept=window.ldpScrolls;
  if(!kept.has(e))kept.set(e,ldpScroll(e));
  return kept.get(e)
}
function ldpScroll(e){"""
READABLE = """
window.ldpUnread = new Set()
window.ldpReadable = text => {  // axe 4.4 gives up a whole rule at a mixture of colors: `color(srgb 0.1 0.2 0.3 / 0.4)`
  const [, numbers] = /^color\\(srgb ([^)]+)\\)$/.exec(text) ?? []
  const [red, green, blue, alpha = 1] = numbers?.split(/[ /]+/).map(each => each === "none" ? 0 : Number(each)) ?? []
  const plain = numbers ? `rgba(${[red, green, blue].map(each => Math.round(255 * each))}, ${alpha})` : text
  if (!/^(rgba?\\(|#|transparent$|[a-z]+$)/.test(plain)) window.ldpUnread.add(text)
  return plain
}
"""
AXE = """async ([context, rules]) => {
  window.ldpUnread.clear()
  window.ldpScrolls = new Map()
  const { violations } = await axe.run(context, { resultTypes: ["violations"], ...rules })
  const colors = ({ any: [{ data } = {}] }) => data?.contrastRatio ? [`${data.fgColor} on ${data.bgColor}`] : []
  const where = nodes => nodes.map(node => [...node.target, ...colors(node)])
  const broken = violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, where: where(nodes) }))
  return { broken, unread: [...window.ldpUnread] }
}"""


def launched(playwright: Playwright, *arguments: str) -> Browser:
    """The installed Chromium, without a window; with these arguments beside the usual ones."""
    return playwright.chromium.launch(executable_path=chromium(), args=[*ARGUMENTS, *arguments])


def window(
    browser: Browser,
    url: str,
    *,
    width: int = 1440,
    height: int = 900,
    color_scheme: str = "light",
    touch: bool = False,
) -> BrowserContext:
    """A fresh visitor: nothing cached, nothing remembered; paths are relative to `url`."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        color_scheme="dark" if color_scheme == "dark" else "light",
        has_touch=touch,
        is_mobile=touch,
    )
    context.add_init_script(SOCKET_CLOCK)
    context.add_init_script("window.print = () => {}")  # its dialog would stay, and a page in it makes no PDF
    return context


def settled(page: Page, quiet: float = 150, timeout: float = 60_000) -> Page:
    """Wait until the server has answered, its run is over, Plotly has drawn the charts and `quiet` ms have passed.

    The quiet counts from the call at the earliest: a click just made has yet to reach the server.
    """
    start = page.evaluate("performance.now()")
    page.wait_for_function(IS_SETTLED, arg=[start, quiet], timeout=timeout, polling=LOOKS)
    return page


IS_COLORED = """dark => {
  const { backgroundColor } = getComputedStyle(document.querySelector('[data-testid="stApp"]'))
  const [red, green, blue] = backgroundColor.match(/[\\d.]+/g).map(Number)
  return dark === (red + green + blue < 384)
}"""


def colored(page: Page, *, dark: bool) -> Page:
    """The page once it stands in dark or light colors, with motion reduced: a color that still fades is no color."""
    page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
    page.wait_for_function(IS_COLORED, arg=dark)
    return settled(page)


def without_sideways_scrolling(page: Page) -> None:
    """Refuse a page that is wider than its window, naming the parts that stick out; a box may scroll within itself."""
    outside = page.evaluate(SIDEWAYS)
    assert not outside, "the page scrolls sideways:\n" + "\n".join(outside)


def axe_violations(page: Page, within: Sequence[str] = (), *, colors: bool = True, alone: bool = False) -> list[str]:
    """The findings of axe on the present page, or within selectors, one line for each rule that is broken.

    Without `colors` no contrasts are read; `alone`, they are all that is read: nothing else changes in other colors. A
    color that axe cannot read is a line too, for it would leave out the contrast of the whole page.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe())
    # Streamlit's own list of pages is left out: its lists hold headings of groups beside their items.
    context: dict[str, list[list[str]]] = {"exclude": [["[data-testid=stSidebarNav]"]]}
    if within:
        context["include"] = [[part] for part in within if page.locator(part).count()]
    contrast = "color-contrast"
    rules = {"runOnly": [contrast]} if alone else {"rules": {contrast: {"enabled": colors}}}
    reported = page.evaluate(AXE, [context, rules])
    return [f"{rule['id']} ({rule['impact']}): {rule['help']}: {rule['where']}" for rule in reported["broken"]] + [
        f"axe cannot read the color {color}" for color in reported["unread"]
    ]


@cache
def axe() -> str:
    """The script of axe, which learns to read the colors that a browser makes of a mixture, and finds scrolling once.

    Scrolling boxes are kept for one reading (`AXE`).
    """
    script = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    for place in (READS_A_COLOR, SCROLLS):
        if script.count(place) != 1:
            raise ValueError(f"axe is changed where it says {place}; found {script.count(place)}")
    return READABLE + script.replace(READS_A_COLOR, READS_A_COLOR + "e=window.ldpReadable(e);").replace(
        SCROLLS, SCROLLS_ONCE
    )
