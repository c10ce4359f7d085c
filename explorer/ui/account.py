"""The ledger on screen: a total, the questions paid from it, and the refusal of what exceeds it."""

from __future__ import annotations

import streamlit as st

from explorer.numbers import people
from explorer.ui import prose, session, tables
from explorer.ui.frame import Page
from ldpcore.accounting import BudgetError, Ledger, written


def ledger(page: Page, question: str, epsilon: float) -> Ledger:
    """The reader's ledger as it stands, and the widgets that change it; a refused change leaves it as it was."""
    words = page.labels["account"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        total = st.text_input(words["total"], written(session.ledger().total), key="account_total", width=110)
        name = st.text_input(words["question"], question, key="account_question", max_chars=200, width=240)
        level = st.text_input(words["level"], f"{epsilon:.15g}", key=f"account_level_{epsilon!r}", width=110)
        times = st.number_input(words["times"], 1, 10**12, 1, key="account_times", width=140)
        asked = st.button(words["ask"], "account_ask", icon=":material/receipt_long:", type="primary")
        again = st.button(words["again"], "account_again", icon=":material/restart_alt:", type="tertiary")
    try:
        account = session.ledger().with_total(total) if not again else Ledger.of(total)
        session.keep_ledger(account)
        if asked:
            session.keep_ledger(account.asked(name, level, int(times)))
        affordable = session.ledger().affordable(level)
    except BudgetError as refusal:
        st.error(prose.markdown(str(refusal)), icon=":material/block:")
        affordable = 0
    account = session.ledger()
    _summary(page, account, level, affordable)
    return account


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
