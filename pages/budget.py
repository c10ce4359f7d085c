"""Budgets: what is left after k questions?"""

from explorer.facts import Count, Exact, Facts, Number
from explorer.pages.budget import figures, released
from explorer.pages.budget import widgets as rows
from explorer.pages.budget.facts import facts
from explorer.pages.budget.settings import EXAMPLE, Budget
from explorer.predicting import Prediction
from explorer.ui import controls, unseen
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.accounting.columns import read_rows
from ldpcore.experiments import budget
from ldpcore.experiments.budget.daily import DailyUsers, Days
from ldpcore.experiments.budget.groups import GroupSize
from ldpcore.experiments.budget.totals import AgreedTotal, QuestionCount
from ldpcore.parameters import Confidence, Delta

page = Page[Budget](
    "budget", facts, default_level=0.1, main=Budget.totals, task=Budget.plan, holder="curator", model=Budget.model
)


@page.settings
def settings(shown: Shown) -> Budget:
    control = controls if shown.view in ("", "totals") else unseen
    k = int(control.number(shown, "k", QuestionCount, default=100, high=10**4))
    total = controls.number(shown, "total", AgreedTotal, default=10.0, low=0.01, high=1000)
    with shown.more():
        delta = controls.number(shown, "delta", Delta, default=1e-6, low=1e-12, high=0.1)
        n = controls.number(shown, "n", DailyUsers, default=10_000, low=100)
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
    drawing = controls if shown.view == "daily" else unseen  # nothing of the other views is drawn
    return Budget(k, total, delta, n, confidence, drawing.seed(shown))


@page.settings_line
def line(asked: Budget) -> Facts:
    return {"k": Count(asked.k), "total": Exact(asked.total), "delta": Number(asked.delta)}


@page.cases
def kind(asked: Budget, result: budget.TotalLevelsResult) -> str:
    return "left" if result.spent <= result.experiment.total else "overdrawn"


def questions(shown: Shown, asked: Budget, first: int) -> int:
    return int(controls.number(shown, "questions", QuestionCount, default=first, high=100))


def group(shown: Shown, asked: Budget, first: int) -> int:
    return int(controls.number(shown, "g", GroupSize, default=first, high=100))


def days(shown: Shown, asked: Budget, first: int) -> int:
    return int(controls.number(shown, "days", Days, default=first))


def kept(result: budget.MixedLedgerResult) -> str:
    if not result.experiment.rows:
        return "none"
    return "left" if result.spent <= result.experiment.total else "overdrawn"


def better(result: budget.SplitChoiceResult) -> str:
    return "useless" if min(result.at("level"), result.at("people")) >= 0.5 else result.better


typed, about = OwnSetting(rows.rows, read_rows(EXAMPLE)), Budget.about_ledger
page.view(
    "totals",
    Budget.plan,
    figures.totals,
    predicts=Prediction(
        ("spent", "charge"), stays=("basic", "total", "battery"), tells=("k", "total"), stand=("present",)
    ),
)
page.view(
    "ledger",
    Budget.ledger,
    figures.ledger,
    own=typed,
    handle=False,
    case=kept,
    table=released.table,
    line=about,
    predicts=Prediction(("ledger_spent", "ledger_sum"), stays=("total",), tells=("ledger_total",)),
)
page.view(
    "split",
    Budget.split,
    figures.split,
    own=OwnSetting(questions, 10),
    case=better,
    line=Budget.about_split,
    predicts=Prediction(("by_level", "by_people"), stays=("useless",), tells=("questions",), stand=("present",)),
)
page.view(
    "groups",
    Budget.groups,
    figures.groups,
    own=OwnSetting(group, 5),
    line=Budget.about_group,
    predicts=Prediction(("promise", "laplace", "normal"), tells=("g",), stand=("present",)),
)
page.view(
    "daily",
    Budget.daily,
    figures.daily,
    own=OwnSetting(days, 30),
    line=Budget.about_days,
    predicts=Prediction(("guess", "days_level"), stays=("present",), tells=("days",)),
)
page.listed(released.LISTINGS)
page.silent("risk", "ledger")
page.asks_elsewhere("ledger", "questions", "g", "days")
page.run()
