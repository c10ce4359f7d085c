"""Where a host shows nothing but Streamlit's pages: the same script tosses inside one, and the screen leads there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from explorer.poll.questions import PollQuestion, choice, number, yes_or_no
from explorer.poll.rooms import Rooms
from explorer.poll.store import RoomStore
from tests.browser.test_phone import FIXED, KEPT, Hall, dial, press
from tests.rationing import shared
from tools.browsing import axe_violations, settled, without_sideways_scrolling
from tools.serving import serving

CHEATING = yes_or_no("Have you ever copied in an exam?", 1.1)


@pytest.fixture(scope="module")
def bare(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """The app without routes of its own."""
    where = f"sqlite:///{tmp_path_factory.mktemp('rooms') / 'rooms.sqlite'}"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LDP_EXPLORER_ROOMS", where)
        environment.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
        with serving("tests/browser/bare_app.py") as server:
            yield Hall(server, Rooms(RoomStore(where)))


@pytest.fixture
def phone(bare: Hall, visit: Callable[..., Page]) -> Callable[..., Page]:
    """Opens the page of a room on a phone, on which something may be done before."""

    def made(
        code: str,
        width: int = 390,
        height: int = 844,
        lang: str = "",
        before: Callable[[Page], object] = lambda page: None,
        **options: object,
    ) -> Page:
        page = visit(bare.server.url, width=width, height=height, touch=True, **options)
        page.emulate_media(reduced_motion="reduce")
        before(page)
        page.goto(f"/room?code={code}" + (f"&lang={lang}" if lang else ""))
        return page

    return made


def frames_of(page: Page, frames: list[bytes]) -> None:
    """Write down what will leave a page from now on by its web socket."""

    def hear(frame: str | bytes) -> None:
        frames.append(frame if isinstance(frame, bytes) else frame.encode())

    page.on("websocket", lambda socket: socket.on("framesent", hear))


def test_the_screen_leads_phones_to_where_they_can_answer(
    bare: Hall, visit: Callable[..., Page], phone: Callable[..., Page], tmp_path: Path
) -> None:
    page = visit(bare.server.url)
    page.goto("/ask")
    settled(page)
    page.get_by_role("button", name="Open the room").click()
    code = page.locator(".ldp-door .code").inner_text()
    expect(page.locator(".ldp-door .at")).to_have_text(re.compile(r"/room$"))
    page.locator(".ldp-door .ldp-qr").screenshot(path=tmp_path / "code.png")
    (found,) = zxingcpp.read_barcodes(Image.open(tmp_path / "code.png"))
    assert found.text == f"{bare.server.url}/room?code={code}"
    phones = [phone(code) for _ in range(2)]
    for place, each in enumerate(phones):
        press(("Yes", "No")[place])(each)
        expect(each.get_by_role("status")).to_have_text("It has been counted.")
    expect(page.locator(".ldp-door .counts")).to_have_text(re.compile(r"2\s*joined\s*2\s*answered"))
    said = [each.locator(".sent").inner_text() for each in phones]
    expect(page.locator(".ldp-poll")).to_contain_text(f"{said.count('Yes')} yes, {said.count('No')} no")
    phones[0].reload()
    expect(phones[0].locator(".sent")).to_have_text(said[0])
    page.get_by_role("button", name="Close", exact=True).click()
    expect(phones[0].get_by_text("This round is closed.")).to_be_visible()
    page.get_by_role("button", name="Forget everything now").click()
    expect(phones[1].get_by_text("This room has been forgotten")).to_be_visible()
    assert phones[1].evaluate("Object.keys(localStorage).filter(name => name.startsWith('ldp-room'))") == []


def test_a_code_can_be_typed_and_a_wrong_one_is_said_to_be_wrong(bare: Hall, phone: Callable[..., Page]) -> None:
    presenter = bare.rooms.open("4711")
    bare.rooms.ask(presenter, CHEATING)
    page = phone("QQQQQQ")
    expect(page.get_by_text("There is no room with this code.")).to_be_visible()
    settled(page)
    assert not axe_violations(page)
    box = page.get_by_label("Code on the screen")
    box.fill(presenter.code.lower())
    box.blur()  # which says nothing: a message of its own would cross that of the button
    settled(page)
    press("Join")(page)
    page.get_by_label("PIN on the screen").fill("4711")
    press("Join")(page)
    expect(page.get_by_role("button", name="Yes", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("width", "height", "scheme", "lang"), shared([(390, 844, "light", "en"), (360, 640, "dark", "de")], 2, 1)
)
def test_everybody_can_read_it_and_nothing_sticks_out(
    width: int, height: int, scheme: str, lang: str, bare: Hall, phone: Callable[..., Page]
) -> None:
    """By day on the smaller phone, in dark colors and in German."""
    presenter = bare.rooms.open()
    bare.rooms.ask(presenter, choice("Which of these do you use most?", [f"Answer {n}" for n in range(12)], 1.1))
    page = phone(presenter.code, width, height, lang, color_scheme=scheme)
    expect(page.locator(".main button").last).to_be_in_viewport(ratio=1)
    settled(page)
    without_sideways_scrolling(page)
    assert not axe_violations(page)
    page.locator(".main button").first.click()
    expect(page.locator(".sent")).to_be_visible()
    settled(page)
    assert not axe_violations(page)


@dataclass
class Left:
    """What has left a phone and what it has kept, with the names that differ from phone to phone taken out."""

    report: str
    messages: set[str]
    requests: set[str]
    kept: str


def left(phone: Callable[..., Page], code: str, act: Callable[[Page], None]) -> Left:
    requests, frames = list[str](), list[bytes]()

    def before(page: Page) -> None:
        page.add_init_script(FIXED.replace("SEED", "77"))
        page.on("request", lambda request: requests.append(f"{request.method} {request.url} {request.post_data}"))
        frames_of(page, frames)

    page = phone(code, before=before)
    act(page)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    page.get_by_text("What exactly is sent?").click()
    shown = page.locator("pre").inner_text().partition("\n")[2]
    assert sum(shown.encode() in frame for frame in frames) == 1  # as the page says
    kept, fields = page.evaluate(KEPT), json.loads(shown)
    page.close()

    def neutral(text: str) -> str:
        text = text.replace(fields["ticket"], "TICKET")
        text = re.sub(r'("id":)\d+', r"\1N", text)  # how many looks at the room came before
        return re.sub(r'(until\\*":)\d+', r"\1LATER", text)

    def told(frame: bytes) -> str:
        message = BackMsg.FromString(frame)
        message.rerun_script.ClearField("cached_message_hashes")  # of what the server has sent
        return neutral(str(message).replace('\\"', '"'))

    report = json.dumps(fields["report"], separators=(",", ":"))
    outside = {neutral(request) for request in requests if " blob:" not in request}
    kept = re.sub(r'_xsrf=[^"]*', "_xsrf=STREAMLIT'S", kept)
    return Left(report, set(map(told, frames)), outside, neutral(kept))


@pytest.mark.parametrize(
    ("asked", "one", "other"),
    [(CHEATING, press("Yes"), press("No")), (number("How many hours?", 0, 12, 3.0), dial(3), dial(97))],
    ids=["sets", "piece"],
)
def test_every_message_of_a_phone_is_independent_of_the_answer_but_through_the_report(
    asked: PollQuestion,
    one: Callable[[Page], None],
    other: Callable[[Page], None],
    bare: Hall,
    phone: Callable[..., Page],
) -> None:
    presenter = bare.rooms.open()
    bare.rooms.ask(presenter, asked)
    first, second = (left(phone, presenter.code, act) for act in (one, other))
    with_report = f'"report":{first.report}}}', f'"report":{second.report}}}'
    assert len(first.messages) >= 3 and sum(with_report[0] in message for message in first.messages) == 1
    assert {message.replace(*with_report) for message in first.messages} == second.messages
    assert first.requests == second.requests and not any("POST" in request for request in first.requests)
    kept = first.kept
    for form in (first.report, first.report.replace('"', '\\"')):
        kept = kept.replace(f":{form}", f":{second.report}")
    assert kept == second.kept
    assert first.report != second.report or asked.kind == "yesno"
