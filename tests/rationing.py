"""What every run tries of many like cases, and that each night tries all of them.

A run takes its share by place: every third case, say, so that neighbours differ and nothing depends on date or chance.
A step has no divisor in common with the number of choices that it goes over, nor with the step of another share of the
same cases: every second one of every second one, and every sixth one of two kinds, are one half alone.
The night (`make fuzz`, which sets LDP_EXPLORER_FUZZ) runs every file that imports this module with all cases. A class
of defect is never left to the night alone: each value of each choice is still met in every run, in fewer combinations,
and whoever thins something plants a defect and sees it found. A test that is `at_night` is dear, and another one that
runs by day is about the same class.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

import pytest

Case, Other = TypeVar("Case"), TypeVar("Other")
ALL = bool(os.environ.get("LDP_EXPLORER_FUZZ"))  # the night
at_night = pytest.mark.at_night  # by day such a test runs where it is chosen (`tests/conftest.py`)
FEW = bool(os.environ.get("LDP_EXPLORER_QUICK"))  # the inner loop: scenes are looked at at both ends and in the middle


def crossed(ones: Iterable[Case], others: Sequence[Other], every: int = 2) -> list[tuple[Case, Other]]:
    """Each of the ones with its share of the others, beginning with another place each time; at night with all.

    With one at least, where there are fewer others than `every`.
    """
    among = min(every, len(others))
    return [(one, other) for place, one in enumerate(ones) for other in shared(others, among, place)]


def shared(cases: Iterable[Case], every: int = 3, first: int = 0) -> list[Case]:
    """Each of so many cases, beginning with that of place `first`, which may be another for each page; at night all."""
    return list(cases if ALL else islice(cases, first % every, None, every))
