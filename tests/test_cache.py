"""The cache keeps every question's own answer."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import partial

import pytest

from explorer.ui import cache
from ldpcore.questions import Progress, Question, no_progress


@dataclass(frozen=True)
class One(Question[str]):
    x: int

    def run(self, progress: Progress = no_progress) -> str:
        return "one"


@dataclass(frozen=True)
class Other(Question[str]):
    x: int

    def run(self, progress: Progress = no_progress) -> str:
        return "other"


def test_two_questions_with_equal_fields_do_not_share_an_answer() -> None:
    assert cache.run(One(1)) == "one"
    assert cache.run(Other(1)) == "other"


def test_a_whole_scene_is_made_once_for_all_but_not_out_of_what_a_reader_has_brought(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cache, "_SCENES", OrderedDict())
    monkeypatch.setattr(cache, "MOST_SCENES", 2)
    made: list[str] = []

    def make(name: str, whole: bool = True) -> tuple[str, bool]:
        made.append(name)
        return name, whole

    for name in ("a", "a", "b", "a", "c", "a", "b"):  # the third pushes out who was not asked for longest
        assert cache.scene(name, partial(make, name)) == name
    assert made == ["a", "b", "c", "b"]
    for _ in range(2):
        assert cache.scene("cut", partial(make, "cut", whole=False)) == "cut"
        assert cache.scene("a", partial(make, "mine"), "session") == "mine"
    assert made[4:] == ["cut", "mine", "cut", "mine"] and {*cache._SCENES.values()} == {"a", "b"}
