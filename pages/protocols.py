"""Protocols: does it help to listen before you answer?"""

from explorer.facts import Count, Exact, Facts, Term
from explorer.pages.protocols import facts as cases
from explorer.pages.protocols import figures
from explorer.pages.protocols import widgets as listening
from explorer.pages.protocols.facts import facts
from explorer.pages.protocols.settings import FIRST_RIVAL, PARTS, USUAL, Protocols
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.protocols import FEWEST_USERS, MOST_USERS
from ldpcore.parameters import Users

page = Page[Protocols]("protocols", facts, default_level=1.0, main=Protocols.main)


@page.settings
def settings(shown: Shown) -> Protocols:
    example = listening.example(shown)
    n = controls.number(shown, "n", Users, default=1000, low=FEWEST_USERS, high=MOST_USERS)
    return Protocols(example, int(n), controls.seed(shown))


@page.settings_line
def line(asked: Protocols) -> Facts:
    crowd = asked.example.crowd
    return {
        "example": Term(f"example_options.{asked.example.slug}"),
        "n": Count(asked.n),
        "low": Exact(round(crowd.low, 9)),
        "high": Exact(round(crowd.high, 9)),
    }


def part(shown: Shown, asked: Protocols, first: str) -> str:
    return controls.choice(shown, "part", PARTS, default=first)


@page.cases
def kind(asked: Protocols, result: object) -> str:
    return asked.example.slug


# Noisy steps are drawn person by person, two hundred runs at once and for all stops together: half a second.
two = OwnSetting(listening.pair, USUAL)
tree = ("looked_at", "other", "h0", "h1", "h00", "h01", "h10", "h11")  # all alike wide
page.view(
    "one",
    Protocols.one,
    figures.one,
    own=OwnSetting(listening.person, Protocols.first_person),
    predicts=Prediction(("error", "estimate"), stays=("belief", "yes", "no", "left"), tells=("n", "reach")),
)
page.view(
    "against",
    Protocols.against,
    figures.against,
    own=OwnSetting(listening.rival, FIRST_RIVAL),
    case=cases.compared,
    predicts=Prediction(("listening", "factor"), stays=("silent", "once", "anew"), tells=("runs",), stand=("present",)),
)
page.view(
    "pair",
    Protocols.pair,
    figures.pair,
    own=two,
    self_contained=True,
    case=cases.kept,
    table=figures.pair_table,
    predicts=Prediction(("branch", "path"), stays=tree, tells=("x1", "x2")),
)
page.view(
    "search",
    Protocols.search,
    figures.search,
    own=OwnSetting(part, "path"),
    case=cases.searched,
    predicts=Prediction(("off", "alone"), stays=("possible",), tells=("reach", "delta", "limit", "tests")),
)
page.asks_elsewhere("i", "rival", "design", "first", "history", "second", "part")
page.run()
