"""Expected losses on two log axes: along the number of people, along the level, and where the level falls with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look
from explorer.text.catalogue import Words
from ldpcore.experiments import limits
from ldpcore.experiments.limits import RATE_USERS
from ldpcore.limits.errorlosses import loss_of
from ldpcore.limits.problems import Problem
from ldpcore.parameters import LEVEL_AXIS

ENDS = (RATE_USERS[0], RATE_USERS[-1])


def losses(problem: Problem, loss: str, least: float, most: float) -> dict[str, Any]:
    """The upright axis: from the least loss without privacy to that of a blind guess, and beyond."""
    low, high = least / 2, most * float(loss_of(loss).spread(problem.guess))
    return marks.logarithmic(low, high, dtick=1 if high / low < 1e8 else 2 if high / low < 1e16 else 4)


def people(
    result: limits.FallingLevelsResult | limits.AgainstLevelResult | limits.RateResult,
    *more: *tuple[*tuple[limits.LimitPlanResult, ...], Look, Words],
) -> plot.Figure:
    """The limit and the reached loss: along people or levels, beside the cost of a wish, or as the level falls."""
    *plans, look, words = more
    if isinstance(result, limits.FallingLevelsResult):
        return plateau(result, look, words)
    if isinstance(result, limits.AgainstLevelResult):
        return levels(result, plans[0], look, words)
    return crowds(result, plans[0], look, words)


def crowds(result: limits.RateResult, plan: limits.LimitPlanResult, look: Look, words: Words) -> plot.Figure:
    """The limit for every method, the promise of one bit from each, simulated crowds, and the cost of privacy."""
    question = result.experiment
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*ENDS, dtick=1),
        yaxis=losses(question.problem, question.loss, float(result.direct_lower[-1]), 100),
    )
    hover = words.hover("hover", x="%{x:,}", y="%{y:.2g}")
    _between(figure, result, words, hover)
    if look.truth:
        figure.add(_simulated(result, words))
    direct = marks.line(
        result.users, result.direct, words["direct"], look.ink, dash="dash", width=2, hovertemplate=hover
    )
    figure.add(direct)
    _blind(figure, result.guess, words, look)
    _wished(figure, plan, (plan.least, plan.enough), ENDS, look, words)
    figure.add(marks.ring(question.n, result.here.bound, words["present"], look, showlegend=False))
    figure.add(marks.ring(question.n, result.here.lower, words["present"], look, showlegend=False))
    return figure


def _blind(figure: plot.Figure, guess: float, words: Words, look: Look) -> None:
    """The loss of a guess without asking anybody, named at its end, where other lines have left it."""
    figure.add(marks.guide(list(ENDS), [guess] * 2, words["blind"], look.ghost, dash="dot", showlegend=False))
    figure.add(marks.label(ENDS[1], guess, words["blind"], look, textposition="top left"))


def _between(
    figure: plot.Figure, result: limits.RateResult | limits.AgainstLevelResult, words: Words, hover: str
) -> None:
    """Two lines, and the band between them in which the best method lies."""
    over = result.levels if isinstance(result, limits.AgainstLevelResult) else result.users
    for trace in marks.band(over, result.lower, result.bound, words["between"], OTHER):
        figure.add(trace | {"showlegend": False})
    figure.add(marks.line(over, result.bound, words["bound"], DRAWN, width=4, hovertemplate=hover))
    figure.add(marks.line(over, result.lower, words["lower"], THEORY, width=4, hovertemplate=hover))


def _simulated(result: limits.RateResult, words: Words) -> plot.Trace:
    """The average loss of crowds in the worst world, with intervals."""
    middle = result.simulated
    bars = {"type": "data", "array": result.high - middle, "arrayminus": middle - result.low, "thickness": 1.5}
    hover = words.hover("hover_simulated", x="%{x:,}", y="%{y:.3g}")
    return marks.dots(result.users, middle, words["simulated"], DRAWN, size=8, error_y=bars, hovertemplate=hover)


def _wished(
    figure: plot.Figure,
    plan: limits.LimitPlanResult,
    reached: tuple[float | None, float | None],
    ends: tuple[float, float],
    look: Look,
    words: Words,
) -> None:
    """The wish as a line, and its crossings with the limit and with the promise of one bit; the rest lies outside."""
    cost = plan.experiment.allowed
    low, high = (10**end for end in figure.layout["yaxis"]["range"])
    if not low <= cost <= high:
        return
    figure.add(marks.guide(list(ends), [cost] * 2, words["wish"], look.ink, dash="dot"))
    inside = [(place, color) for place, color in zip(reached, (THEORY, DRAWN), strict=True) if place is not None]
    inside = [(place, color) for place, color in inside if ends[0] <= place <= ends[1]]
    marker = {"symbol": "diamond", "color": [color for _, color in inside]}
    at = [place for place, _ in inside]
    figure.add(
        marks.dots(at, [cost] * len(at), words["meets"], size=14, marker=marker, hoverinfo="name", showlegend=False)
    )


def levels(result: limits.AgainstLevelResult, plan: limits.LimitPlanResult, look: Look, words: Words) -> plot.Figure:
    """The band of errors along the level: above, where the level says nothing; to the right, as without privacy."""
    question = result.experiment
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*LEVEL_AXIS),
        yaxis=losses(question.problem, question.loss, result.direct_lower, 3),
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.2g}")
    _between(figure, result, words, hover)
    figure.add(marks.guide(list(LEVEL_AXIS), [result.direct] * 2, words["direct"], look.ink))
    _wished(figure, plan, (plan.level_least, plan.level_enough), LEVEL_AXIS, look, words)
    figure.add(marks.ring(question.epsilon, result.here.bound, words["present"], look, showlegend=False))
    figure.add(marks.ring(question.epsilon, result.here.lower, words["present"], look, showlegend=False))
    return figure


def plateau(result: limits.FallingLevelsResult, look: Look, words: Words) -> plot.Figure:
    """A level that falls like the root of the crowd: the limit is flat, while errors without privacy fall."""
    question = result.experiment
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(*ENDS, dtick=1),
        yaxis=losses(question.problem, question.loss, float(result.direct[-1]), 10),
    )
    hover = words.hover("hover", x="%{x:,}", y="%{y:.2g}", level="%{customdata:.2g}")
    lower = marks.line(
        result.users,
        result.lower,
        words["lower"],
        THEORY,
        width=4,
        hovertemplate=hover,
        customdata=np.asarray(result.levels),
    )
    figure.add(marks.filled(lower))
    figure.add(
        marks.line(
            result.users,
            result.direct,
            words["direct"],
            look.ink,
            dash="dash",
            width=2,
            hovertemplate=words.hover("hover_direct", x="%{x:,}", y="%{y:.2g}"),
        )
    )
    guess = float(loss_of(question.loss).spread(question.problem.guess))
    _blind(figure, guess, words, look)
    return figure
