"""Drawings that are no charts go out as pictures and numbers too."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from explorer.text import listing, page_text
from ldpcore.experiments.response import RealAnswers, designed
from tests.browser.reading import address, handle, opened
from tests.browser.walking import SCREENS
from tools.browsing import settled

ORANGE = (213, 94, 0)  # what the collector sees
STAGE = listing("labels")["stage"]
FRAME, FILES, ROWS = (listing("labels")["frame"], listing("labels")["files"], page_text("response")["labels"]["real"])


@pytest.fixture
def page(visit: Callable[..., Page]) -> Page:
    """The real answers of a survey, with what can be taken along open."""
    found = visit()
    found.goto("/response?response_tab=real&response_answers=83+yes+of+200&response_design=die&epsilon=1.1")
    settled(found).get_by_text(FRAME["take_away"]).click()
    return settled(found)


def saved(page: Page, role: Literal["button", "menuitem"], name: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role(role, name=name).click()
    return Path(download.value.path()).read_bytes()


def pictured(page: Page, form: str) -> bytes:
    """The picture as the tools on it save it."""
    page.locator(".ldp-box").hover()
    page.get_by_role("button", name=STAGE["save"]).click()
    return saved(page, "menuitem", STAGE[form])


def test_the_numbers_of_a_drawing_are_those_of_the_result_and_it_is_saved_as_a_picture(page: Page) -> None:
    page.get_by_role("button", name=FILES["numbers"]).click()
    rows = dict(csv.reader(io.StringIO(saved(page, "button", FILES["csv_programs"]).decode())))
    found = RealAnswers(designed("die", 1.1), 83, 200).run()
    low, high = found.interval
    told = [float(rows[ROWS[f"row_{name}"]]) for name in ("reported", "estimate", "low", "high")]
    assert told == pytest.approx([41.5, 100 * found.estimate, 100 * low, 100 * high])
    assert pictured(page, "svg").startswith(b"<svg")
    picture = Image.open(io.BytesIO(pictured(page, "png"))).convert("RGB")
    assert picture.width > 600
    assert any(color == ORANGE for _, color in picture.getcolors(1 << 20) or [])


def test_the_coins_of_one_person_fall_on_the_cards_themselves_and_by_keys(visit: Callable[..., Page]) -> None:
    page = opened(visit(**SCREENS["projector"]), address("response", lecture="true"))
    cards = page.locator(".ldp-cards button")
    page.locator(".ldp-coins").click()
    page.wait_for_url("**response_stage=question*")
    cards.nth(1).press("Enter")
    page.wait_for_url("**response_stage=first*")
    expect(cards.nth(1)).to_be_focused()  # though all is drawn anew
    for key, stage in (("4", "report"), ("3", "second")):
        settled(page).keyboard.press(key)
        page.wait_for_url(f"**response_stage={stage}*")
    settled(page).keyboard.press("5")
    page.wait_for_url(lambda url: "response_stage" not in url)
    expect(cards).to_have_count(0)


def test_the_overview_asks_for_no_plotly_and_takes_the_report_that_is_pointed_at(visit: Callable[..., Page]) -> None:
    asked: list[str] = []
    page = visit()
    page.on("request", lambda request: asked.append(request.url))
    opened(page, address("overview"))
    tells, curves = page.locator(".ldp-ratio .tells"), page.locator(".ldp-ratio .curves")
    expect(tells).to_contain_text("2.72 times as likely from Ben as from Ada, and no report tells more")
    curves.click(position={"x": 0.5 * curves.evaluate("node => node.clientWidth"), "y": 30})
    page.wait_for_url("**overview_value=0.5")
    expect(tells).to_contain_text("exactly as likely from one as from the other")
    handle(page).press("ArrowRight")
    page.wait_for_url("**epsilon=1.5**")
    expect(tells).to_contain_text("limit: e^ε = 4.48")
    assert len(asked) > 10 and not [url for url in asked if "plotly" in url.lower()]
