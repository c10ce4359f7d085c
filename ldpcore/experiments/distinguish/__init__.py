"""Can anyone tell two people, or two worlds, apart after a private report? Errors, distances, crowds, tests, guesses.

A world is a law of what one person holds; a channel of level α turns it into a law of what one person reports. The
worlds are known and nothing is drawn: every number here is exact, or an end of a stated interval. May import what
`ldpcore` may.
"""

from ldpcore.experiments.distinguish.crowds import RIGHT, Guessing, GuessingResult, ManyPeople, ManyPeopleResult
from ldpcore.experiments.distinguish.errors import (
    DISTANCES,
    BeforeAfter,
    BeforeAfterResult,
    Inequality,
    TellApart,
    TellApartResult,
    inequalities,
)
from ldpcore.experiments.distinguish.single import Information, InformationResult, Minimax, MinimaxResult
from ldpcore.experiments.distinguish.worlds import LEVELS, MOST, USERS, TwoWorlds, Worlds, bell, law, made, members

__all__ = [
    "DISTANCES", "LEVELS", "MOST", "RIGHT", "USERS", "BeforeAfter", "BeforeAfterResult", "Guessing", "GuessingResult",
    "Inequality", "Information", "InformationResult", "ManyPeople", "ManyPeopleResult", "Minimax", "MinimaxResult",
    "TellApart", "TellApartResult", "TwoWorlds", "Worlds", "bell", "inequalities", "law", "made", "members",
]  # fmt: skip
