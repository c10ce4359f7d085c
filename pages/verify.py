"""Promises: does the mechanism keep its promise?"""

from collections.abc import Callable

from explorer.pages.verify import drawings as drawn
from explorer.pages.verify import facts as cases
from explorer.pages.verify import figures, listed
from explorer.pages.verify import settings as told_by
from explorer.pages.verify.facts import facts
from explorer.pages.verify.settings import Counted, JudgedMatrix, Verify
from explorer.pages.verify.widgets import guesses, matrices, owncounts
from explorer.pages.verify.widgets import mechanisms as tested
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.parameters import Confidence, Epsilon, Probability

page = Page[Verify](
    "verify",
    facts,
    holder="mechanism",
    main=told_by.main,
    case=told_by.case,
    task=told_by.famous,
    line=told_by.line,
    model=lambda asked, view: asked.side,
)
MODES: dict[str, Callable[[Shown], Verify]] = {
    "mechanism": tested.mechanism,
    "matrix": matrices.matrix,
    "counts": owncounts.counts,
    "gallery": guesses.gallery,
}


@page.settings
def settings(shown: Shown) -> Verify:
    return MODES[controls.choice(shown, "mode", shown.labels.strings("mode_options"))](shown)


def smaller(shown: Shown, asked: Verify, first: float) -> float:
    return float(controls.number(shown, "alpha", Epsilon, default=first))


def accused(shown: Shown, asked: Verify, first: float) -> float:
    return float(controls.number(shown, "size", Probability, default=first, low=0.001, high=0.999))


def chance(shown: Shown, asked: Verify, first: tuple[float, int]) -> tuple[float, int]:
    if isinstance(asked, Counted):
        return first
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=first[0], low=0.5, high=0.999)
    return confidence, controls.seed(shown)


moves, channel = told_by.moves, told_by.is_channel
promised, size, trials = OwnSetting(smaller, 0.5), OwnSetting(accused, 0.05), OwnSetting(chance, (0.99, 1))
told = ("symbol", "claim", "allowed", "first", "second", "rows", "columns")
merged = OwnSetting(matrices.groups, JudgedMatrix.first_groups)
page.view(
    "ratio",
    told_by.ratio,
    figures.largest_ratio,
    case=cases.bar,
    only=told_by.is_shown,
    handle=moves,
    predicts=Prediction(("level",), whole=True, stays=("law", "promise"), tells=told),
)
page.view(
    "curve",
    told_by.curve,
    figures.smaller,
    own=promised,
    case=cases.enough,
    handle=told_by.levels_it,
    only=channel,
    predicts=Prediction(("needed",), tells=("symbol", "alpha"), stays=("stricter",)),
)
page.view(
    "test",
    told_by.test,
    figures.power,
    own=size,
    case=cases.crossed,
    handle=moves,
    only=channel,
    predicts=Prediction(("power",), stays=("guessing",), tells=("size",), stand=("present",)),
)
page.view(
    "merging",
    told_by.merging,
    figures.ladder,
    own=merged,
    case=cases.unchanged,
    only=told_by.is_matrix,
    predicts=Prediction(("after",), stays=("promise",), tells=("left",), stand=("present",)),
)
page.view(
    "audit",
    told_by.audit,
    figures.proven,
    only=told_by.is_tried,
    own=trials,
    case=cases.proof,
    handle=moves,
    predicts=Prediction(("proven",), stays=("promise",), tells=("symbol", "trials")),
)
page.view(
    "measures",
    told_by.compared,
    drawn.measures,
    only=told_by.is_listed,
    handle=moves,
    table=drawn.table,
    first=False,
    predicts=Prediction(("errors",), whole=True, tells=("symbol",)),
)
page.view(
    "gallery",
    told_by.exhibits,
    figures.gallery,
    only=told_by.is_gallery,
    handle=False,
    predicts=Prediction(("caught", "fakes"), stays=("promise",), tells=("total",)),
)
page.listed(listed.LISTINGS)
page.asks_elsewhere("alpha", "size", "confidence", "seed")
page.run()
