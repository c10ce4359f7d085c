"""Rooms behind the real server: killed in the middle, shared by two servers, and asked whatever there is to ask."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.host.asgi import Receive, Scope, Send, answer
from explorer.host.server import Depth, Headers, headers
from explorer.poll import desk, routes
from explorer.poll.denials import DenialError, Reason
from explorer.poll.desk import Desk
from explorer.poll.document import policy
from explorer.poll.entrance import Entrance
from explorer.poll.kept import PhoneRequest
from explorer.poll.questions import choice, yes_or_no
from explorer.poll.rooms import Limits, Presenter, Rooms
from explorer.poll.store import RoomStore
from tests.database import missing, postgres
from tests.rationing import ALL
from tests.test_rooms import answered as counted
from tools.phones import Phone
from tools.serving import Server, serving

ANSWERS, TOGETHER = 1000 if ALL else 200, 20  # what is on its way when a server is killed are those together
CHEATING = yes_or_no("Have you ever copied in an exam?", 1.1)
MANY = Limits(joins=10**6)  # tests do not wait at the door


def opened(where: str, phones: int) -> tuple[Rooms, Presenter, list[Phone]]:
    """A room with a question, and phones that have joined it, made without a server."""
    rooms = Rooms(RoomStore(where), MANY)
    presenter = rooms.open()
    rooms.ask(presenter, yes_or_no("Have you ever copied in an exam?", 1.1))
    asked, chance = rooms.card(presenter.code).asked, np.random.default_rng(5)
    assert asked is not None
    card = {"serial": 1, "question": {"toss": asked.toss.shape()}}
    made = [Phone("", presenter.code, int(chance.integers(2)), np.random.default_rng([6, i])) for i in range(phones)]
    for phone in made:
        phone.ticket, phone.card = rooms.join(presenter.code), card
    return rooms, presenter, made


async def answering(phones: list[Phone], victim: Server | None = None) -> None:
    """All of them answer, so many at a time; in the middle of them the victim is killed, and its phones give up."""
    gate, heard, down = asyncio.Semaphore(TOGETHER), 0, False

    async def one(phone: Phone) -> None:
        nonlocal heard, down
        async with gate:
            lost = victim is not None and phone.line.url == victim.url
            if not (down and lost):
                await phone.send(0.5 if lost else 60.0)
                phone.line.hang_up()
            heard += 1
            if victim is not None and heard == ANSWERS // 2:
                os.kill(victim.process, signal.SIGKILL)
                down = True

    await asyncio.gather(*map(one, phones))


def tally(phones: list[Phone]) -> tuple[int, tuple[int, ...]]:
    """What must have been counted of what left the phones."""
    sent = Counter(phone.report for phone in phones)
    return len(phones), (sent[(0,)], sent[(1,)])


def test_killed_in_the_middle_nothing_acknowledged_is_lost_and_nothing_counts_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = f"sqlite:///{tmp_path / 'rooms.sqlite'}"
    monkeypatch.setenv("LDP_EXPLORER_ROOMS", where)
    rooms, presenter, phones = opened(where, ANSWERS)
    with serving() as server:
        for phone in phones:
            phone.line.url = server.url
        asyncio.run(answering(phones, server))
    acknowledged = [phone for phone in phones if phone.acknowledged]
    n, _ = counted(rooms, presenter)
    assert ANSWERS // 2 <= len(acknowledged) < ANSWERS
    assert len(acknowledged) <= n <= len(acknowledged) + TOGETHER
    with serving() as server:
        for phone in phones:
            phone.line.url = server.url
        asyncio.run(answering(phones))  # those that were heard say nothing again
    assert all(phone.acknowledged for phone in phones)
    assert counted(rooms, presenter) == tally(phones)


def test_two_servers_share_their_rooms_in_postgresql_also_when_one_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := missing():
        pytest.skip(reason)
    with postgres() as where:
        monkeypatch.setenv("LDP_EXPLORER_ROOMS", where)
        rooms, presenter, phones = opened(where, ANSWERS)
        with serving() as first, serving() as second:
            for place, phone in enumerate(phones):
                phone.line.url = (first, second)[place % 2].url
            asyncio.run(answering(phones, first))
            lost = [phone for phone in phones if not phone.acknowledged]
            assert lost and all(phone.line.url == first.url for phone in lost)
            for phone in lost:
                phone.line.url = second.url
            asyncio.run(answering(lost))
            assert all(phone.acknowledged for phone in phones)
            assert counted(rooms, presenter) == tally(phones)
        rooms.close(presenter)
        assert linked(where) == (1, ANSWERS)
        rooms._store.close()


def linked(where: str) -> tuple[int, int]:
    """How many transactions have written the rows of a closed room, which PostgreSQL tells with each; and how many."""
    from sqlalchemy import create_engine, text

    engine = create_engine(where)
    with engine.connect() as connection:
        rows = connection.execute(text("SELECT xmin::text FROM used")).scalars().all()
        rows_of_sums = connection.execute(text("SELECT xmin::text FROM tallies")).scalars().all()
    engine.dispose()
    return len({*rows, *rows_of_sums}), len(rows)


# Asked whatever there is to ask


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    made = Rooms(RoomStore(f"sqlite:///{tmp_path / 'rooms.sqlite'}"), MANY)
    yield made
    made._store.close()


Answer = tuple[int, dict[str, str], bytes]


async def elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
    """What is no room's: Streamlit's."""
    await answer(scope, send, 404)


class Caller:
    """Asks the layer before the app's own layers, without a network."""

    def __init__(self, rooms: Rooms, base: str = "") -> None:
        self.app = Entrance(Headers(Depth(elsewhere, base)), Desk(lambda: rooms), headers(), base)

    async def ask(self, method: str, path: str, body: bytes = b"", query: bytes = b"", **headers: str) -> Answer:
        messages: list[Any] = []
        pieces = [body[place : place + 400] for place in range(0, len(body), 400)] or [b""]

        async def receive() -> Any:
            piece = pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

        async def send(message: Any) -> None:
            messages.append(message)

        named = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode("utf-8", "replace")}
        scope |= {"query_string": query, "headers": named, "root_path": "", "scheme": "http", "http_version": "1.1"}
        scope |= {"server": ("room", 80), "client": ("192.0.2.7", 4711)}
        await self.app(scope, receive, send)
        got = {name.decode(): value.decode("latin-1") for name, value in messages[0]["headers"]}
        return messages[0]["status"], got, b"".join(message.get("body", b"") for message in messages[1:])


def asked(rooms: Rooms, *requests: tuple[Any, ...], **headers: str) -> list[Answer]:
    """The answers to some requests, one after the other."""

    async def all_() -> list[Answer]:
        caller = Caller(rooms)
        return [await caller.ask(*request, **headers) for request in requests]

    return asyncio.run(all_())


def mutated(path: str, body: bytes, chance: np.random.Generator) -> tuple[str, str, bytes, bytes]:
    """A request with one to three things wrong; what stays right by chance is made right no more by a ticket's end."""
    fields = json.loads(body)
    method, query = "POST", b""
    for _ in range(int(chance.integers(1, 4))):
        match int(chance.integers(9)):
            case 0:
                fields[str(chance.choice(["extra", "answer", "time", "", "ticket "]))] = 1
            case 1:
                fields.pop(str(chance.choice([*fields, "none"])), None)
            case 2:
                fields[str(chance.choice([*fields, "report"]))] = WRONG[int(chance.integers(len(WRONG)))]
            case 3:
                method = str(chance.choice(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"]))
            case 4:
                path += str(chance.choice(["/", "/x", "/../state", "%00", "\u2028", "/report", "//", ";a=b"]))
            case 5:
                path = path.replace(
                    path.split("/")[2], str(chance.choice(["ABCDEF", "", "BCDFGH", "\udcff", "x" * 500]))
                )
            case 6:
                query = bytes(chance.integers(0, 256, int(chance.integers(1, 40)), dtype=np.uint8))
            case 7:
                fields["padding"] = "x" * int(chance.integers(1, 3000))
            case _:
                fields = (
                    {str(name).upper(): value for name, value in fields.items()} if isinstance(fields, dict) else fields
                )
    sent = json.dumps(fields).encode()
    for _ in range(int(chance.integers(0, 3))):
        place = int(chance.integers(len(sent)))
        match int(chance.integers(4)):
            case 0:
                sent = sent[:place]
            case 1:
                sent = sent[:place] + bytes(chance.integers(0, 256, 3, dtype=np.uint8)) + sent[place:]
            case 2:
                sent = b"[" * 1000
            case _:
                sent = sent[:place] + sent[place + 1 :]
        sent = sent or b" "
    return method, path, sent, query


WRONG: tuple[Any, ...] = (
    None,
    True,
    False,
    -1,
    2,
    3,
    10**300,
    1.0,
    0.5,
    float("nan"),
    float("inf"),
    "",
    "0",
    "\ud800",
    "' OR 1=1 --",
    [],
    [0, 0],
    [2],
    [-1],
    [True],
    ["0"],
    [0.0],
    [[0]],
    [0] * 200,
    {},
    {"0": 1},
    [None],
    "A" * 32,
    2**63,
    -(2**63),
)


def test_thousands_of_mutated_requests_are_answered_plainly_and_count_nothing(rooms: Rooms) -> None:
    """Each is a right report or a right wish to join with something wrong; what comes out right all the same counts."""
    asked = 10_000 if ALL else 2000
    presenter, other = rooms.open(), rooms.open("4711")
    for room in (presenter, other):
        rooms.ask(room, yes_or_no("Have you ever copied in an exam?", 1.1))
    before, chance = rooms.look(other), np.random.default_rng(11)
    statuses: Counter[int] = Counter()
    right, joined = 0, 0

    async def everything() -> None:
        nonlocal right, joined
        caller, ticket = Caller(rooms), rooms.join(presenter.code)
        joined += 1
        for _ in range(asked):
            kind = str(chance.choice(["report", "join", "report"]))
            body = (
                {"pin": ""} if kind == "join" else {"ticket": ticket, "round": 1, "report": [int(chance.integers(2))]}
            )
            request = mutated(f"/room/{presenter.code}/{kind}", json.dumps(body).encode(), chance)
            status, headers, answer = await caller.ask(*request)
            statuses[status] += 1
            assert status in (200, 307, 400, 403, 404, 405, 409, 413, 422), (status, request)
            ours = status != 307 and re.match("/room/[^/]", request[1])  # without a code it is Streamlit's
            assert b"Traceback" not in answer and (not ours or headers["cache-control"] == "no-store"), (
                status,
                request,
            )
            if status == 200 and b"counted" in answer:
                assert json.loads(request[2]) in ({"ticket": ticket, "round": 1, "report": [bit]} for bit in (0, 1))
                right += 1
                ticket = rooms.join(presenter.code)
                joined += 1
            joined += status == 200 and b"ticket" in answer and request[0] == "POST"

    asyncio.run(everything())
    room = rooms.look(presenter)
    assert sum(statuses.values()) == asked and {400, 403, 404, 405, 409, 413, 422} & set(statuses) >= {
        400,
        404,
        405,
        413,
        422,
    }
    assert room.questions[0].rounds[0].answered == right == sum(room.questions[0].rounds[0].totals)
    assert room.joined == joined and right + joined < 500
    assert rooms.look(other) == before


def test_each_refusal_has_one_status_and_one_sentence(rooms: Rooms) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, choice("Which?", ["a", "b", "c"], 1.1))
    room, ticket = f"/room/{presenter.code}", rooms.join(presenter.code)
    good = {"ticket": ticket, "round": 1, "report": [0]}

    def said(path: str, body: object, method: str = "POST") -> tuple[int, str]:
        ((status, _, answer),) = asked(
            rooms, (method, path, body if isinstance(body, bytes) else json.dumps(body).encode())
        )
        said = json.loads(answer)
        assert status == 200 or (set(said) == {"problem", "sentence"} and said["sentence"].endswith("."))
        return status, said.get("problem", "")

    report = f"{room}/report"
    assert said("/room/QQQQQQ/report", good) == (404, "unknown")
    assert said(report, good | {"answer": 1}) == (400, "fields")
    assert said(report, b'{"ticket": "a", "ticket": "b", "round": 1, "report": [0]}') == (400, "fields")
    assert said(report, b"[" * 1000) == (400, "fields")
    assert said(report, b" " * 1025) == (413, "large")
    assert said(report, good | {"report": [3]}) == (422, "report")
    assert said(report, good | {"report": "0"}) == (422, "report")
    assert said(report, good | {"ticket": "x"}) == (403, "ticket")
    assert said(report, good | {"round": 2}) == (409, "closed")
    assert said(report, good, "GET") == (405, "method")
    assert said(report, good) == (200, "")
    assert said(report, good) == (409, "used")
    rooms.close(presenter)
    assert said(report, good | {"ticket": rooms.join(presenter.code)}) == (409, "closed")
    assert said(f"{room}/join", {"pin": 1}) == (400, "fields")
    assert said(f"{room}/elsewhere", {}) == (404, "unknown")


def test_a_page_is_one_small_answer_under_a_policy_of_its_own(rooms: Rooms) -> None:
    presenter = rooms.open()
    rooms.ask(
        presenter,
        choice("Which </script><b>one</b>?", ["x" * 60 + str(i) for i in range(0)] or list("abcdefghijkl"), 1.1),
    )
    path = f"/room/{presenter.code}"
    ((status, headers, plain),) = asked(rooms, ("GET", path), accept_language="de-AT, en;q=0.5")
    ((_, packing, packed),) = asked(rooms, ("GET", path), accept_encoding="gzip")
    assert status == 200 and len(packed) <= 30_000 and packing["content-encoding"] == "gzip"
    assert headers["content-security-policy"] == policy() and "unsafe" not in policy() and "set-cookie" not in headers
    assert headers["x-content-type-options"] == "nosniff" and headers["cache-control"] == "no-store"
    page = plain.decode()
    assert '<html lang="de"' in page and "Würfeln" in page and "<b>one" not in page
    assert page.count("</script>") == 2 and "@{" not in page
    assert "http://" not in page and "https://" not in page and "Math.random" not in page


def test_without_a_room_the_page_says_so_in_the_reader_s_language(rooms: Rooms) -> None:
    for path in ("/room/QQQQQQ", "/room/x", "/room/<script>"):
        ((status, headers, answer),) = asked(rooms, ("GET", path), accept_language="de")
        assert status == 404 and "Es gibt keinen Raum" in answer.decode() and "<script>alert" not in answer.decode()
        assert headers["content-security-policy"] == policy()
    assert asked(rooms, ("DELETE", "/room/QQQQQQ"))[0][0] == 405


def test_a_stroke_too_many_leads_to_the_room_also_below_another_path(rooms: Rooms) -> None:
    ((status, headers, _),) = asked(rooms, ("GET", "/room/BCDFGH/"))
    assert (status, headers["location"]) == (307, "../BCDFGH")
    below = Caller(rooms, "/ldp/")
    assert asyncio.run(below.ask("GET", f"/ldp/room/{rooms.open().code}"))[0] == 200
    assert asyncio.run(below.ask("GET", f"/room/{rooms.open().code}"))[0] == 404


def test_whoever_waits_hears_of_a_change_at_once_and_of_none_after_a_while(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    presenter = rooms.open()
    monkeypatch.setattr(routes, "HOLD", 0.9)

    async def waiting() -> tuple[list[Answer], Answer]:
        caller, path = Caller(rooms), f"/room/{presenter.code}/state"
        still = await caller.ask("GET", path, b"", b"since=1")
        tasks = [asyncio.create_task(caller.ask("GET", path, b"", b"since=1")) for _ in range(20)]
        await asyncio.sleep(0.1)
        await asyncio.to_thread(rooms.ask, presenter, yes_or_no("Now?", 1.0))
        return [await task for task in tasks], still

    changed, still = asyncio.run(waiting())
    assert json.loads(still[2])["version"] == 1
    assert {json.loads(answer)["version"] for _, _, answer in changed} == {2}


def test_whoever_waits_hears_that_the_room_is_forgotten(rooms: Rooms) -> None:
    presenter = rooms.open()

    async def waiting() -> Answer:
        task = asyncio.create_task(Caller(rooms).ask("GET", f"/room/{presenter.code}/state", b"", b"since=1"))
        await asyncio.sleep(0.1)
        await asyncio.to_thread(rooms.forget, presenter)
        return await task

    assert asyncio.run(waiting())[0] == 404


def test_reports_that_come_together_are_written_together_and_acknowledged_after_that(rooms: Rooms) -> None:
    """Those that come while some are being written are the next transaction; a phone that has gone holds up nobody."""
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    tickets, sizes, gate = [rooms.join(presenter.code) for _ in range(9)], [], threading.Event()
    write = rooms.write

    def slowly(wishes: Sequence[PhoneRequest]) -> list[DenialError | None]:
        sizes.append(len(wishes))
        assert gate.wait(5)
        return write(wishes)

    rooms.write = slowly  # type: ignore[method-assign]

    async def answering_together() -> list[int]:
        caller = Caller(rooms)
        bodies = [json.dumps({"ticket": ticket, "round": 1, "report": [1]}).encode() for ticket in tickets]
        tasks = [asyncio.create_task(caller.ask("POST", f"/room/{presenter.code}/report", body)) for body in bodies]
        await asyncio.sleep(0.1)
        assert not any(task.done() for task in tasks) and counted(rooms, presenter)[0] == 0
        tasks.pop().cancel()
        gate.set()
        return [(await task)[0] for task in tasks]

    assert asyncio.run(answering_together()) == [200] * 8
    assert sum(sizes) == 9 and len(sizes) <= 2 and counted(rooms, presenter) == (9, (0, 9))


def test_of_reports_that_could_not_be_written_none_is_acknowledged(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    bodies = [json.dumps({"ticket": rooms.join(presenter.code), "round": 1, "report": [0]}).encode() for _ in range(3)]

    def away(*_: object) -> None:
        raise DenialError(Reason.STORAGE)

    async def together() -> list[int]:
        caller = Caller(rooms)
        asked = (caller.ask("POST", f"/room/{presenter.code}/report", body) for body in bodies)
        return [status for status, _, _ in await asyncio.gather(*asked)]

    with monkeypatch.context() as patch:
        patch.setattr(rooms._store, "write", away)
        assert asyncio.run(together()) == [503] * 3
    assert asyncio.run(together()) == [200] * 3 and counted(rooms, presenter) == (3, (3, 0))


def test_what_another_server_has_done_refuses_nobody_who_has_heard_of_it(rooms: Rooms, tmp_path: Path) -> None:
    """What is remembered of a room may be a moment old: enough to show it, and never enough to refuse somebody."""
    elsewhere = Rooms(RoomStore(f"sqlite:///{tmp_path / 'rooms.sqlite'}"), MANY)
    presenter = rooms.open()
    rooms.ask(presenter, CHEATING)
    ticket, room = rooms.join(presenter.code), f"/room/{presenter.code}"

    async def told() -> tuple[list[int], int, int]:
        caller = Caller(rooms)
        sent = [json.dumps({"ticket": ticket, "round": serial, "report": [1]}).encode() for serial in (1, 2)]
        assert (await caller.ask("GET", room))[0] == 200  # from now on it is remembered
        elsewhere.again(presenter)
        statuses = [(await caller.ask("POST", f"{room}/report", body))[0] for body in (sent[1], sent[0])]
        rooms.close(presenter)
        closed = (await caller.ask("POST", f"{room}/report", sent[1]))[0]
        elsewhere.forget(presenter)
        return statuses, closed, (await caller.ask("POST", f"{room}/report", sent[1]))[0]

    assert asyncio.run(told()) == ([200, 409], 409, 404)
    elsewhere._store.close()


@pytest.mark.parametrize("since", [b"", b"since=", b"since=-1", b"since=1e3", b"since=9999999999", "since=٣".encode()])
def test_a_version_is_a_number(rooms: Rooms, since: bytes) -> None:
    presenter = rooms.open()
    assert asked(rooms, ("GET", f"/room/{presenter.code}/state", b"", since))[0][0] == 400


@pytest.mark.parametrize("begun", [False, True])
def test_a_server_sweeps_its_rooms_where_there_may_be_any(begun: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "FIRST_SWEEP", 0.0)
    asked: list[bool] = []

    def kept() -> Rooms:
        asked.append(True)
        raise DenialError(Reason.STORAGE)  # whatever comes of it

    async def swept() -> None:
        looked = asyncio.Event()
        loop = asyncio.get_running_loop()

        def looks() -> bool:
            loop.call_soon_threadsafe(looked.set)
            return begun

        one = Desk(kept, looks)
        task = asyncio.create_task(one.sweep())
        await looked.wait()
        await one._done(lambda: None)  # behind the first look, in the same thread
        task.cancel()

    asyncio.run(swept())
    assert asked == [True] * begun
