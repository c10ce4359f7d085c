"""An account as it was kept: the total, and what was asked of whom at which level, in plain values."""

from __future__ import annotations

from dataclasses import dataclass

from ldpcore.accounting import Ledger, written
from ldpcore.questions import Progress, Question


@dataclass(frozen=True)
class Account(Question[Ledger]):
    """The questions put so far, each with its level as it was written and how often it was asked."""

    total: str = "1"
    questions: tuple[tuple[str, str, int], ...] = ()

    @classmethod
    def of(cls, ledger: Ledger) -> Account:
        """The account behind a ledger."""
        return cls(written(ledger.total), tuple((e.question, written(e.level), e.times) for e in ledger.entries))

    def run(self, progress: Progress | None = None) -> Ledger:
        """The ledger that these questions lead to; the one that exceeds the total is refused."""
        ledger = Ledger.of(self.total)
        for question, level, times in self.questions:
            ledger = ledger.asked(question, level, times)
        return ledger
