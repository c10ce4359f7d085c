"""Telling settings of the page about counting, and what its views are told there."""

from __future__ import annotations

from dataclasses import replace

from explorer.rooms.counting.bounds import ChosenBound
from explorer.rooms.counting.settings import Counting, of_table
from explorer.settings.cells import Cells, FirstColumns, TableCells
from explorer.settings.noises import Noise
from ldpcore.parameters import Choice, Neighbors, declaration

CLASSICAL = Noise("gauss").with_settings(delta=1e-4, calibration="classical")
SMALLEST = Noise("gauss").with_settings(delta=1e-6, calibration="analytic")


def samples() -> tuple[Counting, ...]:
    """Telling settings, the page's own first: a crowd, five people, a sum, means, one replaced, a billion, noises."""
    relations = declaration(Neighbors)
    assert isinstance(relations, Choice)
    one, two = relations.options
    return (
        of_table("income", one),
        of_table("people", one),
        of_table("income", one, "sum", "everybody"),
        of_table("income", two, "mean", "everybody"),
        of_table("income", one, "mean"),
        replace(of_table("income", two), repeats=10**9, seed=7),
        replace(of_table("income", one), noise=CLASSICAL),
        replace(of_table("people", one), noise=Noise("discretelaplace"), away=True),
        replace(of_table("income", one), noise=Noise("staircase")),
        replace(
            of_table("income", one, "mean"), noise=Noise("gauss").with_settings(delta=1e-6, calibration="analytic")
        ),
    )


def _crossed(asked: Counting) -> Cells:
    """The cells of the first two columns, crossed where few are asked about."""
    question, crossed = asked.question, asked.question.n < 10
    return TableCells(question.table, FirstColumns(question.table).run()[:2], question.query.where, crossed).run()


def _ranges(asked: Counting) -> Cells:
    """The cells of one column of many numbers."""
    return TableCells(asked.question.table, ("income",), asked.question.query.where).run()


TOLD: dict[tuple[int, str], object] = {
    (1, "cells"): _crossed(samples()[1]),
    (2, "cells"): _ranges(samples()[2]),
    (3, "cells"): _ranges(samples()[3]),
    (5, "cells"): _crossed(samples()[5]),
    (7, "cells"): _crossed(samples()[7]),
    (1, "bound"): ChosenBound("cinema", 600.0),
    (2, "bound"): ChosenBound("ages", 125.0),
    (3, "bound"): ChosenBound("once", 1.0),
    (4, "bound"): ChosenBound("twice", 0.25),
    (5, "bound"): ChosenBound("five", 1.0),
}
