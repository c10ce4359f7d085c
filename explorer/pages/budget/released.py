"""The lines of a ledger on the sheet of the page about budgets, and as a table of numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from explorer.declarations import Listing
from explorer.facts import Count, Day, Exact, Level, Name, Number, Quantity, Said, Term
from explorer.facts.lines import Lines
from explorer.figures.theme import Look
from explorer.pages.budget.settings import Budget
from explorer.scenes import RunQuestion
from explorer.text.catalogue import Words
from ldpcore.accounting.lines import LEVELED, LedgerRow
from ldpcore.experiments.budget import MixedLedgerResult

MOST = 200  # lines on a sheet
COLUMNS = ("line", "day", "name", "noise", "level", "sigma", "rho", "rate", "delta", "times", "added", "spent", "left")


def ledger(asked: Budget, level: float, own: tuple[LedgerRow, ...], answer: RunQuestion) -> Lines | None:
    """The lines: name or place, the day where some line has one, the noise and its size, its δ and number of times."""
    if not own:
        return None
    result = answer(asked.ledger(level, own))
    assert isinstance(result, MixedLedgerResult)
    dated = any(row.day for row in own)
    head = ("line", *(["day"] if dated else []), "noise", "size", "delta", "times")
    facts = {"n": Count(len(own)), "shown": Count(MOST), "total": Exact(asked.total), "delta": Number(asked.delta)}
    facts |= {"spent": Number(result.spent), "left": Number(result.left)}
    rows = tuple(_line(place, row, dated) for place, row in enumerate(own[:MOST], 1))
    known = math.isfinite(result.spent)
    kind = "ledger_over" if not known else "ledger" if len(own) <= MOST else "ledger_many"
    return Lines(kind, head, rows, heading=tuple(facts.items()))


def _line(place: int, row: LedgerRow, dated: bool) -> tuple[Quantity, ...]:
    day = [Day(row.day) if row.day else Name("")] if dated else []
    first = Name(row.name) if row.name else Count(place)
    delta = Number(row.delta) if row.delta else Exact(0.0)
    return first, *day, Term(f"noises.{row.kind}"), size(row), delta, Count(row.times)


def size(row: LedgerRow) -> Quantity:
    """The size of the noise, in the quantity that describes it."""
    if row.kind in LEVELED:
        return Said.of("row.level", value=Level(row.size))
    return Said.of(f"row.{row.kind}", value=Exact(row.size), rate=Exact(row.rate))


def table(result: MixedLedgerResult, look: Look, words: Words) -> list[list[object]]:
    """The lines with the total spent and left after each; the least proved one at the lines whose bars are drawn."""
    total, added = result.experiment.total, 0.0
    known = dict(zip(result.places.tolist(), result.exact.tolist(), strict=True))
    levels = [times * one.guarantee.epsilon for one, times in result.experiment.account().releases]
    rows: list[list[object]] = [[words[f"row_{name}"] for name in COLUMNS]]
    for place, (row, level) in enumerate(zip(result.experiment.rows, levels, strict=True), 1):
        added += level
        spent = known.get(place)
        left = None if spent is None or not math.isfinite(spent) else max(total - spent, 0.0)
        kind = "level" if row.kind in LEVELED else "rho" if row.kind == "zcdp" else "sigma"
        sizes = [row.size if kind == name else None for name in ("level", "sigma", "rho")]
        more = [row.rate if row.kind == "sampled" else None, row.delta or None, row.times]
        day = row.day.isoformat() if row.day else None
        noise = words.write(Term(f"noises.{row.kind}"))
        rows.append([place, day, row.name or None, noise, *sizes, *more, added, spent, left])
    return rows


LISTINGS: Mapping[str, Listing[Budget]] = MappingProxyType({"ledger": Listing(ledger)})
