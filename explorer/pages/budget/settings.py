"""The reader's settings on the page about budgets, and the question of each of its views."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.facts import Count, Exact, Facts, Number, Share
from ldpcore.accounting.lines import LedgerRow
from ldpcore.experiments import budget, generator

EXAMPLE = "laplace 0.5\ngauss 1 1e-7\nlaplace 0.1 x 30\nany 0.3 x 3"


@dataclass(frozen=True)
class Budget:
    """The number of questions, their allowed total and chance of failure; the crowd that is asked, and the seed."""

    k: int = 100
    total: float = 10.0
    delta: float = 1e-6
    n: int = 10_000
    confidence: float = 0.95
    seed: int = 1

    @property
    def share(self) -> float:
        """The share of invented people who would truly say yes: drawn, so that it can be guessed."""
        return round(float(generator(self.seed, "share").uniform(0.15, 0.45)), 4)

    def model(self, view: str) -> str:
        """The party that a view trusts: a curator, or nobody where people answer by themselves."""
        return "local" if view in ("split", "daily") else "central"

    def totals(self, level: float) -> budget.TotalLevels:
        """The cost of the questions together."""
        return budget.TotalLevels(level, self.k, self.total, self.delta)

    def ledger(self, level: float, rows: tuple[LedgerRow, ...]) -> budget.MixedLedger:
        """The cost of a ledger of the reader's own."""
        return budget.MixedLedger(rows, self.total, self.delta)

    def split(self, level: float, questions: int) -> budget.SplitChoice:
        """One level for several questions."""
        return budget.SplitChoice(level, questions, self.n, self.confidence)

    def groups(self, level: float, g: int) -> budget.GroupBets:
        """The worth of the level to people who belong together."""
        return budget.GroupBets(level, g, self.delta)

    def daily(self, level: float, days: int) -> budget.EveryDay:
        """One question asked day after day."""
        return budget.EveryDay(level, days, self.n, self.share, self.delta, self.seed)

    def about_ledger(self, rows: tuple[LedgerRow, ...]) -> Facts:
        """The settings of a ledger, in a line."""
        return {"entries": Count(len(rows)), "total": Exact(self.total), "delta": Number(self.delta)}

    def about_split(self, questions: int) -> Facts:
        """The settings of several questions to one crowd, in a line."""
        return {"questions": Count(questions), "n": Count(self.n), "confidence": Share(self.confidence, 3)}

    def about_group(self, g: int) -> Facts:
        """The settings of people who belong together, in a line."""
        return {"g": Count(g), "delta": Number(self.delta)}

    def about_days(self, days: int) -> Facts:
        """The settings of a question that is asked every day, in a line."""
        return {"days": Count(days), "n": Count(self.n), "delta": Number(self.delta)}

    def plan(self, level: float) -> tuple[budget.TotalLevels, budget.BudgetPlan]:
        """The cost of the questions together, and the level that each may have."""
        return self.totals(level), budget.BudgetPlan(self.total, self.k, self.delta)
