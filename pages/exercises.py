"""Exercises: what follows from what?"""

from explorer.exercises import TOPICS
from explorer.facts import Facts, Term
from explorer.pages.exercises import figures
from explorer.pages.exercises.facts import distances as distance_cases
from explorer.pages.exercises.facts import facts
from explorer.pages.exercises.facts import people as people_cases
from explorer.pages.exercises.settings import Exercises, offered, trusted
from explorer.pages.exercises.widgets import distances, people
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.exercises.distances import (
    DivergenceFamily,
    LogarithmStep,
    ManyCoins,
    MixedCoins,
    PackedTest,
    ThreeWays,
)
from ldpcore.experiments.trust.statistics import ManyStatistics

page = Page[Exercises]("exercises", facts, default_level=1.0, model=trusted)


@page.settings
def settings(shown: Shown) -> Exercises:
    return Exercises(controls.choice(shown, "topic", TOPICS))


@page.settings_line
def line(asked: Exercises) -> Facts:
    return {"topic": Term(f"topic_options.{asked.topic}")}


# Distances of laws
page.view(
    "families",
    lambda asked, level, own: DivergenceFamily(level, *own),
    figures.families,
    only=offered("families"),
    own=OwnSetting(distances.families, ("kl", 2.0, "swapped")),
    case=distance_cases.family_case,
    predicts=Prediction(("after", "allowed"), stays=("function", "answers", "before"), tells=("measured", "before")),
)
page.view(
    "products",
    lambda asked, level, own: ManyCoins(level, *own),
    figures.products,
    only=offered("products"),
    own=OwnSetting(distances.products, (0.5, 0.4, 100)),
    case=distance_cases.coins_case,
    predicts=Prediction(("exact", "root"), stays=("times",), tells=("first", "second", "n"), stand=("present",)),
)
page.view(
    "hulls",
    lambda asked, level, own: MixedCoins(level, *own),
    figures.hulls,
    only=offered("hulls"),
    own=OwnSetting(distances.hulls, (0.5, 2)),
    predicts=Prediction(("mixed",), stays=("alone",), tells=("share", "tosses"), stand=("present",)),
)
page.view(
    "ways",
    lambda asked, level, own: ThreeWays(level, *own),
    figures.ways,
    only=offered("ways"),
    own=OwnSetting(distances.ways, ("near", "line")),
    case=distance_cases.ways_case,
    predicts=Prediction(("total", "by_function"), stays=("answers",), tells=("function",)),
)
page.view(
    "logarithm",
    lambda asked, level: LogarithmStep(level),
    figures.logarithm,
    only=offered("logarithm"),
    predicts=Prediction(("linear", "rooted"), stays=("logarithm",)),
)
page.view(
    "packing",
    lambda asked, level, own: PackedTest(level, *own),
    figures.packing,
    only=offered("packing"),
    own=OwnSetting(distances.packing, (3, 100)),
    case=distance_cases.packing_case,
    predicts=Prediction(("missed", "best"), stays=("off",), tells=("shares", "n", "gap"), stand=("present",)),
)

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

page.asks_elsewhere("measure", "order", "laws", "coin_one", "coin_two", "crowd", "heads_share", "tosses")
page.asks_elsewhere("compared", "function", "shares")
page.asks_elsewhere("k", "delta")
page.run()
