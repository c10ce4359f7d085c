"""Means: how well can we know an average that nobody reveals?"""

from explorer.facts import Count, Exact, Facts, Name, Term
from explorer.facts.naming import opened, title_of
from explorer.pages.means import drawings, figures, released, widgets
from explorer.pages.means import facts as cases
from explorer.pages.means.facts import facts, reading
from explorer.pages.means.settings import EXAMPLE, Means, brought, halved
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from explorer.ui.parts import census as meant
from explorer.ui.parts import numbers
from ldpcore.experiments import means
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.parameters import Confidence

page = Page[Means]("means", facts, main=Means.survey, task=Means.best, asides=Means.asides, holder="local")
page.failing = Means.failing


@page.settings
def settings(shown: Shown) -> Means:
    with shown.invented():
        source = numbers.source(shown)
    slug, more = widgets.mechanism(shown)
    sampled = meant.asks_sample(shown)
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
    with shown.invented():
        seed = controls.seed(shown)
    return Means(source, slug, more, confidence, seed, sampled)


@page.settings_line
def line(chosen: Means) -> Facts:
    scale, source = chosen.numbers.scale, chosen.source
    return {
        "unit": Name(chosen.unit) if chosen.unit else Term("units.points"),
        "source": Term(f"source_options.{source.shape or 'column'}"),
        "n": Count(chosen.numbers.n),
        "low": Exact(scale.low),
        "high": Exact(scale.high),
        "mechanism": title_of(chosen.slug),
    }


@page.cases
def kind(chosen: Means, result: PerhapsNamed[means.MeanSurveyResult]) -> str:
    return reading(opened(result)[0])


parted = OwnSetting(widgets.halves, halved, given=False)
page.view(
    "everybody",
    Means.survey,
    figures.survey,
    predicts=Prediction(
        ("estimate", "truth"), stays=("bounds", "reports"), tells=("shown", "n", "low", "high", "outside", "unit")
    ),
)
page.view(
    "report",
    Means.report,
    figures.report,
    own=OwnSetting(widgets.places, (1.0, 0.0)),
    predicts=Prediction(("belief", "times"), stays=("sent", "first", "second"), tells=("first", "second", "unit")),
)
page.view(
    "variance", Means.variance, figures.variance, predicts=Prediction(("best_one", "best_error"), tells=("unit",))
)
page.view(
    "groups",
    Means.groups,
    figures.groups,
    only=Means.several,
    own=parted,
    case=cases.apart,
    predicts=Prediction(("gap", "gap_error"), stays=("bounds", "zero"), tells=("unit", "confidence")),
)
page.view(
    "plan",
    Means.plan,
    figures.plan,
    own=OwnSetting(widgets.width, Means.width),
    case=cases.possible,
    predicts=Prediction(("people", "needed"), tells=("width", "unit"), stays=("present",)),
)
reports = OwnSetting(widgets.reported, EXAMPLE)
page.view(
    "real",
    Means.real,
    drawings.real,
    own=reports,
    case=cases.read_as,
    table=drawings.table,
    brought=brought,
    predicts=Prediction(("estimate", "error"), whole=True, stays=("row",), tells=("low", "high")),
)
page.listed(released.LISTINGS)
page.releases(None, "estimate", "interval")
page.silent("error", "report")
page.silent("people", "report", "groups", "real")
page.asks_elsewhere("first", "second", "group", "split", "within", "reports_*")
page.run()
