"""Who may do what in a room: its codes, keys and tickets, its rounds, its limits and its end.

The presenter opens, asks, closes and forgets, with a key; a phone joins and answers, with a ticket, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from threading import Lock
from typing import Literal

from explorer.facts import Count
from explorer.poll.denials import DenialError, Reason
from explorer.poll.questions import Asked
from explorer.poll.store import Kept, Store, address
from ldpcore.experiments.polls import RoomAnswers, RoomRounds, Spent, spent_in_all

ALPHABET = "BCDFGHJKLMNPQRSTVWXYZ"  # no 0 and O, no 1 and I, and no vowels, which would make words
CODE, KEY, SECRET, TICKET, MARK = 6, 16, 32, 12, 16  # letters of a code; bytes of all others
LONGEST_PIN, LONGEST_LINK = 12, 2000  # letters
Stage = Literal["waiting", "open", "closed"]


@dataclass(frozen=True)
class Limits:
    """How much a server keeps, and for how long: tickets of a room, rooms, joins a second, seconds."""

    tickets: int = 5_000
    rooms: int = 200
    joins: int = 50
    patience: float = 30.0  # that a phone may wait at the door
    life: int = 24 * 3600


@dataclass(frozen=True)
class Presenter:
    """Whoever opened a room: its code, and the key that opens it from any device."""

    code: str
    key: str


@dataclass(frozen=True)
class Card:
    """What everybody in a room may know: its stage, its question, which round it is, and the view on the screen.

    `version` counts what the presenter has done; `serial` numbers the rounds of all questions, and `round` those of
    this one.
    """

    code: str
    version: int
    stage: Stage
    pin: bool
    serial: int
    number: int
    round: int
    asked: Asked | None
    screen: str


@dataclass(frozen=True)
class Round:
    """One round: whether it is open, how many have answered, and the sums of their reports."""

    serial: int
    open: bool
    answered: int
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Questioned:
    """One question with all its rounds so far."""

    asked: Asked
    rounds: tuple[Round, ...]

    def answers(self, place: int = -1, confidence: float = 0.95) -> RoomAnswers | None:
        """What the core is asked about a round, by its place among the rounds; None while nobody has answered."""
        one = self.rounds[place]
        return RoomAnswers(self.asked.toss, one.totals, one.answered, confidence) if one.answered else None

    def repeated(self) -> RoomRounds:
        """What the core is asked about the cost of all rounds."""
        return RoomRounds(self.asked.toss, len(self.rounds), self.asked.kept)

    @property
    def spent(self) -> Spent:
        """What this question has cost somebody who answered all of its rounds."""
        return Spent(self.asked.toss.level, len(self.rounds), self.asked.kept)


@dataclass(frozen=True)
class Room:
    """What the presenter sees: the card, when the room was opened and ends, how many have joined, and all questions."""

    card: Card
    pin: str
    opened: int
    expires: int
    joined: int
    questions: tuple[Questioned, ...]

    @property
    def current(self) -> Questioned | None:
        """The question that was asked last."""
        return self.questions[-1] if self.questions else None

    @property
    def spent(self) -> float:
        """The level of everything that one person may have sent in this room."""
        return spent_in_all(tuple(question.spent for question in self.questions))


class Door:
    """Lets so many phones into a room in any second, in the order in which they come; the others wait."""

    def __init__(self, joins: int, patience: float) -> None:
        self._joins, self._patience, self._lock = joins, patience, Lock()
        self._entries: dict[str, deque[float]] = {}

    def wait(self, code: str, now: float) -> float:
        """For how many seconds whoever comes now must wait; too long a wait is refused."""
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
class _Known:
    """What a server remembers of a room, so that a report need not ask for it."""

    card: Card
    secret: bytes
    pin: str
    expires: int


class Rooms:
    """All rooms of a database; every method may be called from any thread."""

    def __init__(
        self,
        store: Store,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.time,
        source: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self.limits = limits or Limits()
        self._store, self._clock, self._source = store, clock, source
        self._door = Door(self.limits.joins, self.limits.patience)
        self._lock, self._remembered = Lock(), dict[str, _Known]()

    # What the presenter does

    def open(self, pin: str = "") -> Presenter:
        """Open a room, with a PIN that phones must show where one is given; the key is written nowhere."""
        pin = "".join(pin.split())
        if len(pin) > LONGEST_PIN:
            raise DenialError(Reason.PIN_LONG, most=Count(LONGEST_PIN))
        self.expire()
        key = _letters(self._source(KEY))
        row = {"key": _hashed(key), "secret": self._source(SECRET), "pin": pin, "opened": int(self._clock())}
        while True:
            code = self._code()
            if self._store.add({"code": code, **row, "version": 1, "joined": 0, "screen": ""}, self.limits.rooms):
                return Presenter(code, key)

    def look(self, presenter: Presenter) -> Room:
        """Everything that the presenter may see of the room."""
        kept = self._kept(presenter.code)
        if not hmac.compare_digest(kept.room["key"], _hashed(presenter.key)):
            raise DenialError(Reason.KEY)
        return _room(kept, self.limits.life)

    def ask(self, presenter: Presenter, asked: Asked) -> None:
        """Put a question: from now on it, its mechanism and its level are fixed, and its first round is open."""
        self.look(presenter)
        self._store.ask(presenter.code, asked.written(), asked.toss.places)

    def again(self, presenter: Presenter) -> None:
        """Open one more round of the last question."""
        asked = self._asked(presenter)
        self._store.ask(presenter.code, None, asked.toss.places)

    def close(self, presenter: Presenter) -> None:
        """Close the round: nothing more is counted."""
        self._asked(presenter)
        self._store.turn(presenter.code, False)

    def reopen(self, presenter: Presenter) -> None:
        """Open the same round again: whoever has not answered may."""
        self._asked(presenter)
        self._store.turn(presenter.code, True)

    def point(self, presenter: Presenter, screen: str) -> None:
        """Note the view on the screen, as a path of this app with its parameters; phones offer the way there."""
        self.look(presenter)
        if screen and not (screen.startswith("/") and screen[1:2] not in ("/", "\\") and screen.isprintable()):
            raise DenialError(Reason.LINK)
        if len(screen) > LONGEST_LINK:
            raise DenialError(Reason.LINK)
        self._store.point(presenter.code, screen)

    def forget(self, presenter: Presenter) -> None:
        """Delete the room with everything that is kept of it, now."""
        self.look(presenter)
        self._store.forget(presenter.code)
        with self._lock:
            self._remembered.pop(presenter.code, None)

    # What a phone does

    def card(self, code: str, version: int = 0) -> Card:
        """What everybody may know of a room; a remembered card of this version, where one is given, is good enough."""
        return self._known(_code(code), version).card

    def admission(self, code: str) -> float:
        """For how many seconds a phone must wait at the door before it joins."""
        code = self.card(code).code
        return self._door.wait(code, self._clock())

    def join(self, code: str, pin: str = "") -> str:
        """A ticket for a phone: a random name, signed by the room, which keeps nothing of it but how many there are."""
        code = _code(code)
        known = self._known(code)
        if not hmac.compare_digest(_bytes(known.pin), _bytes("".join(pin.split()))):
            raise DenialError(Reason.PIN)
        if not self._store.join(code, self.limits.tickets):
            self._known(code)  # says that the room is gone where it is
            raise DenialError(Reason.FULL, most=Count(self.limits.tickets))
        name = self._source(TICKET)
        return _letters(name + _signed(known.secret, b"ticket", name)[:TICKET])

    def report(self, code: str, ticket: str, serial: int, report: object) -> None:
        """Count a phone's report of a round, once; when this returns, it has been written down."""
        code = _code(code)
        known = self._remembered.get(code)
        if known is None or known.card.serial != serial or known.expires <= self._clock():
            known = self._known(code)
        name = _named(ticket, known.secret)
        if name is None:
            known = self._known(code)  # the code may have become another room's
            name = _named(ticket, known.secret)
        if name is None:
            raise DenialError(Reason.TICKET)
        asked = known.card.asked
        if asked is None or known.card.serial != serial:
            raise DenialError(Reason.CLOSED)
        if not asked.toss.admits(report):
            raise DenialError(Reason.REPORT)
        mark = _signed(known.secret, b"used", b"%d " % serial + name)[:MARK]
        if not self._store.count(code, serial, mark, asked.toss.increments(report)):  # type: ignore[arg-type]
            self._known(code)
            raise DenialError(Reason.USED if self._store.used(code, serial, mark) else Reason.CLOSED)

    # What the server does

    def versions(self, codes: Iterable[str]) -> Mapping[str, int]:
        """What the presenters of these rooms have done, counted; a room that is gone is left out."""
        return self._store.versions(codes)

    def expire(self) -> None:
        """Forget the rooms whose time is over."""
        if self._store.begun:
            self._store.expire(int(self._clock()) - self.limits.life)

    # How it is done

    def _asked(self, presenter: Presenter) -> Asked:
        current = self.look(presenter).current
        if current is None:
            raise DenialError(Reason.NOTHING_ASKED)
        return current.asked

    def _kept(self, code: str) -> Kept:
        code = _code(code)
        kept = self._store.kept(code)
        if kept is not None and kept.room["opened"] + self.limits.life <= self._clock():
            self._store.forget(code)
            kept = None
        if kept is None:
            with self._lock:
                self._remembered.pop(code, None)
            raise DenialError(Reason.UNKNOWN)
        return kept

    def _known(self, code: str, version: int = 0) -> _Known:
        """A room as it is remembered, where that is new enough, else as it is kept."""
        known = self._remembered.get(code)
        newest = version or self._store.versions([code]).get(code, 0)
        if known is None or known.card.version < newest or not newest or known.expires <= self._clock():
            kept = self._kept(code)
            room = _room(kept, self.limits.life)
            known = _Known(room.card, kept.room["secret"], room.pin, room.expires)
            with self._lock:
                while len(self._remembered) >= 2 * self.limits.rooms:
                    del self._remembered[next(iter(self._remembered))]
                self._remembered[code] = known
        return known

    def _code(self) -> str:
        """Six letters, all equally likely: bytes that would favor the first letters are left out."""
        fair = 256 - 256 % len(ALPHABET)
        letters = ""
        while len(letters) < CODE:
            letters += "".join(ALPHABET[byte % len(ALPHABET)] for byte in self._source(CODE) if byte < fair)
        return letters[:CODE]


def _code(typed: str) -> str:
    """A code as it is kept, however it was typed; what cannot be one is no room's."""
    code = "".join(letter for letter in typed.upper() if letter.isalnum())
    if len(code) != CODE or set(code) - set(ALPHABET):
        raise DenialError(Reason.UNKNOWN)
    return code


def _letters(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(typed: str) -> bytes:
    """What was typed, whatever it was: half a letter of Unicode becomes a question mark."""
    return typed.encode("utf-8", "replace")


def _hashed(key: str) -> bytes:
    return hashlib.sha256(_bytes(key)).digest()


def _signed(secret: bytes, purpose: bytes, text: bytes) -> bytes:
    return hmac.digest(secret, purpose + b" " + text, "sha256")


def _named(ticket: str, secret: bytes) -> bytes | None:
    """The random name in a ticket; None where this room has not signed it."""
    try:
        raw = base64.b64decode(ticket.encode("ascii"), altchars=b"-_", validate=True)
    except (UnicodeEncodeError, ValueError):
        return None
    name, mark = raw[:TICKET], raw[TICKET:]
    whole = len(name) == TICKET and _letters(raw) == ticket
    return name if whole and hmac.compare_digest(mark, _signed(secret, b"ticket", name)[:TICKET]) else None


def _room(kept: Kept, life: int) -> Room:
    """A room from its rows."""
    row, rounds = kept.room, kept.rounds
    questions = tuple(
        Questioned(
            Asked.read(asked),
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
    return Rooms(Store(address()))
