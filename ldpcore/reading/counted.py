"""A table of counts as people paste it: an answer and how often it was reported in each line, from a sheet or by hand.

Between the two stands a tab, a semicolon or a bar; else a comma or a blank, where no other reading is possible: in
"Ward 3,120" nobody can tell. "1.234", "1,234" and "1 234" are one number to their writers, for counts are whole. No
pattern is used, and what is too long is refused before it is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ldpcore.reading.answers import MOST_PEOPLE, number_at
from ldpcore.reading.notations import PLAIN, UNSEEN, spelled_alike
from ldpcore.reading.totals import TOTAL_PHRASES, TOTALS
from ldpcore.refusals import Refusal

LONGEST_TEXT, LONGEST_LINE, LONGEST_NAME = 100_000, 300, 60  # letters of the text, of a line, of a name that is kept
MOST_ANSWERS = 4096
MARKS = ("\t", ";", "|", "؛")  # between an answer and its count, unmistakably
PERHAPS = frozenset(("n", "all", "alle", "همه"))  # a total or an answer, as in yes, no or "all of these"


class CountedError(Refusal):
    """A text that cannot be a table of counts, in one sentence."""


@dataclass(frozen=True)
class Counted:
    """The answers (none where only counts were given), their counts, and the number of all reports where it is said."""

    names: tuple[str, ...]
    counts: tuple[int, ...]
    total: int | None = None


def read_counted(text: str) -> Counted:
    """The table in a text; any other text is refused with the line and the rule."""
    if len(text) > LONGEST_TEXT:
        raise CountedError("counted_long", most=LONGEST_TEXT)
    text = text.translate(UNSEEN)
    lines = [(place, line.strip()) for place, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise CountedError("counted_none")
    if len(lines) > MOST_ANSWERS + 2:
        raise CountedError("counted_many", most=MOST_ANSWERS)
    if len(lines) > 2 and not any(letter.isdecimal() for letter in lines[0][1].translate(PLAIN)):
        lines = lines[1:]  # the names of the two columns
    rows = [_row(place, line) for place, line in lines]
    totals = [count for name, count in rows if _is_total(name)]
    kept = [(name, count) for name, count in rows if not _is_total(name)]
    others = [count for _, count in kept[:-1]]
    if others and kept[-1][0].lower() in PERHAPS and max(others) <= kept[-1][1] <= sum(others):
        totals.append(kept.pop()[1])
    return _checked(kept, totals)


def _is_total(name: str) -> bool:
    plain = spelled_alike(name).removesuffix(":").rstrip()
    return plain in TOTALS or plain in TOTAL_PHRASES


def ones(cells: NDArray[np.generic], column: str) -> int:
    """The number of reports of a column of bits that are 1; a column that holds anything else is refused."""
    if not np.isin(cells, (0, 1)).all():
        raise CountedError("reports_bits", column=column[:LONGEST_NAME])
    return int((cells == 1).sum())


def _checked(rows: list[tuple[str, int]], totals: list[int]) -> Counted:
    """At least two answers, named all or none of them and all different; at most one total that is not less."""
    names, counts = tuple(name for name, _ in rows), tuple(count for _, count in rows)
    if len(rows) < 2:
        raise CountedError("counted_few", got=len(rows))
    if len(rows) > MOST_ANSWERS:
        raise CountedError("counted_many", most=MOST_ANSWERS)
    if any(names) and not all(names):
        raise CountedError("counted_unnamed", got=counts[names.index("")])
    if any(names) and len(set(names)) < len(names):
        raise CountedError("counted_twice", got=next(name for name in names if names.count(name) > 1))
    if len(set(totals)) > 1:
        raise CountedError("counted_totals", first=totals[0], other=next(n for n in totals if n != totals[0]))
    return Counted(names if all(names) else (), counts, totals[0] if totals else None)


def _row(place: int, line: str) -> tuple[str, int]:
    """The answer and the count of a line, whichever comes first."""
    if len(line) > LONGEST_LINE:
        raise CountedError("counted_line", line=place, got=line[:LONGEST_NAME] + "…")
    mark = next((mark for mark in MARKS if mark in line), "")
    if not mark:
        return _parted(place, line)
    cells = [cell for cell in (cell.strip().strip('"').strip() for cell in line.split(mark)) if cell]
    if len(cells) == 2:
        for name, count in (cells, cells[::-1]):
            if (number := _whole(count)) is not None:
                return _named(place, name, number)
        _refuse_parts(place, cells)
    if len(cells) == 1 and (number := _whole(cells[0])) is not None:
        return "", number
    raise CountedError("counted_line", line=place, got=line[:LONGEST_NAME])


def _parted(place: int, line: str) -> tuple[str, int]:
    """A line without a clear mark: read in the one way that is possible."""
    readings = {("", number) for number in [_whole(line)] if number is not None}
    for at, letter in enumerate(line):
        if letter in ",،" or letter.isspace():
            name, number = line[:at].strip(' ,،:"'), _whole(line[at + 1 :].strip().strip('"'))
            if name and number is not None:
                readings.add((name, number))
    if len(readings) == 1:
        name, number = readings.pop()
        return _named(place, name, number) if name else ("", number)
    if readings:
        raise CountedError("counted_doubt", line=place, got=line[:LONGEST_NAME])
    _refuse_parts(place, line.split())
    raise CountedError("counted_line", line=place, got=line[:LONGEST_NAME])


def _named(place: int, name: str, number: int) -> tuple[str, int]:
    if number > MOST_PEOPLE:
        raise CountedError("counted_large", line=place, most=MOST_PEOPLE)
    return " ".join(name.split())[:LONGEST_NAME], number


def _refuse_parts(place: int, cells: list[str]) -> None:
    """Refuse a cell that is a share, a decimal or a negative number, by saying so."""
    for cell in cells:
        plain = cell.translate(PLAIN)
        if any(letter.isdecimal() for letter in plain) and not any(letter.isalpha() for letter in plain):
            raise CountedError("counted_whole", line=place, got=cell[:LONGEST_NAME])


def _whole(cell: str) -> int | None:
    """The whole number that a cell is, thousands marked or not; None where it is none."""
    plain = cell.translate(PLAIN)
    if not plain or not plain[0].isdecimal():
        return None
    end, number = number_at(plain, 0)
    return number if end == len(plain) and isinstance(number, int) else None
