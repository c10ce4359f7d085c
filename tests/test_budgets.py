"""No link and no control can ask for more than a server has: every page, view, option and end of every number.

What is dearest is looked for by `tools.dearest`, which opens the pages themselves; a new page takes part by being one.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from unittest.mock import patch

import pytest

from explorer.navigation import DEFAULT, entries
from explorer.ui.page import AT_ONCE
from ldpcore.costs import LITTLE, MEGABYTE
from ldpcore.fingerprints import fingerprint
from tests.rationing import ALL, shared
from tests.test_costs import peak
from tools import dearest as looking
from tools.dearest import LEVELS, Opened, Seen, Setting

SLUGS = [entry.slug for entry in entries()]
MOST = 150 * MEGABYTE
BRIEF = 2.5 if ALL else 0.5  # seconds as estimated; of what takes longer the estimate alone is held
MEASURED = 99 if ALL else 1  # kinds of a page, the dearest; `make fuzz` measures all
FACTOR = 6.0  # an estimate of more than a little is at most so many times the peak


class Page(Opened):
    """A page whose numbers stand at their highest as soon as they are known, which is opened once by the same link.

    Of a choice among many, such as that of all mechanisms, it knows every third option, and the next page others.
    """

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        self.highest: dict[str, str] = {}
        self.last: tuple[dict[str, str], Seen] | None = None

    def by(self, parameters: dict[str, str]) -> Seen:
        """The declarations of the page under these parameters."""
        asked = self.highest | parameters
        if self.last is None or self.last[0] != asked:
            self.last = asked, super().by(asked)
            options, first = self.last[1].options, SLUGS.index(self.slug)
            options |= {key: tuple(shared(texts, 3, first)) for key, texts in options.items() if len(texts) > 12}
            self.highest = self.last[1].end("high")
        return self.last[1]


@cache
def dearest(slug: str) -> tuple[Setting, ...]:
    """A page without a stage has none."""
    with patch.object(looking, "Opened", Opened if ALL else Page):
        return tuple(looking.settings(slug, ("high",), 1 if ALL else 48))


@cache
def asked(slug: str) -> tuple[tuple[Setting, Any], ...]:
    """Every different question of a page, with the setting that asks it."""
    found: dict[str, tuple[Setting, Any]] = {}
    for setting in dearest(slug):
        for question in (question for level in LEVELS for question in setting.questions(level)):
            found.setdefault(fingerprint(question), (setting, question))
    return tuple(found.values())


@pytest.mark.parametrize("slug", SLUGS)
def test_no_setting_takes_more_than_150_megabytes(slug: str) -> None:
    for setting, question in asked(slug):
        assert question.cost().bytes <= MOST, (setting.link, type(question).__name__)


@pytest.mark.parametrize("slug", shared(SLUGS, 2))
def test_the_dearest_questions_take_what_they_said(slug: str) -> None:
    """The dearest question of each kind, of equals the fastest: tracing memory slows work in many small steps."""
    kinds: dict[str, list[tuple[float, float, str, Any]]] = {}
    for setting, question in asked(slug):
        cost = question.cost()
        if cost.seconds <= BRIEF:
            inner = type(getattr(question, "question", question)).__name__
            kinds.setdefault(inner, []).append((-cost.bytes, cost.seconds, setting.link, question))
    first = {kind: min(members, key=lambda member: member[:2]) for kind, members in kinds.items()}
    for kind in sorted(first, key=lambda kind: first[kind][:2])[:MEASURED]:
        less, _, link, question = first[kind]
        said, traced = -less, peak(question)
        assert traced <= said, (kind, link)
        assert said <= max(FACTOR * traced, 8 * LITTLE.bytes), (kind, link, traced)


def test_pages_with_a_stage_are_looked_at_in_every_view() -> None:
    staged = [slug for slug in SLUGS if dearest(slug)]
    assert len(staged) >= 6
    for slug in staged:
        views = {setting.view.slug for setting in dearest(slug)}
        assert len(views) >= (1 if slug == DEFAULT else 3), slug


def test_what_takes_long_is_not_done_in_the_page_s_own_thread() -> None:
    long = [question for slug in SLUGS for _, question in asked(slug) if question.cost().seconds > AT_ONCE]
    assert long, "there are settings that take long, and they are found"
