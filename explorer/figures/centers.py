"""The zero of a picture of released numbers: that of the answer's unit, or an answer that is not told."""

from __future__ import annotations

from typing import TypeVar

from explorer.figures.theme import Look
from ldpcore.experiments.counting.fromtruth import FromTruthResult
from ldpcore.questions import Result

Drawn = TypeVar("Drawn", bound=Result)


def drawn(result: Drawn | FromTruthResult[Drawn]) -> tuple[Drawn, bool]:
    """A result as it is drawn, and whether its picture counts from the true answer."""
    if not isinstance(result, FromTruthResult):
        return result, False
    masked: Drawn = result.result.masked()  # type: ignore[assignment]
    return masked, True


def titled(axis: str, away: bool, look: Look) -> str:
    """The key of the title of released numbers' axis: the numbers, or their distance from the true answer."""
    return f"{axis}_away" if away or not look.truth else axis


def in_full(reach: float, middle: float = 0.0) -> dict[str, object]:
    """An axis whose numbers are written in full as long as people can read them."""
    farthest = abs(middle) + reach
    return {"exponentformat": "none", "separatethousands": True} if reach >= 1 and farthest < 1e8 else {}
