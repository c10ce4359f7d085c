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
