"""A question whose picture counts from the true answer: distances in place of the released numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from ldpcore.costs import Cost
from ldpcore.questions import Progress, Question, Result, no_progress

Found = TypeVar("Found", bound=Result, covariant=True)


@dataclass(frozen=True)
class FromTruth(Question["FromTruthResult[Found]"], Generic[Found]):
    """Any question about released numbers, drawn as their distances from the truth."""

    question: Question[Found]

    def run(self, progress: Progress = no_progress) -> FromTruthResult[Found]:
        return FromTruthResult(self.question.run(progress))

    def cost(self) -> Cost:
        return self.question.cost()


@dataclass(frozen=True)
class FromTruthResult(Result, Generic[Found]):
    """The result of the question; a picture takes it masked, around a hidden answer."""

    result: Found

    def masked(self) -> FromTruthResult[Result]:
        """The distances alone."""
        return FromTruthResult(self.result.masked())
