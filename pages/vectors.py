"""How much does each extra question cost?"""

from explorer.facts import Count, Facts
from explorer.facts.vectors import called, even_or_odd, facts, possible
from explorer.figures import vectors as figures
from explorer.settings.vectors import CROWD, USUAL, Vectors
from explorer.ui import controls
from explorer.ui.page import Page, Shown
from explorer.ui.parts import columns
from ldpcore.experiments.vectors import METHODS
from ldpcore.parameters import Confidence, Dimension, Users

page = Page("vectors", facts, default_level=1.0, main=Vectors.questions)


@page.settings
def settings(shown: Shown) -> Vectors:
    d = controls.number(shown, "d", Dimension, default=USUAL)
    n = controls.number(shown, "n", Users, default=CROWD, high=10**9)
    method = controls.choice(shown, "method", METHODS, default="sampled")
    with shown.more():
        confidence = controls.number(shown, "confidence", Confidence, default=0.95, low=0.5, high=0.999)
    return Vectors(d, n, method, confidence, controls.seed(shown))


@page.settings_line
def line(asked: Vectors) -> Facts:
    return {"d": Count(asked.d), "n": Count(asked.n), "method": called(asked.method)}


def stepwise(asked: Vectors) -> bool:
    return False


# A plan solves five equations at each stop, and columns may be long: both are asked for stop by stop.
page.view("dimensions", Vectors.dimensions, figures.dimensions, ahead=Vectors.quick)
page.view("along", Vectors.along, figures.levels)
page.view("rule", Vectors.corners, figures.corners, settings=columns.corner, table=figures.corner_table)
page.view("leak", Vectors.leak, figures.leak, case=even_or_odd)
page.view("mine", Vectors.table, figures.table, settings=columns.columns, ahead=stepwise)
page.view("plan", Vectors.plan, figures.plan, settings=columns.width, case=possible)
page.run()
