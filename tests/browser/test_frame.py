"""What the house promises on a page: links, exports, and the room's switches, tried on the counting page."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, WebSocketRoute, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from explorer.navigation import entries
from tests.browser.reading import (
    LABELS,
    LINK,
    QUESTIONS,
    answer,
    chart,
    folded,
    link,
    look_at,
    main_text,
    names,
    opened,
    pressed,
    until,
    view,
)
from tests.rationing import at_night
from tools.browsing import settled
from tools.serving import Server

ROOT = Path(__file__).resolve().parents[2]
ONE = f"{LINK}&counting_tab=one"


def heading(page: Page, slug: str) -> None:
    """Wait until a page stands."""
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTIONS[slug])
    settled(page)


def test_draw_again_hide_reset_and_the_way_back_do_as_they_say_and_two_clicks_leave_what_was_clicked_last(
    page: Page,
) -> None:
    before = chart(opened(page, ONE))
    page.get_by_role("button", name="Draw again").click()
    assert chart(page) != before
    assert "counting_seed=8" in page.url
    assert "9" in answer(page).inner_text()
    page.locator(".st-key-hide label").first.click()
    expect(answer(page)).to_have_text(LABELS["app"]["hidden_answer"])
    assert "hide=true" in settled(page).url
    page.locator(".st-key-hide label").first.click()
    settled(page).get_by_role("button", name="Reset this page").click()
    expect(answer(page)).to_contain_text("At ε = 0.1")
    settled(page)
    assert not re.search("epsilon|seed|tab|hide", page.url)
    for slug in ("one", "plan"):
        look_at(page, slug)
    page.go_back()
    expect(view(page, "one")).to_be_checked()
    assert "counting_tab=one" in settled(page).url
    page.go_back()
    expect(view(page, "ten")).to_be_checked()
    assert "counting_tab" not in settled(page).url
    page.locator(".st-key-counting_below button").first.dblclick()
    settled(page)
    expect(page.locator(".st-key-below, .ldp-table")).to_have_count(0)


def test_a_lecture_hides_the_chrome_enlarges_type_and_is_led_by_keys_which_keep_room_and_level(page: Page) -> None:
    opened(page, ONE + "&lecture=true")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "29.25px"
    assert page.evaluate("document.querySelector('.ldp-figure')._fullLayout.font.size") >= 20
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()
    pressed(page, "h")
    assert "hide=true" in page.url and "lecture=true" in page.url
    expect(answer(page)).to_have_text(LABELS["app"]["hidden_answer"])
    pressed(page, "h")
    before = chart(page)
    pressed(page, "d")
    assert chart(page) != before
    pressed(page, "q")
    cover = page.locator(".ldp-keys[open]")
    expect(cover).to_be_visible()
    read = zxingcpp.read_barcodes(Image.open(io.BytesIO(cover.locator("svg").screenshot(scale="css"))))
    assert len(read) == 1 and "counting_seed=" in read[0].text and "counting_tab=one" in read[0].text
    assert "lecture" not in read[0].text
    pressed(page, "Escape")
    expect(cover).to_have_count(0)
    look_at(page, "plan")
    pressed(page, "PageDown")
    expect(view(page, "cells")).to_be_checked()
    pressed(page, "PageDown")
    heading(page, "averaging")
    assert "lecture=true" in page.url and "epsilon=0.3" in page.url
    expect(view(page, "pile")).to_be_checked()
    page.locator(".ldp-stage input[type=range]").focus()
    pressed(page, "PageUp")
    heading(page, "counting")
    expect(view(page, "cells")).to_be_checked()
    assert "lecture=true" in page.url
    assert "epsilon=0.3" in page.url
    assert page.get_by_test_id("stMain").evaluate("node => node.scrollTop") == 0


def test_code_link_numbers_and_pictures_are_those_of_the_figure(page: Page, visit: Callable[..., Page]) -> None:
    folded(opened(page), "take_away")
    decoded = zxingcpp.read_barcodes(Image.open(io.BytesIO(page.locator(".ldp-qr svg").screenshot(scale="css"))))
    assert [code.text for code in decoded] == [link(page)]
    other = opened(visit(), decoded[0].text)
    assert chart(other) == chart(page)
    expect(view(other, "ten")).to_be_checked()
    assert answer(other).inner_text() == answer(page).inner_text()

    drawn = page.evaluate("document.querySelector('.ldp-figure')._fullData.map(trace => [...trace.x])")
    page.get_by_role("button", name=LABELS["files"]["numbers"]).click()
    with page.expect_download() as download:
        page.get_by_role("button", name=LABELS["files"]["csv_programs"]).click()
    with zipfile.ZipFile(download.value.path()) as archive:
        first, _, origin = (archive.read(name).decode() for name in archive.namelist())
    assert "seed 7" in origin and "LDP Explorer" in origin
    rows = list(csv.reader(io.StringIO(first)))[1:]
    released = "released (arrows: beyond the picture)"
    told = [float(row[1]) for row in rows if row[0] == released]
    assert told == pytest.approx(drawn[names(page).index(released)], rel=1e-6)
    assert len(rows) >= 10

    source = page.get_by_test_id("stCode").last.locator("code").inner_text()
    source += "\nprint(*results[0].releases[:10])"
    printed = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    dots = [float(number) for number in printed.stdout.splitlines()[-1].split()]
    y = page.evaluate("document.querySelector('.ldp-figure')._fullData.map(trace => [...trace.y])")
    assert any(found == pytest.approx(dots, rel=1e-6) for found in y if len(found) == len(dots))

    page.locator(".ldp-box").hover()
    for form, start in (("png", b"\x89PNG"), ("svg", b"<svg")):
        page.get_by_role("button", name=LABELS["stage"]["save"]).click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=LABELS["stage"][form]).click()
        content = Path(download.value.path()).read_bytes()
        assert content.lstrip().startswith(start) and len(content) > 5000
        assert download.value.suggested_filename == f"ldp-explorer-counting-ten.{form}"


def test_views_turned_there_and_back_faster_than_the_line_is_are_shown(page: Page) -> None:
    """The server answers each key, and the page hears of all of them when the last was pressed."""
    line, late, slow = list[WebSocketRoute](), list[bytes](), False

    def answered(number: int) -> bool:
        said = [ForwardMsg.FromString(each) for each in late]
        ends = [each.script_finished for each in said if each.WhichOneof("type") == "script_finished"]
        return ends.count(ForwardMsg.FINISHED_SUCCESSFULLY) >= number

    def through(socket: WebSocketRoute) -> None:
        line.append(socket)
        socket.connect_to_server().on_message(lambda said: late.append(bytes(said)) if slow else socket.send(said))

    page.route_web_socket("**/_stcore/stream", through)
    before = answer(opened(page, LINK + "&lecture=true")).inner_text()
    second = re.compile("counting_tab=one(&|$)")

    def is_first(url: str) -> bool:
        return "counting_tab" not in url

    page.keyboard.press("PageDown")
    page.wait_for_url(second)
    pressed(page, "PageUp")
    page.wait_for_url(is_first)
    slow = True
    for number, key in enumerate(("PageDown", "PageDown", "PageUp", "PageUp"), 1):
        page.keyboard.press(key)
        until(page, lambda number=number: answered(number))
    while late:  # what comes meanwhile waits behind it
        line[0].send(late.pop(0))
    slow = False
    page.wait_for_url(is_first)
    expect(answer(settled(page))).to_have_text(before)
    page.keyboard.press("PageDown")
    page.wait_for_url(second)
    assert line[1:] == []


@at_night
def test_a_cold_server_answers_a_deep_link_with_the_right_page(
    fresh_server: Callable[[], Server], visit: Callable[..., Page]
) -> None:
    slug = "response"
    page = visit(fresh_server().url)
    page.goto(f"/{slug}?epsilon=0.7")
    heading(page, slug)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    present = page.get_by_test_id("stSidebarNav").locator("[aria-current=page]")
    expect(present).to_have_text(next(entry.name() for entry in entries() if entry.slug == slug))
    expect(page.locator(".ldp-handle b")).to_have_text("0.7")


@at_night
def test_what_a_link_asks_in_vain_gets_one_clear_sentence_and_the_page_works(page: Page) -> None:
    for asked in ("epsilon=1&epsilon=2", "epsilon=abc&data=nowhere"):
        opened(page, f"/counting?{asked}")
        assert page.get_by_test_id("stAlert").count() == 1, asked
        expect(answer(page)).to_contain_text("At ε = 0.1")
        expect(answer(page)).to_contain_text("882")
        assert "off on average" in names(page), asked
    opened(page, "/nowhere?epsilon=0.5")
    heading(page, "overview")
    expect(page.get_by_test_id("stException")).to_have_count(0)


@at_night
def test_a_view_may_bring_controls_that_were_not_there_at_first(page: Page) -> None:
    opened(page, "/verify")
    before = page.locator(".st-key-settings [class*=st-key-verify]").count()
    look_at(page, "audit")
    assert "exact level" in names(page)
    assert page.locator(".st-key-settings [class*=st-key-verify]").count() > before
    page.locator(".ldp-stage input[type=range]").press("ArrowRight")
    assert "exact level" in names(page)
    expect(page.get_by_role("button", name="Draw again")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_preset_sets_the_whole_page_also_outside_the_fold_it_stands_in(page: Page) -> None:
    folded(opened(page, "/counting?epsilon=0.3&data=clinic&counting_tab=plan"), "tasks")
    page.get_by_role("button", name="Nine times the level").click()
    expect(answer(page)).to_contain_text("At ε = 0.9")
    expect(view(page, "ten")).to_be_checked()
    assert "2\u202f584" in main_text(page)
