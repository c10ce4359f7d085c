"""The lines of the account that the reader keeps: what the page about averaging lists on its sheet."""

from __future__ import annotations

from explorer.facts import Count, Exact, Name
from explorer.facts.lines import Lines
from explorer.rooms.averaging.facts import exactly
from explorer.rooms.averaging.settings import Averaging
from explorer.scenes import Answer
from ldpcore.accounting import Ledger
from ldpcore.experiments.averaging.accounts import Account

MOST = 200  # lines on a sheet


def ledger(asked: Averaging, level: float, own: Account, answer: Answer) -> Lines | None:
    """Every question with its level, how often it was asked, and what it cost."""
    account = answer(own)
    assert isinstance(account, Ledger)
    entries = account.entries[:MOST]
    rows = tuple((Name(each.question), exactly(each.level), Count(each.times), exactly(each.cost)) for each in entries)
    heading = (("n", Count(len(account.entries))), ("total", exactly(account.total)), ("delta", Exact(0.0)))
    return Lines("ledger", ("line", "level", "times", "cost"), rows, named=True, heading=heading) if rows else None
