"""Two worlds: can anyone tell two people apart?"""

from typing import cast

from explorer.facts import Count, Facts, Term
from explorer.facts.naming import title_of
from explorer.pages.distinguish import facts as cases
from explorer.pages.distinguish import figures
from explorer.pages.distinguish import widgets as worlds
from explorer.pages.distinguish.facts import facts
from explorer.pages.distinguish.settings import GAME, LEFT, PICTURES, TEST, Distinguish
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.distinguish import LOSSES, CornerLoss, Factor, HypothesisCount, RenyiOrder
from ldpcore.parameters import Probability, Users

page = Page[Distinguish]("distinguish", facts, default_level=1.0, main=Distinguish.usual)


@page.settings
def settings(shown: Shown) -> Distinguish:
    return worlds.chosen(shown)


@page.settings_line
def line(asked: Distinguish) -> Facts:
    return {"worlds": Term(f"kind_options.{asked.kind}"), "k": Count(asked.worlds.k), "mechanism": title_of(asked.slug)}


def accused(shown: Shown, asked: Distinguish, first: tuple[float, float]) -> tuple[float, float]:
    size = float(controls.number(shown, "size", Probability, default=first[0]))
    return size, float(controls.number(shown, "delta", Probability, default=first[1], high=0.5))


def distances(shown: Shown, asked: Distinguish, first: tuple[str, float, float, int]) -> tuple[str, float, float, int]:
    picture, gamma, order, n = first
    picture = controls.choice(shown, "picture", PICTURES, default=picture)
    if picture == "left":
        gamma = float(controls.number(shown, "gamma", Factor, default=gamma, high=100))
        order = float(controls.number(shown, "order", RenyiOrder, default=order, low=0.1, high=100))
    elif picture == "many":
        n = int(controls.number(shown, "n", Users, default=n, high=10**9))
    return picture, gamma, order, n


def game(shown: Shown, asked: Distinguish, first: tuple[int, int, CornerLoss]) -> tuple[int, int, CornerLoss]:
    n = int(controls.number(shown, "people", Users, default=first[0], high=10**7))
    groups = int(controls.number(shown, "groups", HypothesisCount, default=first[1]))
    return n, groups, cast("CornerLoss", controls.choice(shown, "loss", LOSSES, default=first[2]))


page.view(
    "errors",
    Distinguish.errors,
    figures.errors,
    own=OwnSetting(accused, TEST),
    case=cases.promise,
    predicts=Prediction(("reached",), stays=("guessing", "direct"), tells=("size", "mechanism"), stand=("present",)),
)
page.view(
    "before",
    Distinguish.before,
    figures.before,
    own=OwnSetting(distances, LEFT),
    case=cases.pictured,
    table=figures.before_table,
    predicts=Prediction(
        ("left", "nearest", "crowd", "here", "bits"),
        stays=("before", "larger", "direct", "open"),
        tells=("right", "mechanism", "factor", "order"),
    ),
)
page.view(
    "best",
    Distinguish.best,
    figures.best,
    case=cases.tested,
    predicts=Prediction(("accused", "missed"), stays=("first", "second")),
)
page.view(
    "guess",
    Distinguish.guess,
    figures.guess,
    own=OwnSetting(game, GAME),
    case=cases.bounded,
    predicts=Prediction(("best", "assouad"), stays=("blind",), tells=("groups",), stand=("present",)),
)
page.asks_elsewhere("delta", "size", "gamma", "order", "picture", "groups", "loss", "people")
page.run()
