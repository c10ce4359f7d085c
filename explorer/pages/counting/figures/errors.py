"""The mechanisms by their errors: a row each at the present level, and a line each along all of them.

Both axes of errors are one, and reach from a fiftieth of Laplace noise's error at the highest level to the largest
error of all mechanisms at the lowest, so that they follow from what is public.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from explorer.facts import Number
from explorer.figures import marks, plot
from explorer.figures.theme import Look, escape, style
from explorer.pages.counting.facts import entrant
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.comparing import ErrorsAlongLevelsResult, ErrorsAtLevelResult, entrants

ABOVE = 3.6  # letters above the picture, where its upper axis stands on top
MANY = 9  # rows from which on they take more of the height, for names to stand apart on a phone
LOWEST = 0.5  # of what one person moves the answer by, over the highest level


@cache
def family() -> tuple[str, ...]:
    """The names of all mechanisms that take part, which fix their colors."""
    return tuple(dict.fromkeys(each.key for verb in ("count", "sum") for each in entrants(verb)))


def side_by_side(here: ErrorsAtLevelResult, along: ErrorsAlongLevelsResult, look: Look, words: Words) -> plot.Figure:
    """Mean absolute and root mean square errors at one level, and mean absolute ones along all levels.

    One below the other, for a phone is narrow; beside each other in a lecture, where large type takes more height.
    """
    figure = marks.canvas(look, words, **_panels(here, along, look, words))
    low = _reach(along)[0]
    _rows(figure, here, low, look, words)
    _lines(figure, along, look, words)
    for curated in (True, False):
        best = here.best(curated)
        row = here.errors.index(best)
        figure.add(marks.ring(here.experiment.epsilon, best.mean, words["present"], look, **_quiet(not curated)))
        figure.add(marks.ring(max(best.mean, low), row, words["least"], look, showlegend=False, xaxis="x", yaxis="y"))
    return figure


def _panels(here: ErrorsAtLevelResult, along: ErrorsAlongLevelsResult, look: Look, words: Words) -> dict[str, Any]:
    """The axes of both panels and the room around them."""
    names, reach = [escape(words.write(entrant(each.entrant))) for each in here.errors], _reach(along)
    rows = {"range": [len(names) - 0.4, -0.6], "tickvals": [*range(len(names))], "ticktext": names}
    ends = float(along.levels[0]), float(along.levels[-1])
    levels = marks.logarithmic(*ends, 0.02, anchor="y2", dtick=1, title={"text": escape(words["levels"])})
    errors = marks.logarithmic(*reach, 0.02, anchor="y", nticks=7)
    high = marks.logarithmic(*reach, 0.02, anchor="x2", nticks=5, title={"text": marks.low_title(words["off"])})
    if look.lecture:
        errors, levels, high = errors | {"domain": [0, 0.5]}, levels | {"domain": [0.55, 1]}, high | {"side": "right"}
        margin = {"r": 5.0 * look.font_size}
    else:
        floor = 0.45 if len(names) < MANY else 0.41
        rows, high = rows | {"domain": [floor, 1]}, high | {"domain": [0, floor - 0.05]}
        errors = errors | {"side": "top"}
        margin = {"t": ABOVE * look.font_size}
    return {"xaxis": errors, "yaxis": rows, "xaxis2": levels, "yaxis2": high, "margin": margin}


def _quiet(quiet: bool) -> dict[str, Any]:
    """The properties of a trace in the right panel, with an entry in the legend or without."""
    return marks.SECOND | ({"showlegend": False} if quiet else {})


def _reach(along: ErrorsAlongLevelsResult) -> tuple[float, float]:
    """The ends of the axes of errors, whatever people hold."""
    asked, levels = along.experiment.compared.hidden(), along.levels
    largest = [asked.deviation(each, float(levels[0])) for each in asked.entrants]
    low = LOWEST * asked.sensitivity / float(levels[-1])
    return low, marks.round_up(max(each for each in largest if not math.isnan(each)))


def _rows(figure: plot.Figure, here: ErrorsAtLevelResult, low: float, look: Look, words: Words) -> None:
    """One row for each mechanism: its exact errors, and the simulated one with two standard errors.

    An exact error below the picture is an arrow at its edge.
    """
    rows, errors = np.arange(len(here.errors)), here.errors
    styles = [style(each.entrant.key, family()) for each in errors]
    colors = [each.color for each in styles]
    pen = {"color": look.paper}  # around filled marks; open ones and strokes have their own color
    hover = words.hover("row_hover", y="%{x:,.4g}")
    for curated, end in ((True, ""), (False, "-open")):  # apart, for a browser that redraws keeps what is filled
        mine = [place for place, each in enumerate(errors) if each.entrant.curated == curated]
        means = [errors[place].mean for place in mine]
        symbols = [
            ("triangle-left" if mean < low else styles[at].marker) + end for at, mean in zip(mine, means, strict=True)
        ]
        exact = {"symbol": symbols, "size": 16, "color": [colors[place] for place in mine], "line": pen | {"width": 2}}
        texts = [escape(words.fill("row_hover", y=Number(mean, 4))) for mean in means]
        more: dict[str, Any] = {
            "marker": exact,
            "text": texts,
            "showlegend": curated,
            "hovertemplate": "%{text}<extra></extra>",
        }
        figure.add(marks.dots(np.maximum(means, low), rows[mine], words["mean"], **more))
    squared = {"symbol": "line-ns-open", "size": 16, "color": colors, "line": pen | {"width": 3}}
    deviations = _inside([each.deviation for each in errors], low)
    figure.add(marks.dots(deviations, rows, words["squared"], marker=squared, hovertemplate=hover))
    bars = {"type": "data", "array": [2 * each.within for each in errors], "color": look.ink, "thickness": 1.5}
    more = {"error_x": bars, "marker": {"line": {"width": 0}}, "hovertemplate": hover}
    drawn = _inside([each.simulated for each in errors], low)
    figure.add(marks.dots(drawn, rows, words["simulated"], look.ink, 5, **more))


def _inside(values: list[float], low: float) -> list[float]:
    """The values that lie in the picture, with no number in place of the others."""
    return [value if value >= low else math.nan for value in values]


def _lines(figure: plot.Figure, along: ErrorsAlongLevelsResult, look: Look, words: Words) -> None:
    """One line for each mechanism, drawn with a curator and dashed without; simulated errors and crossings on them."""
    question, side = along.experiment, marks.SECOND
    some = along.levels[:: question.dots]
    for each, errors, drawn, within in zip(
        question.compared.entrants, along.errors, along.simulated, along.within, strict=True
    ):
        name, color = words.write(entrant(each)), style(each.key, family()).color
        hover = words.hover("hover", called=escape(name), x="%{x:.3g}", y="%{y:,.3g}")
        dash = "solid" if each.curated else "dash"
        line = marks.line(along.levels, errors, name, color, dash=dash, hovertemplate=hover, showlegend=False, **side)
        figure.add(line)
        bars = {"type": "data", "array": 2 * within, "color": color, "thickness": 1}
        seen = np.where(drawn > 0, drawn, np.nan)
        more: dict[str, Any] = {"error_y": bars, "showlegend": False, "hovertemplate": hover, **side}
        figure.add(
            marks.dots(some, seen, f"{name}, {words['simulated']}", color, 5, marker={"line": {"width": 0}}, **more)
        )
    _crossings(figure, along, look, words)


def _crossings(figure: plot.Figure, along: ErrorsAlongLevelsResult, look: Look, words: Words) -> None:
    """The crossings of two lines, and the mechanism with the smaller error from there on."""
    crossings = along.crossings
    texts = [
        escape(words.fill("crosses", below=entrant(each.below), above=entrant(each.above), at=Number(each.epsilon)))
        for each in crossings
    ]
    marker = {"symbol": "diamond-open", "line": {"width": 2, "color": look.ink}}
    figure.add(
        marks.dots(
            [each.epsilon for each in crossings],
            [each.error for each in crossings],
            words["crossing"],
            look.ink,
            11,
            marker=marker,
            text=texts,
            hovertemplate="%{text}<extra></extra>",
            **marks.SECOND,
        )
    )
