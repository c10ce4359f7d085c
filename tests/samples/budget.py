"""Telling settings of the page about budgets, and what its views are told there."""

from __future__ import annotations

import numpy as np

from explorer.pages.budget.settings import Budget
from ldpcore.accounting.lines import LedgerRow


def samples() -> tuple[Budget, ...]:
    """Telling settings, the default ones first: one question, many, a small total, a tiny δ, a large crowd."""
    return (
        Budget(),
        Budget(k=1000, total=20.0, seed=3),
        Budget(k=1, total=1.0, delta=1e-12, n=10**9),
        Budget(k=10_000, total=0.5, delta=0.01, n=100, confidence=0.5),
    )


def _ledgers() -> tuple[tuple[Budget, tuple[LedgerRow, ...]], ...]:
    """Ledgers as long, of two releases with noise as large as it happens."""
    rng = np.random.default_rng(5)
    return tuple(
        (Budget(), tuple(LedgerRow("", "laplace", size) for size in (1.0, rng.uniform(0.1, 3)))) for _ in range(4)
    )


VARIED = {"ledger": _ledgers}
TOLD: dict[tuple[int, str], object] = {(1, "split"): 1, (1, "groups"): 1, (1, "daily"): 1}
