"""A show of hands as people write it down: "83 yes of 200", "83/200", "83 yes, 117 no" become two whole numbers."""

from __future__ import annotations

import re

import streamlit as st

from explorer.facts import Count, Name
from explorer.text import escaping
from explorer.ui import controls, links
from explorer.ui.page import Shown

MOST = 10**9
_GROUPS = "[,'’\u00a0\u202f]"  # what people put between thousands, if no space follows
_NUMBER = re.compile(rf"[-−]?\d{{1,3}}(?:{_GROUPS}\d{{3}})+(?!\d)|[-−]?\d+")
_SPACED = re.compile(r"[-−]?\d{1,3}(?: \d{3})+(?!\d)|[-−]?\d+")
_NO = re.compile(r"\bno\b", re.IGNORECASE)
_PARTS = re.compile(r"%|\d[.,]\d{1,2}(?!\d)")  # percentages and decimals are not counts


def counted(text: str) -> tuple[int, int] | None:
    """How many said yes, and how many were asked; None where the text does not hold exactly two whole numbers."""
    if _PARTS.search(text):
        return None
    for pattern in (_NUMBER, _SPACED):
        found = [int(re.sub(r"[^\d-]", "", number.replace("−", "-"))) for number in pattern.findall(text)]
        if len(found) == 2:
            yes, second = found
            return (yes, yes + second) if _NO.search(text) else (yes, second)
    return None


def problem(shown: Shown, text: str) -> str:
    """What is wrong with the text, in one sentence; nothing where it can be used."""
    found, told = counted(text), shown.catalogue.label
    if found is None:
        return told("answers_form", shown.slug, {"text": Name(text[:60])})
    yes, n = found
    if not 1 <= n <= MOST:
        return told("answers_asked", shown.slug, {"most": Count(MOST), "n": Count(n)})
    if not 0 <= yes <= n:
        return told("answers_yes", shown.slug, {"n": Count(n), "yes": Count(yes)})
    return ""


def answers(shown: Shown, name: str, yes: int, n: int) -> tuple[int, int]:
    """A box for the answers: key `<page>_<name>`, and at first this many yes of so many people.

    What cannot be used stays in the box, one sentence says why, and the page shows what was last usable.
    """
    key, label = f"{shown.slug}_{name}", shown.label(name)
    default = f"{yes} yes of {n}"  # as links have always written it

    def usable(text: str) -> str:
        if problem(shown, text):
            raise links.UnusableError(shown.label("answers_rule"))
        return text

    links.widget_value(key, label, default, usable, str)
    tip = shown.label(f"{name}_help")
    text = str(
        st.text_input(label, links.first_value(key), 80, key, help=tip, placeholder=default, on_change=links.touch)
    )
    links.record(key, text, default)
    rule, kept = problem(shown, text), f"_{key}_usable"
    if rule:
        st.warning(escaping.markdown(rule), icon=":material/edit:")
    else:
        st.session_state[kept] = counted(text)
    found: tuple[int, int] = st.session_state.get(kept, (yes, n))
    return found


def design(shown: Shown, name: str) -> str:
    """Which coins or dice people had in their hands, and below it what they were to do with them."""
    chosen = controls.choice(shown, name, shown.labels[f"{name}_options"])
    st.markdown(shown.catalogue.markdown(shown.slug, f"{name} {chosen}"))
    return chosen
