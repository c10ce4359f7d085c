"""Randomized response: can a lie tell the truth?"""

from explorer.facts import Count, Facts, Share, Truth
from explorer.pages.response import figures
from explorer.pages.response.drawings import people
from explorer.pages.response.drawings.devices import plan, worth_table
from explorer.pages.response.drawings.intervals import real, table
from explorer.pages.response.facts import facts, reading
from explorer.pages.response.settings import (
    STAGES,
    HeldDevice,
    ResponseSettings,
    Stage,
    SurveyWish,
    TypedClass,
    brought,
    leveled,
    wished,
)
from explorer.pages.response.widgets import answers, kit
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments import response
from ldpcore.parameters import Confidence, Probability, Repeats

page = Page[ResponseSettings](
    "response", facts, default_level=1.1, main=ResponseSettings.survey, task=ResponseSettings.tasks, holder="local"
)


@page.settings
def settings(shown: Shown) -> ResponseSettings:
    with shown.invented():
        n = controls.number(shown, "n", response.ClassSize, default=100)
        share = kit.true_share(shown)
        seed = controls.seed(shown)
    curator = controls.switch(shown, "curator")
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.99)
        repeats = controls.number(shown, "repeats", Repeats, default=1000, high=10**9)
    return ResponseSettings(n, share, confidence, repeats, curator, seed)


@page.settings_line
def line(asked: ResponseSettings) -> Facts:
    return {"n": Count(asked.n), "share": Truth(Share(asked.share, 3))}


@page.cases
def which(asked: ResponseSettings, result: response.Estimated) -> str:
    return reading(result)


def stage(shown: Shown, asked: ResponseSettings, first: Stage) -> Stage:
    step = controls.choice(shown, "stage", STAGES, default=first.step, row=True) if asked.small() else first.step
    if step == first.step:
        return first
    return Stage(step, controls.number(shown, "person", response.ClassSize, default=first.person, high=asked.n))


def held(shown: Shown, asked: ResponseSettings, first: HeldDevice) -> HeldDevice:
    prior = float(controls.number(shown, "prior", Probability, default=first.prior))
    design = controls.choice(shown, "held", shown.labels.strings("held_options"), default=first.design)
    if design != "own":
        return HeldDevice(prior, design)
    one = controls.number(shown, "first", Probability, default=first.first)
    return HeldDevice(prior, design, one, controls.number(shown, "second", Probability, default=first.second))


def coins(proof: response.DeniabilityResult, design: response.CoinDesignResult | None = None) -> str:
    return design.case if design else ""


typed, wish = OwnSetting(answers.typed, TypedClass()), OwnSetting(kit.wish, SurveyWish())
page.view(
    "everybody",
    ResponseSettings.everybody,
    people.survey,
    own=OwnSetting(stage, Stage()),
    case=people.kind,
    table=table,
    predicts=Prediction(("truth", "estimate"), whole=True, stays=("said",), tells=("n", "confidence")),
)
page.view(
    "deny",
    ResponseSettings.deny,
    figures.deniability,
    own=OwnSetting(held, HeldDevice()),
    self_contained=True,
    case=coins,
    handle=leveled,
    predicts=Prediction(("after_yes", "after_no"), stays=("before",), tells=("prior",), stand=("present",)),
)
page.view(
    "again",
    ResponseSettings.again,
    figures.surveys,
    predicts=Prediction(("deviation",), stays=("truth",), tells=("repeats", "unit")),
)
page.view(
    "real",
    ResponseSettings.real,
    real,
    own=typed,
    case=reading,
    table=table,
    handle=leveled,
    brought=brought,
    predicts=Prediction(("estimate", "answered_share"), whole=True, stays=("asked",), tells=("confidence",)),
)
page.view(
    "plan",
    ResponseSettings.plan,
    plan,
    own=wish,
    case=lambda result, kit: result.case,
    table=worth_table,
    line=wished,
    predicts=Prediction(("people", "worth"), whole=True, stays=("honest",), tells=("coins", "upto", "onward")),
)
page.silent("error", "deny", "again")
page.silent("people", "deny")
page.asks_elsewhere(
    "stage", "held", "prior", "answers", "design", "reports", "silent", "crowd", "device", "unanswered", "width"
)
page.run()
