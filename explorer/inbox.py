"""Files that readers have sent and no page has read yet: one of each session, and so many bytes of all together.

The server notes a file while it arrives, and the page says when it has read it: then it leaves the server's memory,
which would else keep it as long as the session lasts. Whoever sends another takes the one before away; where all are
too much, the oldest gives way, be it that it still arrives.
"""

from __future__ import annotations

import threading
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


class Inbox:
    """All files that wait; every method may be called from any thread."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, threading.RLock()
        self._letters: dict[str, Letter] = {}

    def put(self, letter: Letter) -> None:
        """A file begins to arrive, in place of the one that its session has sent before."""
        with self._lock:
            former = self._letters.pop(letter.session, None)
            if former is not None and former.file != letter.file:
                self._away(former)
            self._letters[letter.session] = letter
            while len(self._letters) > MOST_SESSIONS:
                self._away(self._letters.pop(next(iter(self._letters))))

    def grow(self, letter: Letter, size: int) -> None:
        """So many bytes more have arrived; where there is no room for them, the oldest give way."""
        with self._lock:
            letter.size += size
            while self.size > self._most and (oldest := next(iter(self._letters.values()))) is not letter:
                self._away(self._letters.pop(oldest.session))

    def read(self, file: str) -> None:
        """A page has read the file with this name, or does not want it: it goes."""
        with self._lock:
            for letter in [letter for letter in self._letters.values() if letter.file == file]:
                self._away(self._letters.pop(letter.session))

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
            return sum(letter.size for letter in self._letters.values())

    @staticmethod
    def _away(letter: Letter) -> None:
        letter.wanted = False
        letter.remove()


@cache
def inbox() -> Inbox:
    """The only one of this server: its layers fill it, and pages empty it."""
    return Inbox()
