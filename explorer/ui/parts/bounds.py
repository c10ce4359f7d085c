"""Two boxes for the public bounds of a column; an unusable text stays in its box, and one sentence says why."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.facts import Exact, Name
from explorer.settings.questions import bounds
from explorer.settings.typed import PLAIN, AskError, DoubtError, Habits, plain_number
from explorer.text.escaping import markdown
from explorer.ui import asking, links, typed
from explorer.ui.language import catalogue
from explorer.ui.sessionkeys import BOUNDS
from explorer.ui.shown import Shown
from ldpcore.people.scales import LARGEST_BOUND
from ldpcore.tables.table import Table, shortened

CLOSEST = 1e-9  # bounds as near to each other as this, measured by their size, are no scale


def public_bounds(shown: Shown, table: Table, column: str, letter: str = "") -> tuple[tuple[float, float], bool]:
    """Keys `<page>_low` and `<page>_high`, with a letter where there are several; own tables' bounds stay here.

    The second value says whether other bounds are typed by now, which cannot be used.
    """
    usual = dict(zip(("low", "high"), bounds(table, column), strict=True))
    place = f"{shown.slug}_{letter}{table.digest[:8]}_{table.columns.index(column)}"
    written, texts = typed.habits(table), {}
    ends: tuple[float, float] = (float(usual["low"]), float(usual["high"]))
    if links.set_anew(place):  # what cannot be used gives way to what could
        for name, value in zip(usual, BOUNDS.of(place).get() or ends, strict=True):
            st.session_state[f"{place}_{name}"] = written.spelled(value)
    for name, side in zip(usual, st.columns(2), strict=True):
        key, label = f"{shown.slug}_{name}{letter}", _label(shown, name, table.head(column))
        asked = links.requested(key, label, usual[name], _usable(shown), str)
        if asked is not None or f"{place}_{name}" not in st.session_state:
            start = usual[name] if asked is None else asked
            st.session_state[f"{place}_{name}"] = written.respelled(start)
        tip = shown.label(f"{name}_help", "") or None
        texts[name] = typed.box(label, "", f"{place}_{name}", written, place=side, help=tip)
    read, rule = _read(shown, texts["low"], texts["high"], written)
    if read is None:
        st.warning(markdown(rule), icon=":material/edit:")
    else:
        BOUNDS.of(place).keep(read)
    kept = BOUNDS.of(place).get() or ends
    for name, value in zip(usual, kept, strict=True):
        if not table.own:
            links.record(f"{shown.slug}_{name}{letter}", plain_number(value), usual[name])
    return kept, read is None


def _label(shown: Shown, name: str, column: str) -> str:
    """The label of a box: the page's own, or the usual one."""
    try:
        return shown.catalogue.label(name, shown.slug, {"column": Name(shortened(column, 20))})
    except KeyError:
        return asking.words(name)


def _usable(shown: Shown) -> Any:
    """A reader of a bound from a link, which holds it to its rule."""

    def text(asked: str) -> str:
        if bound(asked, PLAIN) is None:
            raise links.UnusableError("bounds unusable", shown.slug)
        return asked

    return text


def bound(text: str, written: Habits) -> float | None:
    """A finite number that is not too large to be one; None for anything else."""
    try:
        value = float(written.number(text))
    except AskError:
        return None
    return value if abs(value) <= LARGEST_BOUND else None


def _read(shown: Shown, low: str, high: str, written: Habits) -> tuple[tuple[float, float] | None, str]:
    """The typed bounds, or the sentence about their error."""
    for text in (low, high):
        try:
            written.number(text)
        except DoubtError as doubt:
            return None, catalogue().write(doubt.reason)
        except AskError:
            pass
    ends = bound(low, written), bound(high, written)
    if ends[0] is None or ends[1] is None:
        wrong = Name((low if ends[0] is None else high)[:40])
        return None, shown.catalogue.label("bounds_form", shown.slug, {"text": wrong})
    if not ends[1] - ends[0] > max(CLOSEST * max(abs(ends[0]), abs(ends[1])), 1e-100):
        crossed = {"low": Exact(ends[0]), "high": Exact(ends[1])}
        return None, shown.catalogue.label("bounds_order", shown.slug, crossed)
    return (ends[0], ends[1]), ""
