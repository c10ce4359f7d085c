"""What one typed text takes: the memory at its peak, and the processor time of the whole process.

Memory is what Python and NumPy have asked for, as `tracemalloc` counts it, or what the process holds more than before,
as Linux counts it, whichever is more. Both are taken in one run; `tracemalloc` makes that slower and never faster, so
that time is taken again without it only where it was too long.
"""

from __future__ import annotations

import gc
import importlib
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from ldpcore.costs import MEGABYTE

MOST_BYTES, MOST_SECONDS = 150 * MEGABYTE, 2.0  # of one text, in the page's thread
ROOM = 1 << 31  # bytes that a text may ask for at all: beyond, it fails instead of taking the machine along
Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class Weighed(Generic[Outcome]):
    """What came of it, and what it took."""

    outcome: Outcome
    bytes: float
    seconds: float


def weighed(work: Callable[[], Outcome], again: bool = True) -> Weighed[Outcome]:
    """What work takes; where that is too long while it is traced, it is done `again` to see how long without."""
    first = _traced(work)
    if first.seconds <= MOST_SECONDS or not again:
        return first
    began = time.process_time()
    outcome = work()
    return Weighed(outcome, first.bytes, min(first.seconds, time.process_time() - began))


def _traced(work: Callable[[], Outcome]) -> Weighed[Outcome]:
    with _roof(), _tracing():
        before, held = tracemalloc.get_traced_memory()[0], _held_anew()
        began = time.process_time()
        outcome = work()
        seconds = time.process_time() - began
        return Weighed(outcome, max(tracemalloc.get_traced_memory()[1] - before, _most_held() - held), seconds)


@contextmanager
def _tracing() -> Iterator[None]:
    """What was left over from what went before is not counted."""
    _loaded()
    gc.collect(0)
    tracemalloc.start()
    try:
        yield
    finally:
        tracemalloc.stop()


def _loaded() -> None:
    """SciPy's parts are loaded once, whoever asks first: that is no text's fault."""
    for part in ("linalg", "optimize", "signal", "sparse", "special", "stats", "spatial", "interpolate", "fft"):
        importlib.import_module(f"scipy.{part}")


@contextmanager
def _roof() -> Iterator[None]:
    """While it lasts, nothing can take all memory: what asks for a terabyte is refused by the system."""
    if sys.platform != "linux":
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    present = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (present + ROOM if hard < 0 else min(present + ROOM, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _held_anew() -> float:
    """Bytes that the process holds; from now on its peak is counted anew, where the system can."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    return _status("VmRSS")


def _most_held() -> float:
    """Bytes that the process has held at most since; nothing where the system does not say."""
    return _status("VmHWM")


def _status(name: str) -> float:
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{name}:"):
                return float(line.split()[1]) * 1024
    return 0.0
