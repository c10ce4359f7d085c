"""Planted mistakes about sensitivity: functions that forget their slope, biases that vanish, bounds that nobody keeps.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ldpcore.experiments.counting import bounding
from ldpcore.experiments.counting.bounding import BoundedSum, BoundedSumResult
from tests import test_bounding
from tests.test_planted import Mistake


def left_out(self: BoundedSum, bounds: Any) -> Any:
    """Whoever lies above the bound adds nothing."""
    values = self.records.values[:, None]
    return self.records.times * np.where(values > np.atleast_1d(bounds), values, 0.0).sum(axis=0)


MISTAKES = (
    Mistake(
        "a function whose slope is forgotten",
        BoundedSum,
        "sensitivity",
        lambda self, bound: bound,
        test_bounding.test_x_moves_by_one_twice_x_by_two_and_five_x_by_five,
    ),
    Mistake(
        "the largest record of this table in the place of the bound",
        BoundedSum,
        "sensitivity",
        lambda self, bound: min(bound, float(self.records.values.max())),
        lambda: test_bounding.test_the_sensitivity_of_a_bounded_sum_is_the_largest_change_over_all_neighbors(
            "visits", "add-remove"
        ),
    ),
    Mistake(
        "noise and bias that are added up",
        bounding,
        "off_on_average",
        lambda scale, bias: np.asarray(scale) + np.asarray(bias),
        lambda: test_bounding.test_noise_and_bias_of_every_bound_are_those_of_the_records_one_by_one("ages"),
    ),
    Mistake(
        "records above the bound that are left out, not cut",
        BoundedSum,
        "cut",
        left_out,
        lambda: test_bounding.test_noise_and_bias_of_every_bound_are_those_of_the_records_one_by_one("visits"),
    ),
    Mistake(
        "a best bound that looks at the bias alone",
        BoundedSumResult,
        "best",
        property(lambda self: int(self.cuts.argmin())),
        test_bounding.test_at_a_tenth_a_bound_of_9_visits_is_best_and_that_of_100_nine_times_as_far_off,
    ),
    Mistake(
        "an assumed bound that keeps its promise",
        BoundedSumResult,
        "unenforced",
        property(lambda self: self.experiment.epsilon),
        lambda: test_bounding.test_a_record_of_101_where_100_was_assumed_takes_the_level_to_exactly_101_hundredths(
            "add-remove"
        ),
    ),
)


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.name for mistake in MISTAKES])
def test_a_planted_mistake_about_sensitivity_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)
