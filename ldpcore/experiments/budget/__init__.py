"""The budget after k questions: totals by every rule, a mixed ledger, two splits, groups, every day, and the plan.

May import what `ldpcore` may.
"""

from __future__ import annotations

from ldpcore.experiments.budget.daily import EveryDay, EveryDayResult
from ldpcore.experiments.budget.groups import GroupBets, GroupBetsResult
from ldpcore.experiments.budget.ledger import MixedLedger, MixedLedgerResult
from ldpcore.experiments.budget.split import SplitChoice, SplitChoiceResult
from ldpcore.experiments.budget.totals import BOUNDS, BudgetPlan, BudgetPlanResult, TotalLevels, TotalLevelsResult

__all__ = [
    "BOUNDS",
    "BudgetPlan",
    "BudgetPlanResult",
    "EveryDay",
    "EveryDayResult",
    "GroupBets",
    "GroupBetsResult",
    "MixedLedger",
    "MixedLedgerResult",
    "SplitChoice",
    "SplitChoiceResult",
    "TotalLevels",
    "TotalLevelsResult",
]
