"""What a long run is judged by: hand-made minutes."""

from __future__ import annotations

import pytest

from benchmarks.soak import FILLING, LONG, POOLED, Held, broken, growth

EMPTY = Held(200.0, 14, 7)


def minutes(slope: float, count: int = LONG) -> list[Held]:
    """A run that is filled quickly, and then holds so many megabytes more with each minute."""
    return [Held(300.0 + 50 * min(place, FILLING) + slope * max(place - FILLING, 0), 90, 20) for place in range(count)]


def test_memory_may_be_filled_and_must_then_stay() -> None:
    assert growth(minutes(0.05)) == pytest.approx(0.5)
    assert not broken(minutes(0.05), EMPTY, EMPTY)
    assert broken(minutes(0.3), EMPTY, EMPTY) == ["memory grows by 3.0 MB in ten minutes"]
    assert not broken(minutes(0.3, LONG - 1), EMPTY, EMPTY)  # too short to tell


def test_what_is_left_behind_is_named() -> None:
    assert broken(minutes(0), EMPTY, Held(200.0, 17, 7)) == ["3 open files are left behind"]
    assert not broken(minutes(0), EMPTY, Held(200.0, 14, 7 + POOLED))
    assert broken(minutes(0), EMPTY, Held(200.0, 14, 8 + POOLED)) == [f"{POOLED + 1} threads are left behind"]
