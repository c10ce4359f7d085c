"""The rules of a room, and what is kept of it: sums, and no report, time, address or answer."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.facts import Count
from explorer.poll import telling
from explorer.poll.denials import DenialError, Reason
from explorer.poll.kept import address, may_hold_rooms, state_directory
from explorer.poll.questions import PollQuestion, choice, number, yes_or_no
from explorer.poll.rooms import Card, Door, Limits, Presenter, Rooms
from explorer.poll.store import RoomStore, connected
from explorer.poll.tickets import ALPHABET, code_drawn
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.parameters import ParameterError
from ldpcore.processes import is_private, temporary_folder
from tests.scenes import neutral

CHEATING = yes_or_no("Have you ever copied in an exam?", 1.1)
DAY = 24 * 3600


class Clock:
    """A time that a test turns on."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rooms.sqlite"


@pytest.fixture
def made(path: Path, clock: Clock) -> Callable[..., Rooms]:
    """Another server on the same database."""
    return lambda limits=None: Rooms(RoomStore(f"sqlite:///{path}"), limits, clock)


@pytest.fixture
def rooms(made: Callable[..., Rooms]) -> Rooms:
    return made()


def refused(work: Callable[[], object]) -> Reason:
    """Why something is refused."""
    with pytest.raises(DenialError) as caught:
        work()
    return caught.value.reason


def answered(rooms: Rooms, presenter: Presenter) -> tuple[int, tuple[int, ...]]:
    """How many have answered in the last round, and its sums."""
    current = rooms.look(presenter).current
    assert current is not None
    return current.rounds[-1].answered, current.rounds[-1].totals


def test_a_code_is_six_letters_that_cannot_be_confused_and_may_be_typed_in_any_way(rooms: Rooms) -> None:
    codes = [rooms.open().code for _ in range(50)]
    assert len(set(codes)) == 50 and all(re.fullmatch(f"[{ALPHABET}]{{6}}", code) for code in codes)
    assert not set("01OIaeiou") & set(ALPHABET)
    assert rooms.card(f" {codes[0][:3].lower()}-{codes[0][3:]} ").code == codes[0]
    for typed in ("", "ABCDEF", "BCDFG", "BCDFGHJ", "../../etc", "BCDFG\u00df", "\ud800"):
        assert refused(lambda typed=typed: rooms.card(typed)) is Reason.UNKNOWN


def test_letters_of_a_code_are_equally_likely() -> None:
    """No letter is favored by the remainder of a byte: all 256 bytes, handed out in turn, give each letter 12 times."""
    given = iter(bytes(range(256)) * 2)
    letters = "".join(code_drawn(lambda many: bytes(next(given) for _ in range(many))) for _ in range(42))
    assert {letters.count(letter) for letter in ALPHABET} == {12}


def test_only_the_key_opens_the_presenter_s_side(rooms: Rooms) -> None:
    presenter, other = rooms.open(), rooms.open()
    rooms.ask(presenter, CHEATING)
    for wrong in (
        Presenter(presenter.code, other.key),
        Presenter(presenter.code, ""),
        Presenter(presenter.code, "\ud800"),
    ):
        for act in (rooms.look, rooms.again, rooms.close, rooms.reopen, rooms.forget):
            assert refused(lambda act=act, wrong=wrong: act(wrong)) is Reason.KEY
        assert refused(lambda wrong=wrong: rooms.ask(wrong, CHEATING)) is Reason.KEY
        assert refused(lambda wrong=wrong: rooms.point(wrong, "/counting")) is Reason.KEY
    assert rooms.look(presenter).card.stage == "open"


def test_a_room_goes_from_question_to_round_to_question(rooms: Rooms, made: Callable[..., Rooms]) -> None:
    presenter, elsewhere = rooms.open(), made()
    assert elsewhere.card(presenter.code).stage == "waiting"
    for act in (rooms.again, rooms.close, rooms.reopen):
        assert refused(lambda act=act: act(presenter)) is Reason.NOTHING_ASKED
    stages = []
    for act in (
        lambda: rooms.ask(presenter, CHEATING),
        lambda: rooms.close(presenter),
        lambda: rooms.reopen(presenter),
        lambda: rooms.again(presenter),
        lambda: rooms.ask(presenter, number("How long?", 0, 10, 2.0)),
    ):
        act()
        card = elsewhere.card(presenter.code)
        stages.append((card.stage, card.serial, card.number, card.round))
    assert stages == [("open", 1, 1, 1), ("closed", 1, 1, 1), ("open", 1, 1, 1), ("open", 2, 1, 2), ("open", 3, 2, 1)]
    assert [len(question.rounds) for question in elsewhere.look(presenter).questions] == [2, 1]


def test_a_ticket_buys_one_report_a_round(rooms: Rooms, made: Callable[..., Rooms]) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    ticket, elsewhere = rooms.join(presenter.code), made()
    rooms.report(presenter.code, ticket, 1, (1,))
    for server, report in ((rooms, (1,)), (rooms, (0,)), (elsewhere, (1,))):
        assert (
            refused(lambda server=server, report=report: server.report(presenter.code, ticket, 1, report))
            is Reason.USED
        )
    assert answered(rooms, presenter) == (1, (0, 1))
    rooms.again(presenter)
    assert refused(lambda: elsewhere.report(presenter.code, ticket, 1, (1,))) is Reason.CLOSED
    elsewhere.report(presenter.code, ticket, 2, (0,))
    assert answered(rooms, presenter) == (1, (1, 0))


def test_a_closed_round_counts_nothing_and_says_whether_a_report_had_been_counted(rooms: Rooms) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    early, late = rooms.join(presenter.code), rooms.join(presenter.code)
    rooms.report(presenter.code, early, 1, (1,))
    rooms.close(presenter)
    assert refused(lambda: rooms.report(presenter.code, early, 1, (1,))) is Reason.USED
    assert refused(lambda: rooms.report(presenter.code, late, 1, (1,))) is Reason.CLOSED
    rooms.reopen(presenter)
    rooms.report(presenter.code, late, 1, (1,))
    assert answered(rooms, presenter) == (2, (0, 2))


def test_of_wishes_that_are_written_together_each_is_judged_alone(made: Callable[..., Rooms]) -> None:
    """Nobody's refusal takes another's report with it, and a ticket that comes twice at once is counted once."""
    rooms = made(Limits(tickets=5))
    one, other, closed = (rooms.open() for _ in range(3))
    for presenter in (one, other, closed):
        rooms.ask(presenter, CHEATING)
    known = {presenter: rooms.known(presenter.code) for presenter in (one, other, closed)}
    tickets = [rooms.join(one.code) for _ in range(3)]
    late, there = rooms.join(closed.code), rooms.join(other.code)
    rooms.close(closed)
    said = rooms.write(
        [
            rooms.vote(known[one], tickets[0], 1, (1,)),
            rooms.vote(known[closed], late, 1, (1,)),
            rooms.vote(known[one], tickets[0], 1, (0,)),
            rooms.entry(known[one], ""),
            rooms.vote(known[one], tickets[1], 1, (0,)),
            rooms.entry(known[one], ""),
            rooms.vote(known[other], there, 1, (1,)),
            rooms.entry(known[one], ""),
        ]
    )
    assert [problem and problem.reason for problem in said] == [
        *(None, Reason.CLOSED, Reason.USED, None, None, None, None),
        Reason.FULL,
    ]
    assert (answered(rooms, one), answered(rooms, closed)[0], answered(rooms, other)) == ((2, (1, 1)), 0, (1, (0, 1)))
    rooms.forget(other)
    (gone,) = rooms.write([rooms.entry(known[other], "")])
    assert gone is not None and gone.reason is Reason.UNKNOWN and rooms.look(one).joined == 5


def test_two_rooms_never_see_each_other(rooms: Rooms) -> None:
    one, other = rooms.open(), rooms.open()
    for presenter in (one, other):
        rooms.ask(presenter, CHEATING)
    ticket = rooms.join(one.code)
    assert refused(lambda: rooms.report(other.code, ticket, 1, (1,))) is Reason.TICKET
    rooms.report(one.code, ticket, 1, (1,))
    rooms.close(one)
    assert (rooms.look(one).joined, rooms.look(other).joined) == (1, 0)
    assert answered(rooms, other) == (0, (0, 0)) and rooms.card(other.code).stage == "open"
    rooms.forget(one)
    assert rooms.look(other).card.asked == CHEATING and refused(lambda: rooms.look(one)) is Reason.UNKNOWN


@pytest.mark.parametrize("ticket", ["", "x", "\ud800", "A" * 32, "A" * 31 + "=", "é" * 32, "A" * 33])
def test_a_ticket_that_the_room_has_not_signed_buys_nothing(rooms: Rooms, ticket: str) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    assert refused(lambda: rooms.report(presenter.code, ticket, 1, (1,))) is Reason.TICKET
    own = rooms.join(presenter.code)
    changed = ("A" if own[5] != "A" else "B").join((own[:5], own[6:]))
    assert refused(lambda: rooms.report(presenter.code, changed, 1, (1,))) is Reason.TICKET


def test_a_ticket_has_one_spelling(rooms: Rooms) -> None:
    """Base64 leaves bits of its last letter open: another spelling of one ticket must not buy a second report."""
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    ticket = rooms.join(presenter.code)
    rooms.report(presenter.code, ticket, 1, (1,))
    spellings = [ticket + end for end in ("=", "==", "\n", " ", "A")] + [
        ticket.replace("-", "+").replace("_", "/") + " "
    ]
    for spelling in spellings:
        assert refused(lambda spelling=spelling: rooms.report(presenter.code, spelling, 1, (1,))) is Reason.TICKET
    assert answered(rooms, presenter)[0] == 1


def test_what_the_mechanism_cannot_make_is_not_counted(rooms: Rooms) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, choice("Which?", list("abcdefghijkl"), 1.1))
    ticket = rooms.join(presenter.code)
    for report in (
        (1,),
        (1, 2),
        (1, 2, 2),
        (3, 2, 1),
        (0, 1, 12),
        (-1, 0, 1),
        [0, 1, 2],
        "012",
        1,
        None,
        (0, 1, 2.0),
        (0, 1, True),
    ):
        assert refused(lambda report=report: rooms.report(presenter.code, ticket, 1, report)) is Reason.REPORT
    rooms.report(presenter.code, ticket, 1, (0, 5, 11))
    assert answered(rooms, presenter) == (1, (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1))


def test_a_pin_is_asked_for_where_there_is_one(rooms: Rooms) -> None:
    presenter = rooms.open(" 47 11 ")
    assert rooms.card(presenter.code).pin and rooms.look(presenter).pin == "4711"
    for pin in ("", "4712", "47110", "\ud800"):
        assert refused(lambda pin=pin: rooms.join(presenter.code, pin)) is Reason.PIN
    assert rooms.look(presenter).joined == 0
    rooms.join(presenter.code, "47 11")
    assert refused(lambda: rooms.open("1" * 13)) is Reason.PIN_LONG


def test_a_room_is_full_and_a_server_too(made: Callable[..., Rooms]) -> None:
    rooms = made(Limits(tickets=3, rooms=2))
    presenter = rooms.open()
    for _ in range(3):
        rooms.join(presenter.code)
    assert refused(lambda: rooms.join(presenter.code)) is Reason.FULL
    rooms.open()
    assert refused(rooms.open) is Reason.ROOMS
    rooms.forget(presenter)
    assert refused(lambda: rooms.join(presenter.code)) is Reason.UNKNOWN
    rooms.open()


def test_in_no_second_more_join_than_may_and_nobody_waits_longer_than_need_be() -> None:
    door, rng = Door(50, 30.0), np.random.default_rng(3)
    arrivals = np.sort(rng.uniform(0, 3, 900))
    entries = np.array([now + door.wait("room", now) for now in arrivals])
    assert list(entries) == sorted(entries)
    assert (entries[50:] - entries[:-50] >= 1 - 1e-9).all()
    late = entries > arrivals + 1e-9
    assert (np.diff(entries, prepend=-1)[late] >= 0).all() and entries[-1] < arrivals[0] + 900 / 50 + 3
    assert all(entries[place] == pytest.approx(entries[place - 50] + 1) for place in np.flatnonzero(late))
    assert door.wait("another room", 3.0) == 0


def test_too_long_a_wait_at_the_door_is_refused_and_takes_no_place() -> None:
    door = Door(1, 5.0)
    waits = [door.wait("room", 0.0) for _ in range(6)]
    assert waits == [0, 1, 2, 3, 4, 5]
    for _ in range(3):
        assert refused(lambda: door.wait("room", 0.0)) is Reason.CROWDED
    assert door.wait("room", 1.0) == 5.0


def test_a_room_is_forgotten_a_day_after_it_was_opened(rooms: Rooms, clock: Clock, path: Path) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    ticket = rooms.join(presenter.code)
    clock.now += DAY - 1
    rooms.report(presenter.code, ticket, 1, (1,))
    clock.now += 1
    later = rooms.join
    for act in (
        lambda: rooms.card(presenter.code),
        lambda: later(presenter.code),
        lambda: rooms.look(presenter),
        lambda: rooms.report(presenter.code, ticket, 1, (1,)),
    ):
        assert refused(act) is Reason.UNKNOWN
    assert not rows(path)


def test_rooms_are_forgotten_also_when_nobody_asks_for_them(rooms: Rooms, clock: Clock, path: Path) -> None:
    old = rooms.open()
    rooms.ask(old, CHEATING)
    clock.now += DAY / 2
    young = rooms.open()
    clock.now += DAY / 2 + 1
    rooms.expire()
    assert {code for _, code in rows(path)} == {young.code}


def rows(path: Path) -> set[tuple[str, str]]:
    """The tables that know a room, and its code."""
    with sqlite3.connect(path) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {(name, code) for name in names for (code,) in connection.execute(f"SELECT code FROM {name}")}
    connection.close()
    return found


def test_a_server_on_which_nobody_opens_a_room_writes_nothing(rooms: Rooms, path: Path) -> None:
    rooms.expire()
    assert not path.exists()
    rooms.open()
    assert path.stat().st_mode & 0o077 == 0


def everything(path: Path) -> bytes:
    """All bytes of the database on the disk."""
    return b"".join(file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm"))


def test_what_is_on_the_disk_of_a_finished_room_betrays_nobody(rooms: Rooms, clock: Clock, path: Path) -> None:
    """No ticket, no time but that of the opening, no order of the reports; and nothing at all of a forgotten room."""
    presenter = rooms.open()
    rooms.ask(presenter, replace(CHEATING, text="Unmistakable question"))
    tickets, times = [], []
    for place in range(40):
        clock.now += 61.5
        tickets.append(rooms.join(presenter.code))
        rooms.report(presenter.code, tickets[-1], 1, (place % 2,))
        times.append(clock.now)
    rooms.close(presenter)
    disk = everything(path)
    assert b"Unmistakable question" in disk and presenter.key.encode() not in disk
    for ticket, time in zip(tickets, times, strict=True):
        assert ticket.encode() not in disk and ticket[:16].encode() not in disk
        for written in (f"{time:.1f}", f"{int(time)}", f"{int(time * 1000)}"):
            assert written.encode() not in disk
        for size in (4, 8):
            assert int(time).to_bytes(size, "big") not in disk
    assert all(place not in disk for place in (b"127.0.0.1", b"User-Agent", b"Mozilla"))
    with sqlite3.connect(path) as connection:
        columns = {
            column
            for table in ("used", "tallies", "rounds")
            for (_, column, *_) in connection.execute(f"PRAGMA table_info({table})")
        }
        marks = [mark for (mark,) in connection.execute("SELECT ticket FROM used")]
    connection.close()
    assert columns == {"code", "serial", "ticket", "place", "total", "number", "open", "answered"}
    assert marks == sorted(marks) and len(marks) == 40  # the table's own order is that of the hashes
    assert not [ticket for ticket in tickets if hashlib.sha256(ticket.encode()).digest()[:16] in marks]
    rooms.again(presenter)
    assert all(mark not in everything(path) for mark in marks)
    rooms.forget(presenter)
    assert b"Unmistakable" not in everything(path) and presenter.code.encode() not in everything(path)


def test_marks_of_one_ticket_in_two_rounds_have_nothing_in_common(rooms: Rooms, path: Path) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    ticket, marks = rooms.join(presenter.code), []
    for serial in (1, 2):
        rooms.report(presenter.code, ticket, serial, (1,))
        with sqlite3.connect(path) as connection:
            marks += [mark for (mark,) in connection.execute("SELECT ticket FROM used")]
        connection.close()
        rooms.again(presenter)
    assert len(set(marks)) == 2


def test_a_database_that_cannot_be_reached_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    rooms = Rooms(RoomStore(f"sqlite:///{tmp_path / 'file' / 'rooms.sqlite'}"))
    assert refused(rooms.open) is Reason.STORAGE
    for where in ("nonsense://x", "postgresql+nothing://x", "://", "sqlite"):
        assert refused(lambda where=where: RoomStore(where)) is Reason.STORAGE


def test_where_the_rooms_are_is_a_file_of_the_user_a_path_or_an_address(tmp_path: Path) -> None:
    assert address({"HOME": str(tmp_path)}).endswith("/ldp-explorer/rooms.sqlite")
    assert address({"XDG_STATE_HOME": str(tmp_path)}) == f"sqlite:///{tmp_path}/ldp-explorer/rooms.sqlite"
    assert address({"LDP_EXPLORER_ROOMS": " /var/lib/rooms.sqlite "}) == "sqlite:////var/lib/rooms.sqlite"
    assert address({"LDP_EXPLORER_ROOMS": "postgresql+psycopg://ldp@db/rooms"}) == "postgresql+psycopg://ldp@db/rooms"
    assert state_directory({"HOME": "/home/ada"}).name == "ldp-explorer"


@pytest.fixture
def homeless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A user whose home is nowhere, and another place for temporary folders."""
    (tmp_path / "nowhere").touch()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return {"HOME": str(tmp_path / "nowhere")}


def test_a_user_without_a_home_keeps_rooms_in_a_temporary_folder_that_others_cannot_read(
    homeless: dict[str, str],
) -> None:
    where = address(homeless)
    folder = Path(where.removeprefix("sqlite:///")).parent
    assert folder == temporary_folder("ldp-explorer") and not folder.exists()  # nothing is written to find out
    presenter = Rooms(RoomStore(where)).open()
    assert Rooms(RoomStore(address(homeless))).look(presenter).card.code == presenter.code
    assert is_private(folder) and not (folder / "rooms.sqlite").stat().st_mode & 0o077


@pytest.mark.parametrize("prepared", ["link", "open"])
def test_a_temporary_folder_that_somebody_else_has_prepared_is_refused(
    homeless: dict[str, str], tmp_path: Path, prepared: str
) -> None:
    folder = temporary_folder("ldp-explorer")
    if prepared == "link":
        (tmp_path / "elsewhere").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "elsewhere")
    else:
        folder.mkdir()
        folder.chmod(0o777)
    assert refused(Rooms(RoomStore(address(homeless))).open) is Reason.STORAGE
    assert not list(folder.iterdir())


def test_without_any_folder_to_write_in_the_first_room_says_so(
    homeless: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> str:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr("tempfile.gettempdir", none)
    assert refused(Rooms(RoomStore(address(homeless))).open) is Reason.STORAGE


def test_no_error_of_the_database_carries_a_value_into_a_log(path: Path) -> None:
    assert connected(f"sqlite:///{path}").hide_parameters


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (lambda: yes_or_no(" \n ", 1.0), Reason.QUESTION_EMPTY),
        (lambda: yes_or_no("x" * 301, 1.0), Reason.QUESTION_LONG),
        (lambda: choice("Which?", ["a", " "], 1.0), Reason.ANSWERS_FEW),
        (lambda: choice("Which?", list("abcdefghijklm"), 1.0), Reason.ANSWERS_MANY),
        (lambda: choice("Which?", ["a", "b" * 61], 1.0), Reason.ANSWER_LONG),
        (lambda: choice("Which?", ["Bus", "bus "], 1.0), Reason.ANSWERS_ALIKE),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused_in_one_sentence(
    wrong: Callable[[], object], reason: Reason
) -> None:
    assert refused(wrong) is reason


def test_a_number_needs_bounds_and_a_question_a_level() -> None:
    for wrong in (
        lambda: number("How long?", 1, 1, 1.0),
        lambda: yes_or_no("Why?", 0.0),
        lambda: number("How?", 0, 1, 1, steps=0),
    ):
        with pytest.raises(ParameterError):
            wrong()


QUESTIONS = (
    CHEATING,
    yes_or_no("x", 5.0, kept=False),
    choice("Wäre <b>das</b> “gut”?", ["ja & nein", "“nie”"], 0.5),
    choice("Which?", list("abcdefghijkl"), 1.1),
    number("How long?", -0.5, 12, 1.0),
    number("How much?", 0, 90_000, 2.0, steps=9),
)


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.text)
def test_a_question_is_read_as_it_was_written(asked: PollQuestion) -> None:
    assert PollQuestion.read(asked.written()) == asked and PollQuestion.read(asked.written()).toss == asked.toss


def test_typed_text_loses_what_cannot_be_seen() -> None:
    asked = yes_or_no("One\n\tline \u202e\u0000with \u200bsigns", 1.0)
    assert asked.text == "One line with signs"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.text)
def test_a_phone_is_told_everything_in_its_language(asked: PollQuestion, language: str) -> None:
    card = Card("BCDFGH", 3, "open", False, 2, 1, 2, asked, "/counting?epsilon=1")
    said = telling.message(card, language)
    assert json.loads(json.dumps(said)) == said
    question = said["question"]
    assert question["text"] == asked.text and question["toss"] == asked.toss.shape()
    assert all(question[name].endswith(".") and "@" not in question[name] for name in ("before", "again", "why"))
    assert len(question["answers"]) == (0 if asked.kind == "number" else asked.toss.answers)


@pytest.mark.parametrize("language", languages())
def test_nobody_is_told_to_be_hidden_where_a_report_says_nearly_all(language: str) -> None:
    little, well = (
        telling.message(Card("BCDFGH", 1, "open", False, 1, 1, 1, yes_or_no("x", level), ""), language)
        for level in (5.0, 1.0)
    )
    for never in ("Nobody can", "niemand"):
        assert never not in little["question"]["before"]
    shares = [neutral(each["question"]["before"], language) for each in (little, well)]
    assert "99" in shares[0] and "73" in shares[1]


@pytest.mark.parametrize("language", languages())
def test_every_refusal_has_its_sentence(language: str) -> None:
    for reason in Reason:
        sentence = telling.sentence(DenialError(reason, most=Count(12)), language)
        assert sentence.endswith(".") and not sentence[0].islower() and "@" not in sentence


def test_phones_are_led_to_views_of_this_app_alone(rooms: Rooms) -> None:
    presenter = rooms.open()
    rooms.point(presenter, "/counting?epsilon=1")
    assert rooms.card(presenter.code).screen == "/counting?epsilon=1"
    for link in (
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "counting",
        "/a\n",
        "/" + "x" * 2000,
    ):
        assert refused(lambda link=link: rooms.point(presenter, link)) is Reason.LINK
    rooms.point(presenter, "")
    assert rooms.card(presenter.code).screen == ""


def test_what_the_room_has_cost_one_person_adds_up_over_its_questions(rooms: Rooms) -> None:
    presenter = rooms.open()
    for asked in (CHEATING, yes_or_no("Again?", 0.5, kept=False)):
        rooms.ask(presenter, asked)
        rooms.again(presenter)
        rooms.again(presenter)
    room = rooms.look(presenter)
    assert room.spent == pytest.approx(1.1 + 3 * 0.5) and room.spent <= 2.6
    assert [question.repeated().run().level for question in room.questions] == pytest.approx([1.1, 1.5])


def test_the_estimate_of_a_room_is_the_core_s(rooms: Rooms) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    assert rooms.look(presenter).questions[0].answers() is None
    for place in range(30):
        rooms.report(presenter.code, rooms.join(presenter.code), 1, (int(place < 10),))
    answers = rooms.look(presenter).questions[0].answers()
    assert answers is not None and (answers.totals, answers.n) == ((20, 10), 30)
    p = 1 / (1 + np.exp(-1.1))
    assert answers.run().estimates[0] == pytest.approx((20 / 30 - (1 - p)) / (2 * p - 1))


@pytest.mark.parametrize("language", languages())
def test_the_catalogue_has_every_word_that_the_phone_says_and_no_other(language: str) -> None:
    folder = Path(telling.__file__).parent / "phone"
    said = set(
        re.findall(r"\bwords\.(\w+)", "".join((folder / name).read_text("utf-8") for name in ("phone.js", "page.js")))
    )
    labels = catalogue_of(language).page("room")["labels"]
    assert said | {"yes", "no"} == {*labels["words"], "old"} == set(telling.words(language))
    assert {reason.key for reason in Reason} == set(labels["denied"])


def test_before_the_first_room_there_is_nothing_to_load_a_database_for(tmp_path: Path) -> None:
    where = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    assert not may_hold_rooms(where) and may_hold_rooms("postgresql://database/rooms")
    Rooms(RoomStore(where)).open()
    assert may_hold_rooms(where)
