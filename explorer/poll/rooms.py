"""The rights in a room: its codes, keys and tickets, its rounds, its limits and its end.

The presenter opens, asks, closes and forgets, with a key; a phone joins and answers, with a ticket, and nothing else.
"""

from __future__ import annotations

import hmac
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Literal

from explorer.facts import Count
from explorer.poll.denials import DenialError, Reason
from explorer.poll.kept import Joining, Kept, PaidReport, PhoneRequest, address
from explorer.poll.questions import PollQuestion
from explorer.poll.tickets import TICKET, code_drawn, code_read, hashed, issued, letters, named, same, used
from ldpcore.experiments.polls import RoomAnswers, RoomRounds, Spent, spent_in_all

if TYPE_CHECKING:
    from explorer.poll.store import RoomStore

KEY, SECRET = 16, 32  # bytes
LONGEST_PIN, LONGEST_LINK = 12, 2000  # letters
FRESH = 0.5  # seconds for which a room that has been looked at is taken to be as it was
Stage = Literal["waiting", "open", "closed"]


@dataclass(frozen=True)
class Limits:
    """A server's limits: tickets of a room, rooms, joins a second, and seconds of a room's life."""

    tickets: int = 5_000
    rooms: int = 200
    joins: int = 50
    patience: float = 30.0  # that a phone may wait at the door
    life: int = 24 * 3600


@dataclass(frozen=True)
class Presenter:
    """The presenter of a room: its code, and the key that opens it from any device."""

    code: str
    key: str


@dataclass(frozen=True)
class Card:
    """The public state of a room: its stage, its question, its round, and the view on the screen.

    `version` counts the presenter's actions; `serial` numbers the rounds of all questions, and `round` those of
    this one.
    """

    code: str
    version: int
    stage: Stage
    pin: bool
    serial: int
    number: int
    round: int
    asked: PollQuestion | None
    screen: str


@dataclass(frozen=True)
class Round:
    """A round: whether it is open, the number of answers, and the sums of their reports."""

    serial: int
    open: bool
    answered: int
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Questioned:
    """One question with all its rounds so far."""

    asked: PollQuestion
    rounds: tuple[Round, ...]

    def answers(self, place: int = -1, confidence: float = 0.95) -> RoomAnswers | None:
        """The core's question about a round, by its place among the rounds; None while nobody has answered."""
        one = self.rounds[place]
        return RoomAnswers(self.asked.toss, one.totals, one.answered, confidence) if one.answered else None

    def repeated(self) -> RoomRounds:
        """The core's question about the cost of all rounds."""
        return RoomRounds(self.asked.toss, len(self.rounds), self.asked.kept)

    @property
    def spent(self) -> Spent:
        """The cost of this question for somebody who answered all of its rounds."""
        return Spent(self.asked.toss.level, len(self.rounds), self.asked.kept)


@dataclass(frozen=True)
class Room:
    """The presenter's view of a room: the card, when it was opened and ends, the number of phones, all questions."""

    card: Card
    pin: str
    opened: int
    expires: int
    joined: int
    questions: tuple[Questioned, ...]

    @property
    def current(self) -> Questioned | None:
        """The latest question."""
        return self.questions[-1] if self.questions else None

    @property
    def spent(self) -> float:
        """The level of everything that one person may have sent in this room."""
        return spent_in_all(tuple(question.spent for question in self.questions))


class Door:
    """The door of a room: it lets a limited number of phones in per second, first come, first served."""

    def __init__(self, joins: int, patience: float) -> None:
        self._joins, self._patience, self._lock = joins, patience, Lock()
        self._entries: dict[str, deque[float]] = {}

    def wait(self, code: str, now: float) -> float:
        """The seconds that a phone arriving now must wait; too long a wait is refused."""
        with self._lock:
            self._entries = {room: times for room, times in self._entries.items() if times[-1] > now - 1}
            times = self._entries.get(code) or deque(maxlen=self._joins)
            due = max(now, times[0] + 1) if len(times) == self._joins else now
            if due - now > self._patience:
                raise DenialError(Reason.CROWDED)
            times.append(due)
            self._entries[code] = times
            return due - now


@dataclass(frozen=True)
class CachedRoom:
    """The server's copy of a room, with its time, so that a phone need not wait for a look at it."""

    card: Card
    secret: bytes
    pin: str
    expires: int
    looked: float  # on the clock of `time.monotonic`, before the look began


class Rooms:
    """All rooms of a database; every method may be called from any thread.

    Methods that take a known room neither wait for the database nor for anything else.
    """

    def __init__(
        self,
        store: RoomStore,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
        source: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.limits = limits or Limits()
        self._store, self._clock, self._source = store, clock, source
        self._door = Door(self.limits.joins, self.limits.patience)
        self._lock, self._remembered = Lock(), dict[str, CachedRoom]()

    # What the presenter does

    def open(self, pin: str = "") -> Presenter:
        """Open a room, with a PIN that phones must show where one is given; the key is written nowhere."""
        pin = "".join(pin.split())
        if len(pin) > LONGEST_PIN:
            raise DenialError(Reason.PIN_LONG, most=Count(LONGEST_PIN))
        self.expire()
        key = letters(self._source(KEY))
        row = {"key": hashed(key), "secret": self._source(SECRET), "pin": pin, "opened": int(self._clock())}
        while True:
            code = code_drawn(self._source)
            if self._store.add({"code": code, **row, "version": 1, "joined": 0, "screen": ""}, self.limits.rooms):
                return Presenter(code, key)

    def look(self, presenter: Presenter) -> Room:
        """Everything that the presenter may see of the room."""
        kept = self._kept(presenter.code)
        if not hmac.compare_digest(kept.room["key"], hashed(presenter.key)):
            raise DenialError(Reason.KEY)
        return _room(kept, self.limits.life)

    def ask(self, presenter: Presenter, asked: PollQuestion) -> None:
        """Put a question: from now on its text, its mechanism and its level are fixed, and its first round is open."""
        self.look(presenter)
        self._store.ask(presenter.code, asked.written(), asked.toss.places)
        self._changed(presenter.code)

    def again(self, presenter: Presenter) -> None:
        """Open one more round of the last question."""
        asked = self._asked(presenter)
        self._store.ask(presenter.code, None, asked.toss.places)
        self._changed(presenter.code)

    def close(self, presenter: Presenter) -> None:
        """Close the round: nothing more is counted."""
        self._asked(presenter)
        self._store.turn(presenter.code, False)
        self._changed(presenter.code)

    def reopen(self, presenter: Presenter) -> None:
        """Open the last round again: phones that have not answered may."""
        self._asked(presenter)
        self._store.turn(presenter.code, True)
        self._changed(presenter.code)

    def point(self, presenter: Presenter, screen: str) -> None:
        """Note the view on the screen, as a path of this app with its parameters; phones offer the way there."""
        self.look(presenter)
        if screen and not (screen.startswith("/") and screen[1:2] not in ("/", "\\") and screen.isprintable()):
            raise DenialError(Reason.LINK)
        if len(screen) > LONGEST_LINK:
            raise DenialError(Reason.LINK)
        self._store.point(presenter.code, screen)
        self._changed(presenter.code)

    def forget(self, presenter: Presenter) -> None:
        """Delete the room with everything that is kept of it, now."""
        self.look(presenter)
        self._store.forget(presenter.code)
        self._changed(presenter.code)

    # What a phone does

    def known(self, code: str) -> CachedRoom:
        """A room as it is now."""
        code, looked = code_read(code), time.monotonic()
        newest, known = self._store.versions([code]).get(code, 0), self._remembered.get(code)
        if known is None or known.card.version != newest or known.expires <= self._clock():
            kept = self._kept(code)
            room = _room(kept, self.limits.life)
            known = CachedRoom(room.card, kept.room["secret"], room.pin, room.expires, looked)
        known = replace(known, looked=looked)
        with self._lock:
            while len(self._remembered) >= 2 * self.limits.rooms:
                del self._remembered[next(iter(self._remembered))]
            self._remembered[code] = known
        return known

    def glance(self, code: str) -> CachedRoom | None:
        """A room as it was a moment ago, without a look at the database; None where nobody has looked just now."""
        known = self._remembered.get(code_read(code))
        fresh = known is not None and known.looked + FRESH > time.monotonic() and known.expires > self._clock()
        return known if fresh else None

    def wait(self, known: CachedRoom) -> float:
        """The seconds that a phone must wait at the door before it joins."""
        return self._door.wait(known.card.code, self._clock())

    def entry(self, known: CachedRoom, pin: str) -> Joining:
        """The wish to join, of a phone that has shown the PIN."""
        if not same(pin, known.pin):
            raise DenialError(Reason.PIN)
        return Joining(known.card.code)

    def ticket(self, known: CachedRoom) -> str:
        """A ticket for a phone that has been let in: the room keeps only the number of tickets."""
        return issued(known.secret, self._source(TICKET))

    def vote(self, known: CachedRoom, ticket: str, serial: int, report: object) -> PaidReport:
        """The wish to have a report of a round counted, once."""
        name, card = named(ticket, known.secret), known.card
        if name is None:
            raise DenialError(Reason.TICKET)
        if card.asked is None or card.serial != serial:
            raise DenialError(Reason.CLOSED)
        toss = card.asked.toss
        if not toss.admits(report):
            raise DenialError(Reason.REPORT)
        increments = tuple(toss.increments(report))  # type: ignore[arg-type]
        return PaidReport(card.code, serial, used(known.secret, serial, name), increments)

    def write(self, wishes: Sequence[PhoneRequest]) -> list[DenialError | None]:
        """Let phones in and count their reports, in one transaction; for each the refusal, or None where it is done."""
        said = self._store.write(wishes, self.limits.tickets)
        return [reason and self._refusal(wish.code, reason) for wish, reason in zip(wishes, said, strict=True)]

    def card(self, code: str) -> Card:
        """The public state of a room."""
        return self.known(code).card

    def admission(self, code: str) -> float:
        """The seconds that a phone must wait at the door before it joins."""
        return self.wait(self.known(code))

    def join(self, code: str, pin: str = "") -> str:
        """A ticket for one phone."""
        known = self.known(code)
        self._written(self.entry(known, pin))
        return self.ticket(known)

    def report(self, code: str, ticket: str, serial: int, report: object) -> None:
        """Count one phone's report of a round, once; when this returns, it has been written down."""
        self._written(self.vote(self.known(code), ticket, serial, report))

    # What the server does

    def versions(self, codes: Iterable[str]) -> Mapping[str, int]:
        """The number of each presenter's actions in these rooms; a room that is gone is left out."""
        codes, looked = list(codes), time.monotonic()
        newest = self._store.versions(codes)
        for code in codes:
            known = self._remembered.get(code)
            if known is not None and known.card.version == newest.get(code):
                self._remembered[code] = replace(known, looked=looked)
            else:
                self._changed(code)
        return newest

    def expire(self) -> None:
        """Forget the rooms whose time is over."""
        if self._store.begun:
            self._store.expire(int(self._clock()) - self.limits.life)

    # How it is done

    def _asked(self, presenter: Presenter) -> PollQuestion:
        current = self.look(presenter).current
        if current is None:
            raise DenialError(Reason.NOTHING_ASKED)
        return current.asked

    def _kept(self, code: str) -> Kept:
        code = code_read(code)
        kept = self._store.kept(code)
        if kept is not None and kept.room["opened"] + self.limits.life <= self._clock():
            self._store.forget(code)
            kept = None
        if kept is None:
            self._changed(code)
            raise DenialError(Reason.UNKNOWN)
        return kept

    def _changed(self, code: str) -> None:
        """Drop the copy of a room that has changed."""
        self._remembered.pop(code, None)

    def _written(self, wish: PhoneRequest) -> None:
        """Write down one wish alone."""
        (problem,) = self.write([wish])
        if problem is not None:
            raise problem

    def _refusal(self, code: str, reason: Reason) -> DenialError:
        """The refusal of a wish: a room that is gone gives that as its reason."""
        if reason is not Reason.USED:
            try:
                self.known(code)
            except DenialError as problem:
                return problem
        return DenialError(reason, most=Count(self.limits.tickets)) if reason is Reason.FULL else DenialError(reason)


def _room(kept: Kept, life: int) -> Room:
    """A room from its rows."""
    row, rounds = kept.room, kept.rounds
    questions = tuple(
        Questioned(
            PollQuestion.read(asked),
            tuple(
                Round(one["serial"], bool(one["open"]), one["answered"], kept.totals[one["serial"]])
                for one in rounds
                if one["number"] == number
            ),
        )
        for number, asked in enumerate(kept.questions, 1)
    )
    card = Card(row["code"], row["version"], "waiting", bool(row["pin"]), 0, 0, 0, None, row["screen"])
    if questions:
        last = questions[-1].rounds[-1]
        card = replace(
            card,
            stage="open" if last.open else "closed",
            serial=last.serial,
            number=len(questions),
            round=len(questions[-1].rounds),
            asked=questions[-1].asked,
        )
    return Room(card, row["pin"], row["opened"], row["opened"] + life, row["joined"], questions)


@cache
def rooms() -> Rooms:
    """The rooms of this server: its routes and the presenter's page share them."""
    from explorer.poll.store import RoomStore  # where a room is asked for: the database is a fifth of a start

    return Rooms(RoomStore(address()))
