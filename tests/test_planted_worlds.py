"""Planted mistakes about two worlds: inequalities, infinities, best tests, games and who is in which group.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from explorer.pages.distinguish import settings
from ldpcore.experiments.distinguish import games
from ldpcore.laws import besttests as testing
from ldpcore.laws import divergences
from tests import test_distinguish_views, test_distinguishing, test_divergences
from tests.test_planted import Mistake


def finite_where_it_is_not(p: Any, q: Any) -> float:
    first, second = np.asarray(p), np.asarray(q)
    both = (first > 0) & (second > 0)
    return float((first[both] * np.log(first[both] / second[both])).sum())


def kept_prices(multipliers: Any) -> Any:
    """The mixture of the best test forgotten: every law alike."""
    return np.full(len(multipliers), 1 / len(multipliers))


def careless(loss: Any, d: int, delta: float) -> None:
    return None


VIEWS, TESTS = test_distinguish_views, test_distinguishing

WORLDS = (
    Mistake(
        "an inequality: Pinsker as it is misprinted",
        (divergences, "pinsker", lambda divergence: divergence / math.sqrt(2)),
        test_divergences.test_pinsker_is_the_right_one_and_the_printed_one_fails_for_a_nearly_fair_coin,
    ),
    Mistake(
        "an infinity: a divergence that forgets what is excluded",
        (divergences, "kullback_leibler", finite_where_it_is_not),
        test_divergences.test_infinity_comes_back_exactly_where_the_second_law_excludes_what_the_first_allows,
    ),
    Mistake(
        "a best test: a mixture that is not the hardest",
        (testing, "_mixture", kept_prices),
        TESTS.test_both_sides_of_the_minimax_identity_agree_and_no_mixture_does_better,
    ),
    Mistake(
        "a condition of a theorem: Assouad's condition never checked",
        (games, "separation", careless),
        VIEWS.test_assouad_is_attained_where_it_holds_and_false_where_its_condition_is_broken,
    ),
    Mistake(
        "which group is which: the second world's rows for the first",
        (settings, "parted", lambda table, by, value: PARTED(table, by, value)[::-1]),
        VIEWS.test_groups_of_a_table_are_counted_by_hand,
    ),
)
PARTED = settings.parted


@pytest.mark.parametrize("mistake", WORLDS, ids=str)
def test_a_planted_mistake_about_two_worlds_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch, TypeError)
