"""A question about categories that have names, so that whoever takes its answer along can read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from ldpcore.costs import Cost
from ldpcore.questions import Progress, Question, Recommendation, Result, no_progress

Answered = TypeVar("Answered", bound=Result)
Inner = TypeVar("Inner", bound=Result, covariant=True)


@dataclass(frozen=True)
class Named(Question["NamedResult[Result]"]):
    """A question, and what its categories are called, in their order."""

    question: Question[Result]
    names: tuple[str, ...]

    def cost(self) -> Cost:
        return self.question.cost()

    def fewer(self) -> Named:
        """The named question with less work, where it knows any."""
        return Named(self.question.fewer(), self.names)

    def run(self, progress: Progress = no_progress) -> NamedResult[Result]:
        return NamedResult(self.question.run(progress), self.names)


@dataclass(frozen=True, eq=False)
class NamedResult(Result, Generic[Inner]):
    """What was found, and what its categories are called."""

    result: Inner
    names: tuple[str, ...]

    def masked(self) -> NamedResult[Result]:
        """Without the truth, where there is one."""
        return NamedResult(self.result.masked(), self.names)

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """What the plan inside would set."""
        return tuple(self.result.recommended)


PerhapsNamed: TypeAlias = Answered | NamedResult[Answered]  # a result, with what its categories are called or without
