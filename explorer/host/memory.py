"""Unused memory, given back to the system: after a large file, and when readers have gone.

Streamlit's collection after every run is off, for it stalls everybody; this one comes when a reader has left, and in a
thread of its own.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

_MOST_HEAPS = -8  # glibc's M_ARENA_MAX
SOON = 5.0  # seconds after which memory is given back for all who have gone meanwhile
HEAPS = 2  # of the C library: one for each thread is its own, and what is freed in any of them stays in pieces
# Objects made before Python looks for cycles among them (its own is 700), and how often before it looks further back.
# Everybody waits meanwhile: with 50 000 objects two hundred readers waited 0.4 s now and then, with these 0.12 s.
PATIENCE = (10_000, 10, 50)


class Collector:
    """A collector that gives memory back some time after readers have gone, once for all who go together."""

    def __init__(self, work: Callable[[], None] | None = None) -> None:
        self._work = work or give_back
        self._lock, self._waiting = threading.RLock(), set[float]()

    def gone(self, after: float = SOON) -> None:
        """Give back a leaving reader's memory, `after` this many seconds."""
        with self._lock:
            if after in self._waiting:
                return
            self._waiting.add(after)
        timer = threading.Timer(after, self._due, (after,))
        timer.daemon = True
        timer.start()

    def _due(self, after: float) -> None:
        with self._lock:
            self._waiting.discard(after)
        self._work()


@contextmanager
def loading() -> Iterator[None]:
    """Load the server without a collection: its modules stay, and are looked through neither now nor later.

    Measured: of the processor time of a start the collector took a tenth.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        settle()


def settle() -> None:
    """Freeze the objects that the server has loaded: no collection looks through them again, and fewer come.

    Measured: half a million objects of modules, looked through three times on the way to a first page, took 0.2 s; and
    with two heaps instead of sixteen a server keeps 40 MB instead of 90 after busy readers have gone.
    """
    gc.freeze()
    gc.set_threshold(*PATIENCE)
    _tell_the_c_library("mallopt", _MOST_HEAPS, HEAPS)


def give_back() -> None:
    """Give unused memory back to the system: Python's, Arrow's, and that of the C library."""
    gc.collect()
    arrow = sys.modules.get("pyarrow")  # loaded with pandas, if at all
    if arrow is not None:
        arrow.default_memory_pool().release_unused()
    _tell_the_c_library("malloc_trim", 0)


def _tell_the_c_library(function: str, *values: int) -> None:
    """Call a function of glibc's; elsewhere memory is kept as the system keeps it."""
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):
            ctypes.CDLL(None)[function](*values)
