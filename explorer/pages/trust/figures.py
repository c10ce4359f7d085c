"""The pictures of the trust page: three errors along people, people alone, a choice, and the cost of a wish.

Axes of errors are measured by the public bounds alone, so that a level can be seen beside another.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Count, Name
from explorer.facts.naming import called, opened, short_of
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape
from explorer.pages.trust.facts import way_of
from explorer.text.catalogue import Words
from ldpcore.experiments import trust
from ldpcore.experiments.named import PerhapsNamed
from ldpcore.experiments.trust.choices import SELECTOR_SLUGS
from ldpcore.experiments.trust.crowds import EDGES
from ldpcore.experiments.trust.models import SIZES
from ldpcore.experiments.trust.plan import TRUST_LEVELS
from ldpcore.people.scales import PublicScale

COLORS = {"curator": OTHER, "shuffled": PALETTE[5], "local": DRAWN}
FOUND = PALETTE[9]
CROWDS = (FOUND, DRAWN, PALETTE[5], PALETTE[4], PALETTE[2], THEORY)  # alone, two, up to 5, 10, 100, and more
MOST_WAYS = 5  # to make a table coarser that are drawn beside it
HIGH, AROUND = 44, 150  # pixels that a bar takes with what is said above it, and the axis and the legend
BEYOND = 1e13  # people: above the picture, for a wish that no crowd fulfils


def _errors(scale: PublicScale) -> dict[str, Any]:
    """A log axis of errors, from a billionth of the scale to thirty of it, whatever the level."""
    return marks.logarithmic(2e-9 * scale.half, 60 * scale.half, dtick=2)


def _three(figure: plot.Figure, x: Any, curves: dict[str, Any], words: Words, hover: str) -> None:
    """One thick curve for each model."""
    for model, dash in zip(trust.MODELS, ("solid", "dash", "solid"), strict=True):
        figure.add(marks.line(x, curves[model], words[model], COLORS[model], dash=dash, width=5, hovertemplate=hover))


def curves(answer: PerhapsNamed[trust.ErrorsOverPeopleResult], look: Look, words: Words) -> plot.Figure:
    """The noise of a mean along the number of people in three models, and the sampling error of any."""
    result: trust.ErrorsOverPeopleResult = opened(answer)[0]
    numbers, here = result.experiment.numbers, result.now.here
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


def alone(result: trust.WhoIsAloneResult, look: Look, words: Words) -> plot.Figure:
    """The number of people in crowds of each size, those who are alone in red: as it is, and with coarser columns."""
    rows = result.drawn(MOST_WAYS)
    names = [words.write(way_of(each)) for each in rows]
    n, room = max(result.n, 1), 1 + MOST_WAYS if result.columns else 1  # for how many ways there are tells of values
    figure = marks.canvas(
        look,
        words,
        barmode="stack",
        meta={"least": HIGH * room + AROUND},
        legend={"traceorder": "normal"},
        xaxis={"range": [0, 104]},
        yaxis={"range": [room - 0.5, -0.85], "visible": False},
    )
    for place, (edge, color) in enumerate(zip(EDGES, CROWDS, strict=True)):
        figure.add_bar(
            x=[100 * each.people[place] / n for each in rows],
            y=list(range(len(rows))),
            text=[escape(name) for name in names],
            customdata=[each.people[place] for each in rows],
            textposition="none",
            orientation="h",
            width=0.42,
            name=escape(words[f"crowd_{edge}"]),
            marker={"color": color},
            hovertemplate=words.hover("hover", called="%{text}", y="%{customdata:,}"),
        )
    if look.predicting:
        figure.add(_everybody(names[0], look, words))
    for place, (name, each) in enumerate(zip(names, rows, strict=True)):
        said = words.fill("row", called=Name(name), alone=Count(each.alone), k=Count(each.smallest))
        figure.add(marks.label(0, place - 0.42, said if look.truth else name, look, textposition="middle right"))
    return figure


def _everybody(name: str, look: Look, words: Words) -> plot.Trace:
    """The bar of all people, in which nobody is told from the others."""
    return plot.bar(
        x=[100],
        y=[0],
        text=[escape(name)],
        textposition="inside",
        insidetextanchor="start",
        orientation="h",
        width=0.42,
        name=escape(words["everybody"]),
        marker={"color": look.faint},
        hoverinfo="skip",
    )


def table(result: trust.WhoIsAloneResult, look: Look, words: Words) -> list[list[object]]:
    """The rows of all attempts: as it is, with each column coarser or away, and by each column alone."""
    pairs = () if result.pair is None else (result.pair,)
    counted = ("smallest", *(f"crowd_{edge}" for edge in EDGES)) if look.truth else ()
    heads: list[object] = [words[head] for head in ("way", *counted)]
    rows: list[list[object]] = [
        [words.write(way_of(each)), *((each.smallest, *each.people) if look.truth else ())]
        for each in (result.present, *result.ways, *pairs, *result.single)
    ]
    return [heads, *rows]


def choose(answer: PerhapsNamed[trust.BestChoiceResult], look: Look, words: Words) -> plot.Figure:
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
    for slug, color in zip(SELECTOR_SLUGS, (THEORY, DRAWN), strict=True):
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


def plan(
    wish: PerhapsNamed[trust.TrustPlanResult],
    answer: PerhapsNamed[trust.PeopleByModelResult],
    look: Look,
    words: Words,
) -> plot.Figure:
    """The number of people for each model along the level: the present ones as a line, and their levels."""
    result, present = opened(wish)[0], opened(answer)[0]
    numbers, ends = result.experiment.numbers, [TRUST_LEVELS[0], TRUST_LEVELS[-1]]
    figure = marks.canvas(
        look, words, yaxis=marks.logarithmic(1, 1e12, dtick=3), xaxis=marks.logarithmic(*ends, dtick=1)
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:,.3g}")
    _three(
        figure,
        result.along,
        {model: np.where(np.isfinite(each), each, np.nan) for model, each in result.people.items()},
        words,
        hover,
    )
    figure.add(marks.guide(ends, [numbers.n] * 2, words["there"], look.ink, dash="dot"))
    for model, level in result.levels.items():
        if level is not None and ends[0] <= level <= ends[1]:
            marker = {"symbol": "diamond", "color": COLORS[model], "line": {"color": look.ink, "width": 1.5}}
            figure.add(
                marks.dots(
                    [level],
                    [numbers.n],
                    words["needed"],
                    size=15,
                    marker=marker,
                    showlegend=False,
                    hovertemplate=hover,
                )
            )
    for needed in present.here.values():
        at = needed if math.isfinite(needed) else BEYOND
        figure.add(marks.ring(present.experiment.epsilon, at, words["present"], look, showlegend=False))
    return figure
