"""The cache keeps every question's own answer."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.ui import cache


@dataclass(frozen=True)
class One:
    x: int

    def run(self) -> str:
        return "one"


@dataclass(frozen=True)
class Other:
    x: int

    def run(self) -> str:
        return "other"


def test_two_questions_with_equal_fields_do_not_share_an_answer() -> None:
    assert cache.run(One(1)) == "one"
    assert cache.run(Other(1)) == "other"
