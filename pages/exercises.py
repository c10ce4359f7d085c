"""Exercises: what follows from what?"""

from explorer.exercises import TOPICS
from explorer.facts import Facts, Term
from explorer.pages.exercises import figures
from explorer.pages.exercises.facts import facts
from explorer.pages.exercises.facts import people as people_cases
from explorer.pages.exercises.settings import Exercises, offered, trusted
from explorer.pages.exercises.widgets import people
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.exercises.deployments import LevelsInUse
from ldpcore.experiments.exercises.notions import NotionOfPrivacy
from ldpcore.experiments.exercises.people import OwnLevels
from ldpcore.experiments.exercises.schedules import ConsistencySchedule
from ldpcore.experiments.trust.statistics import ManyStatistics

page = Page[Exercises]("exercises", facts, default_level=1.0, model=trusted)


@page.settings
def settings(shown: Shown) -> Exercises:
    return Exercises(controls.choice(shown, "topic", TOPICS))


@page.settings_line
def line(asked: Exercises) -> Facts:
    return {"topic": Term(f"topic_options.{asked.topic}")}


# Several numbers, several people
page.view(
    "several",
    lambda asked, level, own: ManyStatistics(level, *own),
    figures.several,
    only=offered("several"),
    own=OwnSetting(people.several, (50, 1e-6)),
    case=people_cases.several_case,
    predicts=Prediction(
        ("by_normal", "by_laplace", "crossing"), stays=("laplace",), tells=("k", "delta"), stand=("present",)
    ),
)
page.view(
    "levels",
    lambda asked, level, own: OwnLevels(level, *own),
    figures.levels,
    only=offered("levels"),
    own=OwnSetting(people.levels, (2.0, "alone", 2)),
    case=people_cases.levels_case,
    predicts=Prediction(("whole",), stays=("larger", "sum"), tells=("first", "second", "reads")),
)
page.view(
    "notions",
    lambda asked, level, own: NotionOfPrivacy(level, *own),
    figures.notions,
    only=offered("notions"),
    own=OwnSetting(people.notions, ("pure", "laplace", 2.0, 0.01)),
    case=people_cases.notions_case,
    predicts=Prediction(("parameter",), stays=("guesses", "blind", "ring"), tells=("noise",)),
)
page.view(
    "deployments",
    lambda asked, level, own: LevelsInUse(level, *own),
    figures.deployments,
    only=offered("deployments"),
    own=OwnSetting(people.deployments, (10**4,)),
    case=people_cases.deployments_case,
    predicts=Prediction(
        ("worth", "off"), stays=("curated", "honest", "with_curator"), tells=("crowd",), stand=("at_alpha",)
    ),
)
page.view(
    "consistency",
    lambda asked, level, own: ConsistencySchedule(level, *own),
    figures.consistency,
    only=offered("consistency"),
    own=OwnSetting(people.consistency, (0.15, 0.1, 1)),
    case=people_cases.consistency_case,
    predicts=Prediction(
        ("most", "tens"),
        stays=("side", "threshold", "in_honesty", "cells"),
        tells=("a", "b", "d"),
        stand=("million",),
    ),
)

page.asks_elsewhere("k", "delta", "second", "listens", "reads", "notion", "noise", "order", "failing", "crowd")
page.asks_elsewhere("narrowing", "sinking", "dimensions")
page.run()
