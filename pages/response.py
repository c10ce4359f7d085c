"""Can a lie tell the truth?"""

from explorer.facts import Count, Facts, Share, Truth
from explorer.rooms.response import figures
from explorer.rooms.response.drawings import people
from explorer.rooms.response.drawings.devices import plan, worth_table
from explorer.rooms.response.drawings.intervals import real, table
from explorer.rooms.response.facts import facts, reading
from explorer.rooms.response.predicting import PREDICTED
from explorer.rooms.response.settings import STAGES, Held, Response, Stage, Typed, Wish, brought, leveled, wished
from explorer.rooms.response.widgets import answers, kit
from explorer.ui import controls
from explorer.ui.page import Own, Page, Shown
from ldpcore.experiments import response
from ldpcore.parameters import Confidence, Probability, Repeats

page = Page[Response]("response", facts, default_level=1.1, main=Response.survey, task=Response.tasks, holder="local")


@page.settings
def settings(shown: Shown) -> Response:
    with shown.invented():
        n = controls.number(shown, "n", response.ClassSize, default=100)
        share = kit.true_share(shown)
        seed = controls.seed(shown)
    curator = controls.switch(shown, "curator")
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.99)
        repeats = controls.number(shown, "repeats", Repeats, default=1000, high=10**9)
    return Response(n, share, confidence, repeats, curator, seed)


@page.settings_line
def line(asked: Response) -> Facts:
    return {"n": Count(asked.n), "share": Truth(Share(asked.share, 3))}


@page.cases
def which(asked: Response, result: response.Estimated) -> str:
    return reading(result)


def stage(shown: Shown, asked: Response, first: Stage) -> Stage:
    step = controls.choice(shown, "stage", STAGES, default=first.step, row=True) if asked.small() else first.step
    if step == first.step:
        return first
    return Stage(step, controls.number(shown, "person", response.ClassSize, default=first.person, high=asked.n))


def held(shown: Shown, asked: Response, first: Held) -> Held:
    prior = float(controls.number(shown, "prior", Probability, default=first.prior))
    design = controls.choice(shown, "held", shown.labels.strings("held_options"), default=first.design)
    if design != "own":
        return Held(prior, design)
    one = controls.number(shown, "first", Probability, default=first.first)
    return Held(prior, design, one, controls.number(shown, "second", Probability, default=first.second))


def coins(proof: response.DeniabilityResult, design: response.CoinDesignResult | None = None) -> str:
    return design.case if design else ""


typed, wish = Own(answers.typed, Typed()), Own(kit.wish, Wish())
page.view("everybody", Response.everybody, people.survey, own=Own(stage, Stage()), case=people.kind, table=table)
page.view("deny", Response.deny, figures.deniability, own=Own(held, Held()), case=coins, handle=leveled)
page.view("again", Response.again, figures.surveys)
page.view("real", Response.real, real, own=typed, case=reading, table=table, handle=leveled, brought=brought)
page.view("plan", Response.plan, plan, own=wish, case=lambda result, kit: result.case, table=worth_table, line=wished)
page.silent("error", "deny", "again")
page.silent("people", "deny")
page.asks_elsewhere(
    "stage", "held", "prior", "answers", "design", "reports", "silent", "crowd", "device", "unanswered", "width"
)
page.predicted(PREDICTED)
page.run()
