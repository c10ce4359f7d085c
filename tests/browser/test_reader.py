"""What a reader does on a page, in the browser: by keyboard alone, with a table of their own, or tired of waiting."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import unquote_plus

from playwright.sync_api import Browser, Error, FilePayload, Page, WebSocket, expect

from tests.browser.reading import (
    LABELS,
    answer,
    chart,
    folded,
    handle,
    link,
    main_text,
    opened,
    place_of,
    pressed,
    tab_to,
    until,
    view,
)
from tests.rationing import ALL, at_night
from tools.browsing import settled, window
from tools.serving import free_port, serving

VIEWS, BELOW = ".ldp-views-row", ".st-key-counting_below"
CLASS = '"Körpergröße";"Wohnort";"Prüfung"\n' + "".join(
    f'1,{61 + row};"{town}";"{"ja" if row % 3 else "nein"}"\n'
    for row, town in enumerate(("Gräfelfing", "Ulm", "Bonn", "Hof", "Gräfelfing", "Ulm", "Bonn", "Hof", "Bonn"))
)
SECRETS = ("Körper", "Wohnort", "Prüf", "Gräf", "Ulm", "Bonn", "Hof", "nein", "1,6", "1.6", "klasse")
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(200)
SHORT = "/frequencies?frequencies_mechanism=subset&frequencies_k=512&frequencies_long_repeats=400&frequencies_tab=top"
NEARLY = """share => {
  const bar = document.querySelector('[role=progressbar]')
  return !bar || bar.ariaValueNow / bar.ariaValueMax >= share
}"""
LONG = "/frequencies?frequencies_mechanism=subset&frequencies_k=1024&frequencies_long_repeats=1000&frequencies_tab=top"


def table(page: Page) -> None:
    """Open or close the table and the place where one's own is brought."""
    page.get_by_role("button", name=LABELS["parameters"]["table"]).click()
    settled(page)


def brought(page: Page, name: str, content: bytes, reply: str) -> Page:
    """The page once it has replied to a file that was handed over."""
    table(page)
    page.locator("input[type=file]").set_input_files(FilePayload(name=name, mimeType="text/csv", buffer=content))
    expect(page.get_by_text(reply).first).to_be_visible()
    return settled(page)


def secrets_in(text: str) -> list[str]:
    """What a text gives away of the table."""
    plain = unquote_plus(text)
    return [secret for secret in SECRETS if secret in plain]


def test_a_page_is_worked_by_keyboard_alone(page: Page) -> None:
    tab_to(opened(page), VIEWS)
    pressed(page, "ArrowRight")
    expect(view(page, "one")).to_be_checked()
    pressed(page, "ArrowRight")
    expect(view(page, "bound")).to_be_checked()
    tab_to(page, ".ldp-handle")
    pressed(page, "ArrowRight")
    page.wait_for_url(re.compile("epsilon=0.5"))
    expect(answer(page)).to_contain_text("at ε = 0.5")
    tab_to(page, BELOW)
    pressed(page, "ArrowRight", "Enter")
    expect(page.locator(f"{BELOW} [aria-checked=true]")).to_contain_text(LABELS["frame"]["why"])
    expect(page.locator(".katex").first).to_be_visible()
    pressed(page, "Enter")
    expect(page.locator(".st-key-below")).to_have_count(0)


def test_a_table_of_ones_own_is_counted_and_nobody_else_is_told_what_is_in_it(
    page: Page, visit: Callable[..., Page]
) -> None:
    brought(opened(page), "klasse.csv", CLASS.encode("latin-1"), "Understood: 9 rows × 3 columns")
    expect(page.get_by_role("cell", name="Gräfelfing").first).to_be_visible()
    expect(page.get_by_text(LABELS["own"]["framed"])).to_be_hidden()  # the page stands in no frame
    pressed(page, "Escape")
    page.get_by_text(LABELS["asking"]["own"]).click()  # whose conditions travel, if the table is a built-in one
    expect(answer(page)).to_contain_text("of all 9")
    offered = link(folded(page, "take_away"))
    assert "data=own" in offered and "own-9x3" not in offered and not secrets_in(offered) + secrets_in(page.url)

    other = opened(visit(), offered)
    expect(other.get_by_test_id("stAlert")).to_contain_text("links never carry data")
    expect(answer(other)).to_contain_text("of all 2\u202f584")
    table(other)
    assert not secrets_in(other.locator("body").inner_text())

    table(page)
    page.get_by_test_id("stPopoverBody").get_by_role("button", name=LABELS["own"]["forget"]).click()
    expect(answer(page)).to_contain_text("of all 2\u202f584")
    assert "own" not in settled(page).url and not secrets_in(page.locator("body").inner_text())


def test_a_picture_that_claims_to_be_a_table_is_refused_and_changes_nothing_and_a_file_leaves_memory_once_it_was_read(
    page: Page,
) -> None:
    def held() -> bool:  # the server counts its memory every five seconds
        return "UploadedFileManager" in page.request.get("/_stcore/metrics").text()

    opened(page, "/counting?data=clinic&epsilon=0.3&counting_seed=7&counting_tab=one")
    until(page, lambda: not held())  # of anybody who came before
    before = page.url, answer(page).inner_text(), chart(page), main_text(page)
    brought(page, "picture.csv", PICTURE, "picture.csv")
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    expect(page.get_by_test_id("stAlert")).to_contain_text("PNG")
    until(page, held)  # it may be read in another way
    pressed(page, "Escape")
    assert (page.url, answer(page).inner_text(), chart(page), main_text(page)) == before
    assert "ε\xa0=\xa00.3" in before[1] and "all 40 people" in before[1]
    brought(page, "klasse.csv", CLASS.encode("latin-1"), "Understood: 9 rows × 3 columns")
    until(page, lambda: not held())


def test_the_answer_of_one_person_in_ones_own_table_stays_out_of_the_address(page: Page) -> None:
    opened(page, "/frequencies?frequencies_source=column&frequencies_tab=report")
    brought(page, "klasse.csv", CLASS.encode(), "Understood: 9 rows × 3 columns")
    pressed(page, "Escape")
    page.get_by_role("combobox", name="This person's answer").click()
    page.get_by_role("option").last.click()
    assert not secrets_in(settled(page).url)


def test_stop_is_heard_at_the_first_instant_ends_long_work_and_the_reader_may_go_on(page: Page) -> None:
    bar, stop = page.get_by_role("progressbar"), page.get_by_role("button", name=LABELS["frame"]["stop"], exact=True)
    go_on = page.get_by_role("button", name=LABELS["frame"]["go_on"])
    stopped = page.get_by_text(LABELS["frame"]["stopped"])
    page.goto(LONG)
    stop.click()  # as soon as it is there, while the page is still being built
    expect(stopped).to_be_visible()
    expect(answer(page)).to_contain_text("10 most popular answers")
    expect(bar).to_have_count(0)
    assert "frequencies_k=1024" in settled(page).url
    go_on.click()
    expect(bar).to_be_visible()  # what was stopped had not been computed meanwhile
    handle(page).press("ArrowRight")
    page.wait_for_url(re.compile("epsilon=1.5"))
    expect(page.locator(".ldp-handle .ldp-note")).to_contain_text("4.48\u202f:\u202f1")
    handle(page).press("ArrowLeft")
    expect(page.locator(".ldp-handle .ldp-note")).to_contain_text("2.72\u202f:\u202f1")
    page.wait_for_url(lambda url: "epsilon=1.5" not in url)
    expect(bar).to_be_visible()  # nor when the handle moved on
    settled(page)  # a click before the settings stand loses them
    stop.click()
    expect(stopped).to_be_visible()
    expect(answer(page)).to_contain_text("10 most popular answers")
    expect(bar).to_have_count(0)
    if ALL:
        go_on.click()
        expect(bar).to_be_visible()  # nor while it was stopped in its middle
        stop.click()
        expect(stopped).to_be_visible()
    handle(settled(page)).press("ArrowRight")  # and the page goes on to be used
    page.wait_for_url(re.compile("epsilon=1.5"))


@at_night
def test_stop_may_come_with_the_answer(page: Page) -> None:
    bar, stop = page.get_by_role("progressbar"), page.get_by_role("button", name=LABELS["frame"]["stop"], exact=True)
    go_on = page.get_by_role("button", name=LABELS["frame"]["go_on"])
    opened(page, f"{SHORT}&frequencies_seed=104")  # nobody has had its answers before
    for early in (0.0, 0.1):  # of what is left to do
        page.get_by_role("button", name="Draw again").click()
        expect(bar).to_be_visible()
        with suppress(Error):  # the answer may be faster than the hand
            page.wait_for_function(NEARLY, arg=1 - early, polling=20)
            stop.click(timeout=1000)
        expect(bar).to_have_count(0, timeout=60_000)  # where the hand was too slow, the work goes on
        expect(answer(settled(page))).to_contain_text("10 most popular answers")
        if go_on.count():
            go_on.click()
            expect(go_on).to_have_count(0)
        expect(bar).to_have_count(0, timeout=60_000)
        expect(answer(settled(page))).to_contain_text("10 most popular answers")
        expect(page.get_by_test_id("stException")).to_have_count(0)


@at_night
def test_the_server_hears_of_a_drag_when_it_ends_and_the_figure_stays_in_its_place(page: Page) -> None:
    said: list[str] = []
    page.on("websocket", lambda socket: hear(socket, said))
    before = chart(opened(page))
    page.evaluate("document.querySelector('.ldp-figure').mark = 'the same'")
    page.wait_for_function("() => window.ldpStages.strips.size > 0")
    page.mouse.move(*place_of(page, 9))
    page.mouse.down()
    said.clear()
    for stop in (5, 12, 18, 3, 12):
        page.mouse.move(*place_of(page, stop))
        page.wait_for_timeout(80)
    expect(answer(page)).to_contain_text("At ε = 1 ")
    assert not said
    page.mouse.up()
    page.wait_for_url(re.compile("epsilon=1(&|$)"))
    assert chart(page) != before
    assert said
    assert page.evaluate("document.querySelector('.ldp-figure').mark") == "the same"


def hear(socket: WebSocket, said: list[str]) -> None:
    """Write down whatever the page says to the server."""
    socket.on("framesent", lambda _: said.append("sent"))


@at_night
def test_a_server_that_was_started_again_answers_the_next_move(browser: Browser) -> None:
    port = free_port()
    context = window(browser, f"http://127.0.0.1:{port}")  # whose console says that the server is away
    page = context.new_page()
    line = page.get_by_test_id("stApp")
    with serving(port=port):
        opened(page, "/counting?data=clinic&epsilon=0.3&counting_tab=one&lecture=true")
    expect(line).not_to_have_attribute("data-test-connection-state", "CONNECTED")
    with serving(port=port):
        expect(line).to_have_attribute("data-test-connection-state", "CONNECTED", timeout=60_000)
        handle(settled(page)).press("ArrowRight")
        page.wait_for_url(re.compile("epsilon=0.5"))
        expect(answer(page)).to_contain_text("At ε = 0.5")
        expect(page.locator(".ldp-handle b")).to_have_text("0.5")
        expect(view(settled(page), "one")).to_be_checked()
        context.close()
