"""The controls of exercises about lower bounds."""

from __future__ import annotations

from explorer.pages.exercises.settings import Exercises
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.experiments.exercises import bounds
from ldpcore.limits.errorlosses import LossScale
from ldpcore.parameters import Users

CROWD = 10**6  # people, at most


def modulus(shown: Shown, asked: Exercises, first: tuple[str, str, float]) -> tuple[str, str, float]:
    """The laws, the distance between them, and how near they are."""
    model = controls.choice(shown, "model", bounds.MODELS, default=first[0])
    metric = controls.choice(shown, "metric", bounds.METRICS, default=first[1])
    near = controls.number(shown, "distance", bounds.Nearness, default=first[2], low=0.01)
    return model, metric, float(near)


def gap(shown: Shown, asked: Exercises, first: tuple[int, float]) -> tuple[int, float]:
    """The number of people, and the error sum that a test may have."""
    return _crowd(shown, first[0]), _eta(shown, first[1])


def eta(shown: Shown, asked: Exercises, first: tuple[int, float, str]) -> tuple[int, float, str]:
    """The number of people, the error sum, and the loss."""
    return (
        _crowd(shown, first[0]),
        _eta(shown, first[1]),
        controls.choice(shown, "cost", bounds.COSTS, default=first[2]),
    )


def elbows(shown: Shown, asked: Exercises, first: float) -> float:
    """The smoothness of the density."""
    return float(controls.number(shown, "s", bounds.DensitySmoothness, default=first, low=0.05, high=bounds.SMOOTHEST))


def losses(shown: Shown, asked: Exercises, first: tuple[str, float, float]) -> tuple[str, float, float]:
    """The loss, how many times as large an error becomes, and the corner of Huber's loss."""
    loss = controls.choice(shown, "loss", tuple(bounds.GROWING), default=first[0])
    factor = controls.number(shown, "factor", bounds.TimesAsLarge, default=first[1], low=1.1, high=3)
    if loss != "huber":
        return loss, float(factor), first[2]
    return loss, float(factor), float(controls.number(shown, "corner", LossScale, default=first[2], low=0.1, high=10))


def smooth(shown: Shown, asked: Exercises, first: tuple[float, float]) -> tuple[float, float]:
    """The smoothness, and how steep a density may be."""
    beta = controls.number(shown, "beta", bounds.Smoothness, default=first[0], low=0.25, high=3)
    return float(beta), float(controls.number(shown, "steep", bounds.Steepness, default=first[1], low=0.25, high=4))


def _crowd(shown: Shown, first: int) -> int:
    return int(controls.number(shown, "crowd", Users, default=first, high=CROWD))


def _eta(shown: Shown, first: float) -> float:
    return float(controls.number(shown, "error_sum", bounds.Eta, default=first, low=0.05, high=0.95))
