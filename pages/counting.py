"""Counting: how much noise hides one person in a count?"""

from explorer.facts import Facts
from explorer.pages.counting import bounds, drawings, released
from explorer.pages.counting.facts import by_noise, by_plan, by_ratio, by_table, facts
from explorer.pages.counting.figures import cells, errors, glance
from explorer.pages.counting.figures import releases as figures
from explorer.pages.counting.figures.bounds import noise_and_bias
from explorer.pages.counting.settings import Counting
from explorer.pages.counting.widgets.bounds import SUMS
from explorer.pages.counting.widgets.cells import WHOLE
from explorer.pages.counting.widgets.errors import DELTA
from explorer.pages.counting.widgets.wishes import WISH
from explorer.predicting import Prediction
from explorer.ui import asking, controls, noises
from explorer.ui.page import Page, Shown
from ldpcore.parameters import Repeats
from ldpcore.tables.queries import REPLACE

page = Page[Counting](
    "counting", facts, 0.1, main=Counting.experiment, task=Counting.usual, asides=Counting.asides, known=Counting.known
)
page.releases(Counting.released_answer, "released_answer", "released", "likely")
page.explained = drawings.flow
page.curated(Counting.sized, Counting.about, Counting.verb)
page.failing, page.model = Counting.failing, Counting.model


@page.settings
def settings(shown: Shown) -> Counting:
    table = controls.dataset(shown, rows="several")
    relation = noises.relation(shown)
    asked = asking.question(shown, table, ("count", "sum", "mean"), relation)
    with shown.more():
        repeats = controls.number(shown, "repeats", Repeats, default=1000, high=10**9)
        away = controls.switch(shown, "away")
    asked, noise, alone = noises.choose(shown, asked)
    return Counting(asked, REPLACE if alone else relation, repeats, controls.seed(shown), noise, away, alone)


@page.settings_line
def line(asked: Counting) -> Facts:
    return {"question": asked.question.fact(), "data": asked.question.data()}


page.cases(Counting.case)
page.view(
    "ten",
    Counting.glance,
    glance.glance,
    only=Counting.single,
    case=by_noise,
    predicts=Prediction(
        ("error", "average_error", "average"), stays=("truth",), tells=("repeats", "averaged"), centered="yaxis"
    ),
)
page.view(
    "one",
    Counting.law,
    figures.bells,
    only=Counting.lawful,
    case=by_noise,
    predicts=Prediction(("error",), stays=("released",), centered="xaxis"),
)
page.view(
    "ratio",
    Counting.released_ratio,
    figures.ratio,
    only=Counting.divided,
    case=by_ratio,
    predicts=Prediction(("off", "bias"), stays=("truth",)),
)
page.view(
    "bound",
    Counting.bounded_sum,
    noise_and_bias,
    own=SUMS,
    case=bounds.kind,
    line=bounds.chosen,
    own_noise=True,
    self_contained=True,
    predicts=Prediction(
        ("best_bound", "best_error", "bound_error"),
        stays=("kept", "above", "bound", "newcomer"),
        tells=("bound", "records", "newcomer", "largest"),
        stand=("present",),
    ),
)
page.view(
    "bet",
    Counting.bets,
    figures.bets,
    only=Counting.single,
    case=by_noise,
    first=False,
    predicts=Prediction(("chance", "right"), stays=("released", "middle"), tells=("rounds",)),
)
page.view(
    "errors",
    Counting.errors,
    errors.side_by_side,
    only=Counting.comparable,
    own=DELTA,
    own_noise=True,
    predicts=Prediction(("best", "best_error", "alone", "alone_error"), tells=("delta",), stand=("present",)),
)
page.view(
    "crowds",
    Counting.crowds,
    figures.crowds,
    only=Counting.crowded,
    case=by_noise,
    first=False,
    predicts=Prediction(("of_crowd", "error"), tells=("n",)),
)
page.view(
    "plan",
    Counting.every_level,
    figures.every_level,
    only=Counting.lawful,
    own=WISH,
    case=by_plan,
    predicts=Prediction(("reach",), stays=("wanted",), tells=("width", "confidence"), stand=("present",)),
)
page.view(
    "cells",
    Counting.tabled,
    cells.whole,
    only=Counting.curated,
    own=WHOLE,
    case=by_table,
    table=cells.table,
    predicts=Prediction(("worth", "reach"), stays=("released",), tells=("cells", "columns", "pages", "drawn")),
)
page.listed(released.LISTINGS)
page.silent("error", "bet")
page.silent("people", "bet", "cells", "bound")
page.silent("unit", "bound")
page.asks_elsewhere("bound_*", "confidence", "cut_*", "error_delta", "example", "layout", "page", "rows", "seats")
page.asks_elsewhere("*width")
page.run()
