"""Frequencies: which answers are popular, when nobody tells the truth?"""

from typing import Any

from explorer.facts import Count, Facts, Name, Term
from explorer.facts.naming import opened, title_of
from explorer.pages.frequencies import drawings as drawn
from explorer.pages.frequencies import figures
from explorer.pages.frequencies.facts import best_first, facts, ruled
from explorer.pages.frequencies.settings import ALONE, EXAMPLE, WEIGHED, Frequencies, brought, reading
from explorer.pages.frequencies.widgets import crowds
from explorer.pages.frequencies.widgets import ownreports as reported
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.mechanisms.base import FrequencyOracle

page = Page[Frequencies](
    "frequencies", facts, default_level=1.0, main=Frequencies.collected, task=Frequencies.advice, holder="local"
)


@page.settings
def settings(shown: Shown) -> Frequencies:
    with shown.invented():
        crowd = crowds.crowd(shown)
    mechanism = crowds.mechanism(shown, crowd)
    with shown.invented():
        among = crowds.compared(shown, crowd)
        seed = controls.seed(shown)
    with shown.more():
        repeats = crowds.repeats(shown, mechanism)
    return Frequencies(crowd, mechanism, among, repeats, seed)


@page.settings_line
def line(asked: Frequencies) -> Facts:
    crowd = asked.crowd
    return {
        "source": Term(f"source_options.{crowd.source}"),
        "column": Name(crowd.column),
        "n": Count(crowd.n),
        "k": Count(crowd.k),
        "mechanism": title_of(asked.mechanism.slug),
    }


@page.cases
def kind(asked: Frequencies, result: Any) -> str:
    return "" if isinstance(opened(result)[0].experiment.randomizer, FrequencyOracle) else "numbers"


def by(result: Any) -> str:
    return ruled(opened(result)[0])


brought_in = OwnSetting(reported.reports, EXAMPLE, given=False)
page.view(
    "bars",
    Frequencies.with_curator,
    figures.bars,
    own=OwnSetting(crowds.around, ALONE),
    predicts=Prediction(("top_estimate", "error"), stays=("lies", "left"), tells=("hold", "meant")),
)
page.view(
    "real",
    Frequencies.real,
    figures.real,
    own=brought_in,
    case=reading,
    brought=brought,
    predicts=Prediction(("top_estimate", "error"), stays=("lies", "left"), tells=("hold",)),
)
page.view(
    "report",
    Frequencies.report,
    drawn.report,
    own=OwnSetting(crowds.person, 0),
    predicts=Prediction(("belief",), whole=True, stays=("after",)),
)
page.view(
    "top",
    Frequencies.top,
    figures.top,
    predicts=Prediction(("right", "found"), stays=("rest", "listed", "begins"), tells=("size", "list")),
)
page.view(
    "which",
    Frequencies.which,
    figures.which,
    own=OwnSetting(crowds.weighed, WEIGHED),
    predicts=Prediction(("best_error", "margin")),
)
page.view(
    "plan",
    Frequencies.plan,
    figures.plan,
    own=OwnSetting(crowds.precision, (0.1, 0.01, 0.95, True)),
    case=best_first,
    predicts=Prediction(("needed", "reach"), stays=("wanted",), tells=("width", "confidence"), stand=("present",)),
)
page.view(
    "decoding",
    Frequencies.decoding,
    figures.decoding,
    own=OwnSetting(crowds.together, ALONE),
    only=Frequencies.blooms,
    first=False,
    predicts=Prediction(("proven",), tells=("words", "hold")),
)
page.view(
    "after",
    Frequencies.after,
    figures.after,
    own=OwnSetting(crowds.rule, Frequencies.first_rule),
    case=by,
    first=False,
    predicts=Prediction(("squared", "top_mean"), stays=("once",), tells=("rule",)),
)
page.silent("error", "report", "top", "decoding")
page.silent("people", "report", "decoding")
page.asks_elsewhere("curator", "hold", "counts", "reports", "silent", "value", "cost", "criterion")
page.asks_elsewhere("confidence", "plan_share", "width", "after_view", "rule")
page.run()
