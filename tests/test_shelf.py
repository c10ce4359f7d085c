"""All tables together stay within what the server has, and go with those who brought them."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial

import pytest

from explorer.host import memory
from explorer.host.memory import Collector, give_back
from explorer.host.shelf import Shelf


class Clock:
    now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def test_what_was_not_used_for_longest_gives_way() -> None:
    shelf = Shelf(100, Clock())
    first, second = shelf.put("first", 40), shelf.put("second", 40)
    assert shelf.take(first) == "first"
    third = shelf.put("third", 40)
    assert [shelf.take(ticket) for ticket in (first, second, third)] == ["first", None, "third"]
    assert shelf.size == 80


def test_a_thing_larger_than_all_room_stays_alone() -> None:
    shelf = Shelf(100)
    small, large = shelf.put("small", 10), shelf.put("large", 500)
    assert shelf.take(small) is None and shelf.take(large) == "large"


def test_what_is_kept_goes_with_its_ticket() -> None:
    shelf = Shelf(100)
    ticket = shelf.put("mine", 60)
    assert shelf.size == 60
    del ticket
    gc.collect()
    assert shelf.size == 0


def test_memory_is_given_back_on_every_system() -> None:
    give_back()


def test_memory_is_given_back_once_for_all_who_go_together(monkeypatch: pytest.MonkeyPatch) -> None:
    class Timer:
        """Time that is up when the test says so."""

        def __init__(self, after: float, work: Callable[..., None], given: tuple[float, ...]) -> None:
            self.up, self.daemon = partial(work, *given), False

        def start(self) -> None:
            waiting.append(self)

    waiting, given = list[Timer](), list[str]()
    monkeypatch.setattr(memory.threading, "Timer", Timer)
    collector = Collector(partial(given.append, "back"))
    for most in (1, 2):
        for _ in range(10):
            collector.gone(0.05)
        assert len(waiting) == most and len(given) == most - 1
        waiting[-1].up()
    assert given == ["back"] * 2
