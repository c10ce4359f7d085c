"""Whatever numbers anybody types: refused in one sentence or answered, within 150 MB and two processor seconds.

What takes longer by its own estimate is the pool's: then its estimate of memory is within 150 MB, and so is its run.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from explorer.text.catalogue import catalogue_of
from ldpcore.accounting.columns import read_rows
from ldpcore.experiments.budget import MixedLedger
from ldpcore.questions import Question
from tests.fuzz.boxes import LANGUAGES, REFUSED, Box, Glance, LaterError, RefusedError, boxes, glances, made, sentence
from tests.fuzz.controls import exact_values, wild_links
from tests.fuzz.weighing import MOST_BYTES, MOST_SECONDS, weighed

PART = float(os.environ.get("LDP_EXPLORER_FUZZ", "0"))  # 1 for all of them
WHOLE = PART > 0
EACH, OF_A_PAGE = (int(11_500 * PART), int(4_000 * PART)) if WHOLE else (6, 6)  # 10⁵ in all
LONG, ENOUGH = (200 * PART if WHOLE else 1), 20.0  # pieces of long work that are run, and processor seconds of each
BOXES = boxes()
LAWFUL = settings(
    derandomize=not WHOLE,
    database=None,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)


def outcome(box: Box, typed: Any, glance: Glance) -> Any:
    """The scene that a page shows, the long work that it hands over, or why it refuses."""
    try:
        return made(box.shown(*typed), glance)
    except (*REFUSED, LaterError) as instead:
        return instead


def judged(box: Box, typed: Any, glance: Glance) -> Any:
    """What becomes of a typed text, which takes no more than a page may."""
    found = weighed(lambda: outcome(box, typed, glance))
    assert found.bytes <= MOST_BYTES, f"{found.bytes / 2**20:.0f} MB"
    assert found.seconds <= MOST_SECONDS, f"{found.seconds:.1f} s"
    if isinstance(found.outcome, REFUSED):
        told = [sentence(found.outcome, language) for language in LANGUAGES]
        assert all(10 < len(text) < 700 and "@{" not in text for text in told), told
    elif not isinstance(found.outcome, LaterError):
        shown = found.outcome
        assert shown.answer and not any("@{" in text or "%{" in text for text in (shown.answer, shown.note, shown.alt))
        assert "nan" not in shown.answer.lower().split(), shown.answer
    return found.outcome


class _EnoughError(Exception):
    """Long work has run for long enough to be judged."""


def carried_out(question: Question[Any]) -> None:
    """Run long work, or the first processor seconds of it, and hold it to its memory."""
    until = time.process_time() + ENOUGH

    def impatient(share: float) -> None:
        if time.process_time() > until:
            raise _EnoughError

    def run() -> None:
        with suppress(_EnoughError):
            question.run(impatient)

    assert weighed(run, again=False).bytes <= MOST_BYTES, question


def drawn(box: Box, many: int) -> Counter[str]:
    """What became of so many texts of a box."""
    became = Counter[str]()

    @settings(LAWFUL, max_examples=many)
    @given(box.typed, glances())
    def law(typed: Any, glance: Glance) -> None:
        found = judged(box, typed, glance)
        kind = "refused" if isinstance(found, REFUSED) else "long" if isinstance(found, LaterError) else "answered"
        became[kind] += 1
        if isinstance(found, LaterError):
            assert found.question.cost().bytes <= MOST_BYTES, found.question
            if became["long"] <= LONG:
                carried_out(found.question)

    law()
    if WHOLE:
        print(became)
    return became


@pytest.mark.parametrize("name", BOXES)
def test_a_typed_text_of_wild_numbers_is_refused_or_answered_within_its_limits(name: str) -> None:
    became = drawn(BOXES[name], EACH)
    assert min(became["refused"], became["answered"] + became["long"]) > EACH / 20, became


@pytest.mark.parametrize("box", [exact_values, wild_links], ids=["exact values", "links"])
def test_exact_values_and_links_of_wild_numbers_are_refused_or_answered_within_their_limits(
    box: Callable[[], Box],
) -> None:
    became = drawn(box(), OF_A_PAGE)
    assert became["answered"] > OF_A_PAGE / 8, became


REFUSED_LINES = (
    "laplace 1e-200 x 510",
    "laplace 1e-300 x 1000000",
    "laplace 1e-320",
    "gauss 1 1e-320",
    "gauss 1e-12 1e-30",
)


@pytest.mark.parametrize("line", REFUSED_LINES)
def test_a_line_of_a_ledger_that_once_took_all_memory_or_failed_is_refused_by_name(line: str) -> None:
    box = BOXES["a ledger"]
    problem = judged(box, (line, 10.0, 1e-6), Glance())
    assert isinstance(problem, REFUSED) and not isinstance(problem, RefusedError)
    assert line in catalogue_of("en").refusal(problem) and line in catalogue_of("de").refusal(problem)  # type: ignore[arg-type]


def test_a_million_wide_normal_releases_are_answered_within_the_limits_of_every_question() -> None:
    line = "gauss 50 0.999999 x 1000000"
    found = judged(BOXES["a ledger"], (line, 10.0, 1e-6), Glance())
    assert not isinstance(found, (*REFUSED, LaterError)) and "1\u202f000\u202f000" in found.answer
    carried_out(MixedLedger(read_rows(line)))
