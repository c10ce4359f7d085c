"""The list of exercises: each has a view of the page *Exercises*, a topic there, and the page that it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.ways import Link

PAGE = "exercises"


@dataclass(frozen=True)
class Exercise:
    """One exercise: its view, the topic under which it is offered, and the slug of the page that it belongs to."""

    slug: str
    topic: str
    page: str

    @property
    def link(self) -> Link:
        """The address of its view."""
        chosen = {} if self.topic == EXERCISES[0].topic else {f"{PAGE}_topic": self.topic}
        return Link(PAGE, {**chosen, f"{PAGE}_tab": self.slug})


EXERCISES = (
    Exercise("families", "distances", "distinguish"),
    Exercise("products", "distances", "distinguish"),
    Exercise("hulls", "distances", "distinguish"),
    Exercise("ways", "distances", "distinguish"),
    Exercise("logarithm", "distances", "distinguish"),
    Exercise("packing", "distances", "limits"),
    Exercise("asking", "bit", "means"),
    Exercise("estimate", "bit", "means"),
    Exercise("halves", "bit", "means"),
    Exercise("reports", "bit", "limits"),
    Exercise("differing", "bit", "distinguish"),
    Exercise("modulus", "bounds", "limits"),
    Exercise("gap", "bounds", "limits"),
    Exercise("eta", "bounds", "limits"),
    Exercise("elbows", "bounds", "protocols"),
    Exercise("losses", "bounds", "limits"),
    Exercise("smooth", "bounds", "limits"),
    Exercise("several", "people", "trust"),
    Exercise("levels", "people", "protocols"),
    Exercise("notions", "people", "verify"),
    Exercise("deployments", "people", "trust"),
    Exercise("consistency", "people", "regression"),
)
TOPICS = tuple(dict.fromkeys(each.topic for each in EXERCISES))


def exercise(slug: str) -> Exercise:
    """The exercise of a view."""
    return next(each for each in EXERCISES if each.slug == slug)


def exercises_of(page: str) -> tuple[Exercise, ...]:
    """The exercises that belong to a page."""
    return tuple(each for each in EXERCISES if each.page == page)
