"""The pictures of the trust page: three errors along people and level, people needed, crowds, many statistics, choices.

Axes of errors are measured by the public bounds alone, so that a level can be seen beside another.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Count
from explorer.facts.naming import called, opened, short_of
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.text.catalogue import Words
from ldpcore.experiments import trust
from ldpcore.experiments.trust.choices import SLUGS
from ldpcore.experiments.trust.crowds import EDGES
from ldpcore.experiments.trust.models import LEVELS, SIZES
from ldpcore.people.scales import PublicScale

COLORS = {"curator": OTHER, "shuffled": PALETTE[5], "local": DRAWN}
FOUND = PALETTE[9]


def _errors(scale: PublicScale) -> dict[str, Any]:
    """A log axis of errors, from a billionth of the scale to thirty of it, whatever the level."""
    return marks.logarithmic(2e-9 * scale.half, 60 * scale.half, dtick=2)


def _three(figure: plot.Figure, x: Any, curves: dict[str, Any], words: Words, hover: str) -> None:
    """One thick curve for each model."""
    for model, dash in zip(trust.MODELS, ("solid", "dash", "solid"), strict=True):
        figure.add(marks.line(x, curves[model], words[model], COLORS[model], dash=dash, width=5, hovertemplate=hover))


def curves(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The noise of a mean along the number of people in three models, and what any sample adds."""
    result: trust.ErrorsOverPeopleResult = opened(answer)[0]
    numbers, here = result.experiment.numbers, result.here
    figure = marks.canvas(
        look, words, yaxis=_errors(numbers.scale), xaxis=marks.logarithmic(SIZES[0], SIZES[-1], dtick=1)
    )
    if look.truth and result.sampling.any():
        figure.add(
            marks.line(
                result.sizes,
                result.sampling,
                words["sampling"],
                look.ghost,
                dash="dot",
                width=2,
                hovertemplate=words.hover("hover", x="%{x:,.3g}", y="%{y:,.3g}"),
            )
        )
    figure.add(marks.guide([SIZES[0], SIZES[-1]], [2 * numbers.scale.half] * 2, words["useless"], look.ghost))
    _three(figure, result.sizes, result.curves, words, words.hover("hover", x="%{x:,.3g}", y="%{y:,.3g}"))
    ends = [here["curator"], here["local"]]
    gap = marks.line(
        [numbers.n] * 2, ends, words["gap"], look.ink, width=2, meta="decoration", hoverinfo="name", showlegend=False
    )
    figure.add(gap)
    for model in ("curator", "local"):
        figure.add(marks.ring(numbers.n, here[model], words["present"], look, showlegend=False))
    return figure


def along(answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The noise of the mean of the people there are along the level, in three models."""
    result, here = opened(answer)[0], opened(present)[0]
    numbers, level = result.experiment.numbers, here.experiment.epsilon
    figure = marks.canvas(
        look, words, yaxis=_errors_at(result), xaxis=marks.logarithmic(LEVELS[0], LEVELS[-1], dtick=1)
    )
    figure.add(marks.guide([LEVELS[0], LEVELS[-1]], [2 * numbers.scale.half] * 2, words["useless"], look.ghost))
    _three(figure, result.levels, result.curves, words, words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}"))
    for model in trust.MODELS:
        figure.add(marks.ring(level, here.here[model], words["present"], look, showlegend=False))
    return figure


def _errors_at(result: trust.ErrorsOverLevelResult) -> dict[str, Any]:
    """A log axis that holds the errors at every level."""
    low = min(float(curve.min()) for curve in result.curves.values())
    high = max(float(curve.max()) for curve in result.curves.values())
    return marks.logarithmic(low / 2, 2 * high, dtick=1)


def people(answer: Any, look: Look, words: Words) -> plot.Figure:
    """How many people each model needs along the level; the people there are as a line."""
    result: trust.PeopleNeededResult = opened(answer)[0]
    question = result.experiment
    figure = marks.canvas(
        look, words, yaxis=marks.logarithmic(1, 1e12, dtick=3), xaxis=marks.logarithmic(LEVELS[0], LEVELS[-1], dtick=1)
    )
    needed = {model: np.where(np.isfinite(curve), curve, np.nan) for model, curve in result.curves.items()}
    _three(figure, result.levels, needed, words, words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}"))
    ends = [LEVELS[0], LEVELS[-1]]
    figure.add(marks.guide(ends, [question.numbers.n] * 2, words["there"], look.ink, dash="dot"))
    for model in trust.MODELS:
        at = result.here[model] if math.isfinite(result.here[model]) else 1e13
        figure.add(marks.ring(question.epsilon, at, words["present"], look, showlegend=False))
    return figure


def alone(result: trust.WhoIsAloneResult, look: Look, words: Words) -> plot.Figure:
    """How many people stand in crowds of each size; those who are alone in red."""
    names = [escape(words[f"crowd_{edge}"]) for edge in EDGES]
    top = marks.round_up(1.05 * max(int(result.people.max(initial=1)), 1))
    return marks.canvas(
        look,
        words,
        plot.bar(
            x=list(range(len(EDGES))),
            y=result.people.tolist(),
            name=escape(words["people"]),
            showlegend=False,
            marker={"color": [FOUND, DRAWN, PALETTE[5], PALETTE[4], THEORY, THEORY]},
            text=names,
            texttemplate="%{y}" if look.truth else "",
            textposition="outside",
            cliponaxis=False,
            hovertemplate=words.hover("hover", size="%{text}", y="%{y:,}"),
        ),
        yaxis={"range": [0, 1.12 * top]},
        xaxis={"range": [-0.6, len(EDGES) - 0.4], "tickvals": list(range(len(EDGES))), "ticktext": names},
    )


def many(result: trust.ManyStatisticsResult, look: Look, words: Words) -> plot.Figure:
    """The error of each count along their number: Laplace noise, and normal noise in both sizes; where they cross."""
    question, ends = result.experiment, [float(result.ks[0]), float(result.ks[-1])]
    figure = marks.canvas(
        look, words, xaxis=marks.logarithmic(*ends, dtick=1), yaxis=marks.logarithmic(0.1, 1e5, dtick=2)
    )
    hover = words.hover("hover", x="%{x:,}", y="%{y:,.3g}")
    drawn = (("laplace", THEORY, "solid", 4), ("analytic", DRAWN, "solid", 4), ("classical", PALETTE[3], "dot", 2.5))
    for name, color, dash, wide in drawn:
        curve = result.curves[name]
        if np.isfinite(curve).all():
            figure.add(marks.line(result.ks, curve, words[name], color, dash=dash, width=wide, hovertemplate=hover))
    if result.crossing <= ends[1]:
        marker = {"color": look.paper, "line": {"color": look.ink, "width": 2}}
        at = question.error("analytic", result.crossing)
        figure.add(marks.dots([result.crossing], [at], words["crossing"], size=11, marker=marker, hovertemplate=hover))
    here = min(question.error("laplace", question.k), question.error("analytic", question.k))
    figure.add(marks.ring(question.k, here, words["present"], look, showlegend=False))
    return figure


def choose(answer: Any, look: Look, words: Words) -> plot.Figure:
    """The chance of each candidate under both mechanisms."""
    result, names = opened(answer)
    counts = result.experiment.counts
    labels = [escape(words.write(called(place, len(counts), names))) for place in range(len(counts))]
    places = np.arange(len(counts))
    figure = marks.canvas(
        look,
        words,
        barmode="group",
        bargap=0.25,
        xaxis={"range": [-0.6, len(counts) - 0.4], "tickvals": places.tolist(), "ticktext": labels},
        yaxis={"range": [0, 105], "dtick": 25},
    )
    for slug, color in zip(SLUGS, (THEORY, DRAWN), strict=True):
        counted = [escape(words.write(Count(count))) if look.truth else "" for count in counts]
        hover = words.hover("hover", candidate="%{text}", y="%{y:.3g}", held="%{customdata}")
        figure.add_bar(
            x=places,
            y=100 * result.chances[slug],
            name=escape(words.write(short_of(slug))),
            text=labels,
            textposition="none",
            customdata=counted,
            marker={"color": color},
            hovertemplate=hover,
        )
    return figure


def plan(wish: Any, answer: Any, present: Any, look: Look, words: Words) -> plot.Figure:
    """The errors along the level, the wished one as a line, and the levels at which each model comes down to it."""
    figure, result = along(answer, present, look, words), opened(wish)[0]
    allowed = result.experiment.allowed
    figure.add(marks.guide([LEVELS[0], LEVELS[-1]], [allowed] * 2, words["wished"], look.ink, dash="dot"))
    for model, level in result.levels.items():
        if level is not None and LEVELS[0] <= level <= LEVELS[-1]:
            marker = {"symbol": "diamond", "color": COLORS[model]}
            figure.add(
                marks.dots(
                    [level],
                    [allowed],
                    words["needed"],
                    size=14,
                    marker=marker,
                    showlegend=False,
                    hovertemplate=words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}"),
                )
            )
    return figure
