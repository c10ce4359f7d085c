"""Mistakes of each kind that the walks look for, planted into a page that stands: each turns its check red."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE, listened
from tests.browser.looking import let_go, read_wrongly, wrong
from tests.browser.quickly import drawn_wrongly
from tests.browser.reading import LABELS, address, chart, look_at, opened, until, views_of
from tests.browser.test_lost import moves
from tests.browser.walking import USUAL
from tests.browser.windows import Windows
from tools.browsing import colored, settled
from tools.serving import Server

SLUG = "vectors"  # a small page with a stage
STANDS = {  # styles, and what is said of the first screen under them
    ".infolayer .xtitle { translate: 0 -1.6em }": "lies on tick",
    ".ldp-answer { padding-bottom: 80vh }": "ends at",
    ".ldp-view { width: 1rem !important; overflow: hidden; white-space: nowrap }": "is cut",
    ".ldp-stops { translate: 70vw 0 }": "reaches from",
}
READ = {  # styles, and what axe says of the view under them
    ".ldp-answer { color: #999 !important }": "#999999 on #ffffff",
    ".ldp-answer { color: color-mix(in srgb, #999 95%, white) !important }": "color-contrast",
    ".ldp-answer { color: oklch(0.7 0.1 200) !important }": "axe cannot read the color",
}
COMPLAINTS = {  # what a page does, and what is heard of it
    "console.error('planted')": "console: planted",
    "setTimeout(() => { throw new Error('planted') })": "exception: planted",
    "document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.2/x.png' }))": "Security Policy",
}


@contextmanager
def styled(page: Page, style: str) -> Iterator[Page]:
    """The page under a style that is taken away again."""
    added = page.add_style_tag(content=style)
    yield settled(page)
    added.evaluate("node => node.remove()")
    settled(page)


def test_what_stands_wrongly_on_the_first_screen_is_named(tab: Callable[[str, str], Page]) -> None:
    page = tab("laptop", SLUG)
    assert not wrong(page, "laptop", USUAL)
    for style, said in STANDS.items():
        with styled(page, style):
            assert any(said in each for each in wrong(page, "laptop", USUAL)), (style, wrong(page, "laptop", USUAL))
    with styled(page, ".ldp-answer { width: 200vw }"), pytest.raises(AssertionError, match="scrolls sideways"):
        wrong(page, "laptop", USUAL)
    assert not wrong(page, "laptop", USUAL)


def test_what_nobody_can_read_is_named(tab: Callable[[str, str], Page]) -> None:
    page = colored(tab("laptop", SLUG), dark=False)
    for style, said in READ.items():
        with styled(page, style):
            assert said in "".join(read_wrongly(page, whole=False, contrasts=False)), style
    page.evaluate("document.querySelector('.ldp-stage').append(document.createElement('button'))")
    assert "button-name" in "".join(read_wrongly(page, whole=False, contrasts=False))
    page.evaluate("document.querySelector('.ldp-stage > button').remove()")
    assert not read_wrongly(page, whole=False, contrasts=False)
    with styled(page, "@media (prefers-color-scheme: dark) { .ldp-answer { color: #444 !important } }"):
        assert not read_wrongly(page, whole=False, contrasts=False)
        assert "#444444" in "".join(read_wrongly(colored(page, dark=True), whole=False, contrasts=True))
    with styled(colored(page, dark=False), ".ldp-answer { color: #595959 !important }"):  # on white it can be read
        assert not read_wrongly(page, whole=False, contrasts=False)
        assert "#595959" in "".join(read_wrongly(colored(page, dark=True), whole=False, contrasts=False))
    colored(page, dark=False)


def test_what_nobody_can_read_on_a_phone_is_named(tab: Callable[[str, str], Page]) -> None:
    page = colored(tab("phone", SLUG), dark=False)
    with styled(page, ".ldp-answer { color: #989898 !important }"):
        assert "#989898" in "".join(read_wrongly(page, whole=False, contrasts=False))
        assert "#989898" in "".join(read_wrongly(page, whole=True, contrasts=False))


def test_a_quick_drawing_that_is_another_is_named(tab: Callable[[str, str], Page]) -> None:
    page = tab("laptop", SLUG)
    name = f"{SLUG}/{views_of(page)[0]}"
    look_at(page, views_of(page)[0])
    before = chart(page)
    assert not drawn_wrongly(page, name, first=True)
    assert chart(page) == before
    page.evaluate("""() => {
      const { picture } = document.querySelector(".ldp-stage").stage, { draw } = picture
      picture.draw = async function () {
        await draw.call(this)
        this.place.querySelector(".main-svg g").toggleAttribute("data-planted", this.quickly)
      }
    }""")
    assert any("at stop" in each for each in drawn_wrongly(page, name, first=True))
    page.evaluate("delete document.querySelector('.ldp-stage').stage.picture.draw")
    page.evaluate("document.querySelector('.ldp-stage').stage.picture.thorough = true")
    assert any("where all might be" in each for each in drawn_wrongly(page, name, first=True))
    page.evaluate("document.querySelector('.ldp-stage').stage.picture.thorough = false")


def test_what_moves_when_the_handle_is_let_go_is_named(tab: Callable[[str, str], Page]) -> None:
    page = tab("laptop", SLUG)
    page.evaluate("""addEventListener("pointerup", () => setTimeout(() => {
      document.querySelector(".ldp-answer").style.marginTop = "9px"
    }, 50), { capture: true, once: true })""")
    assert let_go(page)
    page.evaluate("document.querySelector('.ldp-answer').style.marginTop = ''")
    page.get_by_role("button", name=LABELS["app"]["reset"]).click()
    page.wait_for_url(lambda url: "epsilon" not in url)


def test_a_page_that_is_dead_after_a_lost_connection_is_named(page: Page) -> None:
    opened(page, address(SLUG))
    moves(page, SLUG)
    page.evaluate("WebSocket.prototype.send = () => {}")
    expect.set_options(timeout=2_000)
    try:
        with pytest.raises(AssertionError):
            moves(page, SLUG)
    finally:
        expect.set_options(timeout=PATIENCE)


def test_what_the_console_complains_of_is_heard(windows: Windows, server: Server) -> None:
    complaints: list[str] = []
    with listened(windows, server.url, complaints, {}) as page:
        opened(page, address("reference"))
        for plant, said in COMPLAINTS.items():
            assert not complaints
            page.evaluate(f"() => {{ {plant} }}")
            until(page, lambda said=said: any(said in each for each in complaints))
            complaints.clear()


def test_what_a_visitor_leaves_behind_is_not_there_for_the_next(windows: Windows, server: Server) -> None:
    left = "(localStorage.planted = 1, document.cookie = 'planted=1')"
    for _ in range(2):
        with windows.lent(server.url) as page:
            page.goto("/_stcore/health")
            assert page.evaluate("!localStorage.length && !document.cookie.includes('planted')")
            page.evaluate(left)
            with windows.lent(server.url) as other:  # who is there at the same time is somebody else
                other.goto("/_stcore/health")
                assert page.context is not other.context and other.evaluate("localStorage.length") == 0
