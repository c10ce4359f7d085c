"""What a reader does on a page, in the browser: by keyboard alone, with a table of their own, or tired of waiting."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote_plus

import pytest
from playwright.sync_api import FilePayload, Locator, Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from explorer.text import listing
from tests.browser.test_frame import chart, folded, main_text, names, opened
from tools.browsing import settled

LABELS = listing("labels")
SLIDER, VIEWS, BELOW = ".st-key-epsilon", ".st-key-counting_tab_row", ".st-key-counting_below_row"
MOST_STOPS = 80  # of the Tab key on a page
MOST_MESSAGES = 20
"""A message costs the browser a millisecond or two, and a slider's move should be seen within a few dozen."""

CLASS = '"Körpergröße";"Wohnort";"Prüfung"\n' + "".join(
    f'1,{61 + row};"{town}";"{"ja" if row % 3 else "nein"}"\n'
    for row, town in enumerate(("Gräfelfing", "Ulm", "Bonn", "Hof", "Gräfelfing", "Ulm", "Bonn", "Hof", "Bonn"))
)
SECRETS = ("Körper", "Wohnort", "Prüf", "Gräf", "Ulm", "Bonn", "Hof", "nein", "1,6", "1.6", "klasse")
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(200)
LONG = "/frequencies?frequencies_mechanism=subset&frequencies_k=1024&frequencies_long_repeats=1000"

FOCUS = """() => {
  let focused = document.activeElement
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused
}"""

IS_MARKED = """async focused => {
  let shown = focused  // the input of a switch or a slider is hidden in a pixel, and what is drawn for it stands around
  for (let around = focused; around; around = around.parentElement) {
    if (around.offsetWidth === 1) shown = around.parentElement
  }
  const parts = []
  for (; shown && parts.length < 4; shown = shown.parentElement) parts.push(shown)
  const marks = () => parts.map(part => {
    const {outlineStyle, outline, boxShadow, borderStyle, borderColor} = getComputedStyle(part)
    return [outlineStyle === "none" || outline, boxShadow, borderStyle === "none" || borderColor].join()
  })
  const before = marks()
  focused.blur()
  await new Promise(requestAnimationFrame)
  const after = marks()
  focused.focus()
  return before.some((mark, place) => mark !== after[place])
}"""


def answer(page: Page) -> Locator:
    """The sentence that answers the question, at the top."""
    return page.locator(".st-key-answer").get_by_test_id("stMarkdown").last


def stops(page: Page) -> list[str]:
    """Where the Tab key stops on its way round the page; those that do not show it begin with "unseen"."""
    found: list[str] = []
    while len(found) < MOST_STOPS:
        page.keyboard.press("Tab")
        focused = page.evaluate_handle(FOCUS)
        tag, name = focused.evaluate("it => [it.localName, it.ariaLabel || it.textContent]")
        if tag == "body":
            return found
        if tag != "main":  # no control: the arrows scroll it, and a frame around it says so
            found.append(f"{'' if focused.evaluate(IS_MARKED) else 'unseen: '}{tag} {name[:60]}")
    raise AssertionError(f"the Tab key must come round within {MOST_STOPS} stops; got {found}")


def tab_to(page: Page, place: str) -> None:
    """Press Tab until the focus is in a place."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("place => Boolean(document.activeElement.closest(place))", place):
            return
    raise AssertionError(f"{place} must be reached by the Tab key")


def pressed(page: Page, *keys: str) -> Page:
    """The page after keys, one by one."""
    for key in keys:
        page.keyboard.press(key)
        settled(page)
    return page


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


def link(page: Page) -> str:
    """The link that the page offers."""
    return folded(page, "take_away").get_by_test_id("stCode").first.inner_text().replace("\n", "").strip()


def secrets_in(text: str) -> list[str]:
    """What a text gives away of the table."""
    plain = unquote_plus(text)
    return [secret for secret in SECRETS if secret in plain]


@pytest.mark.parametrize("address", ["/", "/counting"])
def test_the_tab_key_shows_where_it_stops(page: Page, address: str) -> None:
    page.emulate_media(reduced_motion="reduce")  # a ring that is still fading in would not be seen
    found = stops(opened(page, address))
    assert len(found) > 20 and not [stop for stop in found if stop.startswith("unseen")]


def test_a_page_is_worked_by_keyboard_alone(page: Page) -> None:
    tab_to(opened(page), SLIDER)
    pressed(page, "ArrowRight")
    expect(answer(page)).to_contain_text("At ε = 0.5")
    tab_to(page, VIEWS)
    pressed(page, "ArrowRight")
    expect(page.get_by_role("radio", name="Ten releases")).to_be_checked()
    pressed(page, "ArrowRight")
    expect(page.get_by_role("radio", name="Error against ε")).to_be_checked()
    tab_to(page, BELOW)
    pressed(page, "Tab", "Enter")
    expect(page.get_by_role("button", name=LABELS["frame"]["why"], expanded=True)).to_be_visible()
    expect(page.locator(".katex").first).to_be_visible()
    pressed(page, "Space")
    expect(page.locator(BELOW).get_by_role("button", expanded=True)).to_have_count(0)
    pressed(page, "Tab", "Tab", "Tab", "Enter")
    expect(page.get_by_role("button", name=LABELS["frame"]["pin"], pressed=True)).to_be_focused()
    assert any("pinned" in name and "0.5" in name for name in names(page))


def test_a_table_of_ones_own_is_counted_and_nobody_else_is_told_what_is_in_it(
    page: Page, visit: Callable[..., Page]
) -> None:
    brought(opened(page), "klasse.csv", CLASS.encode("latin-1"), "Understood: 9 rows × 3 columns")
    expect(page.get_by_role("cell", name="Gräfelfing").first).to_be_visible()
    pressed(page, "Escape")
    page.get_by_text(LABELS["asking"]["own"]).click()  # whose conditions travel, if the table is a built-in one
    expect(answer(page)).to_contain_text("of all 9 people")
    offered = link(page)
    assert "own-9x3" in offered and not secrets_in(offered) + secrets_in(page.url)

    other = opened(visit(), offered)
    expect(other.get_by_test_id("stAlert")).to_contain_text("your own table of 9 × 3")
    expect(answer(other)).to_contain_text("of all 2\u202f584 people")
    table(other)
    assert not secrets_in(other.locator("body").inner_text())

    table(page)
    page.get_by_role("button", name=LABELS["own"]["forget"]).click()
    expect(answer(page)).to_contain_text("of all 2\u202f584 people")
    assert "own" not in page.url and not secrets_in(page.locator("body").inner_text())


def test_the_answer_of_one_person_in_ones_own_table_stays_out_of_the_address(page: Page) -> None:
    opened(page, "/frequencies?frequencies_source=column&frequencies_tab=report")
    brought(page, "klasse.csv", CLASS.encode(), "Understood: 9 rows × 3 columns")
    pressed(page, "Escape")
    page.get_by_role("combobox", name="This person's answer").click()
    page.get_by_role("option").last.click()
    assert not secrets_in(settled(page).url)


def test_a_picture_that_claims_to_be_a_table_is_refused_in_one_sentence_and_changes_nothing(page: Page) -> None:
    opened(page, "/counting?data=clinic&epsilon=0.3&counting_seed=7&counting_tab=ten")
    before = page.url, answer(page).inner_text(), chart(page), main_text(page)
    brought(page, "picture.csv", PICTURE, "picture.csv")
    expect(page.get_by_test_id("stAlert")).to_have_count(1)
    expect(page.get_by_test_id("stAlert")).to_contain_text("PNG")
    pressed(page, "Escape")
    assert (page.url, answer(page).inner_text(), chart(page), main_text(page)) == before
    assert "ε = 0.3" in before[1] and "all 40 people" in before[1]


def test_stop_ends_long_work_at_once_and_the_reader_may_go_on(page: Page) -> None:
    bar, stop = page.get_by_role("progressbar"), page.get_by_role("button", name=LABELS["frame"]["stop"], exact=True)
    go_on = page.get_by_role("button", name=LABELS["frame"]["go_on"])
    page.goto(LONG)
    expect(bar).to_be_visible()
    stop.click()
    expect(page.get_by_text(LABELS["frame"]["stopped"])).to_be_visible()
    assert "In this single repetition" in main_text(page)
    expect(bar).to_have_count(0)
    go_on.click()
    expect(bar).to_be_visible()  # what was stopped had not been computed meanwhile
    slider, odds = page.locator(f"{SLIDER} input[type=range]"), page.locator(SLIDER).locator("..")
    slider.press("ArrowRight")
    expect(odds).to_contain_text("4.48\u202f:\u202f1")
    slider.press("ArrowLeft")
    expect(odds).to_contain_text("2.72\u202f:\u202f1")
    expect(bar).to_be_visible()  # nor when the slider moved on


def test_a_slider_moves_the_figure_in_its_place_and_nothing_outside_is_sent_again(page: Page) -> None:
    heard: list[ForwardMsg] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(ForwardMsg.FromString(frame)))  # type: ignore[arg-type]

    page.on("websocket", listen)
    before = chart(opened(page))
    page.evaluate("document.querySelector('.ldp-figure').mark = 'the same'")
    heard.clear()
    page.locator(f"{SLIDER} input[type=range]").press("ArrowRight")
    assert chart(page) != before
    assert page.evaluate("document.querySelector('.ldp-figure').mark") == "the same"
    assert len(heard) <= MOST_MESSAGES
    sent = [message.delta for message in heard if message.WhichOneof("type") == "delta"]
    assert {bool(delta.fragment_id) for delta in sent} == {True}
    assert "selectbox" not in {delta.new_element.WhichOneof("type") for delta in sent}  # the dataset is one
