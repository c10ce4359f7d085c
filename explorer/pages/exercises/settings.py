"""The reader's settings on the page of exercises: a topic, which decides the exercises that stand in the row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.exercises import TOPICS, exercise
from ldpcore.questions import Asking


@dataclass(frozen=True)
class Exercises:
    """The topic of the exercises on offer; each exercise asks for the rest itself."""

    topic: str = TOPICS[0]


def offered(slug: str) -> Callable[[Exercises], bool]:
    """Whether an exercise is on offer, under the settings of the page."""
    topic = exercise(slug).topic
    return lambda asked: asked.topic == topic


def posed(question: Callable[..., Asking]) -> Callable[..., Asking]:
    """The question of an exercise from the level at the handle and its own settings, in their order."""
    return lambda asked, level, *own: question(level, *(own[0] if own else ()))


def trusted(asked: Exercises, view: str) -> str:
    """The party that is trusted in an exercise: a curator where numbers are released with noise, else nobody."""
    return "central" if view in ("several", "notions") else "local"
