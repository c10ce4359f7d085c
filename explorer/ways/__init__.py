"""Ways through the project: the steps in their order, apart from the pages that they lead to.

A way is a file beside this one, `<slug>.toml`: its steps, each with a link, the minutes that it takes, and whether the
room predicts before the truth is shown. Its texts stand in `ways.toml` of each language, by the names of the
steps. `decisions.toml` leads from the holder of the data, and the wanted answer, to a view. May import
`explorer.navigation` and `explorer.text`.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit

from explorer.navigation import DEFAULT

FOLDER = Path(__file__).parent
ORDER = ("five", "lecture", "local", "notebook", "workshop", "limits")  # as they are offered
MOST = 14  # steps of a way


@dataclass(frozen=True)
class Link:
    """An address inside the project: a page, and its settings."""

    page: str
    parameters: Mapping[str, str]

    @classmethod
    def of(cls, text: str) -> Link:
        """The link that a text spells, as in `/counting?epsilon=1`; the root is the overview."""
        parts = urlsplit(text)
        asked = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        return cls(parts.path.strip("/") or DEFAULT, MappingProxyType(asked))

    def beside(self, parameters: Mapping[str, str]) -> Link:
        """A link to its page, asked for these parameters where the link itself says nothing of them."""
        return Link(self.page, MappingProxyType({**parameters, **self.parameters}))

    def __str__(self) -> str:
        """The address below that of the app."""
        query = urlencode(self.parameters)
        return ("" if self.page == DEFAULT else self.page) + (f"?{query}" if query else "")


PrintedPoints: TypeAlias = tuple[tuple[float, float], ...]  # of a picture, along its axes


@dataclass(frozen=True)
class WayStep:
    """One step of a way: its name, its link, its minutes, and whether the room predicts first.

    `printed` are numbers that a text prints of the same question, as points of the picture.
    """

    name: str
    link: Link
    minutes: float
    predict: bool = False
    printed: PrintedPoints = ()


@dataclass(frozen=True)
class Way:
    """Steps in the order of telling; `alone` is for one reader, `room` for a room, and one way may be for both.

    `picture` is the page whose picture stands for it, and `carries` names settings that go along.
    """

    slug: str
    steps: tuple[WayStep, ...]
    picture: str
    alone: bool = False
    room: bool = True
    carries: tuple[str, ...] = ()

    def minutes(self, place: int) -> int:
        """The minutes that have gone when the step at a place (from 1) is over."""
        return math.ceil(sum(step.minutes for step in self.steps[:place]))


@dataclass(frozen=True)
class Point:
    """The place on a way: the step (from 1), and whether the truth is still hidden there."""

    way: Way
    place: int
    hidden: bool = False

    @property
    def step(self) -> WayStep:
        """The step itself."""
        return self.way.steps[self.place - 1]

    def next(self) -> Point:
        """The point one key further: first the truth is shown, then comes the next step; the last one stays."""
        if self.hidden:
            return Point(self.way, self.place)
        return arrived(self.way, self.place + 1) if self.place < len(self.way.steps) else self

    def previous(self) -> Point:
        """The point one key back, along the states through which `next` has come."""
        if not self.hidden and self.step.predict:
            return Point(self.way, self.place, hidden=True)
        return Point(self.way, self.place - 1) if self.place > 1 else self


def arrived(way: Way, place: int) -> Point:
    """The state of a step on arrival: hidden where the room predicts first."""
    return Point(way, place, way.steps[place - 1].predict)


@dataclass(frozen=True)
class Decision:
    """A decision: its name, the holder of the data, and the view where it is made."""

    name: str
    who: str
    link: Link


@lru_cache(maxsize=16)
def way_of(slug: str) -> Way:
    """The way of a slug, read from its file."""
    read = tomllib.loads((FOLDER / f"{slug}.toml").read_text("utf-8"))
    steps = tuple(_step(**each) for each in read.pop("steps"))
    if not 0 < len(steps) <= MOST or len({step.name for step in steps}) < len(steps):
        raise ValueError(f"the way {slug} must have 1 to {MOST} steps with names of their own; got {len(steps)}")
    alone = bool(read.get("alone", False))
    room, carries = bool(read.get("room", not alone)), tuple(read.get("carries", ()))
    return Way(slug, steps, str(read["picture"]), alone, room, carries)


def _step(
    name: str, link: str, minutes: float, predict: bool = False, printed: Iterable[tuple[float, float]] = ()
) -> WayStep:
    if minutes <= 0:
        raise ValueError(f"the step {name} must take more than 0 minutes; got {minutes}")
    return WayStep(name, Link.of(link), minutes, predict, tuple((float(x), float(y)) for x, y in printed))


@lru_cache(maxsize=1)
def decisions() -> tuple[Decision, ...]:
    """All decisions, by the holder of the data."""
    read: list[dict[str, Any]] = tomllib.loads((FOLDER / "decisions.toml").read_text("utf-8"))["decisions"]
    return tuple(Decision(each["name"], each["who"], Link.of(each["link"])) for each in read)
