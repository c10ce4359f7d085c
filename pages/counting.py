"""How much noise hides one person in a count?"""

from explorer.facts import Facts
from explorer.rooms.counting import bounds, drawings, released
from explorer.rooms.counting.facts import by_noise, by_plan, by_ratio, facts, in_reach
from explorer.rooms.counting.figures import cells, errors, glance
from explorer.rooms.counting.figures import releases as figures
from explorer.rooms.counting.figures.bounds import noise_and_bias
from explorer.rooms.counting.predicting import PREDICTED
from explorer.rooms.counting.settings import Counting
from explorer.rooms.counting.widgets.bounds import SUMS
from explorer.rooms.counting.widgets.cells import WHOLE
from explorer.rooms.counting.widgets.errors import DELTA
from explorer.rooms.counting.widgets.wishes import WISH
from explorer.ui import asking, controls, noises
from explorer.ui.page import Page, Shown
from ldpcore.experiments.counting.releases import CountingResult
from ldpcore.parameters import Neighbors, Repeats

page = Page[Counting](
    "counting", facts, 0.1, main=Counting.released, task=Counting.usual, asides=Counting.asides, known=Counting.known
)
page.hands_on(Counting.handed, "handed", "released", "likely")
page.explained = drawings.flow
page.curated(Counting.sized, Counting.about, Counting.verb)
page.failing = Counting.failing


@page.settings
def settings(shown: Shown) -> Counting:
    table = controls.dataset(shown, rows="several")
    with shown.more():
        relation = controls.choice(shown, "neighbors", Neighbors)
    asked = asking.question(shown, table, ("count", "sum", "mean"), relation)
    with shown.more():
        repeats = controls.number(shown, "repeats", Repeats, default=1000, high=10**9)
        away = controls.switch(shown, "away")
    noise = noises.choose(shown, whole=asked.counts or asked.mean is not None)
    return Counting(asked, relation, repeats, controls.seed(shown), noise, away)


@page.settings_line
def line(asked: Counting) -> Facts:
    return {"question": asked.question.fact(), "data": asked.question.data()}


@page.cases
def kind(asked: Counting, result: CountingResult) -> str:
    return (asked.verb() or asked.question.verb) if asked.question.answer else "zero"


page.view("ten", Counting.glance, glance.glance, only=Counting.single, case=by_noise)
page.view("one", Counting.tables, figures.bells, only=Counting.single, case=by_noise)
page.view("ratio", Counting.in_two, figures.ratio, only=Counting.double, case=by_ratio)
page.view("bet", Counting.bets, figures.bets, only=Counting.single, case=by_noise)
page.view("errors", Counting.errors, errors.side_by_side, only=Counting.comparable, own=DELTA)
page.view("crowds", Counting.crowds, figures.crowds, only=Counting.crowded, case=by_noise, first=False)
page.view("plan", Counting.every_level, figures.every_level, only=Counting.single, own=WISH, case=by_plan)
page.view("cells", Counting.tabled, cells.whole, own=WHOLE, case=in_reach, table=cells.table)
page.view(
    "bound",
    Counting.bounded_sum,
    noise_and_bias,
    own=SUMS,
    case=bounds.kind,
    line=bounds.chosen,
    first=False,
    self_contained=True,
)
page.listed(released.LISTINGS)
page.silent("error", "bet")
page.silent("people", "bet", "cells", "bound")
page.silent("unit", "bound")
page.asks_elsewhere("bound_*", "confidence", "cut_*", "error_delta", "example", "layout", "page", "rows", "seats")
page.asks_elsewhere("*width", "whole")
page.predicted(PREDICTED)
page.run()
