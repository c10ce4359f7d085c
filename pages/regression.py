"""Curves: can we learn a curve from answers that nobody can trust?"""

from explorer.facts import Count, Facts, Name, Term
from explorer.facts.naming import opened
from explorer.pages.regression import figures
from explorer.pages.regression import widgets as curves
from explorer.pages.regression.facts import beside, classified_case, facts, possible, reading, valley
from explorer.pages.regression.settings import CURVE, PLANNED, Classes, Regression
from explorer.predicting import Prediction
from explorer.ui.page import OwnSetting, Page, Shown
from ldpcore.experiments import regression
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.people.curves import CurveModel

page = Page[Regression]("regression", facts, main=Regression.survey, asides=Regression.asides, holder="local")


@page.settings
def settings(shown: Shown) -> Regression:
    return curves.settings(shown)


@page.settings_line
def line(chosen: Regression, function: str = CURVE) -> Facts:
    source = chosen.source
    name = source.function if isinstance(source, CurveModel) else "column"
    x, y = chosen.names if any(chosen.names) else ("x", "y")
    return {
        "source": Term(f"source_options.{name}" if function == CURVE else f"function_options.{function}"),
        "n": Count(chosen.n),
        "kind": Term(f"kind_options.{chosen.kind}"),
        "chosen": Term(f"mode_options.{chosen.chosen(function)}"),
        "cells": Count(chosen.cells(PLANNED, function)),
        "x_name": Name(x),
        "y_name": Name(y),
    }


@page.cases
def case(chosen: Regression, result: PerhapsNamed[regression.CurveSurveyResult]) -> str:
    return reading(opened(result)[0])


known, both = Regression.is_invented, Regression.sends_both


page.view(
    "steps",
    Regression.steps,
    figures.steps,
    own=OwnSetting(curves.beside, "honest"),
    case=beside,
    predicts=Prediction(("sunk", "left"), stays=("water",), tells=("x_name", "y_name")),
)
page.view(
    "report",
    Regression.report,
    figures.report,
    own=OwnSetting(curves.point, (0.3, 0.7)),
    only=both,
    predicts=Prediction(("guess", "apart"), stays=("location", "response")),
)
page.view(
    "sides",
    Regression.sides,
    figures.sides,
    only=known,
    own=OwnSetting(curves.function, CURVE),
    case=valley,
    line=line,
    predicts=Prediction(("best", "here"), stays=("honest",), stand=("present",)),
)
page.view(
    "classes",
    Regression.classes,
    figures.classes,
    own=OwnSetting(curves.classes, Classes()),
    case=classified_case,
    predicts=Prediction(
        ("right", "wrong"),
        stays=("private", "honest_people", "best_people"),
        tells=("squares", "first", "second"),
        stand=("present",),
    ),
)
page.view(
    "plan",
    Regression.plan,
    figures.plan,
    only=known,
    own=OwnSetting(curves.wish, 0.1),
    case=possible,
    predicts=Prediction(("people", "needed"), tells=("wish",), stays=("present",)),
)
page.silent("error", "report", "classes")
page.asks_elsewhere("beside", "x", "y", "function", "along", "shape", "picture", "wish")
page.run()
