"""Plans of one mean and of several: the level that is said keeps the wish, and of equals the first counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ldpcore.experiments import needs
from ldpcore.experiments.means import MeanPlan, MeanPlanResult
from ldpcore.experiments.needs import Need, NeedsPlan
from ldpcore.experiments.recommending import recommended_level, sayable
from ldpcore.experiments.vectors import VectorPlan, VectorPlanResult
from tests.rationing import shared

WISHES = [(n, width) for n in (30, 700, 20_000, 10**6) for width in (0.004, 0.03, 0.1, 0.4)]
PLANS: list[Any] = [
    *(MeanPlan(1.0, n, width, sampled=bool(place % 2)) for place, (n, width) in enumerate(WISHES)),
    *(VectorPlan(1.0, 1 + place % 4, n, width) for place, (n, width) in enumerate(WISHES)),
]


def said(result: Any) -> list[dict[str, Any]]:
    """What is recommended as a level, with the mechanism or method that it is for."""
    offered = [dict(each.settings) for each in result.recommended]
    own = {"slug": result.needs[0].slug}
    named = [own | {"slug": each.get("mechanism", each.get("method", own["slug"]))} | each for each in offered]
    return [each for each in named if "epsilon" in each]


@pytest.mark.parametrize("plan", shared(PLANS, 3), ids=str)
def test_the_level_that_is_said_keeps_the_wish(plan: Any) -> None:
    result = plan.run()
    meant = (result.best, *result.needs[: isinstance(plan, MeanPlan)])  # of one mean the own mechanism, too
    assert {each["slug"] for each in said(result)} == {need.slug for need in meant if need and need.epsilon}
    for each in said(result):
        needed = next(need.epsilon for need in result.needs if need.slug == each["slug"])
        assert needed * (1 - 1e-9) <= each["epsilon"] <= max(needed * 1.06, 1e-6)
        assert plan.reach(each["slug"], each["epsilon"], plan.n) <= plan.width


@pytest.mark.parametrize("plan", shared(PLANS, 4), ids=str)
def test_a_curve_of_people_runs_near_the_fewest_people_at_each_level(plan: Any) -> None:
    """Between the knots, too, where the fewest are counted one by one."""
    for slug in (need.slug for need in plan.run().needs[:2]):
        levels = np.array([0.03, 0.4, 2.3])
        for level, along in zip(levels, plan.people_along(slug, levels), strict=True):
            at: Any = needs.replace(plan, epsilon=float(level))
            people = at.people(slug)
            assert people is not None
            assert along == pytest.approx(people, rel=0.06, abs=3) or people < 50
            assert at.reach(slug, float(level), people) <= plan.width


@pytest.mark.parametrize("result", [MeanPlanResult, VectorPlanResult])
def test_of_levels_that_differ_in_the_last_digits_the_first_is_the_best(result: Any) -> None:
    level = 0.7
    tied = (Need("a", None, None, 1.0), Need("b", level, 9, 1.0), Need("c", level * (1 - 1e-12), 9, 1.0))
    assert result(PLANS[0], tied).best.slug == "b" and result(PLANS[0], tied).fewest.slug == "b"
    assert result(PLANS[0], (*tied, Need("d", level * (1 - 1e-6), 8, 1.0))).best.slug == "d"
    assert result(PLANS[0], tied[:1]).best is None


@dataclass(frozen=True)
class Bumpy(MeanPlan):
    """A plan for which what is proved gets worse again on a stretch of levels behind the one that is needed."""

    def reach(self, slug: str, level: float, n: int) -> float:
        return 2 * self.width if 0.5203 < level < 0.545 else self.width * 0.5 / level


def test_a_level_at_which_the_proof_is_worse_again_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Bumpy(1.0, 100, 0.1, slugs=("pm",))
    result = MeanPlanResult(plan, (Need("pm", 0.5201, None, 0.05),))
    assert sayable(0.5201) == 0.53, "the next level that can be said lies on the stretch"
    assert [each["epsilon"] for each in said(result)] == [0.55]
    monkeypatch.setattr(MeanPlanResult, "said", lambda self, need, **chosen: recommended_level(need.epsilon, **chosen))
    assert [plan.reach("pm", each["epsilon"], 100) > plan.width for each in said(result)] == [True], "the law bites"


def test_what_no_level_can_keep_is_not_recommended() -> None:
    plan = Bumpy(1.0, 100, 0.1, slugs=("pm",))
    assert MeanPlanResult(plan, (Need("pm", None, None, math.inf),)).recommended == ()


def test_the_needed_level_is_kept_whatever_the_level_is_now() -> None:
    needs.level_within.cache_clear()
    for plan in (PLANS[2], PLANS[-2]):
        again: NeedsPlan = needs.replace(plan, epsilon=0.2)
        slug = plan.run().needs[1].slug
        asked = needs.level_within.cache_info().misses
        assert again.level(slug) == plan.level(slug) and needs.level_within.cache_info().misses == asked
