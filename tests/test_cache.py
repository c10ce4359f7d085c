"""The cache keeps every question's own answer."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.ui import cache
from ldpcore.questions import Progress, Question


@dataclass(frozen=True)
class One(Question[str]):
    x: int

    def run(self, progress: Progress | None = None) -> str:
        return "one"


@dataclass(frozen=True)
class Other(Question[str]):
    x: int

    def run(self, progress: Progress | None = None) -> str:
        return "other"


def test_two_questions_with_equal_fields_do_not_share_an_answer() -> None:
    assert cache.run(One(1)) == "one"
    assert cache.run(Other(1)) == "other"
