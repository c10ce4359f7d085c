"""Which answers are popular, when nobody tells the truth?"""

from typing import Any

from explorer.facts import Count, Facts, Name, Term
from explorer.facts.naming import opened, title_of
from explorer.rooms.frequencies import drawings as drawn
from explorer.rooms.frequencies import figures
from explorer.rooms.frequencies.facts import best_first, facts
from explorer.rooms.frequencies.predicting import PREDICTED
from explorer.rooms.frequencies.settings import ALONE, EXAMPLE, WEIGHED, Frequencies, brought, reading
from explorer.rooms.frequencies.widgets import crowds
from explorer.rooms.frequencies.widgets import ownreports as reported
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
    return "split" if opened(result)[0].experiment.by == "split" else ""


brought_in = OwnSetting(reported.reports, EXAMPLE, given=False)
page.view("bars", Frequencies.with_curator, figures.bars, own=OwnSetting(crowds.around, ALONE))
page.view("real", Frequencies.real, figures.real, own=brought_in, case=reading, brought=brought)
page.view("report", Frequencies.report, drawn.report, own=OwnSetting(crowds.person, 0))
page.view("top", Frequencies.top, figures.top)
page.view("which", Frequencies.which, figures.which, own=OwnSetting(crowds.weighed, WEIGHED))
page.view(
    "plan", Frequencies.plan, figures.plan, own=OwnSetting(crowds.precision, (0.1, 0.01, 0.95, True)), case=best_first
)
page.view(
    "decoding",
    Frequencies.decoding,
    figures.decoding,
    own=OwnSetting(crowds.together, ALONE),
    only=Frequencies.blooms,
    first=False,
)
page.view(
    "after", Frequencies.after, figures.after, own=OwnSetting(crowds.rule, Frequencies.first_rule), case=by, first=False
)
page.silent("error", "report", "top", "decoding")
page.silent("people", "report", "decoding")
page.asks_elsewhere("curator", "hold", "counts", "reports", "silent", "value", "cost", "criterion")
page.asks_elsewhere("confidence", "plan_share", "width", "after_view", "rule")
page.predicted(PREDICTED)
page.run()
