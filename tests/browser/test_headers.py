"""What the server lets a page load is what the pages load: no page breaks the policy, and none stays blank."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from explorer.navigation import DEFAULT, entries
from tests.browser.reading import LABELS, settled
from tools.serving import Server, free_port, serving


def test_every_page_comes_with_the_policy_which_each_visit_keeps(server: Server) -> None:
    """What a page breaks of it stands in the console, which must stay free of errors at every visit."""
    for slug in ("", *(entry.slug for entry in entries() if entry.slug != DEFAULT)):
        with urlopen(f"{server.url}/{slug}", timeout=30) as answer:
            assert "frame-ancestors 'self'" in answer.headers["content-security-policy"], slug


def test_a_path_of_several_names_opens_the_overview_and_says_so(page: Page) -> None:
    page.goto("/counting/deep?epsilon=0.5")
    question = next(entry.question() for entry in entries() if entry.slug == DEFAULT)
    expect(page.get_by_role("heading", level=1)).to_have_text(question)
    expect(page.get_by_role("dialog")).to_contain_text(re.compile("page", re.IGNORECASE))


@contextmanager
def another_site(page: bytes) -> Iterator[str]:
    """A site of one page, under another name than the app's."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *given: object) -> None:
            """Nobody reads it."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_inside_a_frame_of_another_site_the_page_says_why_a_file_may_be_refused(
    visit: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    port, words = free_port(), LABELS["own"]["framed"]
    frame = f'<iframe src="http://127.0.0.1:{port}/counting" width="1200" height="800"></iframe>'
    with another_site(frame.encode()) as site:
        monkeypatch.setenv("LDP_EXPLORER_FRAMES", site)
        with serving(port=port) as server:
            page = visit(server.url)
            page.goto(site)
            framed = page.frame_locator("iframe")
            framed.get_by_role("button", name=LABELS["parameters"]["table"]).click()
            expect(framed.get_by_text(words)).to_be_visible()
            page.close()  # before its server, which it would look for


def test_on_paper_stand_the_question_the_answer_and_the_whole_figure_without_the_sidebar(page: Page) -> None:
    page.goto("/counting")
    settled(page)
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # what a page of A4 leaves between its margins
    settled(page)
    for hidden in (page.get_by_test_id("stSidebar"), page.locator(".st-key-settings"), page.locator(".st-key-foot")):
        expect(hidden.first).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".ldp-answer")).to_be_visible()
    figure = page.locator(".ldp-figure").bounding_box()
    assert figure is not None and figure["x"] >= 0 and figure["x"] + figure["width"] <= 718
    assert figure["height"] > 200
