"""Polls: what does this room answer, when nobody tells it?"""

from explorer.facts import Facts
from explorer.pages.ask import drawings
from explorer.pages.ask.facts import facts, reading, repeating
from explorer.pages.ask.settings import brought, kind
from explorer.pages.ask.widgets import live
from explorer.poll.collected import CollectedAnswers
from explorer.predicting import Prediction
from explorer.ui.page import Page, Shown

page = Page[CollectedAnswers]("ask", facts, holder="local", verb=kind)


@page.body
def body(shown: Shown) -> Facts:
    return live.body(shown, page)


page.view(
    "tally",
    CollectedAnswers.answers,
    drawings.tally,
    case=reading,
    table=drawings.table,
    handle=False,
    brought=brought,
    predicts=Prediction(("estimate", "interval"), whole=True, stays=("said",)),
)
page.view(
    "rounds",
    CollectedAnswers.repeated,
    drawings.rounds,
    case=repeating,
    table=drawings.rounds_table,
    handle=False,
    brought=brought,
    predicts=Prediction(("right",), whole=True, stays=("round",)),
)
page.silent("error", "rounds")
page.run()
