"""Files that readers have sent and no page has read yet: one per session, with a limit on their bytes together.

The server notes a file while it arrives, and the page says when it has read it: then it leaves the server's memory,
which would else keep it as long as the session lasts. A new file replaces the session's last one; where all are
too much, the oldest is dropped, even one that still arrives, and its reader's page says so. Waiting files end with
their session.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

MOST = 150 << 20  # bytes of all files that wait to be read
MOST_SESSIONS = 1_000  # with a remembered last file


@dataclass(eq=False)
class Letter:
    """A file on its way: its session, its name, and the means to take it out of the server's memory."""

    session: str
    file: str
    remove: Callable[[], object]  # from any thread
    size: int = 0
    wanted: bool = True


class Box:
    """The session's box: a reference, in the session's memory alone, to its waiting file."""


class Inbox:
    """The inbox of all waiting files; every method may be called from any thread."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, threading.RLock()
        self._letters: dict[str, Letter] = {}
        self._gave_way: dict[str, bool] = {}  # the sessions whose last file did, in order

    def box(self, session: str) -> Box:
        """The session's box; its file is dropped when the last reference to the box is gone."""
        box = Box()
        weakref.finalize(box, self._leave, session).atexit = False
        return box

    def put(self, letter: Letter) -> None:
        """Enter a file that begins to arrive, in place of its session's last one."""
        with self._lock:
            former = self._letters.pop(letter.session, None)
            if former is not None and former.file != letter.file:
                self._away(former)
            self._letters[letter.session] = letter
            self._gave_way.pop(letter.session, False)
            while len(self._letters) > MOST_SESSIONS:
                self._give_way(next(iter(self._letters.values())))

    def grow(self, letter: Letter, size: int) -> None:
        """Add the bytes that have arrived; where there is no room for them, drop the oldest files."""
        with self._lock:
            letter.size += size
            while self.size > self._most and (oldest := next(iter(self._letters.values()))) is not letter:
                self._give_way(oldest)

    def gave_way(self, session: str) -> bool:
        """Whether the last file of this session was dropped for others; it is told once."""
        with self._lock:
            return self._gave_way.pop(session, False)

    def read(self, file: str) -> None:
        """Remove the file with this name, which a page has read or does not want."""
        with self._lock:
            for letter in tuple(self._letters.values()):  # a box may go meanwhile, and take what waits with it
                if letter.file == file:
                    self._away(self._letters.pop(letter.session, letter))

    def forget(self, session: str, file: str) -> None:
        """Forget a file that the server does not hold, because it was refused or deleted."""
        with self._lock:
            letter = self._letters.get(session)
            if letter is not None and letter.file == file:
                del self._letters[session]

    @property
    def size(self) -> int:
        """The bytes of all waiting files."""
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
    """The server's only inbox: its layers fill it, and pages empty it."""
    return Inbox()
