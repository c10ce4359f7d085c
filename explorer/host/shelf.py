"""The shelf of readers' tables, with a limit on their bytes; the least recently used one is put away first.

Each reader holds a ticket. Its table is gone when the last reference to the ticket is gone: with its session.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeVar

from explorer.host.memory import Collector

Thing = TypeVar("Thing")
MEGABYTE = 1 << 20
MOST = 300 * MEGABYTE  # of all tables and files together
LARGE = 8 * MEGABYTE  # memory is given back to the system after this much


class Ticket:
    """The ticket for a thing on the shelf."""


@dataclass(eq=False)
class _Kept(Generic[Thing]):
    thing: Thing
    size: float
    used: float


class Shelf(Generic[Thing]):
    """The shelf of all readers' things; every method may be called from any thread."""

    def __init__(self, most: float = MOST, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._clock = most, clock
        self._lock, self._collector = threading.RLock(), Collector()
        self._kept: dict[int, _Kept[Thing]] = {}

    def put(self, thing: Thing, size: float) -> Ticket:
        """Keep a thing of this size, and put away the least recently used ones where all are too large."""
        ticket = Ticket()
        with self._lock:
            waiting = sorted(self._kept, key=lambda name: self._kept[name].used)
            while waiting and self.size + size > self._most:
                del self._kept[waiting.pop(0)]
            self._kept[id(ticket)] = _Kept(thing, size, self._clock())
        weakref.finalize(ticket, self._drop, id(ticket))
        return ticket

    def take(self, ticket: Ticket) -> Thing | None:
        """The thing of a ticket, which is used now; None where it has been put away."""
        with self._lock:
            kept = self._kept.get(id(ticket))
            if kept is None:
                return None
            kept.used = self._clock()
            return kept.thing

    @property
    def size(self) -> float:
        """The bytes of all things kept."""
        with self._lock:
            return sum(kept.size for kept in tuple(self._kept.values()))  # a ticket may go meanwhile

    def _drop(self, name: int) -> None:
        with self._lock:
            kept = self._kept.pop(name, None)
        if kept is not None and kept.size > LARGE:
            del kept
            self._collector.gone()
