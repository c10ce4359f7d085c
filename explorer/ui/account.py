"""The ledger on screen: a total, the questions paid from it, and the refusal of what exceeds it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer.numbers import people
from explorer.ui import prose, session, tables
from explorer.ui.frame import Page
from ldpcore.accounting import BudgetError, Ledger, written
from ldpcore.fingerprints import fingerprint

_REFUSED = "_own_ledger_refused"


def ledger(page: Page, question: str, epsilon: float) -> Ledger:
    """The reader's ledger as it stands, and the widgets that change it; a refused change leaves it as it was."""
    words = page.labels["account"]
    # A new question or level of the page is proposed anew; what the reader typed over it stays until then.
    name_key, level_key = f"account_question_{fingerprint(question)[:8]}", f"account_level_{epsilon!r}"
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            words["total"], written(session.ledger().total), key="account_total", width=110, on_change=_retotal
        )
        st.text_input(words["question"], question, key=name_key, max_chars=200, width=240)
        level = st.text_input(words["level"], f"{epsilon:.15g}", key=level_key, width=110)
        st.number_input(words["times"], 1, 10**12, 1, key="account_times", width=140)
        st.button(
            words["ask"], "account_ask", on_click=_ask, args=(name_key, level_key), icon=":material/receipt_long:",
            type="primary",
        )  # fmt: skip
        st.button(words["again"], "account_again", on_click=_start_over, icon=":material/restart_alt:", type="tertiary")
    refused = st.session_state.pop(_REFUSED, "")
    if refused:
        st.error(prose.markdown(refused[:1].upper() + refused[1:]), icon=":material/block:")
    try:
        affordable = session.ledger().affordable(level)
    except BudgetError:
        affordable = 0
    _summary(page, session.ledger(), level, affordable)
    return session.ledger()


def _changed(change: Callable[[Ledger], Ledger]) -> None:
    """Change the ledger, or remember why it was refused."""
    try:
        session.keep_ledger(change(session.ledger()))
    except BudgetError as refusal:
        st.session_state[_REFUSED] = str(refusal)


def _ask(name_key: str, level_key: str) -> None:
    state = st.session_state
    question, level, times = state[name_key], state[level_key], int(state["account_times"])
    _changed(lambda account: account.asked(question, level, times))


def _retotal() -> None:
    total = st.session_state["account_total"]
    _changed(lambda account: account.with_total(total))


def _start_over() -> None:
    _changed(lambda account: Ledger(account.total))


def _summary(page: Page, account: Ledger, level: str, affordable: int) -> None:
    """What is spent and left, the list of questions, and what floating point would have made of it."""
    words = page.labels["account"]
    told = {"paid": written(account.spent), "total": written(account.total), "left": written(account.left)}
    st.markdown(prose.fill(words["sum"], told | {"affordable": people(affordable), "level": level}))
    if not account.entries:
        return
    rows = [[words["question"], words["level"], words["times"], words["cost"], words["after"]]]
    for entry, after in zip(account.entries, account.running(), strict=True):
        rows.append([entry.question, written(entry.level), people(entry.times), written(entry.cost), written(after)])
    st.html(tables.table(rows, words["list"]))
    if account.floating() != float(account.spent) and sum(entry.times for entry in account.entries) <= 100_000:
        st.caption(prose.fill(words["floating"], {"floating": repr(account.floating())}))
