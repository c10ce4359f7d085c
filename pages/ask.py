"""What does this room answer, when nobody tells it?"""

from explorer.facts import Facts
from explorer.predicting import Prediction
from explorer.rooms.ask import drawings
from explorer.rooms.ask.facts import facts, reading, repeating
from explorer.rooms.ask.settings import CollectedAnswers, brought, kind
from explorer.rooms.ask.widgets import live
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
