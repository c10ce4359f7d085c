"""The quantity to be estimated, and the parameters of its model; the two worlds to look at; the promise."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

import streamlit as st

from explorer.pages.limits.settings import AXES, PARTS, Along, Limits, WorldsChoice
from explorer.text.escaping import markdown
from explorer.text.refusals import reason
from explorer.ui import controls
from explorer.ui.parts import drawnworlds
from explorer.ui.shown import Shown
from ldpcore.experiments.limits.plan import LimitWidth
from ldpcore.experiments.limits.worlds import Eta
from ldpcore.limits.problems import PROBLEMS, Problem, problem_of
from ldpcore.parameters import ParameterError, Users

RARE = ("bound", "x0")  # parameters that are rarely set


def problem(shown: Shown) -> Problem:
    """A problem, with a control for each of its parameters; an impossible one is refused in a sentence."""
    slug = controls.choice(shown, "problem", [each.slug for each in PROBLEMS], default="heavy")
    chosen: Any = problem_of(slug)
    hints = get_type_hints(chosen, include_extras=True)
    given = {}
    for field in fields(chosen):
        with shown.more() if field.name in RARE else nullcontext():
            assert field.default is not MISSING
            given[field.name] = controls.number(shown, field.name, hints[field.name], default=field.default)
    try:
        made: Problem = chosen(**given)
    except ParameterError as problem:
        st.warning(markdown(reason(problem)), icon=":material/edit:")
        made = chosen()
    return made


def pair(shown: Shown, asked: Limits, first: WorldsChoice) -> WorldsChoice:
    """The worst two worlds before this number of people and for this error sum, or two that are drawn."""
    source = controls.choice(shown, "pair", ("worst", "drawn"))
    few = controls.number(shown, "few", Users, default=first.n, high=10**6)
    if source == "worst":
        eta = controls.number(shown, "eta", Eta, default=first.eta, low=0.05, high=0.95)
        return WorldsChoice(few, float(eta))
    drawn = drawnworlds.by_hand(shown)
    return WorldsChoice(few, drawn=(drawn.first, drawn.second))


def along(shown: Shown, asked: Limits, first: Along) -> Along:
    """The horizontal axis of the picture, and the wished precision; no wish is measured where the level falls."""
    axis = controls.choice(shown, "axis", AXES, default=first[0])
    if axis == "falling":
        return axis, first[1]
    return axis, float(controls.number(shown, "width", LimitWidth, default=first[1]))


def part(shown: Shown, asked: Limits, first: str) -> str:
    """The choice between powers of the number of people and the constants before them."""
    return controls.choice(shown, "part", PARTS, default=first)
