"""The controls of exercises about several numbers and several people."""

from __future__ import annotations

from explorer.pages.exercises.settings import Exercises
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.experiments.exercises.people import Readings, SecondListens
from ldpcore.experiments.trust.statistics import MOST, Statistics
from ldpcore.parameters import Delta, Epsilon


def several(shown: Shown, asked: Exercises, first: tuple[int, float]) -> tuple[int, float]:
    """The number of counts, and the probability that the promise of normal noise may fail with."""
    k = int(controls.number(shown, "k", Statistics, default=first[0], high=MOST))
    return k, float(controls.number(shown, "delta", Delta, default=first[1], low=1e-12, high=0.1))


def levels(shown: Shown, asked: Exercises, first: tuple[float, str, int]) -> tuple[float, str, int]:
    """The second person's level, whether they listen, and how often the reports are read."""
    second = float(controls.number(shown, "second", Epsilon, default=first[0], low=0.1, high=5.0))
    listens = controls.choice(shown, "listens", SecondListens, default=first[1])
    return second, listens, int(controls.number(shown, "reads", Readings, default=first[2], high=20))
