"""A show of hands as people write it down: "83 yes of 200", "83/200", "83 yes, 117 no" become two whole numbers."""

from __future__ import annotations

import re

import streamlit as st

from explorer.numbers import people
from explorer.ui import links, prose
from explorer.ui.frame import Page

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


def problem(page: Page, text: str) -> str:
    """What is wrong with the text, in one sentence; nothing where it can be used."""
    found = counted(text)
    if found is None:
        return page.phrase("answers_form", text=text[:60])
    yes, n = found
    if not 1 <= n <= MOST:
        return page.phrase("answers_asked", most=people(MOST), n=people(n))
    if not 0 <= yes <= n:
        return page.phrase("answers_yes", n=people(n), yes=people(yes))
    return ""


def answers(page: Page, name: str, default: str) -> tuple[int, int] | None:
    """A box for the answers: key `<page>_<name>`; what cannot be used stays in it, and one sentence says why."""
    key, label = f"{page.slug}_{name}", page.label(name)

    def usable(text: str) -> str:
        rule = problem(page, text)
        if rule:
            raise links.UnusableError(page.label("answers_rule"))
        return text

    links.settle(key, label, default, usable, str)
    text = str(st.text_input(label, max_chars=80, key=key, placeholder=default, on_change=links.touch))
    links.keep(key, text, default)
    rule = problem(page, text)
    if rule:
        st.warning(prose.markdown(rule), icon=":material/edit:")
        return None
    return counted(text)
