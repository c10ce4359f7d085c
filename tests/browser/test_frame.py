"""What the frame promises on a page: links, exports, and the room's switches, tried on the counting page."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Page, expect

from explorer.navigation import DEFAULT, entries
from explorer.text import listing
from tools.browsing import settled
from tools.serving import Server

LINK = "/counting?data=clinic&epsilon=0.3&counting_seed=7"
ROOT = Path(__file__).resolve().parents[2]


def main_text(page: Page) -> str:
    """Everything that the page says."""
    return settled(page).get_by_test_id("stMain").inner_text()


def chart(page: Page) -> list[list[float]]:
    """The x values of every trace on screen."""
    settled(page)
    return page.evaluate("[...document.querySelector('.ldp-figure')._fullData].map(trace => [...trace.x])")


def names(page: Page) -> list[str]:
    """The names of the traces on screen."""
    settled(page)
    return page.evaluate("document.querySelector('.ldp-figure').data.map(trace => trace.name ?? '')")


def opened(page: Page, link: str = LINK) -> Page:
    page.goto(link)
    return settled(page)


def folded(page: Page, name: str) -> Page:
    """The page with what stands below the figure opened."""
    page.locator(".st-key-counting_below_row").get_by_text(listing("labels")["frame"][name]).click()
    return settled(page)


def test_draw_again_takes_the_next_seed_and_other_dots(page: Page) -> None:
    before = chart(opened(page))
    page.get_by_role("button", name="Draw again").click()
    settled(page)
    assert chart(page)[-1] != before[-1]
    assert "counting_seed=8" in page.url


def test_pin_keeps_the_present_curve_while_the_slider_moves(page: Page) -> None:
    opened(page)
    page.get_by_role("button", name="Pin this curve").click()
    settled(page)
    page.locator(".st-key-epsilon input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert any("pinned" in name and "0.3" in name for name in names(page))
    page.get_by_role("button", name="Pin this curve", pressed=True).click()
    assert not any("pinned" in name for name in names(page))


def test_hiding_the_truth_takes_it_off_the_figure_and_the_answer(page: Page) -> None:
    assert "true answer" in names(opened(page))
    page.locator(".st-key-hide label").first.click()
    assert "true answer" not in names(page)
    assert "hidden while you predict" in main_text(page)
    assert "hide=" in page.url


def test_reset_takes_every_control_of_the_page_back(page: Page) -> None:
    opened(page)
    page.get_by_role("button", name="Reset this page").click()
    settled(page)
    assert "epsilon" not in page.url and "seed" not in page.url
    assert "At ε = 0.1" in main_text(page)


def test_lecture_mode_hides_the_chrome_and_enlarges_type_and_figures(page: Page) -> None:
    opened(page, LINK + "&lecture=true")
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "26px"
    assert page.evaluate("document.querySelector('.ldp-figure')._fullLayout.font.size") >= 20
    expect(page.get_by_test_id("stSidebar")).not_to_be_visible()


def test_presenter_keys_walk_through_the_pages_and_take_the_level_along(page: Page) -> None:
    opened(page)
    page.locator("h1").click()
    page.keyboard.press("PageDown")
    settled(page)
    expect(page.get_by_role("heading", level=1)).not_to_have_text("How much noise hides one person in a count?")
    page.keyboard.press("PageUp")
    settled(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("How much noise hides one person in a count?")
    assert "At ε = 0.3" in main_text(page)


def test_the_qr_code_leads_to_the_link_and_the_link_to_the_same_digits(page: Page, visit: Callable[..., Page]) -> None:
    folded(opened(page), "take_away")
    picture = Image.open(io.BytesIO(page.locator(".ldp-qr svg").screenshot(scale="css")))
    decoded = zxingcpp.read_barcodes(picture)
    assert len(decoded) == 1
    shown = page.get_by_test_id("stCode").first.inner_text().replace("\n", "").strip()
    assert decoded[0].text == shown
    other = opened(visit(), decoded[0].text)
    assert other.locator(".ldp-figure").count() == 1
    assert chart(other) == chart(page)
    answer = page.get_by_test_id("stMarkdown").first.inner_text()
    assert other.get_by_test_id("stMarkdown").first.inner_text() == answer


def test_the_csv_holds_the_numbers_of_the_figure(page: Page) -> None:
    folded(opened(page), "take_away")
    with page.expect_download() as download:
        page.get_by_role("button", name="Numbers (CSV)").click()
    text = Path(download.value.path()).read_text("utf-8-sig")
    assert "seed 7" in text.splitlines()[0] and "LDP Explorer" in text.splitlines()[0]
    rows = list(csv.reader(io.StringIO(text.split("\n", 1)[1])))
    dots = [float(row[1]) for row in rows[1:] if row[0] == "ten releases"]
    assert dots == pytest.approx(chart(page)[-1], rel=1e-6)


@pytest.mark.parametrize(("name", "start"), [("Figure (SVG)", b"<svg"), ("Figure (PNG)", b"\x89PNG")])
def test_the_figure_is_saved_as_a_picture(page: Page, name: str, start: bytes) -> None:
    folded(opened(page), "take_away")
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    content = Path(download.value.path()).read_bytes()
    assert content.lstrip().startswith(start) and len(content) > 5000
    assert "seed-7" in download.value.suggested_filename


def test_the_snippet_runs_and_gives_the_dots_of_the_figure(page: Page) -> None:
    folded(opened(page), "take_away")
    source = page.get_by_test_id("stCode").last.locator("code").inner_text()
    source += "\nprint(*result.releases)"
    printed = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert [float(number) for number in printed.splitlines()[-1].split()] == pytest.approx(chart(page)[-1], rel=1e-6)


@pytest.mark.parametrize("slug", [entry.slug for entry in entries()])
def test_a_cold_server_answers_a_deep_link_with_the_right_page(
    fresh_server: Callable[[], Server], visit: Callable[..., Page], slug: str
) -> None:
    page = visit(fresh_server().url)
    page.goto(("/" if slug == DEFAULT else f"/{slug}") + "?epsilon=0.7")
    settled(page)
    entry = next(entry for entry in entries() if entry.slug == slug)
    expect(page.get_by_role("heading", level=1)).to_have_text(entry.question())
    expect(page.get_by_test_id("stException")).to_have_count(0)
    present = page.get_by_role("navigation", name=listing("labels")["app"]["pages"]).locator("[aria-current=page]")
    expect(present).to_contain_text(entry.name())
    if page.locator(".st-key-epsilon").count():
        assert "0.7" in page.locator(".st-key-epsilon").inner_text()


@pytest.mark.parametrize("asked", ["0", "-1", "1e-12", "1e9", "NaN", "abc", "1&epsilon=2"])
def test_an_unusable_level_gets_one_clear_sentence_and_the_page_works(page: Page, asked: str) -> None:
    opened(page, f"/counting?epsilon={asked}")
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    assert len(chart(page)) == 3


def test_an_unknown_dataset_gets_one_clear_sentence(page: Page) -> None:
    opened(page, "/counting?data=nowhere")
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    assert "882" in main_text(page)


def test_an_unknown_page_in_the_link_says_so_and_shows_the_overview(page: Page) -> None:
    opened(page, "/nowhere?epsilon=0.5")
    assert main_text(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_view_may_bring_controls_that_were_not_there_at_first(page: Page) -> None:
    opened(page, "/verify")
    page.locator(".st-key-verify_tab_row").get_by_text("Audit").click()
    assert "exact level" in names(page)
    page.locator(".st-key-epsilon input[type=range]").press("ArrowRight")
    assert "exact level" in names(page)
    expect(page.get_by_role("button", name="Draw again")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_on_a_phone_the_list_of_pages_gives_way_to_the_page_that_was_chosen(phone: Page) -> None:
    opened(phone)
    phone.get_by_test_id("stExpandSidebarButton").click()
    phone.get_by_role("link", name="Frequencies").click()
    settled(phone)
    expect(phone.get_by_role("heading", level=1)).to_be_in_viewport()
    expect(phone.get_by_role("link", name="Frequencies")).not_to_be_in_viewport()


def test_on_a_phone_a_link_to_a_late_view_shows_its_name_in_the_row(phone: Page) -> None:
    opened(phone, "/counting?counting_tab=plan")
    row = phone.get_by_role("radiogroup", name=listing("labels")["frame"]["view"])
    row.scroll_into_view_if_needed()
    expect(row.get_by_text("Plan")).to_be_in_viewport(ratio=0.9)


def test_the_way_back_leads_to_the_view_before(page: Page) -> None:
    views = page.get_by_role("radiogroup", name=listing("labels")["frame"]["view"])
    opened(page)
    for name in ("Ten releases", "Plan"):
        views.get_by_text(name, exact=True).click()
        settled(page)
    page.go_back()
    expect(page.get_by_role("radio", name="Ten releases")).to_be_checked()
    assert "counting_tab=ten" in settled(page).url
    page.go_back()
    expect(page.get_by_role("radio", name="One release")).to_be_checked()
    assert "counting_tab" not in settled(page).url


def test_two_clicks_in_a_row_leave_what_was_clicked_last(page: Page) -> None:
    opened(page)
    row = page.locator(".st-key-counting_below_row")
    row.get_by_role("button").first.dblclick()
    settled(page)
    expect(row.get_by_role("button", expanded=True)).to_have_count(0)
    expect(page.locator(".ldp-table")).to_have_count(0)


def test_a_preset_sets_the_whole_page_also_outside_the_fold_it_stands_in(page: Page) -> None:
    folded(opened(page, "/counting?epsilon=0.3&data=clinic&counting_tab=plan"), "tasks")
    page.get_by_role("button", name="Nine times the level").click()
    settled(page)
    expect(page.get_by_role("radio", name="Plan")).not_to_be_checked()
    assert "2\u202f584" in main_text(page) and "ε = 0.9" in main_text(page)
