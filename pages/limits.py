"""Limits: how good can any private estimate be?"""

from explorer.facts import Count, Facts, Term
from explorer.pages.limits import figures
from explorer.pages.limits import widgets as problems
from explorer.pages.limits.facts import drawn, facts, parted, promising, setting, useful
from explorer.pages.limits.settings import PARTS, USUAL, Limits, WorldsChoice, levels_it
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.limits.errorlosses import REGULAR
from ldpcore.parameters import Dimension, Users

page = Page[Limits]("limits", facts, default_level=1.0, main=Limits.known)


@page.settings
def settings(shown: Shown) -> Limits:
    problem = problems.problem(shown)
    n = controls.number(shown, "n", Users, default=Limits.n, high=10**9)
    with shown.more():
        loss = controls.choice(shown, "loss", REGULAR)
    return Limits(problem, n, loss, controls.seed(shown))


@page.settings_line
def line(asked: Limits) -> Facts:
    return {"setting": setting(asked.problem), "n": Count(asked.n), "loss": Term(f"losses.{asked.loss}")}


page.cases(useful)


def questions(shown: Shown, asked: Limits, first: int) -> int:
    return int(controls.number(shown, "d", Dimension, default=first))


page.view(
    "people",
    Limits.people,
    figures.people,
    own=OwnSetting(problems.along, USUAL),
    case=drawn,
    predicts=Prediction(
        ("floor", "reach"),
        stays=("direct", "blind", "wish"),
        tells=("n", "slope_open", "loss", "width"),
        stand=("present",),
    ),
)
page.view(
    "worlds",
    Limits.worlds,
    figures.worlds,
    own=OwnSetting(problems.pair, WorldsChoice()),
    predicts=Prediction(("guess",), stays=("first", "second", "same"), tells=("few", "crowd")),
)
rated, table = OwnSetting(problems.part, PARTS[0]), figures.rate_table
page.view(
    "exponents",
    Limits.exponents,
    figures.rates,
    own=rated,
    case=parted,
    handle=levels_it,
    table=table,
    predicts=Prediction(("private_exponent", "simple_ratio"), stays=("direct", "here", "unit")),
)
# Three hundred lower bounds take 0.4 seconds.
page.view(
    "vectors",
    Limits.vectors,
    figures.vectors,
    own=OwnSetting(questions, 10),
    case=promising,
    predicts=Prediction(("cube_floor", "cube_reach"), tells=("d",), stand=("present",)),
)
page.asks_elsewhere("axis", "width", "few", "pair", "eta", "part", "d")
page.run()
