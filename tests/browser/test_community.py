"""Where Streamlit Community Cloud serves the app: in a frame below `/~/+/`, whose reader sees the outer address."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import FilePayload, Frame, Page, expect

from tests.browser.reading import LABELS, LINK, QUESTIONS
from tests.browser.walking import NAMES, SLUGS
from tests.rationing import shared
from tools import proxying
from tools.browsing import IS_SETTLED
from tools.community import community
from tools.serving import Server

pytestmark = pytest.mark.skipif(proxying.program() is None, reason=proxying.ADVICE)
TABLE = b"name;height;city\nAda;1,62;Bonn\nBen;1,80;Graz\nCem;1,75;Bonn\n"


@pytest.fixture
def host(server: Server) -> Iterator[str]:
    """The host's own address."""
    with community(server.url) as address:
        yield address


def framed(page: Page) -> Frame:
    """The app inside the outer page, once it stands."""
    page.wait_for_function("() => document.querySelector('iframe').src")
    frame = next(each for each in page.frames if "/~/+/" in each.url)
    expect(frame.locator(".ldp-keys[aria-label]")).to_be_attached()
    return settled(frame)


def settled(frame: Frame) -> Frame:
    """Wait until the app has come to rest, as `tools.browsing.settled` does for a page."""
    frame.wait_for_function(IS_SETTLED, arg=[frame.evaluate("performance.now()"), 150], timeout=60_000)
    return frame


def test_links_codes_sheets_and_keys_are_those_of_the_outer_page(host: str, visit: Callable[..., Page]) -> None:
    page = visit(host)
    page.goto(LINK)
    frame = framed(page)
    expect(frame.get_by_role("heading", level=1)).to_have_text(QUESTIONS["counting"])
    frame.locator(".ldp-views-row button[value=one]").click()
    page.wait_for_url("**counting_tab=one**")
    assert parse_qs(urlsplit(page.url).query)["counting_seed"] == ["7"]
    page.reload()
    frame = framed(page)
    expect(frame.locator(".ldp-views-row button[value=one]")).to_be_checked()
    frame.locator("[class*='_below'] button").filter(has_text=LABELS["frame"]["take_away"]).click()
    link = settled(frame).get_by_test_id("stCode").first.inner_text().replace("\n", "").strip()
    assert link.startswith(f"{host}/counting?") and "counting_tab=one" in link
    read = zxingcpp.read_barcodes(Image.open(io.BytesIO(frame.locator(".ldp-qr svg").screenshot(scale="css"))))
    assert [code.text for code in read] == [link]
    with page.expect_popup() as popup:
        frame.locator("button.print").first.click()
    expect(popup.value.get_by_role("heading").first).to_be_visible()
    assert popup.value.locator("svg").count()
    popup.value.close()
    page.keyboard.press("PageDown")
    expect(frame.locator(".ldp-views-row button[value=one]")).not_to_be_checked()


def test_a_table_arrives(host: str, visit: Callable[..., Page]) -> None:
    page = visit(host)
    page.goto(LINK)
    frame = framed(page)
    frame.get_by_role("button", name=LABELS["parameters"]["table"]).click()
    sent = FilePayload(name="people.csv", mimeType="text/csv", buffer=TABLE)
    settled(frame).locator("input[type=file]").set_input_files(sent)
    expect(frame.get_by_text("people.csv").first).to_be_visible()
    page.wait_for_url("**data=own-3x3**")
    expect(settled(frame).get_by_text("3 people").first).to_be_visible()


def test_pages_draw_one_after_the_other(host: str, visit: Callable[..., Page]) -> None:
    page = visit(host)
    page.goto("/")
    frame = framed(page)
    for slug in shared(SLUGS[1:], 4):
        frame.get_by_test_id("stSidebarNav").get_by_role("link", name=NAMES[slug], exact=True).click()
        expect(frame.get_by_role("heading", level=1)).to_have_text(QUESTIONS[slug])
        settled(frame)
        expect(frame.get_by_test_id("stException")).to_have_count(0)
        assert urlsplit(page.url).path == f"/{slug}"
        pictures = frame.locator(".ldp-figure .main-svg:visible, .ldp-drawing svg:visible")
        assert pictures.count() or not frame.locator(".ldp-stage").count(), slug
