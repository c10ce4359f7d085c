"""Trust: what does it cost to trust nobody?"""

from contextlib import nullcontext

from explorer.facts import Count, Exact, Facts, Name, Number, Term
from explorer.facts.naming import opened
from explorer.pages.trust import figures
from explorer.pages.trust import widgets as knowing
from explorer.pages.trust.drawings import pictures
from explorer.pages.trust.facts import facts
from explorer.pages.trust.settings import CandidateVotes, Trust
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from explorer.ui.parts import numbers
from ldpcore.experiments import trust
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.trust.plan import ScaleShare
from ldpcore.parameters import Confidence, Delta

page = Page[Trust]("trust", facts, default_level=1.0, main=Trust.now, task=Trust.pictures)


@page.settings
def settings(shown: Shown) -> Trust:
    any_table = shown.view == "found"  # which is about any table, and asks for no mean of it
    table = controls.dataset(shown, rows="all") if any_table else None
    with nullcontext() if table is None else shown.more():
        source = numbers.source(shown, table=table)
        seed = controls.seed(shown)
    with shown.more():
        delta = controls.number(shown, "delta", Delta, default=1e-6, low=1e-12, high=0.1)
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
    return Trust(source, delta, confidence, seed, table)


@page.settings_line
def line(asked: Trust) -> Facts:
    scale, source = asked.numbers.scale, asked.source
    return {
        "unit": Name(source.heading) if source.column else Term("units.points"),
        "source": Term(f"source_options.{source.shape or 'column'}"),
        "n": Count(asked.numbers.n),
        "low": Exact(scale.low),
        "high": Exact(scale.high),
        "delta": Number(asked.delta),
    }


@page.cases
def kind(asked: Trust, result: PerhapsNamed[trust.ErrorsNowResult]) -> str:
    here = opened(result)[0].here
    return "helps" if here["local"] > 1.01 * here["shuffled"] else "useless"


def width(shown: Shown, asked: Trust, first: float) -> float:
    return float(controls.number(shown, "width", ScaleShare, default=first, low=0.0001, high=0.5))


def alone(result: trust.WhoIsAloneResult) -> str:
    return "some" if result.alone else "nobody"


known = OwnSetting(knowing.known, Trust.first_known)
page.view(
    "curves",
    Trust.curves,
    figures.curves,
    predicts=Prediction(("factor",), stays=("curator", "useless"), tells=("low", "high", "unit"), stand=("present",)),
)
page.view(
    "pictures",
    Trust.pictures,
    pictures,
    predicts=Prediction(("factor", "outer"), whole=True, stays=("local_title",), tells=("n",)),
)
about = Trust.about_found
page.view(
    "found",
    Trust.alone,
    figures.alone,
    own=known,
    handle=False,
    case=alone,
    table=figures.table,
    line=about,
    predicts=Prediction(("alone", "smallest"), stays=("everybody",), tells=("columns",)),
)
page.view(
    "choose",
    Trust.choose,
    figures.choose,
    own=OwnSetting(knowing.vote, CandidateVotes.invented()),
    predicts=Prediction(("chosen_by", "noisy_by")),
)
page.view(
    "plan",
    Trust.plan,
    figures.plan,
    own=OwnSetting(width, 0.01),
    predicts=Prediction(("people_curator", "people_local"), tells=("width",), stand=("present",), stays=("there",)),
)
page.silent("people", "found", "choose")
page.silent("unit", "found")
page.asks_elsewhere("columns", "width")
page.run()
