"""A page that has lost its connection for longer than the server remembers answers the first move afterwards."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from explorer.navigation import DEFAULT, entries
from tests.browser.reading import LABELS, answer, handle, settled
from tests.browser.windows import PARSED_ONCE
from tests.rationing import shared
from tools.browsing import window
from tools.serving import free_port, serving

REMEMBERED = "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL"  # seconds that the server remembers a session without a reader
AWAY = float(os.environ.get("LDP_EXPLORER_AWAY", "6"))  # seconds without connection; 150 is what a locked phone takes
SLUGS = [entry.slug for entry in entries()]
LOOKS = {"lecture": ("lecture=true", (1280, 720)), "phone": ("", (390, 844))}
TOUCHED = ((False, "lecture"), (True, "phone"), (False, "phone"), (True, "lecture"))


class Line:
    """A way to the server that can be cut and mended."""

    def __init__(self, target: int) -> None:
        self.port, self.whole, self.ends = free_port(), True, list[socket.socket]()
        self.target, self.door = target, socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._open, daemon=True).start()

    def cut(self) -> None:
        self.whole = False
        for end in self.ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.ends.clear()

    def _open(self) -> None:
        while True:
            near, _ = self.door.accept()
            if not self.whole:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.target))
            self.ends += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while part := one.recv(1 << 16):
                other.sendall(part)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


@contextmanager
def line(monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    """A server behind a line; it forgets soon, where the cut is short."""
    if AWAY < 120:
        monkeypatch.setenv(REMEMBERED, "1")
    with serving() as server:
        yield Line(int(server.url.rsplit(":", 1)[1]))


def moves(page: Page, slug: str) -> None:
    """Something is moved, and what depends on it follows."""
    if not handle(page).count():
        page.get_by_role("button", name=LABELS["app"]["next" if slug == DEFAULT else "previous"]).click()
        expect(page.get_by_role("heading", level=1)).not_to_have_text(str(page.evaluate("window.ldpBefore")))
        return
    before, url = page.locator(".ldp-handle b").inner_text(), page.url
    handle(page).press("ArrowRight")
    expect(page).not_to_have_url(url)
    expect(page.locator(".ldp-handle b")).not_to_have_text(before)
    level = re.search(r"epsilon=([\d.]+)", page.url)
    if level is not None and page.locator(".ldp-views").count():
        expect(page.locator(".ldp-handle b")).to_have_text(level[1])
    expect(answer(settled(page))).not_to_be_empty()


def test_the_first_move_after_a_lost_connection_is_answered_on_every_page(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every ninth page by day: one untouched in a lecture, the next on a phone where it was moved before."""
    with line(monkeypatch) as way, seen(browser, way) as context:
        pages: dict[str, Page] = {}
        for slug, (moved, look) in zip(shared(SLUGS, 9), cycle(TOUCHED), strict=False):
            asked, (width, height) = LOOKS[look]
            page = pages[slug] = context.new_page()
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"/{'' if slug == DEFAULT else slug}?{asked}")
            settled(page)
            page.evaluate("window.ldpBefore = document.querySelector('h1').innerText")
            if moved and handle(page).count():
                moves(page, slug)
        way.cut()
        time.sleep(AWAY)
        way.whole = True
        for slug, page in pages.items():
            page.bring_to_front()
            expect(page.get_by_test_id("stApp")).to_have_attribute(
                "data-test-connection-state", "CONNECTED", timeout=90_000
            )
            moves(settled(page), slug)


@contextmanager
def seen(browser: Browser, way: Line) -> Iterator[BrowserContext]:
    """A window behind the line."""
    context = window(browser, f"http://127.0.0.1:{way.port}")
    context.add_init_script(PARSED_ONCE)
    yield context
    context.close()
