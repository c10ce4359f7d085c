"""The overview: the likeness of a report from two different people, and the way into every other page."""

from explorer.facts import Facts, Term
from explorer.pages.overview import drawings as ratio
from explorer.pages.overview import widgets
from explorer.pages.overview.facts import facts, tells
from explorer.pages.overview.settings import MODES, OPENING, SAID, Overview
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import Page, Shown
from ldpcore.experiments.overview import HIGH, LOW, Report

page = Page[Overview]("overview", facts, default_level=1.0, main=Overview.ratio, model=Overview.model)


@page.settings
def settings(shown: Shown) -> Overview:
    widgets.lead(shown)
    mode = controls.choice(shown, "mode", MODES)
    if mode == "coin":
        return Overview(mode, said=controls.choice(shown, "said", SAID, default="yes"))
    return Overview(mode, controls.number(shown, "value", Report, default=OPENING, low=LOW, high=HIGH))


@page.settings_line
def line(asked: Overview) -> Facts:
    return {"mode": Term(f"mode_options.{asked.mode}"), "report": asked.spoken()}


page.around(widgets.around)
page.view(
    "ratio",
    Overview.ratio,
    ratio.ratio,
    case=tells,
    table=ratio.table,
    predicts=Prediction(("times", "ratio"), tells=("model",), whole=True),
)
page.run()
