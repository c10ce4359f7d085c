"""The contract between the mathematics and the screen: questions that are run, and results that know what to hide.

    question.cost()            # what it takes, before it runs
    result = question.run()    # equal questions have equal results
    result.masked()            # without what must not be seen while people predict

A result class says how it is masked, or that it is `Public`; one that says neither cannot be defined.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Self, TypeVar

from ldpcore.costs import EACH, LITTLE, Cost, carried

Progress = Callable[[float], None]  # called with the share that is done; may raise, to abandon the work
SettingValue = float | int | str
Returned = TypeVar("Returned", covariant=True)


def no_progress(share: float) -> None:
    """The progress of work that nobody follows; a run without `progress` reports to it."""


class Question(ABC, Generic[Returned]):
    """A frozen value that can be run, and says beforehand what that takes."""

    @abstractmethod
    def run(self, progress: Progress = no_progress) -> Returned:
        """The answer; `progress` hears how far it is."""

    def cost(self) -> Cost:
        """The estimated cost, from the parameters alone."""
        return LITTLE

    def fewer(self) -> Self:
        """A quicker version of this question; itself where there is none."""
        return self


@dataclass(frozen=True)
class Recommendation:
    """Settings that keep a plan's promise, by the names of their controls; `purpose` where there are several kinds."""

    settings: tuple[tuple[str, SettingValue], ...]
    purpose: str = ""

    @classmethod
    def of(cls, purpose: str = "", **settings: SettingValue) -> Recommendation:
        """One recommendation with all of these settings together."""
        return cls(tuple(settings.items()), purpose)


class Result(ABC):
    """The answer to a question."""

    def __init_subclass__(cls, **more: object) -> None:
        super().__init_subclass__(**more)
        if inspect.getattr_static(cls, "masked") is vars(Result)["masked"]:
            raise TypeError(f"{cls.__qualname__} must say how it is masked, by masked(), or be Public")

    @abstractmethod
    def masked(self) -> Result:
        """The result without all that is true of people, which no axis, title or peak of a figure then betrays."""

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The settings that a plan recommends."""
        return ()


class Public(Result):
    """A result in which nothing has to be hidden: formulas, laws and releases."""

    def masked(self) -> Self:
        """The result, unchanged."""
        return self


Asking = Question[Result]  # whatever it asks
Questions = Asking | tuple[Asking | None, ...] | None  # what a view or a page asks at a level


def seconds(question: Question[object]) -> float:
    """The seconds a question takes, by its own estimate or by the size of its data, whichever is larger."""
    return max(float(question.cost().seconds), EACH * carried(question))


def part(progress: Progress, first: float, last: float) -> Progress:
    """The progress of one part of the work, mapped onto the share of the whole from `first` to `last`."""
    return lambda share: progress(first + (last - first) * share)
