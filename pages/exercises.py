"""Exercises: what follows from what?"""

from explorer.facts import Facts, Term
from explorer.pages.exercises import figures
from explorer.pages.exercises.facts import bit as bit_cases
from explorer.pages.exercises.facts import bounds as bounds_cases
from explorer.pages.exercises.facts import distances as distance_cases
from explorer.pages.exercises.facts import facts
from explorer.pages.exercises.facts import people as people_cases
from explorer.pages.exercises.settings import Exercises, offered, posed, trusted
from explorer.pages.exercises.widgets import bit, bounds, distances, people, topics
from explorer.predicting import Prediction
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.exercises import bounds as lower
from ldpcore.experiments.exercises.bit import (
    FOUR,
    BitAboutSpread,
    BitAboutTwo,
    BitEstimate,
    LeftByChannel,
    ReportModulus,
    preset_values,
)
from ldpcore.experiments.exercises.deployments import LevelsInUse
from ldpcore.experiments.exercises.distances import (
    DivergenceFamily,
    LogarithmStep,
    ManyCoins,
    MixedCoins,
    PackedTest,
    ThreeWays,
)
from ldpcore.experiments.exercises.notions import NotionOfPrivacy
from ldpcore.experiments.exercises.people import OwnLevels
from ldpcore.experiments.exercises.schedules import ConsistencySchedule
from ldpcore.experiments.trust.statistics import ManyStatistics

page = Page[Exercises]("exercises", facts, default_level=1.0, model=trusted)


@page.settings
def settings(shown: Shown) -> Exercises:
    return Exercises(topics.topic(shown))


@page.settings_line
def line(asked: Exercises) -> Facts:
    return {"topic": Term(f"topic_options.{asked.topic}")}


# Distances of laws
page.view(
    "families",
    posed(DivergenceFamily),
    figures.families,
    only=offered("families"),
    own=OwnSetting(distances.families, ("chi2", 2.0, "swapped")),
    case=distance_cases.family_case,
    predicts=Prediction(("after", "allowed"), stays=("function", "answers", "before"), tells=("measured", "before")),
)
page.view(
    "products",
    posed(ManyCoins),
    figures.products,
    only=offered("products"),
    own=OwnSetting(distances.products, (0.5, 0.4, 100)),
    case=distance_cases.coins_case,
    predicts=Prediction(("exact", "root"), stays=("times",), tells=("first", "second", "n"), stand=("present",)),
)
page.view(
    "hulls",
    posed(MixedCoins),
    figures.hulls,
    only=offered("hulls"),
    own=OwnSetting(distances.hulls, (0.5, 2)),
    predicts=Prediction(("mixed",), stays=("alone",), tells=("share", "tosses"), stand=("present",)),
)
page.view(
    "ways",
    posed(ThreeWays),
    figures.ways,
    only=offered("ways"),
    own=OwnSetting(distances.ways, ("near", "line")),
    case=distance_cases.ways_case,
    predicts=Prediction(("total", "by_function"), stays=("answers",), tells=("function",)),
)
page.view(
    "logarithm",
    posed(LogarithmStep),
    figures.logarithm,
    only=offered("logarithm"),
    predicts=Prediction(("linear", "rooted"), stays=("logarithm",)),
)
page.view(
    "packing",
    posed(PackedTest),
    figures.packing,
    only=offered("packing"),
    own=OwnSetting(distances.packing, (3, 100)),
    case=distance_cases.packing_case,
    predicts=Prediction(("missed", "best"), stays=("off",), tells=("shares", "n", "gap"), stand=("present",)),
)

# One bit from each
EVEN = preset_values("even", FOUR.k)
page.view(
    "asking",
    posed(BitAboutTwo),
    figures.asking,
    only=offered("asking"),
    own=OwnSetting(bit.asking, (FOUR, EVEN)),
    case=bit_cases.asking_case,
    predicts=Prediction(("left", "best"), stays=("gap", "phi"), tells=("k", "phi", "apart"), stand=("present",)),
)
page.view(
    "estimate",
    lambda asked, level, own: BitEstimate(level, FOUR.first, *own),
    figures.estimate,
    only=offered("estimate"),
    own=OwnSetting(bit.estimate, (EVEN, 1000)),
    case=bit_cases.estimate_case,
    predicts=Prediction(("spread",), stays=("mean",), tells=("n", "phi", "mean")),
)
page.view(
    "halves",
    lambda asked, level, own: BitAboutSpread(level, own),
    figures.halves,
    only=offered("halves"),
    own=OwnSetting(bit.halves, 0.5),
    predicts=Prediction(("plus", "needed"), stays=("number",), tells=("spread",), stand=("present",)),
)
page.view(
    "reports",
    lambda asked, level, own: ReportModulus(level, own),
    figures.reports,
    only=offered("reports"),
    own=OwnSetting(bit.reports, 100),
    case=bit_cases.reports_case,
    predicts=Prediction(("private", "factor"), stays=("direct",), tells=("n", "near", "direct"), stand=("present",)),
)

page.view(
    "differing",
    lambda asked, level, own: LeftByChannel(own[0], level, own[1]),
    figures.differing,
    only=offered("differing"),
    own=OwnSetting(bit.differing, ("grr", FOUR)),
    case=bit_cases.differing_case,
    predicts=Prediction(
        ("left", "part"), stays=("apart", "bound"), tells=("k", "mechanism", "apart"), stand=("present",)
    ),
)

# Lower bounds
page.view(
    "modulus",
    lambda asked, level, own: lower.ModulusOfMean(*own),
    figures.modulus,
    only=offered("modulus"),
    own=OwnSetting(bounds.modulus, ("heavy", "tv", 0.1)),
    case=bounds_cases.modulus_case,
    handle=False,
    predicts=Prediction(("modulus", "at_twice"), tells=("model", "metric"), stand=("present", "twice")),
)
page.view(
    "gap",
    posed(lower.UnseenGap),
    figures.gap,
    only=offered("gap"),
    own=OwnSetting(bounds.gap, (100, 0.5)),
    case=bounds_cases.gap_case,
    predicts=Prediction(("gap", "half"), stays=("affinity", "wanted"), tells=("crowd", "eta")),
)
page.view(
    "eta",
    posed(lower.ChoiceOfEta),
    figures.eta,
    only=offered("eta"),
    own=OwnSetting(bounds.eta, (100, 0.5, "squared")),
    predicts=Prediction(("best_eta", "bound", "best_bound"), tells=("crowd", "eta", "cost"), stand=("present",)),
)
page.view(
    "elbows",
    lambda asked, level, own: lower.QuadraticElbows(own),
    figures.elbows,
    only=offered("elbows"),
    own=OwnSetting(bounds.elbows, 0.4),
    case=bounds_cases.elbows_case,
    handle=False,
    predicts=Prediction(("silent", "listening"), stays=("direct",), stand=("present",)),
)
page.view(
    "losses",
    lambda asked, level, own: lower.LossGrowth(*own),
    figures.losses,
    only=offered("losses"),
    own=OwnSetting(bounds.losses, ("huber", 1.5, 1.0)),
    case=bounds_cases.losses_case,
    handle=False,
    predicts=Prediction(("top", "at_one"), tells=("loss",), stand=("present",)),
)
page.view(
    "smooth",
    lambda asked, level, own: lower.SmoothnessBand(*own),
    figures.smooth,
    only=offered("smooth"),
    own=OwnSetting(bounds.smooth, (1.0, 1.0)),
    case=bounds_cases.smooth_case,
    handle=False,
    predicts=Prediction(("private_speed", "open_speed"), stays=("allowed", "edge")),
)

# Several numbers, several people
page.view(
    "several",
    posed(ManyStatistics),
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
    posed(OwnLevels),
    figures.levels,
    only=offered("levels"),
    own=OwnSetting(people.levels, (2.0, "alone", 2)),
    case=people_cases.levels_case,
    predicts=Prediction(("whole",), tells=("reads",)),
)
page.view(
    "notions",
    posed(NotionOfPrivacy),
    figures.notions,
    only=offered("notions"),
    own=OwnSetting(people.notions, ("pure", "laplace", 2.0, 0.01)),
    case=people_cases.notions_case,
    predicts=Prediction(("parameter",), stays=("guesses", "blind", "ring"), tells=("noise",)),
)
page.view(
    "deployments",
    posed(LevelsInUse),
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
    posed(ConsistencySchedule),
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

page.asks_elsewhere("measure", "order", "laws", "coin_one", "coin_two", "group", "heads_share", "tosses")
page.asks_elsewhere("compared", "function", "shares")
page.asks_elsewhere("model", "metric", "distance", "crowd", "error_sum", "cost", "s", "loss", "factor", "corner")
page.asks_elsewhere("beta", "steep")
page.asks_elsewhere("bit_laws", "bars_first", "bars_second", "bit_function", "phi", "bit_question", "bit_n")
page.asks_elsewhere("spread", "report_n", "mechanism")
page.asks_elsewhere(
    "k", "delta", "second", "listens", "reads", "notion", "noise", "renyi_order", "failing", "answering"
)
page.asks_elsewhere("narrowing", "sinking", "dimensions")
page.run()
