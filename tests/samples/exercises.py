"""Telling settings of the page of exercises: every topic once, and what its exercises are told there."""

from __future__ import annotations

from explorer.exercises import TOPICS
from explorer.pages.exercises.settings import Exercises
from ldpcore.experiments.exercises.bit import eight_cells, preset_values


def samples() -> tuple[Exercises, ...]:
    """Every topic, and every topic once more with other settings of its exercises."""
    return tuple(Exercises(topic) for topic in (*TOPICS, *TOPICS))


MORE: dict[str, object] = {
    "asking": (eight_cells(), preset_values("middle", 8)),
    "estimate": ((0.5, 0.0, 0.0, -0.25), 1),
    "halves": 1.0,
    "reports": 1,
    "differing": ("oue", eight_cells()),
    "several": (1, 0.1),
}  # by exercise, what it is told the second time
TOLD: dict[tuple[int, str], object] = {
    (place, slug): told for slug, told in MORE.items() for place in range(len(TOPICS), 2 * len(TOPICS))
}
