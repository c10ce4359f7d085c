"""Telling settings of the page about budgets, and what its views are told there."""

from __future__ import annotations

from explorer.rooms.budget.settings import Budget


def samples() -> tuple[Budget, ...]:
    """Telling settings, the default ones first: one question, many, a small total, a tiny δ, a large crowd."""
    return (
        Budget(),
        Budget(k=1000, total=20.0, seed=3),
        Budget(k=1, total=1.0, delta=1e-12, n=10**9),
        Budget(k=10_000, total=0.5, delta=0.01, n=100, confidence=0.5),
    )


TOLD: dict[tuple[int, str], object] = {}
