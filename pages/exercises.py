"""Exercises: what follows from what?"""

from explorer.exercises import TOPICS
from explorer.facts import Facts, Term
from explorer.pages.exercises import figures
from explorer.pages.exercises.facts import bounds as bounds_cases
from explorer.pages.exercises.facts import facts
from explorer.pages.exercises.facts import people as people_cases
from explorer.pages.exercises.settings import Exercises, offered, trusted
from explorer.pages.exercises.widgets import bounds, people
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.exercises import bounds as lower
from ldpcore.experiments.trust.statistics import ManyStatistics

page = Page[Exercises]("exercises", facts, default_level=1.0, model=trusted)


@page.settings
def settings(shown: Shown) -> Exercises:
    return Exercises(controls.choice(shown, "topic", TOPICS))


@page.settings_line
def line(asked: Exercises) -> Facts:
    return {"topic": Term(f"topic_options.{asked.topic}")}


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
    lambda asked, level, own: lower.UnseenGap(level, *own),
    figures.gap,
    only=offered("gap"),
    own=OwnSetting(bounds.gap, (100, 0.5)),
    case=bounds_cases.gap_case,
    predicts=Prediction(("gap", "half"), stays=("affinity", "wanted"), tells=("crowd", "eta")),
)
page.view(
    "eta",
    lambda asked, level, own: lower.ChoiceOfEta(level, *own),
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
    lambda asked, level, own: ManyStatistics(level, *own),
    figures.several,
    only=offered("several"),
    own=OwnSetting(people.several, (50, 1e-6)),
    case=people_cases.several_case,
    predicts=Prediction(
        ("by_normal", "by_laplace", "crossing"), stays=("laplace",), tells=("k", "delta"), stand=("present",)
    ),
)

page.asks_elsewhere("model", "metric", "distance", "crowd", "error_sum", "cost", "s", "loss", "factor", "corner")
page.asks_elsewhere("beta", "steep")
page.asks_elsewhere("k", "delta")
page.run()
