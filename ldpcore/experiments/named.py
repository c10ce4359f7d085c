"""A question about categories that have names, so that whoever takes its answer along can read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ldpcore.costs import Cost, Question
from ldpcore.experiments import Progress


@dataclass(frozen=True)
class Named(Question):
    """A question, and what its categories are called, in their order."""

    question: Any
    names: tuple[str, ...]

    def cost(self) -> Cost:
        named: Cost = self.question.cost()
        return named

    def fewer(self) -> Named:
        """The same of less work, where the question knows any, for who will not wait."""
        return Named(self.question.fewer() if hasattr(self.question, "fewer") else self.question, self.names)

    def run(self, progress: Progress | None = None) -> NamedResult:
        return NamedResult(self.question.run(progress), self.names)


@dataclass(frozen=True, eq=False)
class NamedResult:
    """What was found, and what its categories are called."""

    result: Any
    names: tuple[str, ...]

    def masked(self) -> NamedResult:
        """Without the truth, where there is one."""
        return NamedResult(self.result.masked() if hasattr(self.result, "masked") else self.result, self.names)
