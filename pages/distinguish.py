"""Can anyone tell two people apart?"""

from typing import cast

from explorer.facts import Count, Facts, Term
from explorer.facts.naming import title_of
from explorer.rooms.distinguish import facts as cases
from explorer.rooms.distinguish import figures
from explorer.rooms.distinguish import widgets as worlds
from explorer.rooms.distinguish.facts import facts
from explorer.rooms.distinguish.predicting import PREDICTED
from explorer.rooms.distinguish.settings import GAME, LEFT, PICTURES, TEST, Distinguish
from explorer.ui import controls
from explorer.ui.page import Own, Page, Shown
from ldpcore.experiments.distinguish import LOSSES, Factor, Groups, Loss, Order
from ldpcore.parameters import Probability, Users

page = Page("distinguish", facts, default_level=1.0, main=Distinguish.usual)


@page.settings
def settings(shown: Shown) -> Distinguish:
    return worlds.chosen(shown)


@page.settings_line
def line(asked: Distinguish) -> Facts:
    return {"worlds": Term(f"kind_options.{asked.kind}"), "k": Count(asked.worlds.k), "mechanism": title_of(asked.slug)}


def accused(shown: Shown, asked: Distinguish, first: tuple[float, float]) -> tuple[float, float]:
    size = float(controls.number(shown, "size", Probability, default=first[0]))
    return size, float(controls.number(shown, "delta", Probability, default=first[1], high=0.5))


def people(shown: Shown, asked: Distinguish, first: int) -> int:
    return int(controls.number(shown, "n", Users, default=first, high=10**9))


def distances(shown: Shown, asked: Distinguish, first: tuple[str, float, float]) -> tuple[str, float, float]:
    picture = controls.choice(shown, "picture", PICTURES, default=first[0])
    if picture == "sides":
        return picture, *first[1:]
    gamma = float(controls.number(shown, "gamma", Factor, default=first[1], high=100))
    return picture, gamma, float(controls.number(shown, "order", Order, default=first[2], low=0.1, high=100))


def game(shown: Shown, asked: Distinguish, first: tuple[int, int, Loss]) -> tuple[int, int, Loss]:
    n = int(controls.number(shown, "people", Users, default=first[0], high=10**7))
    groups = int(controls.number(shown, "groups", Groups, default=first[1]))
    return n, groups, cast("Loss", controls.choice(shown, "loss", LOSSES, default=first[2]))


page.view("errors", Distinguish.errors, figures.errors, own=Own(accused, TEST), case=cases.promise)
page.view(
    "before",
    Distinguish.before,
    figures.before,
    own=Own(distances, LEFT),
    case=cases.pictured,
    table=figures.before_table,
)
page.view("many", Distinguish.many, figures.many, own=Own(people, 100), case=cases.reachable)
page.view("best", Distinguish.best, figures.best)
page.view("guess", Distinguish.guess, figures.guess, own=Own(game, GAME), case=cases.bounded)
page.view("information", Distinguish.information, figures.information)
page.predicted(PREDICTED)
page.run()
