"""The answer of any question, drawn: its numbers in a table, its short lists as bars."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass

import numpy as np

from ldpcore.library.drawn import MOST, Bar, SelfDrawn, bars, drawing, table
from ldpcore.questions import Question


@dataclass(frozen=True)
class DrawnAnswer(SelfDrawn):
    """The answer of a question: its single numbers and words, and its lists of numbers, each by its name."""

    name: str
    single: tuple[tuple[str, object], ...]
    lists: tuple[tuple[str, tuple[float, ...]], ...]

    def __str__(self) -> str:
        return "\n".join([self.name, *(f"{name}: {held}" for name, held in (*self.single, *self.lists))])

    def _repr_html_(self) -> str:
        drawn = [bars([Bar(str(place), each) for place, each in enumerate(held, 1)], name) for name, held in self.lists]
        return drawing(self.name, table(("", ""), self.single), *drawn)


def drawn_answer(question: Question[object]) -> DrawnAnswer:
    """The answer of a question that is run now."""
    result = question.run()
    held = {each.name: vars(result)[each.name] for each in fields(result)} if is_dataclass(result) else {}
    lists = tuple((name, numbers) for name, each in held.items() if (numbers := _numbers(each)))
    single = tuple((name, each) for name, each in held.items() if isinstance(each, (int, float, str)))
    return DrawnAnswer(type(question).__name__, single, lists)


def _numbers(held: object) -> tuple[float, ...]:
    """The numbers of a short list; none of anything else."""
    if not isinstance(held, (np.ndarray, tuple)) or not 0 < len(held) <= MOST:
        return ()
    listed = np.asarray(held)
    return tuple(listed.astype(float).tolist()) if listed.ndim == 1 and listed.dtype.kind in "iuf" else ()
