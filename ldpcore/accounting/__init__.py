"""The privacy account: the joint cost of releases about the same people, by every rule, and the rest of the budget.

`ledger` adds levels as they are written; `composition` has the rules in closed form; `losses` composes whole laws of
the privacy loss by convolution; `shuffling` and `repetition` say what mixing reports and asking again do. May import
what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.accounting.ledger import MOST_DIGITS as MOST_DIGITS
from ldpcore.accounting.ledger import BudgetError, Ledger, LedgerEntry, level_of, spent, written

__all__ = ["MOST_DIGITS", "BudgetError", "Ledger", "LedgerEntry", "level_of", "spent", "written"]
