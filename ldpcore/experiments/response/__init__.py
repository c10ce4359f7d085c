"""A class that answers with coins: its estimate, its deniability, its cost in people, its plan.

A design is anything that says "yes" with probability a to a true yes and b to a true no: randomized response at its
level, or any two coins. Shares are shares of yes.

May import what `ldpcore` may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldpcore.experiments import deferred

if TYPE_CHECKING:
    from ldpcore.experiments.response.coins import CoinDesign, CoinDesignResult
    from ldpcore.experiments.response.deniability import Deniability, DeniabilityResult, posterior
    from ldpcore.experiments.response.design import (
        DESIGNS,
        EXAMPLE_LEVELS,
        ClassSize,
        RespondentCount,
        ResponseDesign,
        Yes,
        answered_alike,
        chances,
        check_yes,
        coins_of,
        designed,
        estimate_of,
        exact_cost,
        interval_of,
    )
    from ldpcore.experiments.response.estimated import FAR, Estimated, OfKnownClass
    from ldpcore.experiments.response.kit import SurveyedCrowd, SurveyKit, SurveyKitResult
    from ldpcore.experiments.response.needed import RandomizationFactor, RandomizationFactorResult, people_factor
    from ldpcore.experiments.response.plan import SurveyPlan, SurveyPlanResult, SurveyWidth, Unanswered
    from ldpcore.experiments.response.repeated import RepeatedSurveys, RepeatedSurveysResult
    from ldpcore.experiments.response.survey import (
        DRAWN,
        ClassSurvey,
        ClassSurveyResult,
        Flips,
        RealAnswers,
        RealAnswersResult,
    )

__all__ = [
    "DESIGNS",
    "DRAWN",
    "EXAMPLE_LEVELS",
    "FAR",
    "ClassSize",
    "ClassSurvey",
    "ClassSurveyResult",
    "CoinDesign",
    "CoinDesignResult",
    "Deniability",
    "DeniabilityResult",
    "Estimated",
    "Flips",
    "OfKnownClass",
    "RandomizationFactor",
    "RandomizationFactorResult",
    "RealAnswers",
    "RealAnswersResult",
    "RepeatedSurveys",
    "RepeatedSurveysResult",
    "RespondentCount",
    "ResponseDesign",
    "SurveyKit",
    "SurveyKitResult",
    "SurveyPlan",
    "SurveyPlanResult",
    "SurveyWidth",
    "SurveyedCrowd",
    "Unanswered",
    "Yes",
    "answered_alike",
    "chances",
    "check_yes",
    "coins_of",
    "designed",
    "estimate_of",
    "exact_cost",
    "interval_of",
    "people_factor",
    "posterior",
]

__getattr__ = deferred(
    __name__,
    {
        "coins": "CoinDesign CoinDesignResult",
        "deniability": "Deniability DeniabilityResult posterior",
        "design": "DESIGNS EXAMPLE_LEVELS ClassSize RespondentCount ResponseDesign Yes answered_alike chances "
        "check_yes coins_of designed estimate_of exact_cost interval_of",
        "estimated": "FAR Estimated OfKnownClass",
        "kit": "SurveyedCrowd SurveyKit SurveyKitResult",
        "needed": "RandomizationFactor RandomizationFactorResult people_factor",
        "plan": "SurveyPlan SurveyPlanResult SurveyWidth Unanswered",
        "repeated": "RepeatedSurveys RepeatedSurveysResult",
        "survey": "DRAWN ClassSurvey ClassSurveyResult Flips RealAnswers RealAnswersResult",
    },
)
