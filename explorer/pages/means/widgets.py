"""The mechanism that averages numbers, the settings of single views of that page, and the two groups."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.facts import Name
from explorer.pages.means.settings import Halves, Means, Reported, halved
from explorer.settings.numbers import splitting
from explorer.settings.typed import PLAIN, plain_number
from explorer.text.escaping import markdown
from explorer.ui import asking, controls, links, typed
from explorer.ui.parts.bounds import bound
from explorer.ui.parts.parting import parting_value
from explorer.ui.shown import Shown
from ldpcore.experiments import means
from ldpcore.experiments.means.family import Settings
from ldpcore.experiments.means.plan import MeanWidth
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.parameters import ParameterError, Probability, Users
from ldpcore.people.scales import SHAPES, PublicScale
from ldpcore.tables.table import shortened


def mechanism(shown: Shown) -> tuple[str, Settings]:
    """One of the mechanisms that estimate the mean of the numbers themselves, and its settings besides the level."""
    member = controls.member(shown, NumberRandomizer, fits=lambda member: member.slug in means.slugs())  # type: ignore[type-abstract]
    made: Any = controls.mechanism(shown, member, epsilon=1.0)
    parameters = made.parameters()
    settings = tuple((name, value) for name, value in parameters.items() if name != "epsilon")
    if "classical" in parameters.values():
        with shown.more():
            st.caption(shown.say("settings classical"))
    return member.slug, settings


def places(shown: Shown, asked: object, first: tuple[float, float]) -> tuple[float, float]:
    """The places of two people's numbers between the bounds."""
    one = controls.number(shown, "first", Probability, default=first[0])
    return one, controls.number(shown, "second", Probability, default=first[1])


def width(shown: Shown, asked: Means, first: float) -> float:
    """The wished distance from the mean, in its unit."""
    typical = asked.widths()[1]
    return float(controls.number(shown, "within", MeanWidth, default=first, low=1e-9, high=2e14, typical=typical))


def reported(shown: Shown, asked: Means, first: Reported) -> Reported:
    """The number of reports, their mean, and the bounds; an unusable entry leaves the first values."""
    shown.private = True  # what is brought is the reader's, though each report of it is private already
    n = controls.number(shown, "reports_n", Users, default=first.n, high=10**9)
    mean = _numeral(shown, "reports_mean", first.mean)
    low, high = _numeral(shown, "reports_low", first.low), _numeral(shown, "reports_high", first.high)
    try:
        PublicScale(low, high)
    except ParameterError as problem:
        st.warning(markdown(shown.catalogue.refusal(problem)), icon=":material/edit:")
        low, high = first.low, first.high
    return Reported(int(n), mean, low, high)


def _numeral(shown: Shown, name: str, usual: float) -> float:
    """A typed number of any size; an unreadable text gets one sentence."""
    key, label, start = f"{shown.slug}_{name}", shown.label(name), plain_number(usual)
    asked, box, written = links.requested(key, label, start, _any_number(shown), str), f"{key}_box", typed.habits()
    if asked is not None or box not in st.session_state or links.set_anew(box):
        st.session_state[box] = written.respelled(start if asked is None else asked)
    value = bound(text := typed.box(label, "", box, written), written)
    if value is None:
        st.warning(markdown(shown.catalogue.label("number_form", shown.slug, {"text": Name(text[:40])})))
        value = usual
    links.record(key, plain_number(value), start)
    return value


def _any_number(shown: Shown) -> Any:
    """A reader of a number from a link."""

    def read(asked: str) -> str:
        if bound(asked, PLAIN) is None:
            raise links.UnusableError("number unusable", shown.slug)
        return asked

    return read


def halves(shown: Shown, asked: Means) -> Halves:
    """The groups of people: by a column whose values are public, or by another shape."""
    table = asked.source.table
    if table is None:
        return halved(asked, shape=controls.choice(shown, "shape", SHAPES, default="bell"))
    options = splitting(table, asked.source.column)
    if not options:
        return halved(asked)
    if table.own:
        column = str(st.selectbox(shown.label("group"), options, format_func=shortened))
        value = parting_value(shown, table, column)
    else:
        column = controls.choice(shown, "group", {name: asking.called(table, name) for name in options})
        value = parting_value(shown, table, column)
    parted = halved(asked, column, value)
    if parted.names[:1] != (shortened(column),) or (value and parted.names[-1] != shortened(value, 24)):
        st.warning(
            shown.say("groups empty", column=Name(shortened(table.head(column))), value=Name(shortened(value, 24)))
        )
    return parted
