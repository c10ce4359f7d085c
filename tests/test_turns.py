"""Short things go before long ones: dear questions take turns, and long work pauses while pages are built."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from explorer.host import turns
from explorer.host.turns import DEAR, PAUSE, Turns, WaitingPlaces
from tests.clocks import PATIENCE, waited


def begun(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_of_those_who_wait_the_cheapest_comes_first_and_one_at_a_time() -> None:
    room, order, at_once = Turns(), list[float](), list[int]()

    def asks(seconds: float) -> None:
        with room.turn(seconds):
            at_once.append(sum(each is not None for each in [room._taken]))
            order.append(seconds)

    with room.turn(1.0):
        threads = []
        for place, seconds in enumerate((0.9, 0.2, 0.5)):
            threads.append(begun(lambda seconds=seconds: asks(seconds)))  # type: ignore[misc]
            waited(lambda place=place: len(room._waiting) == place + 1)  # type: ignore[misc]
        assert order == []
    for thread in threads:
        thread.join(PATIENCE)
    assert order == [0.2, 0.5, 0.9] and at_once == [1, 1, 1]


def test_pages_are_built_in_turn_and_those_of_who_arrives_before_those_of_who_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "SLOW", 10.0)
    places, order = WaitingPlaces(free=1), list[str]()

    def build(name: str) -> None:
        places.take(arriving=name.startswith("arrives"))
        order.append(name)
        places.leave()

    places.take(arriving=False)
    threads = []
    for count, name in enumerate(("moves 1", "moves 2", "arrives 1", "arrives 2"), start=1):
        threads.append(begun(lambda name=name: build(name)))  # type: ignore[misc]
        waited(lambda count=count: len(places._arriving) + len(places._others) == count)  # type: ignore[misc]
    places.leave()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["arrives 1", "arrives 2", "moves 1", "moves 2"] and places._free == 1


def test_while_a_crowd_arrives_a_page_is_built_in_one_go_and_the_loop_calls_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "SLOW", 10.0)
    room, usual, called = Turns(), sys.getswitchinterval(), list[float]()
    places = room._places

    def through(call: Callable[[], object]) -> None:
        called.append(sys.getswitchinterval())
        if len(called) == 2:
            raise RuntimeError("the loop has ended")  # then nobody waits for it
        call()

    places.through = through
    places.take(arriving=True)
    threads = [begun(lambda: build(room, arriving=True)) for _ in range(turns.CROWD)]
    waited(lambda: places._usual is not None)
    places.leave()
    for thread in threads:
        thread.join(PATIENCE)
    assert called == pytest.approx([turns.CROWDED] * turns.CROWD)
    assert sys.getswitchinterval() == pytest.approx(usual) and places._free == turns.PLACES


def test_a_page_that_takes_long_or_stands_aside_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "SLOW", 0.05)
    room = Turns()
    with room.building():
        begun(lambda: build(room)).join(PATIENCE)  # though the first is not over
        monkeypatch.setattr(turns, "SLOW", 10.0)
        with room.aside():
            begun(lambda: build(room)).join(5)
    assert room._places._free == turns.PLACES and room._building == 0


def build(room: Turns, arriving: bool = False) -> None:
    """A page that takes no time."""
    with room.building(arriving):
        pass


def test_a_cheap_question_waits_for_nobody_and_a_turn_includes_what_follows_from_it() -> None:
    room, done = Turns(), threading.Event()

    def cheap() -> None:
        with room.turn(DEAR / 2):
            done.set()

    with room.turn(1.0), room.turn(0.5):
        begun(cheap).join(PATIENCE)
        assert done.is_set()
    with room.turn(1.0):
        pass  # it was given back


def test_whoever_waits_long_goes_on_without_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    room, done = Turns(), threading.Event()
    monkeypatch.setattr(turns, "LATE", 0.05)

    def late() -> None:
        with room.turn(0.5):
            done.set()

    with room.turn(1.0):
        begun(late).join(PATIENCE)
        assert done.is_set()
    assert room._taken is None


def test_a_question_that_fails_gives_its_turn_back() -> None:
    room = Turns()
    with pytest.raises(ValueError, match="no"), room.turn(1.0):
        raise ValueError("no")
    assert room._taken is None


def test_long_work_pauses_while_a_page_is_built_but_not_while_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PAUSE", PATIENCE)  # longer than any test waits for a thread
    room = Turns()

    def goes_on() -> bool:
        """Whether work that would pause as long as it may goes on by itself."""
        thread = begun(room.pause)
        thread.join(PATIENCE / 2)
        return not thread.is_alive()

    assert goes_on()
    with room.building():
        with room.aside():
            assert goes_on()
        pausing = begun(room.pause)
        pausing.join(PAUSE)
        assert pausing.is_alive()
    pausing.join(PATIENCE / 2)
    assert not pausing.is_alive() and goes_on()


def test_the_server_switches_often_between_threads() -> None:
    before = sys.getswitchinterval()
    try:
        turns.take_short_turns()
        assert sys.getswitchinterval() == pytest.approx(turns.SWITCH)
    finally:
        sys.setswitchinterval(before)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells threads apart")
def test_a_thread_of_long_work_stands_back_and_no_other_does() -> None:
    import os

    noted: list[Any] = []

    def work() -> None:
        turns.stand_back()
        noted.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    begun(work).join(PATIENCE)
    assert noted == [max(turns.NICE, before)]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
