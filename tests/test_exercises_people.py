"""Exercises about several people: what each finds, by another route, at both ends of its controls."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from ldpcore.experiments.exercises.people import HELD, OwnLevels
from ldpcore.mechanisms.grr import RandomizedResponse

ENDS = (0.01, 1.0, 10.0)


def said(level: float, number: int, limit: int, report: int) -> float:
    """The chance of a report about whether a number reaches a limit, from the channel's own definition."""
    odds = math.exp(level) if report == (number >= limit) else 1.0
    return odds / (1 + math.exp(level))


def joint(first: float, second: float, listens: bool, held: tuple[int, int]) -> np.ndarray:
    """The chances of the four pairs of reports."""
    law = [
        said(first, held[0], 2, one) * said(second, held[1], ((1, 3)[one] if listens else 2), two)
        for one, two in product((0, 1), repeat=2)
    ]
    return np.array(law)


def changes(of: tuple[bool, bool]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """All pairs of inputs that differ in these people's numbers and in no other."""
    every = [(first, second) for first in range(HELD) for second in range(HELD)]
    return [(a, b) for a in every for b in every if tuple(x != y for x, y in zip(a, b, strict=True)) == of]


@pytest.mark.parametrize("listens", ["alone", "listens"])
@pytest.mark.parametrize("second", [0.1, 2.0, 5.0])
@pytest.mark.parametrize("first", ENDS)
def test_both_reports_keep_the_larger_level_and_not_the_sum(first: float, second: float, listens: str) -> None:
    result = OwnLevels(first, second, listens).run()
    found = []
    for of in ((True, False), (False, True), (True, True)):
        laws = [
            (joint(first, second, listens == "listens", a), joint(first, second, listens == "listens", b))
            for a, b in changes(of)
        ]
        found.append(max(float(np.log(p / q).max()) for p, q in laws))
    assert found[:2] == pytest.approx([first, second], rel=1e-9)  # each person keeps their own level
    assert result.whole == pytest.approx(max(found[:2]), rel=1e-9)
    assert result.together == pytest.approx(found[2], rel=1e-9) == pytest.approx(first + second, rel=1e-9)


@pytest.mark.parametrize("first", ENDS)
def test_one_who_listens_keeps_the_level_after_every_first_report(first: float) -> None:
    for listens in ("alone", "listens"):
        result = OwnLevels(first, 2.0, listens).run()
        assert [result.kept_after(heard) for heard in (0, 1)] == pytest.approx([2.0, 2.0], rel=1e-9)


def test_after_a_yes_the_drawn_change_of_one_who_listens_cannot_be_seen() -> None:
    alone, listens = (OwnLevels(1.0, 2.0, name).run().ratios((False, True)) for name in ("alone", "listens"))
    assert alone == pytest.approx([-2, 2, -2, 2])
    assert listens == pytest.approx([-2, 2, 0, 0])


@pytest.mark.parametrize("times", [2, 3])
def test_reading_the_same_reports_again_costs_nothing_and_answering_anew_does(times: int) -> None:
    first, second = 0.7, 1.5
    result = OwnLevels(first, second, "listens", times).run()
    copied, fresh = [], []
    for a, b in changes((True, False)) + changes((False, True)):
        p, q = joint(first, second, True, a), joint(first, second, True, b)
        seen = list(product(range(4), repeat=times))
        once = [tuple(p[z[0]] if len(set(z)) == 1 else 0.0 for z in seen), tuple(q[z[0]] for z in seen)]
        copied.append(max(math.log(x / y) for x, y in zip(*once, strict=True) if x))
        fresh.append(max(sum(math.log(p[z] / q[z]) for z in path) for path in seen))
    assert max(copied) == pytest.approx(result.whole)
    assert max(fresh) == pytest.approx(result.anew)


def test_the_law_is_that_of_two_randomized_responses() -> None:
    law = np.exp(OwnLevels(1.3, 0.4).run().log_law)
    assert law.sum(axis=(2, 3)) == pytest.approx(np.ones((HELD, HELD)))
    assert law[3, 0, 1, 0] == pytest.approx(RandomizedResponse(1.3).p * RandomizedResponse(0.4).p)
