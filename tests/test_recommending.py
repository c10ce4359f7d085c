"""What a plan recommends keeps what it promises: taken over and asked again, it holds; and it costs little more."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.facts.naming import opened
from ldpcore.estimating.adviser import tuned_anew
from ldpcore.experiments import budget, frequencies, limits, means, regression, response, trust, vectors
from ldpcore.experiments.averaging import running as averaging
from ldpcore.experiments.budget.totals import total_of
from ldpcore.experiments.counting import releases as counting
from ldpcore.experiments.recommending import sayable
from ldpcore.mechanisms import by_slug
from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.questions import Recommendation
from tests import scenes
from tests.rationing import crossed
from tests.scenes import ENDS, Setting, answered, results_of

SLACK = 1 + 1e-8  # what a solver leaves


@given(st.floats(1e-6, 50))
def test_a_level_that_is_said_is_at_or_just_above_the_level_needed(level: float) -> None:
    said = sayable(level)
    assert said is not None and level <= said * (1 + 1e-9) and said <= max(1.0501 * level, 1e-6)
    assert said == float(f"{said:.4g}") and sayable(said) == said
    below = sayable(level, down=True)
    assert below is not None and below * (1 - 1e-9) <= level and below >= 0.949 * level


def test_levels_are_said_in_hundredths_and_in_finer_steps_below_a_fifth() -> None:
    told = {0.5991: 0.6, 0.953256: 0.96, 0.6: 0.6, 4.76: 4.76, 4.761: 4.77, 0.1: 0.1, 0.1011: 0.102, 0.0123: 0.0123}
    assert {level: sayable(level) for level in told} == told
    assert sayable(50.1) is None and sayable(math.inf) is None and sayable(None) is None


def asked_again(question: Any, settings: dict[str, Any]) -> Any:
    """A plan with the recommended settings in place of the present ones."""
    level = settings.get("epsilon")
    if level is not None and hasattr(question, "randomizer"):
        question = replace(question, randomizer=tuned_anew(question.randomizer, level))
    elif level is not None and isinstance(question, response.SurveyPlan):
        question = replace(question, design=RandomizedResponse(level))
    elif level is not None and hasattr(question, "mechanism"):
        question = replace(question, mechanism=question.mechanism.at_level(level))
    elif level is not None and hasattr(question, "epsilon"):
        question = replace(question, epsilon=level)
    return replace(question, n=settings["n"]) if "n" in settings else question


def trusted(found: Any, taken: dict[str, Any], purpose: str) -> bool:
    question = found.experiment
    if purpose == "curator":
        return math.exp(-taken["epsilon"] * question.width * question.numbers.n) <= (1 - question.confidence) * SLACK
    asked = question.at(taken["epsilon"])
    return bool(asked.reach(purpose, question.numbers.n) <= asked.reports.width * SLACK)


def often(found: Any, taken: dict[str, Any], purpose: str) -> bool:
    question = found.experiment
    within = question.mechanism.average_within  # held by convolution in `test_added_noise.py`
    return bool(within(question.width, taken["repeats"]) * SLACK >= question.confidence)


KEPT: dict[type, Callable[[Any, dict[str, Any], str], bool]] = {
    counting.CountPlanResult: lambda found, taken, purpose: found.chance * SLACK >= found.experiment.confidence,
    averaging.AveragingPlanResult: often,
    budget.BudgetPlanResult: lambda found, taken, purpose: (
        total_of("exact", taken["epsilon"], found.experiment.k, found.experiment.delta)
        <= found.experiment.total * SLACK
    ),
    trust.TrustPlanResult: trusted,
    response.SurveyPlanResult: lambda found, taken, purpose: found.width <= found.experiment.width * SLACK,
    frequencies.FrequencyPlanResult: lambda found, taken, purpose: found.width <= found.experiment.width * SLACK,
    frequencies.BestMechanismResult: lambda found, taken, purpose: found.experiment.fits(
        by_slug(taken["mechanism"])(taken["epsilon"], found.experiment.k)
    ),
    means.MeanPlanResult: lambda found, taken, purpose: (
        found.need(taken.get("mechanism", found.needs[0].slug)).reach <= found.experiment.width * SLACK
    ),
    vectors.VectorPlanResult: lambda found, taken, purpose: (
        next(need.reach for need in found.needs if need.slug == taken["method"]) <= found.experiment.width * SLACK
    ),
    limits.LimitPlanResult: lambda found, taken, purpose: (
        found.experiment.enough(found.experiment.n, found.experiment.epsilon) <= found.experiment.allowed * SLACK
    ),
    # The level of a curve is found to a thousandth.
    regression.CurvePlanResult: lambda found, taken, purpose: found.error <= found.experiment.wish * 1.002,
}


PLANNED = [  # a plan stands in another view of *Limits* too
    (setting, level)
    for setting, level in crossed(scenes.shared_settings(), ENDS, 3)
    if setting.view.slug in ("plan", "totals") or setting.page.slug == "limits"
]


def plans(setting: Setting, level: float) -> list[Any]:
    """The plans of a view at a level."""
    results = results_of(setting.view.question(setting.asked, level, setting.own), answered)
    return [plan for plan, _ in map(opened, results) if type(plan) in KEPT]


@pytest.mark.parametrize(("setting", "level"), PLANNED, ids=[f"{setting.name}@{level:g}" for setting, level in PLANNED])
def test_a_recommendation_that_is_taken_keeps_what_its_plan_promises(setting: Setting, level: float) -> None:
    for plan in plans(setting, level):
        for recommended in plan.recommended:
            assert isinstance(recommended, Recommendation)
            taken = dict(recommended.settings)
            again = asked_again(plan.experiment, taken).run()
            assert KEPT[type(plan)](again, taken, recommended.purpose), (recommended, again)


def test_every_kind_of_plan_is_looked_at_and_recommends_something() -> None:
    recommending = {type(plan) for each in PLANNED for plan in plans(*each) if plan.recommended}
    assert recommending == set(KEPT)
