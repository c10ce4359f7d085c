"""The controls of exercises about several numbers and several people."""

from __future__ import annotations

from explorer.pages.exercises.settings import Exercises
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.experiments.exercises.deployments import AnsweringPeople
from ldpcore.experiments.exercises.notions import DivergenceOrder, NoiseShape, Notion
from ldpcore.experiments.exercises.people import Readings, SecondListens
from ldpcore.experiments.exercises.schedules import NarrowingRate, SinkingRate, SpaceDimension
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


def notions(shown: Shown, asked: Exercises, first: tuple[str, str, float, float]) -> tuple[str, str, float, float]:
    """The notion, the noise, and the order of the divergence or the δ at which levels are told."""
    notion = controls.choice(shown, "notion", Notion, default=first[0])
    noise = controls.choice(shown, "noise", NoiseShape, default=first[1])
    if notion == "renyi":
        return (
            notion,
            noise,
            float(controls.number(shown, "renyi_order", DivergenceOrder, default=first[2], low=1.1)),
            first[3],
        )
    return (
        notion,
        noise,
        first[2],
        float(controls.number(shown, "failing", Delta, default=first[3], low=1e-9, high=0.2)),
    )


def deployments(shown: Shown, asked: Exercises, first: tuple[int]) -> tuple[int]:
    """The number of people who answer."""
    return (int(controls.number(shown, "answering", AnsweringPeople, default=first[0], low=100, high=10**9)),)


def consistency(shown: Shown, asked: Exercises, first: tuple[float, float, int]) -> tuple[float, float, int]:
    """The powers of n with which cells narrow and the threshold sinks, and the number of dimensions."""
    a = float(controls.number(shown, "narrowing", NarrowingRate, default=first[0], low=0.02, high=0.5))
    b = float(controls.number(shown, "sinking", SinkingRate, default=first[1], low=0.02, high=0.4))
    return a, b, int(controls.number(shown, "dimensions", SpaceDimension, default=first[2]))
