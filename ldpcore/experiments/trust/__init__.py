"""The cost of trusting nobody: errors with a curator, shuffled and without one; people who stand alone; choices.

May import what `ldpcore` may. Errors are standard deviations of the noise alone, in the reader's unit: what a sample of
people would add is the same in all three models.
"""

from __future__ import annotations

from ldpcore.experiments.trust.choices import BestChoice, BestChoiceResult
from ldpcore.experiments.trust.crowds import AnonymityCrowds, WhoIsAlone, WhoIsAloneResult
from ldpcore.experiments.trust.models import (
    MODELS,
    ErrorsNow,
    ErrorsNowResult,
    ErrorsOverPeople,
    ErrorsOverPeopleResult,
)
from ldpcore.experiments.trust.pictures import TwoPictures, TwoPicturesResult
from ldpcore.experiments.trust.plan import PeopleByModel, PeopleByModelResult, TrustPlan, TrustPlanResult
from ldpcore.experiments.trust.statistics import ManyStatistics, ManyStatisticsResult

__all__ = [
    "MODELS",
    "AnonymityCrowds",
    "BestChoice",
    "BestChoiceResult",
    "ErrorsNow",
    "ErrorsNowResult",
    "ErrorsOverPeople",
    "ErrorsOverPeopleResult",
    "ManyStatistics",
    "ManyStatisticsResult",
    "PeopleByModel",
    "PeopleByModelResult",
    "TrustPlan",
    "TrustPlanResult",
    "TwoPictures",
    "TwoPicturesResult",
    "WhoIsAlone",
    "WhoIsAloneResult",
]
