"""Time in tests: waiting until something holds, however busy the machine is, and a loop whose time nobody waits for."""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine
from typing import Any

PATIENCE = 120.0  # seconds after which a test that hangs says so; nothing takes as long


def waited(condition: Callable[[], object], pause: float = 0.01) -> None:
    """Wait until a condition holds, and fail where it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(pause)


class Leaping(selectors.SelectSelector):
    """A selector that never sleeps: where nothing is ready, its time passes at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        return ready


def at_once(work: Callable[[Callable[[], float]], Coroutine[Any, Any, None]]) -> None:
    """Run what takes time in a loop whose time passes at once; `work` is given the clock of that loop."""
    selector = Leaping()

    def begun() -> asyncio.AbstractEventLoop:
        loop = asyncio.SelectorEventLoop(selector)
        loop.time = lambda: selector.now  # type: ignore[method-assign]
        return loop

    with asyncio.Runner(loop_factory=begun) as runner:
        runner.run(work(lambda: selector.now))
