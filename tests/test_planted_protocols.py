"""Planted mistakes about protocols that listen: kernels, steps, stages, searches, and the page's questions.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ldpcore.experiments.protocols import pairs
from ldpcore.protocols import Protocol, SearchAlone, steps, transcripts
from tests import test_protocols as core
from tests import test_protocols_experiments as page
from tests.test_planted import Check, Mistake

TURNS, JOINT = Protocol.turns, Protocol.joint
BOUND = SearchAlone.bound


def one_example(test: Any, *given: Any) -> Check:
    """A test over many random examples, at one of them."""
    return lambda: test.hypothesis.inner_test(*given)


def first_history_alone(self: Protocol) -> Any:
    return tuple(turn for turn in TURNS(self) if not any(turn.history))


def forgets_history(self: Protocol, values: Any) -> np.ndarray:
    first = (kernel.channel((0,) * turn) for turn, kernel in enumerate(self.kernels))
    return JOINT(Protocol(tuple(map(transcripts.Fixed, first)), self.people), values)


CORE = (
    Mistake(
        "a protocol's level: losses of one history alone",
        (Protocol, "turns", first_history_alone),
        core.test_a_kernel_that_breaks_its_level_after_one_rare_history_is_caught,
    ),
    Mistake(
        "a protocol's law: a joint law that forgets",
        (Protocol, "joint", forgets_history),
        one_example(core.test_the_joint_law_is_the_product_along_every_path_and_sums_to_one, 3),
    ),
)

EXAMPLES = (
    Mistake(
        "an enumerated error: groups that lose those left over",
        (steps, "group_sizes", lambda n, groups: np.full(groups, n // groups)),
        lambda: core.test_fixed_thresholds_err_as_their_enumeration(3, 10),
    ),
    Mistake(
        "a search: the bound of the smallest distance left out",
        (SearchAlone, "bound", lambda self: np.append(BOUND(self)[1:], 0.0) / 50),
        lambda: core.test_the_tail_of_the_lonely_search_never_exceeds_its_bound(1.0, 2000),
    ),
)

QUESTIONS = (
    Mistake(
        "a comparison of protocols: a broken promise at its own level",
        (pairs.TwoPeopleResult, "kept", property(lambda self: True)),
        page.test_two_people_are_enumerated_and_the_broken_promise_is_seen,
    ),
)
ALL = (*CORE, *EXAMPLES, *QUESTIONS)


@pytest.mark.parametrize("mistake", ALL, ids=str)
def test_a_planted_mistake_about_protocols_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)
