"""Averaging: what if I ask again?"""

from explorer.facts import Exact, Facts
from explorer.facts.noising import case_of
from explorer.pages.averaging import figures
from explorer.pages.averaging.facts import by_reports, facts, way_of
from explorer.pages.averaging.settings import Averaging
from explorer.predicting import Prediction
from explorer.ui import asking, controls, noises
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.averaging.piles import PileResult, TotalLevel
from ldpcore.experiments.averaging.running import AttackResult, AverageCount, AveragingPlanResult
from ldpcore.experiments.counting.releases import AnswerWidth
from ldpcore.parameters import Confidence
from ldpcore.tables.queries import REPLACE

page = Page[Averaging](
    "averaging", facts, 0.1, main=Averaging.pile, task=Averaging.tasks, asides=Averaging.asides, known=Averaging.known
)
page.curated(Averaging.sized, Averaging.about, Averaging.verb)
page.failing, page.model = Averaging.failing, Averaging.model


@page.settings
def settings(shown: Shown) -> Averaging:
    table = controls.dataset(shown, rows="several")
    relation = noises.relation(shown)
    asked = asking.question(shown, table, ("count", "sum", "mean"), relation)
    repeats = controls.number(shown, "repeats", AverageCount, default=100)
    with shown.more():
        total = controls.number(shown, "total", TotalLevel, default=20.0, low=1e-3, high=1e6)
        away = controls.switch(shown, "away")
    asked, noise, alone = noises.choose(shown, asked)
    again = alone is None or controls.choice(shown, "reports", ("fresh", "kept")) == "fresh"
    seed = controls.seed(shown)
    return Averaging(asked, REPLACE if alone else relation, repeats, total, seed, noise, away, alone, again)


@page.settings_line
def line(asked: Averaging) -> Facts:
    return {"question": asked.question.fact(), "data": asked.question.data(), "repeats": Exact(asked.repeats)}


@page.cases
def kind(asked: Averaging, result: PileResult) -> str:
    if not asked.curated():
        return "local kept" if not asked.again else case_of(asked.reported(1.0))
    return case_of(asked.mechanism(1.0)) if asked.single() else f"ratio {case_of(asked.mechanism(1.0))}".rstrip()


def wanted(shown: Shown, asked: Averaging, first: tuple[float, float]) -> tuple[float, float]:
    typical = asked.widths()[1]
    width = controls.number(shown, "width", AnswerWidth, default=first[0], low=1e-6, high=1e18, typical=typical)
    return width, controls.number(shown, "confidence", Confidence, default=first[1], low=0.5, high=0.999)


def reached(result: AveragingPlanResult, attack: AttackResult) -> str:
    return way_of(result)


page.view(
    "pile",
    Averaging.pictured,
    figures.pile,
    case=by_reports,
    predicts=Prediction(
        ("off", "error", "spent"), stays=("truth", "releases", "paid"), tells=("repeats",), centered="xaxis"
    ),
)
page.view(
    "path",
    Averaging.pictured,
    figures.path,
    case=by_reports,
    predicts=Prediction(("off", "error", "spent"), stays=("truth",), tells=("repeats",), centered="yaxis"),
)
page.view(
    "plan",
    Averaging.plan,
    figures.plan,
    only=Averaging.noisy,
    own=OwnSetting(wanted, Averaging.wish),
    case=reached,
    predicts=Prediction(("needed", "once"), stays=("wanted",), tells=("width", "confidence"), stand=("present",)),
)
page.asks_elsewhere("confidence", "width")
page.run()
