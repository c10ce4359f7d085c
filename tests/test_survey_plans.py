"""A survey from plan to form: expected silence, coins that give less than was planned, a form as long as the crowd."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from explorer.pages.response.drawings.kit import FIVES, MOST, STROKES, kit, lines_of
from explorer.pages.response.facts import facts
from explorer.pages.response.settings import ResponseSettings, SurveyWish
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.response import SurveyKit, SurveyKitResult, SurveyPlan, chances
from ldpcore.mechanisms.grr import RandomizedResponse

BEST = RandomizedResponse(1.0)


def planned(level: float, wish: SurveyWish, n: int = 1000) -> SurveyKitResult:
    """What people hold, beside the plan of so many."""
    return ResponseSettings(n=n).plan(level, wish)[1].run()


def test_who_stays_silent_is_asked_for_in_vain_and_more_are_asked() -> None:
    open_, silent = SurveyPlan(BEST, 1000).run(), SurveyPlan(BEST, 1000, unanswered=0.4).run()
    assert silent.width == SurveyPlan(BEST, 600).run().width > open_.width
    assert open_.people is not None and silent.people is not None
    answers = silent.people * 0.6
    assert answers >= open_.people > answers - 1  # so many answers as a plan without silence wants, and not one more
    assert SurveyPlan(BEST, 1, unanswered=0.95).run().experiment.answers == 1


def test_a_plan_holds_in_as_many_surveys_as_it_says_whatever_the_share_is() -> None:
    plan = planned(0.9, SurveyWish(0.05, True, "coins"), n=4000)
    (a, b), rng = chances(plan.device.design()), np.random.default_rng(5)
    for share in (0.05, 0.3, 0.5):
        yes = rng.binomial(4000, share * a + (1 - share) * b, 40_000)
        estimates = (yes / 4000 - b) / (a - b)
        assert np.mean(np.abs(estimates - share) <= plan.reach) > 0.945


def test_coins_that_give_less_say_what_becomes_of_the_precision_and_offer_what_gives_more() -> None:
    coins, spinner = planned(0.9, SurveyWish(device="coins")), planned(0.9, SurveyWish(device="spinner"))
    assert coins.level < 0.9 and coins.wider and coins.reach > spinner.reach and not spinner.wider
    assert coins.nearer == ("dice", "spinner") and spinner.nearer == ()
    assert {dict(each.settings)["device"] for each in coins.recommended} == {"dice", "spinner"}
    assert not planned(math.log(3), SurveyWish(device="coins")).wider  # these coins are exactly of this level
    assert not SurveyKit("coins", 0.9).run().wider and SurveyKit("coins", 0.9).run().people is None


@pytest.mark.parametrize("n", [1, 30, 400, 2000, 10**6])
@pytest.mark.parametrize("device", ["coins", "dice", "spinner"])
def test_the_form_has_room_for_whatever_the_crowd_may_say(n: int, device: str) -> None:
    result = planned(1.1, SurveyWish(device=device, unanswered=0.2), n)
    lines, asked = lines_of(result), min(n, MOST)
    answers, f, room = 0.8 * asked, result.device.f, FIVES * STROKES
    worst = answers * (1 - f) + 3 * math.sqrt(answers * f * (1 - f))  # all of them a true yes, and luck besides
    assert lines["yes"] == lines["no"] and worst <= lines["yes"] * room < worst + 2 * room
    assert lines["silent"] * room >= 0.2 * asked


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_kit_speaks_of_those_who_are_asked_and_promises_what_was_planned(language: str) -> None:
    plan, survey = (
        question.run()
        for question in ResponseSettings(n=5000).plan(1.1, SurveyWish(0.05, True, "coins", 0.3, "patients"))
    )
    file = kit(survey, {**facts(plan), **facts(survey)}, catalogue_of(language), "https://ldp.example/response", "")
    text = re.sub(r"<[^>]*>", " ", file)
    wanted = {
        "en": ("how many patients", "For the ethics board", "5\u202f000 patients are asked", "3\u202f500", "3 times"),
        "de": ("wie viele Patientinnen", "Für die Ethikkommission", "5\u202f000 Patientinnen", "3\u202f500", "3-mal"),
    }
    assert all(part in text for part in wanted[language]), text
    reach = catalogue_of(language).write(facts(survey)["held_reach"])
    assert f"±{reach}" in text and "council" not in text.lower()
