"""Planted mistakes about plans: levels rounded to the wrong side, tables that forget who moves, and the truth.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

from decimal import ROUND_FLOOR, ROUND_HALF_EVEN
from typing import Any

import numpy as np
import pytest

from ldpcore.experiments import recommending
from ldpcore.experiments.counting import tableplan
from ldpcore.experiments.counting.tableplan import TablePlan, TablePlanResult
from tests import test_recommending, test_tableplan
from tests.test_planted import Mistake

SIX = (test_tableplan.SIX,)


def equally(self: TablePlan, total: float) -> Any:
    return np.full(len(self.tables), total / len(self.tables))


def every_cell_by_itself(width: Any, levels: Any, cells: Any, sensitivity: float) -> float:
    return ALL_WITHIN(width, levels, np.ones_like(cells), sensitivity)


def open_ends(width: float, levels: Any, cells: Any, sensitivity: float) -> float:
    return ALL_WITHIN_WHOLE(width - 1, levels, cells, sensitivity)


def by_the_truth(self: TablePlanResult) -> Any:
    return tuple(np.array(table) > self.reach for table in self.experiment.tables)


ALL_WITHIN, ALL_WITHIN_WHOLE = tableplan.all_within, tableplan.all_within_whole
PLANS = (
    Mistake(
        "a level that is said below what it takes",
        recommending,
        "ROUND_CEILING",
        ROUND_FLOOR,
        test_recommending.test_levels_are_said_in_hundredths_and_in_finer_steps_below_a_fifth,
    ),
    Mistake(
        "a level that is said to the nearest hundredth",
        recommending,
        "ROUND_CEILING",
        ROUND_HALF_EVEN,
        test_tableplan.test_what_the_present_level_gives_agrees_with_the_plan,
    ),
    Mistake(
        "a table in which whoever is replaced moves one cell",
        TablePlan,
        "sensitivity",
        1.0,
        test_tableplan.test_one_replaced_doubles_the_level_and_tables_share_it,
    ),
    Mistake(
        "cells that hold one by one and not at the same time",
        tableplan,
        "all_within",
        every_cell_by_itself,
        test_tableplan.test_six_counts_within_five_take_096_where_one_takes_06,
    ),
    Mistake(
        "tables that share their level equally, whatever their sizes",
        TablePlan,
        "split",
        equally,
        test_tableplan.test_no_other_split_of_the_level_does_better,
    ),
    Mistake(
        "noise in whole numbers whose width leaves its own end out",
        tableplan,
        "all_within_whole",
        open_ends,
        lambda: test_tableplan.test_whole_numbers_noise_keeps_the_width_as_often_at_its_own_level(SIX),
    ),
    Mistake(
        "cells that are chosen by their true counts",
        TablePlanResult,
        "large",
        property(by_the_truth),
        test_tableplan.test_cells_are_kept_by_what_is_released_and_hidden_results_know_no_counts,
    ),
)


@pytest.mark.parametrize("mistake", PLANS, ids=[mistake.name for mistake in PLANS])
def test_a_planted_mistake_about_plans_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)
