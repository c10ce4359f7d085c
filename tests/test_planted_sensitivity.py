"""Planted mistakes about sensitivity: functions that forget their slope, biases that vanish, bounds that nobody keeps.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ldpcore.experiments.counting.bounding import BoundedSum, BoundedSumResult
from tests import test_bounding
from tests.test_planted import Mistake


def left_out(self: BoundedSum, bounds: Any) -> Any:
    """Whoever lies above the bound adds nothing."""
    values = self.records.values[:, None]
    return self.records.times * np.where(values > np.atleast_1d(bounds), values, 0.0).sum(axis=0)


MISTAKES = (
    Mistake(
        "a sensitivity: a function whose slope is forgotten",
        (BoundedSum, "sensitivity", lambda self, bound: bound),
        test_bounding.test_x_moves_by_one_twice_x_by_two_and_five_x_by_five,
    ),
    Mistake(
        "public bounds: records above the bound that are left out, not cut",
        (BoundedSum, "cut", left_out),
        lambda: test_bounding.test_noise_and_bias_of_every_bound_are_those_of_the_records_one_by_one("visits"),
    ),
    Mistake(
        "a sensitivity: an assumed bound that keeps its promise",
        (BoundedSumResult, "unenforced", property(lambda self: self.experiment.epsilon)),
        lambda: test_bounding.test_a_record_of_101_where_100_was_assumed_takes_the_level_to_exactly_101_hundredths(
            "add-remove"
        ),
    ),
)


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_a_planted_mistake_about_sensitivity_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)
