"""Telling settings of the page of exercises: every topic once, and what its exercises are told there."""

from __future__ import annotations

from explorer.exercises import TOPICS
from explorer.pages.exercises.settings import Exercises


def samples() -> tuple[Exercises, ...]:
    """Every topic, and every topic once more with other settings of its exercises."""
    return tuple(Exercises(topic) for topic in (*TOPICS, *TOPICS))


MORE: dict[str, object] = {  # by exercise, what it is told the second time
    "several": (1, 0.1),
    "levels": (5.0, "listens", 20),
    "consistency": (0.25, 0.02, 3),
    "deployments": (100,),
    "notions": ("concentrated", "normal", 2.0, 0.2),
}
TOLD: dict[tuple[int, str], object] = {
    (place, slug): told for slug, told in MORE.items() for place in range(len(TOPICS), 2 * len(TOPICS))
}
