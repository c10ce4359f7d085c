"""Planted mistakes about plans: levels rounded to the wrong side, tables that forget who moves, and the truth.

As in `test_planted.py`, each breaks one place, and a named test must turn red for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from decimal import ROUND_FLOOR
from typing import Any

import numpy as np
import pytest

from ldpcore.estimating.confidences import quantile
from ldpcore.experiments import needs, recommending
from ldpcore.experiments.counting import tableplan
from ldpcore.experiments.counting.releases import CountPlan
from ldpcore.experiments.counting.tableplan import TablePlan, TablePlanResult
from ldpcore.experiments.means import plan as means_plan
from ldpcore.experiments.trust import plan as trust_plan
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests import test_pages_that_plan_alike as pairs
from tests import test_plans_keep_their_confidence as law
from tests import test_recommending, test_tableplan
from tests.test_planted import Mistake


def anew(check: Callable[..., None], *given: Any) -> Callable[[], None]:
    """A check that finds no shares and levels of tables that were kept before."""

    def checked() -> None:
        for each in KEPT:
            each.cache_clear()
        check(*given)

    return checked


def one_by_one(confidence: float, cells: int) -> float:
    return confidence


def once(self: TablePlan, norm: int) -> float:
    return float(self.each * len(self.tables) ** (1 / norm))


def by_the_truth(self: TablePlanResult) -> Any:
    return tuple(np.array(table) > self.reach for table in self.experiment.tables)


KEPT = (tableplan.shares, tableplan.level_needed)
PLANS = (
    Mistake(
        "a level that is rounded: a level that is said below what it takes",
        (recommending, "ROUND_CEILING", ROUND_FLOOR),
        test_recommending.test_levels_are_said_in_hundredths_and_in_finer_steps_below_a_fifth,
    ),
    Mistake(
        "who moves several cells: a table in which whoever is replaced moves one cell",
        (TablePlan, "together", once),
        test_tableplan.test_one_replaced_doubles_the_level_and_tables_share_it,
    ),
    Mistake(
        "several promises at the same time: cells that hold one by one and not at the same time",
        (tableplan, "each_within", one_by_one),
        anew(test_tableplan.test_six_counts_within_five_take_096_where_one_takes_06),
    ),
    Mistake(
        "a choice by the truth: cells that are chosen by their true counts",
        (TablePlanResult, "large", property(by_the_truth)),
        lambda: test_tableplan.test_cells_are_kept_by_what_is_released_and_hidden_results_know_no_counts(
            LaplaceMechanism
        ),
    ),
)


@pytest.mark.parametrize("mistake", PLANS, ids=str)
@pytest.mark.usefixtures("forgetful")
def test_a_planted_mistake_about_plans_is_caught(mistake: Mistake, monkeypatch: pytest.MonkeyPatch) -> None:
    mistake.is_caught(monkeypatch)


def by_the_normal_law(mechanism: Any, n: int, confidence: float = 0.95, sampled: bool = False) -> float:
    """What plans went by that kept their confidence too seldom."""
    return quantile(confidence) * math.sqrt((mechanism.worst_variance() + sampled) / n)


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Levels and curves that plans keep are made anew, before a mistake is planted and when it is pulled out."""
    kept: tuple[Any, ...] = (needs.level_within, needs.people_at_knots)
    kept += (trust_plan._allowed_along, *KEPT)
    for each in kept:
        each.cache_clear()
    yield
    for each in kept:
        each.cache_clear()


@pytest.mark.usefixtures("forgetful")
def test_a_planted_normal_law_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(means_plan, "mean_reach", by_the_normal_law)
    few = [(place, case) for place, case in law.WISHES if case[0] in (2, 5, 20) and case[2] == 0.999]
    assert law.broken(law.JUDGES[means_plan.MeanPlan], few)


def test_a_planted_level_below_the_one_needed_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recommending, "ROUND_CEILING", ROUND_FLOOR)
    for kind in (CountPlan, TablePlan):
        assert law.broken(law.JUDGES[kind], law.WISHES[::5]), kind


@pytest.mark.usefixtures("forgetful")
def test_a_page_that_goes_by_another_law_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Farther(means_plan.MeanPlan):
        def level(self, slug: str) -> float | None:
            level = super().level(slug)
            return None if level is None else 0.99 * level

    monkeypatch.setattr(trust_plan, "MeanPlan", Farther)
    assert pairs.differences(pairs.PAIRS[1]) and pairs.differences(pairs.PAIRS[2])
