"""Whose numbers are averaged, between which public bounds, through which mechanism; and who is in which group."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.facts import Count, Exact, Name, Number, Truth
from explorer.settings.means import ColumnNumbers, Halves, Means, Source, halved, relation, splitting
from explorer.settings.questions import AskError, bounds, number, starting_values
from explorer.text.escaping import markdown
from explorer.ui import asking, cache, controls, links
from explorer.ui.page import Shown
from ldpcore.experiments import means
from ldpcore.experiments.means.family import Settings
from ldpcore.experiments.means.plan import Width
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.parameters import Probability, Users
from ldpcore.scales import LARGEST_BOUND, SHAPES, Clipping
from ldpcore.tables import Table, shortened

MEASURES = ("worst", "average")
SOURCES = ("column", *SHAPES)
CLOSEST = 1e-9  # bounds as near to each other as this, measured by their size, are no scale
MOST_PEOPLE = 10**9


def source(shown: Shown) -> Source:
    """A column between its bounds, or invented people; what cannot be averaged gets one sentence."""
    chosen = controls.choice(shown, "source", SOURCES)
    if chosen == "column":
        if (found := _of_column(shown)) is not None:
            return found
        chosen = SHAPES[0]
    return Source.of_shape(chosen, controls.number(shown, "n", Users, default=10_000, high=MOST_PEOPLE))


def _of_column(shown: Shown) -> Source | None:
    """The numbers of a column; None, and a sentence, where there are none."""
    table = controls.dataset(shown)
    columns = table.of_kind("number")
    if not columns:
        st.warning(shown.say("column absent"))
        return None
    column = asking.column(shown, table, kinds=("number",), default=columns[-1])
    assert column is not None
    low, high = _bounds(shown, table, column)
    scope: cache.Scope = "session" if table.own else "global"
    found = cache.run(ColumnNumbers(table, column, low, high), scope)
    if found is None or found.clipping is None:
        st.warning(shown.say("column empty", column=Name(shortened(column)), n=Count(table.n)))
        return None
    _remark(shown, found.clipping, low, high)
    return Source(found, "", column, table.own, table)


def _remark(shown: Shown, clipping: Clipping, low: float, high: float) -> None:
    """What becomes of the numbers, how many were moved, and what that does to their mean."""
    told = {
        "low": Exact(low), "high": Exact(high), "n": Count(clipping.n), "moved": Truth(Count(clipping.moved)),
        "below": Truth(Count(clipping.below)), "above": Truth(Count(clipping.above)),
        "bias": Truth(Number(clipping.bias)), "missing": Count(clipping.missing),
    }  # fmt: skip
    st.caption(shown.say("mapping", **told))
    st.caption(shown.say("clipping", **told))


def _bounds(shown: Shown, table: Table, column: str) -> tuple[float, float]:
    """Two boxes for the public bounds: keys `<page>_low` and `<page>_high`; what is typed for an own table stays here.

    What cannot be used stays in its box, one sentence says why, and the page shows what was usable before.
    """
    usual = dict(zip(("low", "high"), bounds(table, column), strict=True))
    place = f"_{shown.slug}_{table.digest[:8]}_{table.columns.index(column)}"
    typed = {}
    for name, box in zip(usual, st.columns(2), strict=True):
        key, label = f"{shown.slug}_{name}", shown.label(name, asking.words(name))
        asked = links.requested(key, label, usual[name], _usable(shown), str)
        if asked is not None or f"{place}_{name}" not in st.session_state:
            st.session_state[f"{place}_{name}"] = usual[name] if asked is None else asked
        typed[name] = str(
            box.text_input(label, max_chars=40, key=f"{place}_{name}", help=shown.label(f"{name}_help", "") or None,
                           on_change=links.touch)
        )  # fmt: skip
        if not table.own:
            links.record(key, typed[name], usual[name])
    found, rule = _read(shown, typed["low"], typed["high"])
    if found is None:
        st.warning(markdown(rule), icon=":material/edit:")
    else:
        st.session_state[f"{place}_usable"] = found
    kept: tuple[float, float] = st.session_state.get(f"{place}_usable", (float(usual["low"]), float(usual["high"])))
    return kept


def _usable(shown: Shown) -> Any:
    """Reads a bound from a link, and holds it to its rule."""

    def text(asked: str) -> str:
        if _bound(asked) is None:
            raise links.UnusableError(shown.label("bounds_rule"))
        return asked

    return text


def _bound(text: str) -> float | None:
    """A finite number that is not too large to be one; None for anything else."""
    try:
        found = float(number(text))
    except AskError:
        return None
    return found if abs(found) <= LARGEST_BOUND else None


def _read(shown: Shown, low: str, high: str) -> tuple[tuple[float, float] | None, str]:
    """The bounds that were typed, or what is wrong with them in one sentence."""
    found = _bound(low), _bound(high)
    if found[0] is None or found[1] is None:
        text = Name((low if found[0] is None else high)[:40])
        return None, shown.catalogue.label("bounds_form", shown.slug, {"text": text})
    if not found[1] - found[0] > max(CLOSEST * max(abs(found[0]), abs(found[1])), 1e-100):
        ends = {"low": Exact(found[0]), "high": Exact(found[1])}
        return None, shown.catalogue.label("bounds_order", shown.slug, ends)
    return (found[0], found[1]), ""


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


def places(shown: Shown, told: Means) -> tuple[float, float]:
    """Where between the bounds two people's numbers are."""
    first = controls.number(shown, "first", Probability, default=1.0)
    return first, controls.number(shown, "second", Probability, default=0.0)


def measure(shown: Shown, told: Means) -> str:
    """Whose variance counts: the worst number's, or that of these people on average."""
    return controls.choice(shown, "measure", MEASURES)


def width(shown: Shown, told: Means) -> float:
    """How near to the mean one wants to be, as a share of the distance of the bounds."""
    return float(controls.number(shown, "width", Width, default=0.02, low=0.001, high=0.5))


def halves(shown: Shown, told: Means) -> Halves:
    """Who stands in which group: by a column whose values are public, or by another shape."""
    table = told.source.table
    if table is None:
        return halved(told, shape=controls.choice(shown, "shape", SHAPES, default="bell"))
    options = splitting(table, told.source.column)
    if not options:
        return halved(told)
    if table.own:
        column = str(st.selectbox(shown.label("group"), options, format_func=shortened))
        value = _value(shown, table, column)
    else:
        column = controls.choice(shown, "group", {name: shortened(name) for name in options})
        value = _value(shown, table, column)
    found = halved(told, column, value)
    if found.names[:1] != (shortened(column),) or (value and found.names[-1] != shortened(value, 24)):
        st.warning(shown.say("groups empty", column=Name(shortened(column)), value=Name(shortened(value, 24))))
    return found


def _value(shown: Shown, table: Table, column: str) -> str:
    """The value by which people are parted: a number from which on, or one label against all others."""
    start = starting_values(table, column)
    usual, key = (start[0] if start else ""), f"{shown.slug}_split"
    asked = links.requested(key, shown.label("split"), usual, _text(table, column, shown), str)
    box = f"_{key}_{table.digest[:8]}_{table.columns.index(column)}"
    if asked is not None or box not in st.session_state:
        st.session_state[box] = usual if asked is None else asked
    text = str(st.text_input(shown.label("split"), max_chars=80, key=box, on_change=links.touch))
    if not table.own:
        links.record(key, text, usual)
    if relation(table, column) == "ge" and _bound(text) is None:
        st.warning(markdown(shown.catalogue.label("split_form", shown.slug, {"text": Name(text[:40])})))
        return usual
    return text


def _text(table: Table, column: str, shown: Shown) -> Any:
    """Reads a value from a link."""

    def read(asked: str) -> str:
        if relation(table, column) == "ge" and _bound(asked) is None:
            raise links.UnusableError(shown.label("split_rule"))
        return asked

    return read
