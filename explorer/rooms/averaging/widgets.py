"""The ledger on screen: a total, the questions paid from it, and the refusal of what exceeds it.

A link carries the total and what each question costs, and never how it is called.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer.facts import Count, Exact
from explorer.rooms.averaging.facts import exactly
from explorer.settings.typed import AskError, plain_number
from explorer.text.catalogue import Catalogue
from explorer.text.escaping import markdown
from explorer.text.writing import Digits
from explorer.ui import cache, links, session, tables, typed
from explorer.ui.caught import caught
from explorer.ui.sessionkeys import LEDGER_REFUSED
from explorer.ui.shown import Shown
from ldpcore.accounting import BudgetError, Ledger, level_of, written
from ldpcore.fingerprints import fingerprint

_LINKED = "averaging_account"
MOST_LINKED = 40  # questions that a link carries
_MOST_ADDED = 100_000  # so many levels are added as binary numbers, for comparison


def kept(shown: Shown, question: str) -> Ledger:
    """The reader's ledger as it stands, and the widgets that change it; a refused change leaves it as it was."""
    shown.private = cache.keep_private(True)  # what was typed stays in this session, with all that follows
    _arrived(shown)
    words, level_field = shown.catalogue.labels("account", shown.slug), f"account_level_{shown.level!r}"
    # A new question or level of the page is proposed anew; what the reader typed over it stays until then.
    name_field = f"account_question_{fingerprint(question)[:8]}"
    total = typed.habits().respelled(written(session.ledger().total))
    typed.box(words["total"], total, "account_total", typed.habits(), then=_retotal)
    st.text_input(words["question"], question, key=name_field, max_chars=200)
    left, right = st.columns(2, gap="small")
    start = typed.habits().respelled(f"{shown.level:.15g}")
    level = _exactly(typed.box(words["level"], start, level_field, typed.habits(), place=left))
    right.number_input(words["times"], 1, 10**12, 1, key="account_times")
    st.button(
        words["ask"],
        "account_ask",
        on_click=_ask,
        args=(name_field, level_field),
        icon=":material/receipt_long:",
        type="primary",
    )
    st.button(words["again"], "account_again", on_click=_start_over, icon=":material/restart_alt:", type="tertiary")
    refused = LEDGER_REFUSED.take()
    if refused is not None:
        st.error(markdown(shown.catalogue.refusal(refused)), icon=":material/block:")
    _summary(shown, session.ledger(), level)
    links.record(_LINKED, _linked(session.ledger()), _linked(Ledger.of("1")))
    return session.ledger()


def _arrived(shown: Shown) -> None:
    """Keep the account that a link brings, where the reader has begun none; a page that is set anew brings none."""
    asked = bool(links.asked_of(_LINKED))
    text = links.requested(_LINKED, shown.catalogue.label("account.list", shown.slug), "", _worded, str)
    if not asked or not text or text == _linked(session.ledger()):
        return
    if session.ledger().entries:
        links.complain(shown.say("account kept"))
    else:
        session.keep_ledger(_read(text, shown.catalogue))


def _worded(asked: str) -> str:
    """The account of a link, if it is one."""
    try:
        _read(asked, None)
    except (BudgetError, ValueError):
        raise links.UnusableError("account unusable", "averaging") from None
    return asked


def _read(text: str, catalogue: Catalogue | None) -> Ledger:
    """The account of a link, its questions by their places."""
    total, *entries = text[: 60 * MOST_LINKED].split("|")
    ledger = Ledger.of(total)
    for place, entry in enumerate(entries, 1):
        level, _, times = entry.partition("x")
        name = "" if catalogue is None else catalogue.label("account.linked", "averaging", {"place": Count(place)})
        ledger = ledger.asked(name, level, int(times or 1))
    return ledger


def _linked(account: Ledger) -> str:
    """An account as a link says it; of too many questions the first."""
    entries = (f"{written(entry.level)}x{entry.times}" for entry in account.entries[:MOST_LINKED])
    return "|".join((written(account.total), *entries))


def _changed(change: Callable[[Ledger], Ledger]) -> None:
    """Change the ledger, or remember why it was refused."""
    try:
        session.keep_ledger(change(session.ledger()))
    except BudgetError as refusal:
        LEDGER_REFUSED.keep(refusal)


@caught
def _ask(name_field: str, level_field: str) -> None:
    state = st.session_state
    question, level, times = state[name_field], _exactly(state[level_field]), int(state["account_times"])
    _changed(lambda account: account.asked(question, level, times))


def _retotal() -> None:
    total = _exactly(st.session_state["account_total"])
    _changed(lambda account: account.with_total(total))


def _exactly(text: str) -> str:
    """A level as the ledger adds it up, with all its digits; what is none, or two, stays and is refused."""
    try:
        value = typed.habits().number(text)
    except AskError:
        return text
    plain = text.strip()
    return plain if plain.replace(".", "", 1).isdecimal() and float(plain) == value else plain_number(value)


@caught
def _start_over() -> None:
    _changed(lambda account: Ledger(account.total))


def _summary(shown: Shown, account: Ledger, level: str) -> None:
    """What is still affordable, the list of questions, and what floating point would have made of it."""
    catalogue = shown.catalogue
    try:
        left = {"affordable": Exact(account.affordable(level)), "level": exactly(level_of(level))}
        st.markdown(catalogue.markdown(shown.slug, "ledger left", left))
    except BudgetError:
        pass  # the level is being typed
    if not account.entries:
        return
    words = catalogue.labels("account", shown.slug)
    rows = [[words["question"], words["level"], words["times"], words["cost"], words["after"]]]
    for entry, after in zip(account.entries, account.running(), strict=True):
        numbers = (exactly(entry.level), Exact(entry.times), exactly(entry.cost), exactly(after))
        rows.append([entry.question, *map(catalogue.write, numbers)])
    st.html(tables.table(rows, words["list"]))
    if account.floating() != float(account.spent) and sum(entry.times for entry in account.entries) <= _MOST_ADDED:
        floating = {"floating": Digits(repr(account.floating()))}
        st.caption(catalogue.markdown(shown.slug, "ledger floating", floating))
