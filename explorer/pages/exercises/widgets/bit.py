"""The controls of exercises about one bit from each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from explorer.pages.exercises.settings import Exercises
from explorer.settings.typed import plain_number
from explorer.text.escaping import markdown
from explorer.ui import controls, links
from explorer.ui.parts.drawnworlds import by_hand
from explorer.ui.sessionkeys import PHI
from explorer.ui.shown import Shown
from ldpcore.experiments.distinguish import WorldPair, members
from ldpcore.experiments.exercises.bit import (
    FOUR,
    PRESETS,
    BitPeople,
    Phi,
    ReportPeople,
    SpreadDeviation,
    best_function,
    eight_cells,
    preset_values,
    read_phi,
)
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.parameters import ParameterError

LAWS = ("four", "bells", "drawn")
LONGEST = 200

AskedTwo = tuple[WorldPair, Phi]
AskedCrowd = tuple[Phi, int]
AskedChannel = tuple[str, WorldPair]


def asking(shown: Shown, asked: Exercises, first: AskedTwo) -> AskedTwo:
    """Two laws, and the function that one bit is about."""
    laws = controls.choice(shown, "bit_laws", LAWS)
    worlds = _worlds(shown, laws)
    chosen = controls.choice(shown, "bit_function", ("even", "last", "middle", "best", "own"))
    if chosen == "best":
        return worlds, best_function(worlds.first, worlds.second).values
    return worlds, _values(shown, chosen, worlds.k)


def estimate(shown: Shown, asked: Exercises, first: AskedCrowd) -> AskedCrowd:
    """The function that one bit is about, and the number of people."""
    chosen = controls.choice(shown, "bit_question", (*PRESETS, "own"))
    phi = _values(shown, chosen, FOUR.k)
    return phi, int(controls.number(shown, "bit_n", BitPeople, default=first[1]))


def halves(shown: Shown, asked: Exercises, first: float) -> float:
    """The standard deviation: half of the people hold it, half its negative."""
    return float(controls.number(shown, "spread", SpreadDeviation, default=first))


def reports(shown: Shown, asked: Exercises, first: int) -> int:
    """The number of people, whose distance is 1/√n."""
    return int(controls.number(shown, "report_n", ReportPeople, default=first))


def differing(shown: Shown, asked: Exercises, first: AskedChannel) -> AskedChannel:
    """Two laws, and the mechanism that makes reports of them."""
    worlds = _worlds(shown, controls.choice(shown, "bit_laws", LAWS))
    listed = members(worlds.k)
    chosen = controls.member(shown, CategoryRandomizer, default=first[0], fits=lambda member: member in listed)  # type: ignore[type-abstract]
    return chosen.slug, worlds


def _worlds(shown: Shown, laws: str) -> WorldPair:
    if laws == "drawn":
        return by_hand(shown)
    return FOUR if laws == "four" else eight_cells()


def _values(shown: Shown, chosen: str, k: int) -> Phi:
    return _typed(shown, k) if chosen == "own" else preset_values(chosen, k)


def _typed(shown: Shown, k: int) -> Phi:
    """Typed values of φ; an unusable text stays in its box, and one sentence says what to do."""
    key, label, usual = f"{shown.slug}_phi", shown.label("phi"), _written((-1.0, *[0.0] * (k - 2), 1.0))
    kept = PHI.get() if len(PHI.get() or ()) == k else None
    if kept and key not in st.session_state and links.first_value(key, "") and not links.asked_of(key):
        links.put(key, _written(kept))  # the box was away while another function was chosen
    links.follow(key, usual)
    links.widget_value(key, label, usual, partial(_usable, k=k), str)
    text: str = st.text_input(
        label, links.default(key, ""), LONGEST, key, help=shown.label("phi_help"), on_change=links.touch
    )
    try:
        values = read_phi(text, k)
        PHI.keep(values)
    except ParameterError as problem:
        st.warning(markdown(shown.catalogue.refusal(problem)), icon=":material/edit:")
        values = kept or preset_values("even", k)
    links.record(key, _written(values, "|"), usual.replace(" ", "|"))
    return values


def _written(values: Sequence[float], between: str = " ") -> str:
    """Values as the box holds them; links put no blanks between."""
    return between.join(plain_number(float(value)) for value in values)


def _usable(text: str, k: int) -> str:
    """Values of φ, read from a link."""
    try:
        return _written(read_phi(text, k))
    except ParameterError:
        raise links.UnusableError("phi unusable", "exercises") from None
