"""Vectors: how much does each extra question cost?"""

from explorer.facts import Count, Facts
from explorer.pages.vectors import figures
from explorer.pages.vectors import widgets as columns
from explorer.pages.vectors.facts import called, facts, leaking, possible, telling
from explorer.pages.vectors.settings import CROWD, USUAL, VectorsSettings
from explorer.predicting import Prediction
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments.vectors import METHODS
from ldpcore.experiments.vectors.corners import PRINTED
from ldpcore.parameters import Confidence, Dimension, Users

page = Page[VectorsSettings]("vectors", facts, default_level=1.0, main=VectorsSettings.questions, holder="local")


@page.settings
def settings(shown: Shown) -> VectorsSettings:
    d = controls.number(shown, "d", Dimension, default=USUAL)
    n = controls.number(shown, "n", Users, default=CROWD, high=10**9)
    method = controls.choice(shown, "method", METHODS, default="sampled")
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
    return VectorsSettings(d, n, method, confidence, controls.seed(shown))


@page.settings_line
def line(asked: VectorsSettings) -> Facts:
    return {"d": Count(asked.d), "n": Count(asked.n), "method": called(asked.method)}


# A plan solves five equations at each stop, and columns may be long: both are asked for stop by stop.
corners = OwnSetting(columns.corner, (2, PRINTED, "one"))
page.view(
    "dimensions",
    VectorsSettings.dimensions,
    figures.dimensions,
    predicts=Prediction(("best_error", "split_error"), stays=("useless",), tells=("d",), stand=("present",)),
)
page.view(
    "leak",
    VectorsSettings.corners,
    figures.corners,
    own=corners,
    case=leaking,
    table=figures.corner_table,
    predicts=Prediction(("real_ratio", "guess"), stays=("edges",)),
)
page.view(
    "mine",
    VectorsSettings.table,
    figures.table,
    own=OwnSetting(columns.columns, VectorsSettings.first_columns, given=False),
    case=telling,
    predicts=Prediction(("share", "first_estimate"), stays=("bounds",), tells=("columns", "confidence")),
)
page.view(
    "plan",
    VectorsSettings.plan,
    figures.plan,
    own=OwnSetting(columns.width, 0.05),
    case=possible,
    predicts=Prediction(("fewest_people", "reach"), tells=("d", "width"), stays=("present",)),
)
page.silent("error", "leak")
page.asks_elsewhere("drawn", "other", "ties", "columns", "low", "low?", "high", "high?", "width")
page.run()
