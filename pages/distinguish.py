"""Can anyone tell two people apart?"""

from typing import cast

from explorer.facts import Count, Facts, Term
from explorer.facts import distinguish as cases
from explorer.facts.distinguish import facts
from explorer.figures import distinguish as figures
from explorer.naming import title_of
from explorer.settings.distinguish import GAME, LEFT, PICTURES, Distinguish
from explorer.ui import controls
from explorer.ui.page import Page, Shown
from explorer.ui.parts import worlds
from ldpcore.experiments.distinguish import LOSSES, Factor, Groups, Loss, Order
from ldpcore.parameters import Probability, Users

page = Page("distinguish", facts, default_level=1.0, main=Distinguish.errors)


@page.settings
def settings(shown: Shown) -> Distinguish:
    kind, both = worlds.chosen(shown)
    return Distinguish(both, kind, worlds.mechanism(shown, both.k))


@page.settings_line
def line(asked: Distinguish) -> Facts:
    return {"worlds": Term(f"kind_options.{asked.kind}"), "k": Count(asked.worlds.k), "mechanism": title_of(asked.slug)}


def accused(shown: Shown, asked: Distinguish) -> tuple[float, float]:
    size = float(controls.number(shown, "size", Probability, default=0.05))
    return size, float(controls.number(shown, "delta", Probability, default=0.0, high=0.5))


def people(shown: Shown, asked: Distinguish) -> int:
    return int(controls.number(shown, "n", Users, default=100, high=10**9))


def distances(shown: Shown, asked: Distinguish) -> tuple[str, float, float]:
    picture = controls.choice(shown, "picture", PICTURES)
    if picture == "sides":
        return picture, *LEFT[1:]
    gamma = float(controls.number(shown, "gamma", Factor, default=LEFT[1], high=100))
    return picture, gamma, float(controls.number(shown, "order", Order, default=LEFT[2], low=0.1, high=100))


def game(shown: Shown, asked: Distinguish) -> tuple[int, int, Loss]:
    n = int(controls.number(shown, "people", Users, default=GAME[0], high=10**7))
    groups = int(controls.number(shown, "groups", Groups, default=GAME[1]))
    return n, groups, cast("Loss", controls.choice(shown, "loss", LOSSES))


def quick(asked: Distinguish) -> bool:
    return asked.quick


def light(asked: Distinguish) -> bool:
    return asked.light


def small(asked: Distinguish) -> bool:
    return asked.small


page.view("errors", Distinguish.errors, figures.errors, settings=accused, case=cases.promise, ahead=small)
page.view(
    "before",
    Distinguish.before,
    figures.before,
    settings=distances,
    case=cases.pictured,
    ahead=small,
    table=figures.before_table,
)
page.view("many", Distinguish.many, figures.many, settings=people, case=cases.reachable, ahead=quick)
page.view("best", Distinguish.best, figures.best, ahead=small)
page.view("guess", Distinguish.guess, figures.guess, settings=game, case=cases.bounded, ahead=quick)
page.view("information", Distinguish.information, figures.information, ahead=light)
page.run()
