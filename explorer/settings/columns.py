"""The answers in a column of a table, the most frequent by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from ldpcore.questions import Progress, Question, no_progress

if TYPE_CHECKING:
    from ldpcore.tables.table import Table

MOST_COLUMN_ANSWERS = 4096  # of a column are told apart; the others are put together


class AnswerLabels(TypedDict):
    """Answers by their names and counts, those that are put together, empty cells, and the number of answers."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    other: int
    missing: int
    distinct: int


@dataclass(frozen=True)
class ColumnAnswers(Question[AnswerLabels]):
    """The answers in one column: the most frequent ones by name, and the others together."""

    table: Table = field(repr=False)
    column: str
    limit: int = MOST_COLUMN_ANSWERS

    def run(self, progress: Progress = no_progress) -> AnswerLabels:
        """Names short enough for a figure and all different, counts, and the left-over and empty cells."""
        from ldpcore.tables.table import displayed

        listed = self.table.categories(self.column, self.limit)
        return {
            "names": displayed(listed.labels, 24),
            "counts": listed.counts,
            "other": listed.other,
            "missing": listed.missing,
            "distinct": self.table.distinct(self.column),
        }
