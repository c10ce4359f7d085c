"""A ledger of any releases, with and without a δ: what is spent after each, added up and exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ldpcore.accounting.releases import RULES, Account, Composed
from ldpcore.accounting.rows import Row
from ldpcore.costs import MEGABYTE, Cost, Question
from ldpcore.experiments import Progress
from ldpcore.experiments.budget.totals import Total
from ldpcore.parameters import Declared, Delta
from ldpcore.populations import Counts, Reals

SHOWN = 12  # so many bars; of more rows the totals after every so many
FEW = 200  # rows
ROUGH = 1 << 14  # points of a bar; the whole ledger has more


@dataclass(frozen=True)
class MixedLedger(Question, Declared):
    """The rows as they were kept, what all may cost, and the δ that may go wrong over all."""

    rows: tuple[Row, ...]
    total: Total = 10.0
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        return Cost(64 * MEGABYTE, 0.5 + 5e-5 * len(self.rows))

    def account(self, rows: int) -> Account:
        """The first so many rows."""
        return Account(tuple((row.release(), row.times) for row in self.rows[:rows]), self.delta)

    def run(self, progress: Progress | None = None) -> MixedLedgerResult:
        levels = {rule: self.account(len(self.rows)).level(rule) for rule in RULES}
        bars = RULES if len(self.rows) <= FEW else RULES[:-1]  # of many rows only the whole ledger is convolved
        places = np.unique(np.rint(np.linspace(1, len(self.rows), min(SHOWN, len(self.rows)))).astype(np.int64))
        added, exact = [], []
        for done, place in enumerate(places):
            account = self.account(int(place))
            added.append(account.basic().epsilon)
            exact.append(min(account.level(rule, ROUGH) for rule in bars))
            if progress is not None:
                progress((done + 1) / (len(places) + 1))
        exact[-1:] = [min(levels.values())] if exact else []
        return MixedLedgerResult(self, places, np.array(added), np.array(exact), levels)


@dataclass(frozen=True, eq=False)
class MixedLedgerResult:
    """What is spent after some of the rows, and the level of all of them by each rule."""

    experiment: MixedLedger
    places: Counts
    added: Reals
    exact: Reals
    levels: dict[str, float]

    @property
    def spent(self) -> float:
        """The smallest level that any rule proves."""
        return min(self.levels.values(), default=0.0)

    @property
    def best(self) -> str:
        """The rule that proves it; adding up where no rule says less."""
        return min(self.levels, key=lambda rule: (self.levels[rule], RULES.index(rule)))

    @property
    def sum(self) -> float:
        """All levels added up."""
        return self.experiment.account(len(self.experiment.rows)).basic().epsilon

    @property
    def failure(self) -> float:
        """All δs added up."""
        return self.experiment.account(len(self.experiment.rows)).basic().delta

    @property
    def left(self) -> float:
        """What is left of the total; 0 where nothing is, or where the δs alone are more than is allowed."""
        return max(self.experiment.total - self.spent, 0.0) if math.isfinite(self.spent) else 0.0

    @property
    def releases(self) -> int:
        """How many releases there are."""
        return sum(row.times for row in self.experiment.rows)

    @cached_property
    def composed(self) -> Composed:
        """The law of all losses together."""
        return self.experiment.account(len(self.experiment.rows)).exact()

    @property
    def error(self) -> float:
        """How much too large the δ behind the exact level may be."""
        exact = self.levels["exact"]
        return self.composed.error(exact) if self.experiment.rows and math.isfinite(exact) else 0.0
