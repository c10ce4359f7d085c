"""What is to be estimated, with the parameters of its model; which two worlds are looked at; how near one wants to be."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

import streamlit as st

from explorer.facts.refusals import reason
from explorer.settings.distinguish import bars
from explorer.settings.limits import FEW, WIDTH, Limits, Pair
from explorer.text.escaping import markdown
from explorer.ui import controls, links
from explorer.ui.page import Shown
from ldpcore.experiments.limits import DrawnWorlds
from ldpcore.experiments.limits.plan import Width
from ldpcore.parameters import ParameterError, Users
from ldpcore.problems import PROBLEMS, Problem, problem_of

RARE = ("bound", "x0")  # parameters that are rarely set
USUAL = ("3 2 1 1", "1 1 2 3")
LONGEST = 200


def problem(shown: Shown) -> Problem:
    """A problem, with a control for each of its parameters; one that cannot be is refused in a sentence."""
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


def pair(shown: Shown, asked: Limits) -> Pair:
    """The worst two worlds before so few people, or two that are drawn."""
    source = controls.choice(shown, "pair", ("worst", "drawn"))
    few = controls.number(shown, "few", Users, default=FEW, high=10**6)
    return Pair(few, drawn=_drawn(shown) if source == "drawn" else None)


def _drawn(shown: Shown) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Two rows of numbers; what cannot be used stays in its box, one sentence says why, and the last ones hold."""
    texts = []
    for name, usual in zip(("first", "second"), USUAL, strict=True):
        key, label = f"{shown.slug}_{name}", shown.label(name)
        links.widget_value(key, label, usual, _usable, str)
        text = st.text_input(
            label, links.first_value(key), LONGEST, key, help=shown.label("bars_help"), on_change=links.touch
        )
        links.record(key, text, usual)
        texts.append(text)
    try:
        first, second = bars(texts[0]), bars(texts[1])
        DrawnWorlds(first, second, 1.0)
    except ParameterError as problem:
        st.warning(markdown(reason(problem)), icon=":material/edit:")
        kept: Any = st.session_state.get("_limits_bars_usable", tuple(bars(text) for text in USUAL))
        return kept  # type: ignore[no-any-return]
    st.session_state["_limits_bars_usable"] = first, second
    return first, second


def _usable(text: str) -> str:
    """Reads a row of bars from a link."""
    try:
        bars(text)
    except ParameterError:
        raise links.UnusableError("bars unusable", "limits") from None
    return text


def width(shown: Shown, asked: Limits) -> float:
    """How near one wants to be."""
    return float(controls.number(shown, "width", Width, default=WIDTH))
