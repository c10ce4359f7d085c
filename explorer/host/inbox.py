"""Files that readers have sent and no page has read yet: one of each session, and so many bytes of all together.

The server notes a file while it arrives, and the page says when it has read it: then it leaves the server's memory,
which would else keep it as long as the session lasts. Whoever sends another takes the one before away; where all are
too much, the oldest gives way, be it that it still arrives, and its reader's page says so. What waits goes with the
session.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

MOST = 150 << 20  # bytes of all files that wait to be read
MOST_SESSIONS = 1_000  # whose last file is remembered


@dataclass(eq=False)
class Letter:
    """A file on its way: whose it is, what it is called, and how it is taken out of the server's memory."""

    session: str
    file: str
    remove: Callable[[], object]  # from any thread
    size: int = 0
    wanted: bool = True


class Box:
    """Stands for what waits for a session, in that session's memory alone."""


class Inbox:
    """All files that wait; every method may be called from any thread."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, threading.RLock()
        self._letters: dict[str, Letter] = {}
        self._gave_way: dict[str, bool] = {}  # the sessions whose last file did, in order

    def box(self, session: str) -> Box:
        """What waits for the session goes as soon as nobody holds this any more."""
        box = Box()
        weakref.finalize(box, self._leave, session).atexit = False
        return box

    def put(self, letter: Letter) -> None:
        """A file begins to arrive, in place of the one that its session has sent before."""
        with self._lock:
            former = self._letters.pop(letter.session, None)
            if former is not None and former.file != letter.file:
                self._away(former)
            self._letters[letter.session] = letter
            self._gave_way.pop(letter.session, False)
            while len(self._letters) > MOST_SESSIONS:
                self._give_way(next(iter(self._letters.values())))

    def grow(self, letter: Letter, size: int) -> None:
        """So many bytes more have arrived; where there is no room for them, the oldest give way."""
        with self._lock:
            letter.size += size
            while self.size > self._most and (oldest := next(iter(self._letters.values()))) is not letter:
                self._give_way(oldest)

    def gave_way(self, session: str) -> bool:
        """Whether the last file of this session gave way to others; it is told once."""
        with self._lock:
            return self._gave_way.pop(session, False)

    def read(self, file: str) -> None:
        """A page has read the file with this name, or does not want it: it goes."""
        with self._lock:
            for letter in tuple(self._letters.values()):  # a box may go meanwhile, and take what waits with it
                if letter.file == file:
                    self._away(self._letters.pop(letter.session, letter))

    def forget(self, session: str, file: str) -> None:
        """The server does not hold this file, for it was refused or has been deleted."""
        with self._lock:
            letter = self._letters.get(session)
            if letter is not None and letter.file == file:
                del self._letters[session]

    @property
    def size(self) -> int:
        """The bytes of all that waits."""
        with self._lock:
            return sum(letter.size for letter in tuple(self._letters.values()))

    def _give_way(self, letter: Letter) -> None:
        self._away(self._letters.pop(letter.session))
        self._gave_way[letter.session] = True
        while len(self._gave_way) > MOST_SESSIONS:
            del self._gave_way[next(iter(self._gave_way))]

    def _leave(self, session: str) -> None:
        with self._lock:
            letter = self._letters.pop(session, None)
            self._gave_way.pop(session, False)
        if letter is not None:
            self._away(letter)

    @staticmethod
    def _away(letter: Letter) -> None:
        letter.wanted = False
        letter.remove()


@cache
def inbox() -> Inbox:
    """The only one of this server: its layers fill it, and pages empty it."""
    return Inbox()
