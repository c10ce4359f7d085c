"""Telling settings of the page of exercises: every topic once, and what its exercises are told there."""

from __future__ import annotations

from explorer.exercises import TOPICS
from explorer.pages.exercises.settings import Exercises
from ldpcore.experiments.exercises.bit import eight_cells, preset_values


def samples() -> tuple[Exercises, ...]:
    """Every topic, and every topic once more with other settings of its exercises."""
    return tuple(Exercises(topic) for topic in (*TOPICS, *TOPICS))


MORE: dict[str, object] = {  # by exercise, what it is told the second time
    "families": ("power", 5.0, "excluded"),
    "products": (0.0, 1.0, 1),
    "hulls": (0.0, 100),
    "ways": ("excluded", "first"),
    "packing": (9, 10**4),
    "modulus": ("jump", "tv", 0.01),
    "gap": (1, 0.95),
    "eta": (10**6, 0.05, "absolute"),
    "elbows": 1.5,
    "losses": ("exponential", 3.0, 1.0),
    "smooth": (3.0, 4.0),
    "asking": (eight_cells(), preset_values("middle", 8)),
    "estimate": ((0.5, 0.0, 0.0, -0.25), 1),
    "halves": 1.0,
    "reports": 1,
    "differing": ("oue", eight_cells()),
    "several": (1, 0.1),
    "levels": (5.0, "listens", 20),
    "consistency": (0.25, 0.02, 3),
    "deployments": (100,),
    "notions": ("concentrated", "normal", 2.0, 0.2),
}
VARIED = {  # where a number follows from the settings alone: settings that look alike while it is hidden
    "modulus": lambda: [
        (Exercises("bounds"), ("bounded", "tv", near)) for near in (0.013, 0.05, 0.11, 0.23, 0.31, 0.47)
    ],
    "elbows": lambda: [(Exercises("bounds"), s) for s in (0.06, 0.14, 0.21, 0.33, 0.47, 0.61)],
    "losses": lambda: [(Exercises("bounds"), ("squared", times, 1.0)) for times in (1.1, 1.3, 1.7, 2.1, 2.6, 2.9)],
    "smooth": lambda: [(Exercises("bounds"), (beta, 1.0)) for beta in (0.3, 0.45, 0.6, 0.75, 0.9, 1.0)],
}
TOLD: dict[tuple[int, str], object] = {
    (place, slug): told for slug, told in MORE.items() for place in range(len(TOPICS), 2 * len(TOPICS))
}
