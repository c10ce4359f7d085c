"""Two people, or two worlds, after a private report: errors, distances, crowds, tests and guesses that tell them apart.

A world is a law of what one person holds; a channel of level α turns it into a law of what one person reports. The
worlds are known and nothing is drawn: every number here is exact, or an end of a stated interval. May import what
`ldpcore` may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ldpcore.experiments import deferred

if TYPE_CHECKING:
    from ldpcore.experiments.distinguish.crowds import RIGHT, ManyPeople, ManyPeopleResult
    from ldpcore.experiments.distinguish.distances import (
        MEASURES,
        BeforeAfter,
        BeforeAfterResult,
        Factor,
        Inequalities,
        InequalitiesResult,
        Inequality,
        Passed,
        RenyiOrder,
        inequalities,
    )
    from ldpcore.experiments.distinguish.errors import TellApart, TellApartResult
    from ldpcore.experiments.distinguish.games import (
        GAMES,
        LOSSES,
        SILENT,
        CornerLoss,
        Guessing,
        GuessingResult,
        HypothesisCount,
    )
    from ldpcore.experiments.distinguish.single import Information, InformationResult, Minimax, MinimaxResult
    from ldpcore.experiments.distinguish.worlds import (
        DOUBLED_USERS,
        MOST_OUTCOMES,
        TwoWorlds,
        WorldPair,
        bell,
        law,
        made,
        members,
    )

__all__ = [
    "DOUBLED_USERS",
    "GAMES",
    "LOSSES",
    "MEASURES",
    "MOST_OUTCOMES",
    "RIGHT",
    "SILENT",
    "BeforeAfter",
    "BeforeAfterResult",
    "CornerLoss",
    "Factor",
    "Guessing",
    "GuessingResult",
    "HypothesisCount",
    "Inequalities",
    "InequalitiesResult",
    "Inequality",
    "Information",
    "InformationResult",
    "ManyPeople",
    "ManyPeopleResult",
    "Minimax",
    "MinimaxResult",
    "Passed",
    "RenyiOrder",
    "TellApart",
    "TellApartResult",
    "TwoWorlds",
    "WorldPair",
    "bell",
    "inequalities",
    "law",
    "made",
    "members",
]

__getattr__ = deferred(
    __name__,
    {
        "crowds": "RIGHT ManyPeople ManyPeopleResult",
        "distances": "MEASURES BeforeAfter BeforeAfterResult Factor Inequalities InequalitiesResult Inequality Passed "
        "RenyiOrder inequalities",
        "errors": "TellApart TellApartResult",
        "games": "GAMES LOSSES SILENT CornerLoss Guessing GuessingResult HypothesisCount",
        "single": "Information InformationResult Minimax MinimaxResult",
        "worlds": "DOUBLED_USERS MOST_OUTCOMES TwoWorlds WorldPair bell law made members",
    },
)
