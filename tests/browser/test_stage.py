"""The stage on a page of its own: what a finger, keys and a small screen find, and what the server hears of it."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import SILENT, listened
from tests.browser.hosting import COLORS, page_of
from tests.browser.reading import look_at, until
from tests.browser.stage_app import AFRESH, LABELS, MORE, STOPS, VIEWS
from tests.browser.windows import Windows
from tests.rationing import at_night, shared
from tools.browsing import axe_violations, colored, settled, window, without_sideways_scrolling
from tools.serving import Server, serving

THUMB = 13  # half of it, in pixels
HEARD = "The server has heard:"
SCREENS = {
    "laptop": ({"width": 1440, "height": 900}, "/", 0.45),
    "projector": ({"width": 1280, "height": 720}, "/?lecture", 0.50),
    "phone": ({"width": 390, "height": 844, "touch": True}, "/", 0.36),
    "tablet": ({"width": 1024, "height": 768}, "/", 0.45),
}
# What follows the place that is left for the picture, the place of a node, or the letters' widths is no look.
LOOKS = """() => {
  const placed = /size$|width$|origin$|^(min-)?height$|^inset|^(top|right|bottom|left|flex-basis|zoom)$/
  const passed = /appearance|color-scheme|scrollbar|^grid-template|^font-family$/
  const drawn = "svg, svg *, .ldp-figure *, .ldp-failed, .ldp-failed *"
  return [...document.querySelectorAll(`.ldp-stage, .ldp-stage *:not(${drawn})`)].map(node => {
    const style = getComputedStyle(node), names = [...style].filter(name => !/^--/.test(name) && !passed.test(name))
    const kept = names.filter(name => name === "font-size" || /^border/.test(name) || !placed.test(name))
    return [`${node.className} ${node.localName}`.replace(" js-plotly-plot", ""),
      kept.map(name => `${name}: ${style.getPropertyValue(name)}`)]
  })
}"""
VARIABLES = f"""names => {{
  const stage = document.querySelector(".ldp-stage"), style = getComputedStyle(stage), looks = {LOOKS}
  return [Object.fromEntries(names.map(name => [name, style.getPropertyValue(name)])),
    getComputedStyle(document.documentElement).fontSize, stage.clientWidth, looks()]
}}"""
TOO_WIDE = """() => {
  const wide = document.body.appendChild(document.createElement("div"))
  wide.id = "wide"
  wide.style.cssText = "position: absolute; top: 0; width: 401px; height: 1px"
}"""


@pytest.fixture(scope="module")
def staged(browser: Browser) -> Iterator[Server]:
    """The page that is nothing but a stage."""
    with serving("tests/browser/stage_app.py") as running:
        yield running


class Standing(ExitStack):
    """The pages that stay open from test to test, by address and with a finger or not; and what each has sent."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = dict[tuple[str, bool], Page]()
        self.sent, self.complaints = defaultdict[Page, list[str]](list), list[str]()


@pytest.fixture(scope="module")
def standing() -> Iterator[Standing]:
    """Nothing at first; a test that fails closes what stands (`conftest.py`)."""
    with Standing() as pages:
        yield pages


@pytest.fixture
def opened(windows: Windows, staged: Server, standing: Standing) -> Iterator[Callable[..., Page]]:
    """Turns to the page of an address, as it is for a new visitor, and waits for its figure."""

    def opened_page(path: str = "/", *, width: int = 1440, height: int = 900, touch: bool = False) -> Page:
        page = standing.pages.get((path, touch))
        if page is None or page.is_closed():
            page = standing.enter_context(listened(windows, staged.url, standing.complaints, {"touch": touch}))
            standing.pages[path, touch], sent = page, standing.sent[page]
            page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("sent")))
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path)
        else:
            page.set_viewport_size({"width": width, "height": height})
            begun_afresh(page)
        expect(page.locator(".ldp-figure .main-svg, .ldp-drawing svg").first).to_be_visible()
        return settled(page)

    yield opened_page
    complaints = [*standing.complaints]
    standing.complaints.clear()
    assert not complaints, SILENT + "\n".join(complaints)


@pytest.mark.parametrize(("path", "view", "lecture"), [("/", "bells", False), ("/?view=drawn&lecture", "drawn", True)])
def test_the_stage_by_itself_looks_as_it_does_in_streamlit(
    opened: Callable[..., Page], browser: Browser, path: str, view: str, lecture: bool
) -> None:
    """Every node has the same style: nothing of its looks comes from the page around it but type and colors."""
    here = opened(path)
    expect(here.locator(".ldp-tools")).to_be_visible()  # the last to come: the figure's place knows what it holds
    here.get_by_text(HEARD).hover()  # the tools rest
    colors, size, wide, inside = here.evaluate(VARIABLES, [*COLORS])
    page = window(browser, here.url, width=1440, height=900).new_page()
    page.set_content(page_of(view, plotly="none", lecture=lecture, colors=colors))
    page.add_style_tag(content=f"html {{ font-size: {size} }} main {{ width: {wide}px }}")
    expect(page.locator(".ldp-tools")).to_be_visible()
    alone = page.evaluate(LOOKS)
    page.context.close()
    assert len(inside) > 40
    assert [name for name, _ in alone] == [name for name, _ in inside]
    pairs = zip(inside, alone, strict=True)
    other = [(name, said) for (name, look), (_, there) in pairs if (said := sorted({*look} ^ {*there}))]
    assert not other


def begun_afresh(page: Page) -> None:
    """The page as it was at first: at its level, at its view, at its top."""
    page.get_by_role("button", name=AFRESH).click()
    expect(handle(page)).to_have_value(str(STOPS.index(0.1)))
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} nothing")
    page.evaluate("() => document.activeElement.blur()")
    page.get_by_test_id("stMain").evaluate("node => node.scrollTo({ top: 0 })")


def handle(page: Page) -> Locator:
    return page.get_by_role("slider")


def place_of(page: Page, stop: int) -> tuple[float, float]:
    """Where the handle's middle stands at a stop."""
    box = handle(page).bounding_box()
    assert box is not None
    left = box["x"] + THUMB + (box["width"] - 2 * THUMB) * stop / (len(STOPS) - 1)
    return left, box["y"] + box["height"] / 2


def pressed(page: Page, stop: int = STOPS.index(0.1)) -> None:
    page.mouse.move(*place_of(page, stop))
    page.mouse.down()


def moved(page: Page, stop: int) -> None:
    """Move the pressed handle and wait until the page has painted."""
    page.mouse.move(*place_of(page, stop))
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))")


def quiet(page: Page, standing: Standing) -> list[str]:
    """Every message from the page to the server from now on."""
    settled(page)
    standing.sent[page].clear()
    return standing.sent[page]


def drawn_to(page: Page, peak: float) -> None:
    """Wait until the first curve of the drawn figure reaches so high."""
    page.wait_for_function(
        "peak => Math.abs(Math.max(...document.querySelector('.ldp-figure')._fullData[0].y) - peak) < 1e-6", arg=peak
    )


def test_nothing_is_said_to_the_server_between_press_and_release(
    opened: Callable[..., Page], standing: Standing
) -> None:
    page = opened()
    said = quiet(page, standing)
    page.evaluate("window.node = document.querySelector('.ldp-figure')")
    pressed(page)
    for stop in (7, 12, 18, 3, 10):
        moved(page, stop)
        expect(page.locator(".ldp-handle b")).to_have_text(f"{STOPS[stop]:g}")
        expect(page.locator(".ldp-answer")).to_contain_text(f"{1 / STOPS[stop]:.3g}.")
        expect(page.get_by_role("figure")).to_have_attribute("aria-label", f"Two bells at {STOPS[stop]}.")
        drawn_to(page, STOPS[stop] / 2)
    assert not said
    page.evaluate("node.on('plotly_afterplot', () => { window.repainted = true })")
    page.mouse.up()
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} {STOPS[10]:g}")
    settled(page)
    assert len(said) == 1
    assert page.evaluate("document.querySelector('.ldp-figure') === node && node.isConnected")
    assert not page.evaluate("Boolean(window.repainted)"), "the same figure must not be drawn again"


def test_nothing_moves_while_the_answer_changes_its_length(opened: Callable[..., Page]) -> None:
    page = opened(width=1024, height=768)
    found = set()
    pressed(page)
    for stop in (0, 18, 5):
        moved(page, stop)
        found.add(
            tuple(
                page.locator(".ldp-box, .ldp-handle input").evaluate_all(
                    "nodes => nodes.map(node => JSON.stringify(node.getBoundingClientRect()))"
                )
            )
        )
    page.mouse.up()
    assert len(found) == 1


RESTS = """() => {  // keys that come slowly are no rest: REST of `handle.js` is over when the test says so
  const { setTimeout: later } = window
  window.rests = []
  window.setTimeout = (then, after, ...given) => after === 400 ? -rests.push(then) : later(then, after, ...given)
  window.letRest = () => { window.setTimeout = later; rests.forEach(then => then()) }
}"""


def test_keys_move_the_handle_and_the_server_hears_where_it_rests(
    opened: Callable[..., Page], standing: Standing
) -> None:
    page = opened()
    said = quiet(page, standing)
    handle(page).focus()
    page.evaluate(RESTS)
    for key, stop in (("ArrowRight", 6), ("ArrowUp", 7), ("ArrowLeft", 6), ("Home", 0), ("End", 18), ("ArrowDown", 17)):
        page.keyboard.press(key)
        expect(handle(page)).to_have_attribute("aria-valuetext", f"epsilon {STOPS[stop]:g}")
    expect(page.locator(".ldp-answer")).to_contain_text(f"{1 / STOPS[17]:.3g}.")
    assert not said and page.evaluate("rests.length") >= 6
    page.evaluate("letRest()")
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} {STOPS[17]:g}")
    assert len(settled(page) and said) == 1
    page.keyboard.press("ArrowLeft")
    handle(page).blur()  # whoever goes on has decided
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} {STOPS[17]:g}, {STOPS[16]:g}")


def test_the_presenters_keys_do_not_move_the_handle(opened: Callable[..., Page]) -> None:
    page = opened()
    page.evaluate("addEventListener('keydown', event => { window.heard = [...window.heard ?? [], event.key] })")
    handle(page).focus()
    for key in ("PageDown", "PageUp", "PageDown"):
        page.keyboard.press(key)
    expect(handle(page)).to_have_value("5")
    assert page.evaluate("heard") == ["PageDown", "PageUp", "PageDown"]


def test_a_stop_that_is_not_there_shows_no_wrong_picture(opened: Callable[..., Page]) -> None:
    page = opened("/?strip=half")
    pressed(page)
    moved(page, 8)
    expect(page.locator(".ldp-answer")).to_contain_text("about 2.")
    moved(page, 15)
    expect(page.locator(".ldp-answer")).to_have_text("…")
    expect(page.locator(".ldp-box")).to_have_class("ldp-box ldp-stale")
    expect(page.locator(".ldp-handle b")).to_have_text("4")
    page.mouse.up()
    expect(page.locator(".ldp-answer")).to_contain_text("about 0.25.")
    expect(page.locator(".ldp-box")).to_have_class("ldp-box")
    drawn_to(settled(page), 2)


@at_night
def test_without_a_strip_every_release_asks(opened: Callable[..., Page]) -> None:
    page = opened("/?strip=no")
    for stop, before in ((9, 5), (14, 9)):
        pressed(page, before)
        moved(page, stop)
        expect(page.locator(".ldp-answer")).to_have_text("…")
        page.mouse.up()
        expect(page.locator(".ldp-answer")).to_contain_text(f"{1 / STOPS[stop]:.3g}.")


def test_an_answer_that_comes_late_does_not_move_the_handle_back(
    opened: Callable[..., Page], standing: Standing
) -> None:
    page = opened("/?slow")
    quiet(page, standing)
    pressed(page)
    moved(page, 8)
    said = standing.sent[page]
    page.mouse.up()
    until(page, lambda: said)
    pressed(page, 8)
    moved(page, 12)
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} {STOPS[8]:g}")  # the answer came while the finger was down
    expect(handle(page)).to_have_value("12")
    expect(page.locator(".ldp-handle b")).to_have_text("2")
    page.mouse.up()
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} {STOPS[8]:g}, {STOPS[12]:g}")
    expect(handle(page)).to_have_value("12")


def test_the_same_stop_is_heard_again_after_another(opened: Callable[..., Page]) -> None:
    page = opened()
    for stop, before in ((9, 5), (5, 9), (9, 5)):
        pressed(page, before)
        moved(page, stop)
        page.mouse.up()
        expect(page.get_by_text(HEARD)).to_contain_text(f"{STOPS[stop]:g}")
        settled(page)
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} 0.7, 0.1, 0.7")


@pytest.mark.parametrize("screen", shared(SCREENS, 2, 1))
def test_everything_stands_on_the_first_screen(opened: Callable[..., Page], screen: str) -> None:
    """By day on the two lowest screens: on a walk every page is measured."""
    options, path, share = SCREENS[screen]
    page, height = opened(path, **options), options["height"]
    for view, drawn in (("drawn", ".ldp-drawing svg"), ("bells", ".ldp-figure .main-svg")):
        expect(look_at(page, view).locator(drawn).first).to_be_visible()
        without_sideways_scrolling(page)
        bottom = page.locator(".ldp-stops").evaluate("node => node.getBoundingClientRect().bottom")
        assert bottom <= height
        box = page.locator(".ldp-box").bounding_box()
        assert box is not None
        assert box["height"] >= share * height - 1
        tops = page.locator(".ldp-view:visible").evaluate_all(
            "nodes => nodes.map(node => Math.round(node.getBoundingClientRect().top))"
        )
        assert len(set(tops)) == 1, "the views stand in one line"


def test_a_phone_that_showed_too_wide_a_page_for_a_moment_keeps_the_handle(opened: Callable[..., Page]) -> None:
    page = opened(width=390, height=844, touch=True)
    page.evaluate(TOO_WIDE)
    until(page, lambda: page.evaluate("innerHeight") > 844)  # the browser zooms out, and its window counts more pixels
    look_at(page, "ten")
    page.evaluate("document.querySelector('#wide').remove()")
    until(page, lambda: page.evaluate("innerHeight") == 844)
    assert page.locator(".ldp-stops").evaluate("node => node.getBoundingClientRect().bottom") <= 844


def test_the_figure_follows_the_window(opened: Callable[..., Page]) -> None:
    page = opened()
    page.set_viewport_size({"width": 1100, "height": 700})
    settled(page)
    drawn = page.locator(".ldp-figure").evaluate("node => [node._fullLayout.width, node._fullLayout.height]")
    box = page.locator(".ldp-figure").bounding_box()
    assert box is not None
    assert drawn == pytest.approx([box["width"], box["height"]], abs=1)
    assert page.locator(".ldp-stops").evaluate("node => node.getBoundingClientRect().bottom") <= 700


def swiped(page: Page, start: tuple[float, float], end: tuple[float, float]) -> Iterator[None]:
    """A finger goes down, moves in twelve steps (the test may look) and is lifted."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    touch("touchStart", start)
    for step in range(1, 13):
        touch("touchMove", tuple(a + (b - a) * step / 12 for a, b in zip(start, end, strict=True)))
        page.wait_for_timeout(20)
    yield
    touch("touchEnd")


@pytest.mark.parametrize("begins", ["handle", "figure"])
def test_a_swipe_that_begins_on_the_handle_or_the_figure_scrolls(opened: Callable[..., Page], begins: str) -> None:
    page = opened(width=390, height=844, touch=True)
    left, top = place_of(page, 11)
    top -= 250 * (begins == "figure")
    list(swiped(page, (left, top), (left, top - 300)))
    settled(page)
    assert page.locator('[data-testid="stMain"]').evaluate("node => node.scrollTop") > 200
    expect(handle(page)).to_have_value("5")
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} nothing")


def test_a_finger_moves_the_handle(opened: Callable[..., Page]) -> None:
    page = opened(width=390, height=844, touch=True)
    for _ in swiped(page, place_of(page, 5), place_of(page, 15)):
        expect(page.locator(".ldp-handle b")).to_have_text("4")
        expect(page.locator(".ldp-answer")).to_contain_text("about 0.25.")
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} 4")


def test_right_to_left_the_stage_mirrors_and_the_numbers_do_not(opened: Callable[..., Page]) -> None:
    page = opened("/?rtl")
    boxes = [page.get_by_role("radio", name=name).bounding_box() for name in list(VIEWS.values())[:2]]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["x"] > boxes[1]["x"]
    pressed(page)
    moved(page, 18)
    page.mouse.up()
    expect(handle(page)).to_have_value("18")
    handle(page).press("ArrowLeft")
    expect(handle(page)).to_have_value("17")
    ends = page.locator(".ldp-stops span").evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect().left)")
    assert ends == sorted(ends)


def test_views_are_chosen_by_click_by_key_and_from_the_menu(opened: Callable[..., Page]) -> None:
    page = opened()
    page.evaluate("window.node = document.querySelector('.ldp-figure')")
    page.get_by_role("radio", name=VIEWS["drawn"]).click()
    expect(page.locator(".ldp-drawing svg")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name=VIEWS["ten"])).to_be_checked()
    expect(page.get_by_text("The view ten")).to_be_visible()
    page.get_by_role("button", name=LABELS["more"]).click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=f"{LABELS['more']}: {MORE['late']}")).to_be_visible()
    expect(page.get_by_text("The view late")).to_be_visible()
    assert page.get_by_role("radio", checked=True).count() == 0
    assert page.evaluate("document.querySelector('.ldp-figure') === node")


def test_fit_stays_on_and_a_zoom_has_a_way_back(opened: Callable[..., Page]) -> None:
    page = opened()
    ranges = "() => document.querySelector('.ldp-figure')._fullLayout.xaxis.range.map(each => Math.round(each))"
    page.get_by_role("button", name=LABELS["fit"]).focus()
    page.keyboard.press("Enter")
    assert settled(page).evaluate(ranges) == [-50, 50]
    pressed(page)
    moved(page, 10)
    assert page.evaluate(ranges) == [-5, 5]
    page.mouse.up()
    settled(page).keyboard.press("f")  # the focus is on the handle
    assert settled(page).evaluate(ranges) == [-60, 60]
    plot = page.locator(".ldp-figure .nsewdrag").bounding_box()
    assert plot is not None
    page.mouse.move(plot["x"] + plot["width"] * 0.4, plot["y"] + 50)
    page.mouse.down()
    page.mouse.move(plot["x"] + plot["width"] * 0.6, plot["y"] + 55, steps=4)
    page.mouse.up()
    assert settled(page).evaluate(ranges) == [-12, 12]
    pressed(page, 10)
    moved(page, 12)
    page.mouse.up()
    assert settled(page).evaluate(ranges) == [-12, 12]
    page.get_by_role("button", name=LABELS["whole"]).click()
    assert settled(page).evaluate(ranges) == [-60, 60]
    expect(page.get_by_role("button", name=LABELS["whole"])).to_be_hidden()


def test_pictures_are_saved_from_the_figure_itself(opened: Callable[..., Page]) -> None:
    page = opened()
    page.locator(".ldp-box").hover()
    for name, begins in (("png", b"\x89PNG"), ("svg", b"<svg")):
        page.get_by_role("button", name=LABELS["save"]).click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=LABELS[name]).click()
        kept = Path(download.value.path())
        assert download.value.suggested_filename == f"bells.{name}"
        assert kept.read_bytes().startswith(begins)
        if name == "png":
            with Image.open(kept) as picture:
                assert picture.width == 2 * page.locator(".ldp-figure").evaluate("node => node.clientWidth")


def test_full_screen_keeps_the_handle_and_comes_back(opened: Callable[..., Page]) -> None:
    page = opened(width=1024, height=768)
    before = page.locator(".ldp-box").bounding_box()
    page.get_by_role("button", name=LABELS["full"]).press("Enter")
    expect(page.get_by_role("button", name=LABELS["leave"])).to_be_attached()
    settled(page)
    assert page.evaluate("document.fullscreenElement.className").startswith("ldp-stage")
    pressed(page)
    moved(page, 10)
    page.mouse.up()
    expect(page.locator(".ldp-answer")).to_contain_text("about 1.")
    page.get_by_role("button", name=LABELS["leave"]).press("Enter")
    expect(page.get_by_role("button", name=LABELS["full"])).to_be_attached()
    assert settled(page).locator(".ldp-box").bounding_box() == before


@at_night
def test_plotly_comes_packed_once_under_its_own_name(browser: Browser, staged: Server) -> None:
    context = window(browser, staged.url)
    page, answers = context.new_page(), []
    page.on("response", lambda answer: "plotly" in answer.url and answers.append(answer))
    for _ in range(2):
        page.goto("/")
        expect(page.locator(".ldp-figure .main-svg").first).to_be_visible()
    assert answers[0].url == f"{staged.url}/app/static/{Path(answers[0].url).name}"
    assert answers[0].headers["content-type"].startswith("text/javascript")
    assert answers[0].headers["content-encoding"] == "gzip" and "immutable" in answers[0].headers["cache-control"]
    assert int(answers[0].headers["content-length"]) < (600_000 if "cartesian" in answers[0].url else 1_600_000)
    assert all(
        page.evaluate(
            "performance.getEntriesByType('resource').filter(each => /plotly/.test(each.name))"
            ".map(each => each.transferSize === 0)"
        )
    )
    context.close()


@pytest.mark.parametrize(
    ("path", "view", "dark"),
    [("/", "bells", False), ("/", "drawn", True), ("/?lecture", "bells", True), ("/?rtl", "bells", False)],
)
def test_everybody_can_use_the_stage(opened: Callable[..., Page], path: str, view: str, dark: bool) -> None:
    page = look_at(colored(opened(path), dark=dark), view)
    page.get_by_role("button", name=LABELS["more"]).click()
    broken = axe_violations(page)
    page.keyboard.press("Escape")
    colored(page, dark=False)
    assert not broken


@at_night
def test_without_plotly_the_numbers_are_shown(browser: Browser, staged: Server) -> None:
    context = window(browser, staged.url)
    context.route("**/app/static/*", lambda route: route.abort())
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_text(LABELS["plotly_failed"])).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(401)
    pressed(page)
    moved(page, 10)
    page.mouse.up()
    expect(page.get_by_text(HEARD)).to_have_text(f"{HEARD} 1")
    expect(page.get_by_role("cell", name="0.5", exact=True)).not_to_have_count(0)
    assert not axe_violations(settled(page))
    context.close()


CLOCK = """() => {
  window.took = []
  let at = null
  document.querySelector(".ldp-stage input").addEventListener("input", event => { at ??= event.timeStamp }, true)
  document.querySelector(".ldp-figure").on("plotly_afterplot", () => {
    if (at !== null) took.push(performance.now() - at)
    at = null
  })
}"""


def test_the_figure_follows_the_finger_at_once(opened: Callable[..., Page]) -> None:
    page = opened()
    page.evaluate(CLOCK)
    pressed(page)
    for step in range(60):
        page.mouse.move(*place_of(page, (5 + step) % len(STOPS)))
        page.wait_for_timeout(20)
    page.mouse.up()
    took = page.evaluate("took")
    assert len(took) > 20
    print(f"finger to repaint: median {statistics.median(took):.0f} ms")
