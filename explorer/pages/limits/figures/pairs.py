"""Two worlds that differ in the estimated quantity and hardly in people's reports, as two crowds of people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer.facts import Count
from explorer.figures import marks, plot
from explorer.figures.theme import PALETTE, Look
from explorer.pages.limits.facts import CROWD
from explorer.text.catalogue import Words
from ldpcore.experiments import limits
from ldpcore.limits.problems import BoundedMoment, HeavyMean
from ldpcore.numerics.arrays import Counts, Reals

FIRST, SECOND = PALETTE[2], PALETTE[6]  # as where two worlds are told apart
ABREAST, WIDE = 10, 0.1  # people in a row at one value, and the row's share of the picture
CELLS = 50  # columns of people whose values have a density
ASIDE = 0.09  # room beside the last ones, as a share of the picture
NEAR = 0.4  # how much of the range is drawn where a few people far out are the whole difference
Standing = tuple[Reals, Reals, Reals]  # where each person of a crowd stands, to the right and up, and what they hold


def worlds(result: limits.WorstWorldsResult, look: Look, words: Words) -> plot.Figure:
    """The first crowd above, the second one below: gray are people with one value in both, in color the others.

    A line in each crowd is the estimated quantity, if it is one of the values.
    """
    ends, rows = _ends(result), _rows(result)
    aside = ASIDE * (ends[1] - ends[0])
    upright = {
        "range": [-1.12 * rows, 1.12 * rows],
        "showticklabels": False,
        "showgrid": False,
        "ticks": "",
        "zeroline": True,
    }
    figure = marks.canvas(look, words, xaxis={"range": [ends[0] - aside, ends[1] + aside]}, yaxis=upright)
    places, first, second = _counted(result, ends)
    both = np.minimum(first, second)
    abreast = ABREAST if result.atoms else 1
    step = WIDE * (ends[1] - ends[0]) / ABREAST if result.atoms else 0.0
    for side, people, name, color in ((1, first, "first", FIRST), (-1, second, "second", SECOND)):
        lone, known = _standing(places, people, both, abreast, step)
        figure.add(_people(known, side, "same", look.ghost, ends, words) | {"showlegend": side > 0})
        figure.add(_people(lone, side, name, color, ends, words))
        asked = (result.first if side > 0 else result.second).theta
        if isinstance(result.experiment.problem, BoundedMoment | HeavyMean) and ends[0] <= asked <= ends[1]:
            at = [asked] * 2, [0, 1.05 * side * rows]
            figure.add(marks.guide(*at, words["asked"], color, showlegend=False))
    return figure


def _ends(result: limits.WorstWorldsResult) -> tuple[float, float]:
    """The values that are drawn; of means without bounds those near the middle, with a level of 1 among them."""
    low, high = result.experiment.problem.range
    far = isinstance(result.experiment.problem, HeavyMean)
    return (NEAR * low, NEAR * high) if far else (low, high)


def _rows(result: limits.WorstWorldsResult) -> float:
    """The number of people who may stand one above the other; one for all levels."""
    if result.atoms:
        return CROWD / ABREAST
    _, first, _ = _counted(result, _ends(result))
    return 1.8 * float(first.max())


def _counted(result: limits.WorstWorldsResult, ends: tuple[float, float]) -> tuple[Reals, Counts, Counts]:
    """The number of people with each value, or a value in each cell, in either world."""
    if result.atoms:
        return result.places, _apportioned(result.first_weights), _apportioned(result.second_weights)
    edges = np.linspace(*ends, CELLS + 1)
    shares = []
    for curve in (result.first_curve, result.second_curve):
        steps = np.diff(result.xs) * (curve[1:] + curve[:-1]) / 2
        whole = np.interp(edges, result.xs, np.concatenate([[0.0], np.cumsum(steps)]))
        shares.append(np.diff(whole))
    return (edges[:-1] + edges[1:]) / 2, _apportioned(shares[0]), _apportioned(shares[1])


def _apportioned(weights: Reals) -> Counts:
    """A crowd shared out by these weights, the largest remainders first; the sum is the crowd."""
    exact = CROWD * weights / weights.sum()
    people: Counts = np.floor(exact).astype(np.int64)
    left = CROWD - int(people.sum())
    people[np.argsort(people - exact, kind="stable")[:left]] += 1
    return people


def _standing(places: Reals, people: Counts, both: Counts, abreast: int, step: float) -> tuple[Standing, Standing]:
    """The places of people who are only in this world, above those who are in both."""
    lone: list[tuple[float, float, float]] = []
    known: list[tuple[float, float, float]] = []
    for place, count, same in zip(places.tolist(), people.tolist(), both.tolist(), strict=True):
        for number in range(count):
            row, column = divmod(number, abreast)
            beside = (min(abreast, count - row * abreast) - 1) / 2  # a row that is not full stands in the middle
            (known if number < same else lone).append((place + (column - beside) * step, row + 0.7, place))
    return _columns(lone), _columns(known)


def _columns(standing: Sequence[tuple[float, float, float]]) -> Standing:
    across, up, held = np.array(standing, dtype=np.float64).reshape(-1, 3).T
    return across, up, held


def _people(
    standing: Standing, side: int, name: str, color: str, ends: tuple[float, float], words: Words
) -> plot.Trace:
    """A dot for each person; an arrow at the edge of the picture for those who are farther out."""
    across, up, held = standing
    at, symbols = marks.within(across, (ends[1] - ends[0]) * (1 / 2 + ASIDE), (ends[0] + ends[1]) / 2)
    marker = {"symbol": symbols, "line": {"width": 0}}
    hover = words.hover("hover", x="%{customdata:.3g}")
    text = words.fill(name, people=Count(CROWD))
    return marks.dots(at, side * up, text, color, size=7, marker=marker, customdata=held, hovertemplate=hover)
