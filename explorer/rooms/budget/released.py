"""The lines of a ledger: what the page about budgets lists on its sheet."""

from __future__ import annotations

from explorer.facts import Count, Exact, Level, Name, Number, Term
from explorer.facts.lines import Lines
from explorer.rooms.budget.settings import Budget
from explorer.scenes import Answer
from ldpcore.accounting.lines import Row

MOST = 200  # lines on a sheet


def ledger(asked: Budget, level: float, own: tuple[Row, ...], answer: Answer) -> Lines | None:
    """Every line: its name or place, its noise, its level, its δ and how often."""
    rows = tuple(
        (
            Name(row.name) if row.name else Count(place),
            Term(f"noises.{row.kind}"),
            Level(row.epsilon),
            Number(row.delta) if row.delta else Exact(0.0),
            Count(row.times),
        )
        for place, row in enumerate(own[:MOST], 1)
    )
    heading = (("n", Count(len(own))), ("total", Exact(asked.total)), ("delta", Number(asked.delta)))
    return Lines("ledger", ("line", "noise", "level", "delta", "times"), rows, heading=heading) if rows else None
