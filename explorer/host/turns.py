"""Turns: Python works on one thing at a time, so short work goes before long work.

A few pages are built at once, in the order in which they are asked for; those of readers who arrive, or come back when
another server has died, go before those of readers who have theirs and move something. Of the dear questions that are
answered while a page is built, one at a time is worked on, the cheapest first; a cheap question never waits for them.
Long work, in threads of its own, pauses for a moment whenever it reports progress and some page is being built, and
its threads stand back for the others.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from time import monotonic

from ldpcore.processes import lower_priority_of_thread

SWITCH = 0.001  # seconds after which one thread lets another work (Python's own: 0.005)
# The same while a crowd arrives: a page is built in one go, and then it is the turn of the loop that hears and sends,
# which looks through all readers for each few messages. Measured: a page of who comes back takes a tenth less.
CROWDED, CROWD = 0.02, 4  # seconds; pages of who arrives that wait
# Pages that are built at once. Were it all that are asked for, two hundred who come together would all have theirs only
# when the last of them has it, and a fifth of the time would go to changing from one to another.
PLACES = 1
FAIR = 4  # places given back, one of which goes to a reader who has been here before
SLOW = 0.1  # seconds without a page done, after which one more is begun
DEAR = 0.15  # processor seconds from which a question waits for its turn: three times what is hardly noticed
AGING = 0.1  # seconds of work that a second of waiting makes up for
PAUSE = 0.05  # seconds that long work waits, at most, for pages that are being built
LATE = 10.0  # seconds after which nobody waits any more
NICE = 10  # of the threads of long work, where the system can tell threads apart


def _at_once(call: Callable[[], object]) -> object:
    """Call a function."""
    return call()


class WaitingPlaces:
    """A limited number of places, first come, first served; every method may be called from any thread."""

    def __init__(self, free: int = PLACES) -> None:
        self._lock, self._free, self._begun, self._given = threading.Lock(), free, 0.0, 0
        self._arriving, self._others = deque[threading.Event](), deque[threading.Event]()
        self._usual: float | None = None  # how often threads change where no crowd arrives, while one does
        self.through: Callable[[Callable[[], object]], object] = _at_once  # what calls the next while a crowd arrives

    def take(self, arriving: bool) -> None:
        """Wait for a place, or until the holders of all places take long."""
        queue = self._arriving if arriving else self._others
        with self._lock:
            if self._free > 0:
                self._begin()
                return
            called = threading.Event()
            queue.append(called)
            ahead = len(queue)
            self._pace()
        while not called.wait(SLOW * ahead):
            with self._lock:
                if called not in queue:  # it was called just now
                    return
                if monotonic() - self._begun > SLOW:
                    queue.remove(called)
                    self._begin()
                    self._pace()
                    return
                ahead = queue.index(called) + 1

    @property
    def arriving(self) -> int:
        """The number of arriving readers who wait for a place."""
        return len(self._arriving)

    def go_on(self) -> None:
        """Take a place at once, for a page that had one already and has only stood aside."""
        with self._lock:
            self._begin()

    def leave(self) -> None:
        """Give a place back to the next page in line."""
        with self._lock:
            self._free += 1
            self._given += 1
            queue = self._arriving or self._others
            if self._given % FAIR == 0 and self._others:  # else those who move something starve while others arrive
                queue = self._others
            if self._free > 0 and queue:
                self._begin()
                called = queue.popleft().set
                try:
                    (_at_once if self._usual is None else self.through)(called)
                except RuntimeError:  # of a loop that has ended
                    called()
                self._pace()

    def _pace(self) -> None:
        """Let threads change seldom while a crowd waits: from now until no arriving reader does."""
        if self._usual is None and len(self._arriving) >= CROWD:
            self._usual = sys.getswitchinterval()
            sys.setswitchinterval(CROWDED)
        elif self._usual is not None and not self._arriving:
            sys.setswitchinterval(self._usual)
            self._usual = None

    def _begin(self) -> None:
        self._free -= 1
        self._begun = monotonic()


class Turns:
    """One dear question at a time, and a few pages; every method may be called from any thread."""

    def __init__(self) -> None:
        self._places = WaitingPlaces()
        self._changed = threading.Condition()
        self._waiting: dict[object, tuple[float, float]] = {}  # what each takes, and since when it waits
        self._taken: int | None = None  # by which thread
        self._building = 0

    @property
    def arriving(self) -> int:
        """The number of readers who wait for their first page."""
        return self._places.arriving

    def lead_through(self, loop: asyncio.AbstractEventLoop) -> None:
        """While a crowd arrives, let this loop do its work between two pages."""
        self._places.through = loop.call_soon_threadsafe

    @contextmanager
    def turn(self, seconds: float) -> Iterator[None]:
        """Wait for the turn of a question of this many seconds; its follow-up questions keep the turn."""
        mine = threading.get_ident()
        if seconds < DEAR or self._taken == mine:
            yield
            return
        had = self._wait(mine, seconds)
        try:
            yield
        finally:
            if had:
                with self._changed:
                    self._taken = None
                    self._changed.notify_all()

    def _wait(self, mine: int, seconds: float) -> bool:
        """Whether the turn has come; after a while the question goes on without."""
        name = object()
        with self.aside(), self._changed:
            self._waiting[name] = seconds, monotonic()
            come = self._changed.wait_for(lambda: self._taken is None and self._first() is name, LATE)
            del self._waiting[name]
            if come:
                self._taken = mine
            return come

    def _first(self) -> object:
        """The cheapest of the waiting questions, which become cheaper the longer they wait."""
        now = monotonic()
        return min(self._waiting, key=lambda name: self._waiting[name][0] - AGING * (now - self._waiting[name][1]))

    @contextmanager
    def building(self, arriving: bool = False) -> Iterator[None]:
        """While this lasts, a page is being built, once there is a place for it."""
        self._count(1)
        self._places.take(arriving)
        try:
            yield
        finally:
            self._places.leave()
            self._count(-1)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While this lasts, a page that is being built waits for something."""
        self._count(-1)
        self._places.leave()
        try:
            yield
        finally:
            self._places.go_on()
            self._count(1)

    def _count(self, more: int) -> None:
        with self._changed:
            self._building += more
            self._changed.notify_all()

    def pause(self) -> None:
        """Let long work wait a moment for pages that are being built."""
        with self._changed:
            self._changed.wait_for(lambda: self._building <= 0, PAUSE)


@cache
def turns() -> Turns:
    """The turns of this server."""
    return Turns()


def stand_back() -> None:
    """Lower this thread of long work behind others, where the system can tell threads apart."""
    lower_priority_of_thread(NICE)


def take_short_turns() -> None:
    """Shorten the turns of threads, once, where the server starts: a waiting one gets the interpreter sooner."""
    sys.setswitchinterval(SWITCH)
