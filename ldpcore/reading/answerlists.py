"""A list of single answers as people paste it: a column of a spreadsheet, one line each, or all in one line.

    "Answer\\nja\\nnein\\n\\nja"  →  2 yes of 3, one line left empty, under the heading "Answer"

Every cell is a yes or a no, or the list is refused with the first one that is not: nothing is guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ldpcore.reading.answers import LONGEST as SHORT
from ldpcore.reading.answers import NO_WORDS, YES_WORDS, YesCount, read_answers
from ldpcore.reading.notations import PLAIN, spelled_alike

LONGEST_LIST = 400_000  # letters
SAID_YES = YES_WORDS | frozenset("y j 1 true wahr richtig vrai درست صحیح".split())
SAID_NO = NO_WORDS | frozenset("n 0 false falsch faux نادرست غلط".split())
BETWEEN = "\t;,|؛،"  # between the cells of a line; the first one that is in any line


@dataclass(frozen=True)
class AnswerTally:
    """The number of yes among the cells with an answer; the number of empty cells, and the heading above them."""

    answers: YesCount
    empty: int = 0
    heading: str = ""


@dataclass(frozen=True)
class ListRefused:
    """The reason why a text is no list of answers.

    "word": a cell says neither yes nor no, in which line; "columns": several columns hold answers; "long"; "empty".
    """

    reason: Literal["word", "columns", "long", "empty"]
    word: str = ""
    line: int = 0


def read_list(text: str) -> AnswerTally | ListRefused:
    """The tally of a list of answers, or why it cannot be counted; a count in words is read as one."""
    if len(text) > LONGEST_LIST:
        return ListRefused("long")
    lines = text.translate(PLAIN).strip("\r\n").splitlines()
    if not any(line.strip() for line in lines):
        return ListRefused("empty")
    said = read_answers(text) if len(text) <= SHORT else None
    if isinstance(said, YesCount):
        return AnswerTally(said)
    columns = _columns(lines)
    tallies = [_counted(column) for column in columns]
    fitting = [each for each in tallies if isinstance(each, AnswerTally)]
    if len(fitting) == 1:
        return fitting[0]
    return ListRefused("columns") if fitting else tallies[0]


def _columns(lines: list[str]) -> list[list[str]]:
    """The cells of each column: of one line all that stand in it, of several those between its marks."""
    mark = next((each for each in BETWEEN if any(each in line for line in lines)), None)
    if len(lines) == 1:
        return [lines[0].split(mark)]
    rows = [line.split(mark) if mark else [line] for line in lines]
    width = max(map(len, rows))
    return [[row[place] if place < len(row) else "" for row in rows] for place in range(width)]


def _counted(cells: list[str]) -> AnswerTally | ListRefused:
    """The yes and the no of a column, whose first cell may be its heading."""
    words = [spelled_alike(cell.strip().strip("\"'“”„«».")) for cell in cells]
    headed = len(words) > 1 and bool(words[0]) and words[0] not in SAID_YES | SAID_NO
    kept = words[headed:]
    for line, word in enumerate(kept, 1 + headed):
        if word and word not in SAID_YES and word not in SAID_NO:
            return ListRefused("word", cells[line - 1].strip(), line)
    yes, empty = sum(word in SAID_YES for word in kept), sum(not word for word in kept)
    if empty == len(kept):
        return ListRefused("word", cells[0].strip(), 1) if headed else ListRefused("empty")
    return AnswerTally(YesCount(yes, len(kept) - empty), empty, cells[0].strip() if headed else "")
