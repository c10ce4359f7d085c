"""Shapes: what does the whole distribution look like?"""

from explorer.facts import Count, Exact, Facts, Name, Term
from explorer.pages.means.widgets import places
from explorer.pages.shapes import figures, released
from explorer.pages.shapes.facts import climbing, facts, reading
from explorer.pages.shapes.settings import USUAL_CROWD, Shapes
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from explorer.ui.parts import numbers
from ldpcore.estimating.waves import Bins
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.shapes.distributions import ReconstructionResult

page = Page[Shapes](
    "shapes", facts, default_level=1.0, main=Shapes.shape, task=Shapes.steps, asides=Shapes.asides, holder="local"
)


@page.settings
def settings(shown: Shown) -> Shapes:
    source = numbers.source(shown, "skewed", USUAL_CROWD)
    bins = controls.number(shown, "bins", Bins, default=64, low=8, high=1024)
    smoothing = controls.choice(shown, "smoothing", ("smoothed", "plain"))
    return Shapes(source, bins, smoothing, controls.seed(shown))


@page.settings_line
def line(asked: Shapes) -> Facts:
    scale, source = asked.numbers.scale, asked.source
    return {
        "unit": Name(source.heading) if source.column else Term("units.points"),
        "bins": Count(asked.bins),
        "source": Term(f"source_options.{source.shape or 'column'}"),
        "n": Count(asked.numbers.n),
        "low": Exact(scale.low),
        "high": Exact(scale.high),
    }


@page.cases
def case(asked: Shapes, result: PerhapsNamed[ReconstructionResult]) -> str:
    return reading(result)


page.view(
    "shape",
    Shapes.shape,
    figures.shape,
    predicts=Prediction(("half", "spread", "true_half"), stays=("reports",), tells=("low", "high", "unit")),
)
page.view(
    "steps",
    Shapes.steps,
    figures.steps,
    case=climbing,
    predicts=Prediction(("plain_steps", "smoothed_steps"), stays=("step",), tells=("unit",)),
)
page.view(
    "report",
    Shapes.report,
    figures.report,
    own=OwnSetting(places, (1.0, 0.0)),
    predicts=Prediction(("belief", "times"), stays=("sent", "first", "second"), tells=("first", "second", "unit")),
)
page.listed(released.LISTINGS)
page.releases(None, "median", "half", "spread")
page.silent("error", "report")
page.asks_elsewhere("first", "second")
page.run()
