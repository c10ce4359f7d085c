"""A phone inside a page of Streamlit: its messages are taken as its requests are, and nothing else is."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from explorer.poll.denials import DenialError, Reason
from explorer.poll.questions import choice, yes_or_no
from explorer.poll.rooms import Rooms
from explorer.ui import phone
from tests.test_room_server import WRONG

MESSAGES = 2_000


def refused(code: str, asked: object, fields: object) -> Reason:
    with pytest.raises(DenialError) as problem:
        phone.done(code, asked, fields)
    return problem.value.reason


def test_a_phone_joins_answers_and_looks_by_messages(rooms: Rooms) -> None:
    presenter = rooms.open("4711")
    rooms.ask(presenter, choice("Which?", ["a", "b", "c"], 1.1))
    code = presenter.code
    assert refused(code, "join", {"pin": "1"}) is Reason.PIN
    ticket = phone.done(code, "join", {"pin": "4711"})["ticket"]
    good = {"ticket": ticket, "round": 1, "report": [2]}
    for wrong, reason in (
        (good | {"answer": 1}, Reason.FIELDS),
        (good | {"report": [3]}, Reason.REPORT),
        (good | {"report": "2"}, Reason.REPORT),
        (good | {"round": 2}, Reason.CLOSED),
        (good | {"ticket": "x" * 900}, Reason.TICKET),
        (good | {"ticket": "x" * 2000}, Reason.LARGE),
        (None, Reason.FIELDS),
    ):
        assert refused(code, "report", wrong) is reason
    assert phone.done(code, "report", good) == {"counted": True}
    assert refused(code, "report", good) is Reason.USED
    assert phone.done(code, "state", {})["stage"] == "open"
    assert refused(code, "close", {}) is Reason.FIELDS
    assert refused("BCDFGH", "state", {}) is Reason.UNKNOWN
    room = rooms.look(presenter)
    assert room.joined == 1 and room.questions[0].rounds[0].totals == (0, 0, 1)


def test_two_thousand_mutated_messages_are_refused_or_counted_and_raise_nothing_else(rooms: Rooms) -> None:
    presenter, chance = rooms.open(), np.random.default_rng(5)
    rooms.ask(presenter, yes_or_no("Have you ever copied in an exam?", 1.1))
    ticket, counted, denied = rooms.join(presenter.code), 0, 0
    for _ in range(MESSAGES):
        fields: dict[str, Any] = {"ticket": ticket, "round": 1, "report": [int(chance.integers(2))]}
        fields[str(chance.choice(["ticket", "round", "report", "answer"]))] = WRONG[int(chance.integers(len(WRONG)))]
        asked = ("report", "join", "state", "report", None, 7)[int(chance.integers(6))]
        try:
            phone.done(presenter.code, asked, json.loads(json.dumps(fields)))
            counted += 1
            ticket = rooms.join(presenter.code)
        except DenialError:
            denied += 1
    assert rooms.look(presenter).questions[0].rounds[0].answered == counted
    assert denied + counted == MESSAGES and counted < 100
