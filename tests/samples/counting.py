"""Telling settings of the page about counting, and what its views are told there."""

from __future__ import annotations

from dataclasses import replace

from explorer.pages.counting.bounds import ChosenBound
from explorer.pages.counting.settings import Counting, of_table
from explorer.settings.cells import Cells, FirstColumns, TableCells
from explorer.settings.noises import Alone, ChosenNoise
from ldpcore.parameters import Choice, Neighbors, declaration

CLASSICAL = ChosenNoise("gauss").with_settings(delta=1e-4, calibration="classical")


def alone(asked: Counting, slug: str, **needs: float) -> Counting:
    """The same question, answered by everybody alone."""
    return replace(asked, question=asked.question.alone(), alone=Alone(slug).with_settings(**needs))


def samples() -> tuple[Counting, ...]:
    """Telling settings, the page's own first: a crowd, five, sums, means, one replaced, a billion, noises, alone."""
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
        replace(of_table("people", one), noise=ChosenNoise("discretelaplace"), away=True),
        replace(of_table("income", one), noise=ChosenNoise("staircase")),
        replace(
            of_table("income", one, "mean"),
            noise=ChosenNoise("gauss").with_settings(delta=1e-6, calibration="analytic"),
        ),
        alone(of_table("income", two), "rr"),
        replace(alone(of_table("people", two), "rr"), away=True, seed=7),
        alone(of_table("income", two, "sum", "everybody"), "pm"),
        alone(of_table("people", two, "mean", "everybody"), "gaussian", delta=1e-5),
    )


def _crossed(asked: Counting) -> Cells:
    """The cells of the first two columns, crossed where few are asked about."""
    question, crossed = asked.question, asked.question.n < 10
    return TableCells(question.table, FirstColumns(question.table).run()[:2], question.query.where, crossed).run()


def _side_by_side(asked: Counting) -> Cells:
    """The cells of two columns, each by itself."""
    question = asked.question
    return TableCells(question.table, FirstColumns(question.table).run()[:2], question.query.where).run()


def _ranges(asked: Counting) -> Cells:
    """The cells of one column of many numbers."""
    return TableCells(asked.question.table, ("income",), asked.question.query.where).run()


TOLD: dict[tuple[int, str], object] = {
    (1, "cells"): _crossed(samples()[1]),
    (2, "cells"): _ranges(samples()[2]),
    (3, "cells"): _ranges(samples()[3]),
    (5, "cells"): _crossed(samples()[5]),
    (6, "cells"): _side_by_side(samples()[6]),
    (7, "cells"): _crossed(samples()[7]),
    (1, "bound"): ChosenBound("cinema", 600.0),
    (2, "bound"): ChosenBound("ages", 125.0),
    (3, "bound"): ChosenBound("once", 1.0),
    (4, "bound"): ChosenBound("twice", 0.25),
    (5, "bound"): ChosenBound("five", 1.0),
}
