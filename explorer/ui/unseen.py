"""The value of a control that a view does not show because it has no effect: kept in the session and in the link."""

from __future__ import annotations

import streamlit as st

from explorer.settings.typed import plain_number
from explorer.ui import links, ranges
from explorer.ui.shown import Shown
from ldpcore.parameters import Choice, Interval, Seed, declaration


def number(page: Shown, name: str, annotated: object, *, default: float, high: float) -> float:
    """The value that `controls.number` with this name and range was set to, or that a link asks for."""
    declared = declaration(annotated)
    assert isinstance(declared, Interval)
    key, ends = f"{page.slug}_{name}", (declared.low, high)
    ranges.remember(key, ends)
    held = float(links.widget_value(key, page.label(name), default, links.reader(declared, *ends), plain_number))
    links.put(key, int(held) if declared.integer else held)
    links.record(key, plain_number(held), plain_number(default))
    return int(held) if declared.integer else held


def likely(key: str) -> str:
    """The probable value of a control that comes later in this run; empty where nobody has set it."""
    asked = links.asked_of(key)
    return str(asked[0] if asked else st.session_state.get(key, links.first_value(key, "")))


def choice(page: Shown, name: str, declared: Choice) -> str:
    """The value that `controls.choice` with this name was set to, or that a link asks for."""
    key, first = f"{page.slug}_{name}", declared.options[0]

    def known(text: str) -> str:
        if text not in declared.options:
            raise links.none_of(declared.options)
        return text

    held = str(links.widget_value(key, page.label(name), first, known, str))
    links.put(key, held)
    links.record(key, held, first)
    return held


def seed(page: Shown, default: int = 1) -> int:
    """The value that `controls.seed` was set to, or that a link asks for, where nothing of a view is drawn."""
    key, declared = f"{page.slug}_seed", declaration(Seed)
    assert isinstance(declared, Interval)
    read = links.reader(declared, 0, links.LAST_SEED)
    held = int(links.widget_value(key, page.label("seed"), default, read, plain_number))
    links.put(key, held)
    links.record(key, str(held), str(default))
    return held
