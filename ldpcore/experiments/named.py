"""A question about categories that have names, so that its answer can be read elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from ldpcore.costs import Cost
from ldpcore.questions import Progress, Question, Recommendation, Result, no_progress

Answered = TypeVar("Answered", bound=Result)
Inner = TypeVar("Inner", bound=Result, covariant=True)


@dataclass(frozen=True)
class Named(Question["NamedResult[Result]"]):
    """A question, and the names of its categories, in their order."""

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
    """The result, and the names of its categories."""

    result: Inner
    names: tuple[str, ...]

    def masked(self) -> NamedResult[Result]:
        """The result without the truth, where there is one."""
        return NamedResult(self.result.masked(), self.names)

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The settings that the plan inside recommends."""
        return tuple(self.result.recommended)


PerhapsNamed: TypeAlias = Answered | NamedResult[Answered]  # a result, with what its categories are called or without
