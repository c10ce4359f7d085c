"""The phone's page in real Chromium: the law of what it sends, every byte that leaves it, and a dozen at once."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect
from scipy import stats

from explorer.poll import document, telling
from explorer.poll.questions import PollQuestion, choice, number, yes_or_no
from explorer.poll.rooms import Card, Presenter, Rooms
from explorer.poll.store import RoomStore
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.mechanisms.onebit import OneBit
from ldpcore.mechanisms.piecewise import PiecewiseMechanism
from ldpcore.mechanisms.subset import SubsetSelection
from ldpcore.protocols.tossing import BitToss, PieceToss, SetToss, Toss, best_toss
from tests.rationing import shared
from tools.browsing import axe_violations, without_sideways_scrolling
from tools.serving import Server

TOSSES, FALSE_ALARM = 100_000, 1e-9
PURE = Path(document.__file__).parent / "phone" / "toss.js"
PARTS = 24  # of the reports of a piece
CHEATING = "Have you ever copied a solution from somebody else in an exam?"


@dataclass
class Hall:
    """The server, and the presenter's side of its rooms."""

    server: Server
    rooms: Rooms

    def asked(self, asked: PollQuestion, pin: str = "") -> Presenter:
        """A room in which a question is open."""
        presenter = self.rooms.open(pin)
        self.rooms.ask(presenter, asked)
        return presenter


@pytest.fixture(scope="module")
def hall(server: Server, database: str) -> Hall:
    return Hall(server, Rooms(RoomStore(database)))


@pytest.fixture
def phone(browser: Browser, hall: Hall) -> Iterator[Callable[..., Page]]:
    """Opens the page of a room on a phone of its own; whatever the page complains of fails the test."""
    complaints: list[str] = []
    with ExitStack() as open_phones:

        def made(code: str, url: str = "", script: str = "", **options: Any) -> Page:
            usual = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
            context = browser.new_context(**usual | {"locale": "en-US", "reduced_motion": "reduce"} | options)  # type: ignore[arg-type]
            open_phones.callback(context.close)
            if script:
                context.add_init_script(script)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
            page.goto(f"{url or hall.server.url}/room/{code}")
            return page

        yield made
    assert not [line for line in complaints if not re.search("status of 40[349]|net::ERR_FAILED", line)]  # as asked for


# The law of what is sent

COUNTING = """([shape, answer, times]) => {
  const counts = {}, native = crypto.getRandomValues.bind(crypto), guess = Math.random
  let drawn = 0, guessed = 0, next = 0
  const pool = new Uint32Array(1 << 14)  // as many as are given at once; handed out one by one
  const source = { getRandomValues: array => {
    drawn += 1
    for (let place = 0; place < array.length; place++) {
      if (next % pool.length === 0) native(pool)
      array[place] = pool[next++ % pool.length]
    }
    return array
  } }
  Math.random = () => { guessed += 1; return guess() }
  for (let time = 0; time < times; time++) {
    const report = JSON.stringify(tossed(shape, answer, source).report)
    counts[report] = (counts[report] ?? 0) + 1
  }
  Math.random = guess
  return { counts: JSON.stringify(counts), drawn, guessed }
}"""


@pytest.fixture(scope="module")
def tossing(browser: Browser) -> Iterator[Callable[..., Page]]:
    """A page of nothing but the shipped toss, in which one word may have been exchanged."""
    pages: dict[tuple[str, str], Page] = {}
    context = browser.new_context()

    def made(word: str = "", other: str = "") -> Page:
        source = PURE.read_text("utf-8")
        assert source in document.script() and word in source
        if (word, other) not in pages:
            page = pages[word, other] = context.new_page()
            page.evaluate(f"(() => {{ {source.replace(word, other) if word else source}; window.tossed = tossed }})()")
        return pages[word, other]

    yield made
    context.close()


def fits(page: Page, toss: Toss, answer: int, shape: dict[str, Any] | None = None) -> bool:
    """Whether so many tosses of the script have the law of the registered mechanism, and came from the right source."""
    found = page.evaluate(COUNTING, [shape or toss.shape(), answer, TOSSES])
    if found["guessed"] or found["drawn"] < TOSSES:
        return False
    observed, law = counted(toss, json.loads(found["counts"]), answer)
    if sum(observed) != TOSSES or any(count and not chance for count, chance in zip(observed, law, strict=True)):
        return False
    return bool(stats.chisquare(observed, np.array(law) / sum(law) * TOSSES).pvalue >= FALSE_ALARM)


def counted(toss: Toss, counts: dict[str, int], answer: int) -> tuple[list[int], list[float]]:
    """How often each report came, beside its chance by the channel of `ldpcore.mechanisms`."""
    mechanism = toss.mechanism
    match mechanism:
        case OneBit():
            up = float(mechanism.chances(2 * answer / (toss.answers - 1) - 1))
            return [counts.get("0", 0), counts.get("1", 0)], [1 - up, up]
        case PiecewiseMechanism():
            assert isinstance(toss, PieceToss)
            edges = np.linspace(0, toss.cells, PARTS + 1).astype(int)
            cells = np.array([int(key) for key in counts])
            observed = np.histogram(cells, edges, weights=list(counts.values()))[0]
            ends = (2 * edges / toss.cells - 1) * mechanism.reach
            return observed.astype(int).tolist(), np.diff(mechanism.cdf(ends, 2 * answer / toss.steps - 1)).tolist()
        case DirectAnswer() | SubsetSelection():
            channel = mechanism.channel()
            keys = [list(report) if isinstance(report, tuple) else [report] for report in channel.reports]
            return [counts.get(json.dumps(key, separators=(",", ":")), 0) for key in keys], channel.matrix[
                answer
            ].tolist()
    raise TypeError(mechanism)


LAWS = [
    *(
        SetToss.at(epsilon, k, size)
        for epsilon, (k, size) in shared(product((0.5, 1.1), [(2, 1), (5, 1), (12, 1), (5, 2), (12, 3)]), 3, 2)
    ),
    *(BitToss.at(1.1, k - 1) for k in (2, 5, 12)),
    *(PieceToss.at(2.0, k - 1) for k in (2, 5, 12)),
]


@pytest.mark.parametrize("toss", LAWS, ids=lambda toss: f"{toss.mechanism.slug}-{toss.answers}-{toss.level:.1f}")
def test_a_hundred_thousand_tosses_have_the_law_of_the_mechanism(toss: Toss, tossing: Callable[..., Page]) -> None:
    for answer in (0, toss.answers - 1):
        assert fits(tossing(), toss, answer)


@pytest.mark.parametrize("k", [2, 5, 12])
def test_a_wrong_toss_is_caught(k: int, tossing: Callable[..., Page]) -> None:
    toss, page = SetToss.at(1.1, k), tossing()
    shape = toss.shape()
    coarse = round(float(toss.own), 1)
    swapped = shape | {"near": toss.far, "far": toss.near}
    rounded = shape | {"near": int(coarse * 9e15), "far": int((1 - coarse) / (k - 1) * 9e15)}
    assert fits(page, toss, 0)
    assert not fits(page, toss, 0, swapped)
    assert not fits(page, toss, 0, rounded)
    assert not SetToss(k, 1, toss.near + 1, toss.far).keeps(1.1) if toss.total < 2**53 else True  # the wrong way by one
    assert not fits(
        tossing("source.getRandomValues(new Uint32Array(2))", "[2**32*Math.random(),2**32*Math.random()]"), toss, 0
    )
    assert not fits(tossing("draw < weight", "draw <= weight / 1.05"), toss, 0)


@pytest.mark.parametrize("toss", [BitToss.at(1.1, 4), PieceToss.at(2.0, 4)], ids=lambda toss: toss.kind)
def test_a_wrong_toss_for_a_number_is_caught(toss: Toss, tossing: Callable[..., Page]) -> None:
    wrong = {
        "bit": [("draw < least", "draw > least"), ("step * answer)", "step * 0.9 * answer)")],
        "piece": [("return start + quotient", "return quotient"), ("cell < start ? cell", "cell < 0 ? cell")],
    }[toss.kind]
    assert fits(tossing(), toss, 4)
    for word, other in wrong:
        assert not fits(tossing(word, other), toss, 4)


def test_from_one_number_script_and_core_make_the_same_report(tossing: Callable[..., Page]) -> None:
    """Draws at every edge between two reports and at random, up to 2⁵³ - 1: no step of the script is rounded."""
    chance = np.random.default_rng(2)
    for toss in [
        *LAWS,
        SetToss.at(0.01, 12, 6),
        PieceToss.at(0.01, 100),
        PieceToss.at(8.0, 1000),
        BitToss.at(9.0, 1000),
    ]:
        draws = [0, toss.total - 1, *(int(draw) for draw in chance.integers(toss.total, size=200))]
        if isinstance(toss, PieceToss):
            inside = toss.width * toss.near
            draws += [edge + off for edge in (inside, toss.near * 7, inside + toss.far * 11) for off in (-1, 0, 1)]
        for answer in (0, toss.answers // 2, toss.answers - 1):
            made = tossing().evaluate(
                """([shape, answer, draws]) => draws.map(draw => tossed(shape, answer, { getRandomValues: array => {
                  array[0] = Math.floor(draw / 2 ** 32) << 11; array[1] = draw % 2 ** 32; return array } }).report)""",
                [toss.shape(), answer, draws],
            )
            expected = [toss.report(answer, draw) for draw in draws]
            assert [tuple(report) if isinstance(report, list) else report for report in made] == expected


# End to end


def sent_by(page: Page) -> list[Any]:
    """The reports that will leave a page from now on."""
    reports: list[Any] = []
    page.on(
        "request", lambda request: reports.append(request.post_data_json) if request.url.endswith("/report") else None
    )
    return reports


def test_a_dozen_phones_answer_and_the_tally_is_what_left_them(hall: Hall, phone: Callable[..., Page]) -> None:
    asked = choice("Which of these do you use most?", ["Bus", "Tram", "Bicycle", "Car"], 1.1)
    presenter, left = hall.asked(asked), []
    pages = [phone(presenter.code) for _ in range(12)]
    for place, page in enumerate(pages):
        left.append(sent_by(page))
        page.get_by_role("button", name=asked.answers[place % 4], exact=True).click()
    for page in pages:
        expect(page.get_by_role("status")).to_have_text("It has been counted.")
    reports = [tuple(body["report"]) for bodies in left for body in bodies]
    room = hall.rooms.look(presenter)
    question = room.questions[0]
    assert len(reports) == 12 and all(len(bodies) == 1 for bodies in left)
    assert room.joined == 12 and question.rounds[0].answered == 12
    assert Counter({(place,): total for place, total in enumerate(question.rounds[0].totals)}) == +Counter(reports)
    for page, (body,) in zip(pages, left, strict=True):
        shown = page.locator(".sent").inner_text()
        assert shown == asked.answers[body["report"][0]]
    p = np.exp(1.1) / (np.exp(1.1) + 3)
    q = 1 / (np.exp(1.1) + 3)
    answers = question.answers()
    assert answers is not None
    expected = [(reports.count((place,)) / 12 - q) / (p - q) for place in range(4)]
    assert answers.run().estimates == pytest.approx(expected, rel=1e-9)

    hall.rooms.again(presenter)  # kept: every phone repeats its first report by itself
    for page in pages:
        expect(page.get_by_text("The room was asked once more.")).to_be_visible()
        expect(page.get_by_role("status")).to_have_text("It has been counted.")
    rounds = hall.rooms.look(presenter).questions[0].rounds
    assert rounds[1].totals == rounds[0].totals and rounds[1].answered == 12


@contextmanager
def listening(url: str) -> Iterator[tuple[str, list[bytearray]]]:
    """An address that hands everything on to a server, and every byte that came to it, one entry for a connection."""
    where, heard, open_ends, threads = urlsplit(url), list[bytearray](), list[socket.socket](), list[threading.Thread]()
    door = socket.create_server(("127.0.0.1", 0))

    def start(work: Callable[..., None], *arguments: object) -> None:
        threads.append(threading.Thread(target=quietly, args=(work, *arguments)))
        threads[-1].start()

    def hand_on(source: socket.socket, target: socket.socket, written: bytearray) -> None:
        while piece := source.recv(65536):
            written.extend(piece)
            target.sendall(piece)
        target.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        while True:
            caller, _ = door.accept()
            server = socket.create_connection((where.hostname, where.port))
            open_ends.extend((caller, server))
            heard.append(bytearray())
            start(hand_on, caller, server, heard[-1])
            start(hand_on, server, caller, bytearray())

    start(serve)
    try:
        yield f"http://127.0.0.1:{door.getsockname()[1]}", heard
    finally:
        for end in (door, *open_ends):
            quietly(end.shutdown, socket.SHUT_RDWR)
        for thread in threads:
            thread.join(10)
        for end in (door, *open_ends):
            end.close()


def quietly(work: Callable[..., None], *arguments: object) -> None:
    try:
        work(*arguments)
    except OSError:
        return  # either side has hung up


FIXED = """crypto.getRandomValues = (() => { let state = SEED; return array => {
  for (let place = 0; place < array.length; place++) {
    state ^= state << 13; state ^= state >>> 17; state ^= state << 5
    array[place] = state >>> 0
  }
  return array
} })()"""
KEPT = "JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie, location.href])"


def requests(heard: list[bytearray]) -> list[bytes]:
    """All requests on some connections."""
    found, rest = [], b"".join(bytes(stream) for stream in heard)
    while rest:
        head, _, after = rest.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        size = int(length.group(1)) if length else 0
        found.append(head + b"\r\n\r\n" + after[:size])
        rest = after[size:]
    return found


@dataclass
class Left:
    """What has left a phone and what it has kept, with the names that differ from phone to phone taken out."""

    report: str
    requests: set[str]
    kept: str
    shown: str


def left(hall: Hall, phone: Callable[..., Page], code: str, act: Callable[[Page], None], seed: int) -> Left:
    with listening(hall.server.url) as (url, heard):
        page = phone(code, url=url, script=FIXED.replace("SEED", str(seed)))
        act(page)
        expect(page.get_by_role("status")).to_have_text("It has been counted.")
        kept, shown = page.evaluate(KEPT), page.content()
        page.context.close()
        texts = [request.decode("latin-1") for request in requests(heard)]
    (body,) = {text.partition("\r\n\r\n")[2] for text in texts if text.startswith("POST") and "/report " in text}
    fields = json.loads(body)
    report = json.dumps(fields["report"], separators=(",", ":"))
    port = str(urlsplit(url).port)

    def neutral(text: str) -> str:
        text = text.replace(fields["ticket"], "TICKET").replace(port, "PORT")
        return re.sub(r'(until\\*":)\d+', r"\1LATER", text)

    return Left(report, {neutral(text) for text in texts}, neutral(kept), neutral(shown))


def press(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name, exact=True).click()


def dial(steps: int) -> Callable[[Page], None]:
    def turn(page: Page) -> None:
        page.get_by_role("slider").fill(str(steps))
        page.get_by_role("button", name="Toss and send").click()

    return turn


BYTES = [
    (yes_or_no(CHEATING, 1.1), press("Yes"), press("No")),
    (
        choice("Which?", [f"The answer {letter}" for letter in "ABCDEFGHIJKL"], 1.1),
        press("The answer A"),
        press("The answer L"),
    ),
    (number("How many hours?", 0, 12, 1.0), dial(3), dial(97)),
    (number("How many hours?", 0, 12, 3.0), dial(3), dial(97)),
]


@pytest.mark.parametrize(
    ("asked", "one", "other"), BYTES, ids=lambda value: getattr(getattr(value, "toss", None), "kind", "")
)
def test_every_byte_that_leaves_a_phone_is_independent_of_the_answer_but_through_the_report(
    asked: PollQuestion,
    one: Callable[[Page], None],
    other: Callable[[Page], None],
    hall: Hall,
    phone: Callable[..., Page],
) -> None:
    presenter, differed = hall.asked(asked), 0
    for seed in (4711, 123456):
        first, second = (left(hall, phone, presenter.code, act, seed) for act in (one, other))
        bodies = [sum("/report" in text for text in way.requests) for way in (first, second)]
        assert bodies == [1, 1] and len(first.requests) >= 4
        with_report = f'"report":{first.report}}}', f'"report":{second.report}}}'
        changed = {sized(text.replace(*with_report)) for text in first.requests}
        assert changed == {sized(text) for text in second.requests}
        kept = first.kept
        for form in (first.report, first.report.replace('"', '\\"')):
            kept = kept.replace(f":{form}", f":{second.report}")
        assert kept == second.kept
        assert "cookie" not in "".join(first.requests).lower()
        differed += first.report != second.report
    assert differed


def sized(request: str) -> str:
    """A request whose length is told by its body alone: a longer report is a longer request."""
    return re.sub(r"(?i)content-length: \d+", "Content-Length: OF THE BODY", request)


# How it reads, looks and obeys


def test_a_page_is_one_request_and_asks_nobody_but_its_room(
    hall: Hall, phone: Callable[..., Page], browser: Browser
) -> None:
    presenter = hall.asked(yes_or_no(CHEATING, 1.1))
    asked: list[str] = []
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    page.on("request", lambda request: asked.append(f"{request.method} {urlsplit(request.url).path}"))
    answer = page.goto(f"{hall.server.url}/room/{presenter.code}")
    assert answer is not None and int(answer.headers["content-length"]) <= 30_000
    assert answer.headers["content-encoding"] == "gzip" and "set-cookie" not in answer.headers
    press("Yes")(page)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    room = f"/room/{presenter.code}"
    assert set(asked) == {f"GET {room}", f"POST {room}/join", f"GET {room}/state", f"POST {room}/report"}
    assert asked.count(f"GET {room}") == 1 and not context.cookies()
    context.close()


LOOKS = [  # every two of scheme, size and language meet; by day on the smaller phone
    ("light", (390, 844), "en-US"),
    ("light", (360, 640), "de-DE"),
    ("dark", (390, 844), "de-DE"),
    ("dark", (360, 640), "en-US"),
]


@pytest.mark.parametrize(("scheme", "size", "locale"), shared(LOOKS, 2, 1))
def test_everybody_can_read_it_and_nothing_sticks_out(
    scheme: str, size: tuple[int, int], locale: str, hall: Hall, phone: Callable[..., Page]
) -> None:
    screen = {"color_scheme": scheme, "viewport": {"width": size[0], "height": size[1]}, "locale": locale}
    questions = [
        yes_or_no(CHEATING, 1.1),
        choice("Which of these do you use most?", [f"Answer number {place}" for place in range(12)], 1.1),
        number("How many hours did you sleep last night?", 0, 12, 2.0, steps=24),
    ]
    presenter = hall.rooms.open()
    page = phone(presenter.code, **screen)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert not axe_violations(page)  # while it waits
    for asked in questions:
        hall.rooms.ask(presenter, asked)
        expect(page.get_by_role("heading", level=1)).to_have_text(asked.text)
        last = page.locator(".main button").last
        expect(last).to_be_in_viewport(ratio=1)
        assert all(button.bounding_box()["height"] >= 44 for button in page.locator(".main button").all())  # type: ignore[index]
        without_sideways_scrolling(page)
        assert not axe_violations(page)
        page.locator(".main button").first.click()
        expect(page.locator(".sent")).to_be_visible()
        for summary in page.locator("summary").all():
            summary.click()
        without_sideways_scrolling(page)
        assert not axe_violations(page)


def test_it_is_read_aloud_in_the_order_of_what_happens(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(yes_or_no(CHEATING, 1.1))
    page = phone(presenter.code)
    expect(page.get_by_role("button", name="Yes")).to_be_visible()
    spoken = page.get_by_role("main").aria_snapshot()
    order = [
        "Room",
        CHEATING,
        "With a chance of 75",
        "Your answer",
        'button "Yes"',
        'button "No"',
        "status",
        "What exactly",
        "How does",
    ]
    places = [spoken.find(words) for words in order]
    assert -1 not in places and places == sorted(places), spoken
    assert page.get_by_role("status").get_attribute("aria-live") in (None, "polite")


def test_the_keyboard_alone_answers(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(number("How many hours?", 0, 12, 1.0, steps=12))
    page = phone(presenter.code)
    expect(page.get_by_role("slider")).to_have_value("6")
    for key in ("Tab", "ArrowRight", "ArrowRight", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_without_scripts_it_says_what_is_needed(hall: Hall, phone: Callable[..., Page]) -> None:
    page = phone(hall.asked(yes_or_no("Why?", 1.0)).code, java_script_enabled=False, locale="de-DE")
    expect(page.get_by_text("Diese Seite braucht JavaScript")).to_be_visible()


def test_the_toss_is_shown_and_can_be_skipped(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(yes_or_no("Why?", 1.0))
    page = phone(presenter.code, reduced_motion="no-preference")
    press("Yes")(page)
    expect(page.locator(".bar")).to_be_visible()
    share = page.locator(".bar .own").bounding_box()["width"] / page.locator(".bar").bounding_box()["width"]  # type: ignore[index]
    assert share == pytest.approx(float(SetToss.at(1.0, 2).own), abs=0.01)
    press("Skip")(page)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")


def test_what_is_shown_as_sent_is_what_was_sent(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(number("How many hours?", 0, 12, 2.0))
    page = phone(presenter.code)
    bodies = sent_by(page)
    dial(50)(page)
    expect(page.locator(".sent")).to_be_visible()
    page.get_by_text("What exactly is sent?").click()
    method, _, body = page.locator("pre").inner_text().partition("\n")
    assert method == f"POST /room/{presenter.code}/report" and json.loads(body) == bodies[0]
    toss = best_toss(2.0, 100)
    assert isinstance(toss, PieceToss)
    value = float(6 * (toss.decoded(bodies[0]["report"]) + 1))
    assert float(page.locator(".sent").inner_text()) == pytest.approx(value, abs=0.051)


def test_a_phone_that_was_away_goes_on_with_its_ticket_and_its_report(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(yes_or_no("Why?", 1.0))
    page = phone(presenter.code)
    page.route("**/report", lambda route: route.abort())
    bodies = sent_by(page)
    press("Yes")(page)
    expect(page.get_by_role("status")).to_have_text("No connection. This phone keeps trying.")
    page.unroute("**/report")
    page.reload()
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    assert len({json.dumps(body) for body in bodies}) == 1 and len(bodies) >= 2
    room = hall.rooms.look(presenter)
    assert room.joined == 1 and room.questions[0].rounds[0].answered == 1
    page.reload()
    expect(page.locator(".sent")).to_be_visible()


def test_a_report_that_came_too_late_is_sent_again_and_never_tossed_anew(
    hall: Hall, phone: Callable[..., Page]
) -> None:
    """Else a server that says "closed" and opens again would hear toss after toss for the price of one round."""
    presenter = hall.asked(number("How many hours?", 0, 12, 3.0, steps=100))
    hall.rooms.ask(presenter, replace(number("How many hours?", 0, 12, 3.0), kept=False))
    page = phone(presenter.code)
    page.route("**/report", lambda route: route.abort())
    bodies = sent_by(page)
    dial(30)(page)
    expect(page.get_by_role("status")).to_have_text("No connection. This phone keeps trying.")
    hall.rooms.close(presenter)
    page.unroute("**/report")
    expect(page.get_by_role("status")).to_have_text(re.compile("your report was not counted."))
    assert page.get_by_role("slider").count() == 0
    hall.rooms.reopen(presenter)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    assert len({json.dumps(body) for body in bodies}) == 1 and len(bodies) >= 3
    assert hall.rooms.look(presenter).questions[-1].rounds[0].answered == 1


def test_a_forgotten_room_leaves_nothing_on_the_phone(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(yes_or_no("Why?", 1.0))
    page = phone(presenter.code)
    press("Yes")(page)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    hall.rooms.forget(presenter)
    expect(page.get_by_text("This room has been forgotten")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage)") == []


def test_a_pin_is_asked_for_and_the_screen_s_view_is_offered(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(yes_or_no("Why?", 1.0), pin="4711")
    hall.rooms.point(presenter, "/counting?epsilon=1")
    page = phone(presenter.code)
    for typed, said in (("1", "That is not the PIN on the screen."), ("47 11", "")):
        page.get_by_label("PIN on the screen").fill(typed)
        press("Join")(page)
        expect(page.get_by_role("status")).to_have_text(said)
    expect(page.get_by_role("button", name="Yes")).to_be_visible()
    assert page.get_by_role("link", name="Open what the screen shows").get_attribute("href") == "/counting?epsilon=1"


def test_fresh_rounds_ask_and_toss_anew(hall: Hall, phone: Callable[..., Page]) -> None:
    presenter = hall.asked(yes_or_no("Why?", 1.0, kept=False))
    page = phone(presenter.code)
    press("Yes")(page)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    hall.rooms.close(presenter)
    expect(page.get_by_text("This round is closed.")).to_be_visible()
    hall.rooms.again(presenter)
    expect(page.get_by_text("What your phone sends each time adds up.")).to_be_visible()
    press("Yes")(page)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    assert [one.answered for one in hall.rooms.look(presenter).questions[0].rounds] == [1, 1]


def test_the_same_script_answers_wherever_it_is_mounted(browser: Browser) -> None:
    """On a page of somebody else's, which hands requests on in a way of its own and keeps things where it likes."""
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    page.set_content('<div class="ldp-phone"></div>')
    card = telling.message(Card("BCDFGH", 1, "open", False, 1, 1, 1, yes_or_no("Why?", 1.0), ""), "en")
    page.evaluate(
        """([source, card, words]) => {
          const openPhone = new Function(`${source}; return openPhone`)()
          const kept = new Map(), heard = window.heard = []
          const memory = { getItem: name => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) }
          const transport = {
            join: async () => ({ status: 200, body: { ticket: "T" } }),
            report: async body => { heard.push(body); return { status: 200, body: { counted: true } } },
            state: since => new Promise(() => {}),
            written: body => JSON.stringify(body),
          }
          const root = document.querySelector(".ldp-phone")
          openPhone(root, { card, words, language: "en", transport, memory, source: crypto, calm: true })
        }""",
        [document.source(), card, telling.words("en")],
    )
    press("No")(page)
    expect(page.get_by_role("status")).to_have_text("It has been counted.")
    (body,) = page.evaluate("heard")
    assert body["ticket"] == "T" and body["round"] == 1 and body["report"] in ([0], [1])
    context.close()
