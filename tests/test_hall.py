"""A hall's verdict, from hand-made waits beside those of the yardstick."""

from __future__ import annotations

from pathlib import Path

from benchmarks.hall import ARRIVAL, LAST, MEMORY_LIMIT, MOVE, Hall, broken
from benchmarks.reader import Run
from tools.serving import Server

SERVER = Server("", 0.0, Path())


def hall(arrival: float = 0.1, move: float = 0.01, cost: float = 0.005, memory: float = 0.1) -> Hall:
    """A hall whose readers all wait alike; the first, who has everything loaded, waits longest and does not count."""
    filled = Hall("page", SERVER, "/", "epsilon", cost=cost, memory=memory)
    filled.arrivals = [Run(60.0, 0), *[Run(arrival, 0)] * 9]
    filled.moves = [Run(move, 0)] * 40
    return filled


def test_a_page_may_take_so_many_times_what_the_yardstick_takes() -> None:
    for slower in (0.1, 1.0, 30.0):  # a machine, or its load
        beside = hall(0.1 * slower, 0.01 * slower, 0.005 * slower)
        page = hall(0.099 * LAST * slower, 0.0099 * MOVE[100] * slower, 0.0049 * ARRIVAL * slower, MEMORY_LIMIT)
        assert not broken(page, beside, 100)


def test_each_limit_of_a_hall_is_told_where_it_is_broken() -> None:
    beside = hall()
    told = broken(hall(0.11 * LAST, 0.011 * MOVE[100], 0.0051 * ARRIVAL, 2 * MEMORY_LIMIT), beside, 100)
    names = ("memory of a session", "p95 of a move", "last first run", "processor time of an arrival")
    assert len(told) == len(names) and all(name in line for name, line in zip(names, told, strict=True))
    assert [line.partition(" 2")[0] for line in broken(hall(move=0.011 * MOVE[200]), beside, 200)] == ["page,"]
    assert broken(hall(), Hall("yardstick", SERVER, "/", "epsilon"), 100), "an empty hall proves nothing"
