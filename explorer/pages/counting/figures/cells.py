"""Released tables of counts: every cell with the reach of its noise, those as small as the noise apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.facts import Name
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN
from explorer.figures.theme import Look, escape
from explorer.pages.counting.facts import named
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.tableplan import Cell, TablePlanResult
from ldpcore.tables.table import shortened

LONGEST_TICK = 15  # letters: a name that leans back below the first bar still stands in the picture
LONGEST_BESIDE = 22  # letters of a name beside a lying bar: what a phone has room for
UPRIGHT = 15  # bars, with names below that are read without turning the head; more of them lie
SMALL = 20  # bars, with names of the usual size
READ_ALOUD = (
    8  # names beside lying bars in the large type of a lecture; the bars between two of them have theirs on hover
)
HIGH, AROUND = 13, 170  # pixels that a lying bar takes, and the axis, its title and the legend below all of them


def _called(cell: Cell, words: Words) -> str:
    """The name of a cell: the values or ranges of its columns."""
    return " · ".join(part if isinstance(part, str) else words.write(named(part)) for part in cell)


def _axes(places: Sequence[int], names: Sequence[str], top: float, lecture: bool) -> dict[str, Any]:
    """Cells side by side with their names below, or, where they are many, one below the other with the names beside."""
    lying = len(names) > UPRIGHT
    ticks = [escape(shortened(name, LONGEST_BESIDE if lying else LONGEST_TICK)) for name in names]
    step = math.ceil(len(ticks) / READ_ALOUD) if lying and lecture else 1
    named = {"tickmode": "array", "tickvals": places[::step], "ticktext": ticks[::step]}
    people = {"range": [-top / 4, top]}
    if lying:
        small = {"tickfont": {"size": 10}} if len(names) > SMALL else {}
        cells = named | small | {"range": [places[-1] + 0.6, -0.6], "automargin": True}
        meta = {"least": HIGH * len(names) + AROUND}
        return {"xaxis": people, "yaxis": cells, "x": "y", "y": "x", "meta": meta}
    return {"xaxis": named | {"range": [-0.6, places[-1] + 0.6], "ticklabeloverflow": "allow"}, "yaxis": people}


def _bars(places: Any, values: Any, reach: float | None, look: Look, lying: bool) -> dict[str, Any]:
    """Bars with the reach of the noise, if that is told, upright or lying."""
    error = {"type": "constant", "value": reach, "color": look.ink, "thickness": 1 if lying else 1.5}
    drawn: dict[str, Any] = {"width": 0.8, "textposition": "none"}
    if lying:
        drawn |= {"x": values, "y": places, "orientation": "h"}
        return drawn | ({} if reach is None else {"error_x": error | {"width": 2}})
    return drawn | {"x": places, "y": values} | ({} if reach is None else {"error_y": error})


def true_counts(places: Any, counts: Any, names: Sequence[str], look: Look, words: Words, lying: bool) -> plot.Trace:
    """The true count of every cell as a stroke across its bar."""
    hover = words.hover("hover", x="%{text}", y="%{x:,}" if lying else "%{y:,}")
    more = {"text": names, "hovertemplate": hover}
    if lying:
        marker = {"symbol": "line-ns-open", "size": 9, "color": look.ink, "line": {"width": 3}}
        return plot.scatter(x=counts, y=places, mode="markers", name=escape(words["truth"]), marker=marker, **more)
    return marks.strokes(places, counts, words["truth"], look, 16, **more)


def whole(result: TablePlanResult, look: Look, words: Words) -> plot.Figure:
    """The released cells with the width that all keep together; a cell that is no larger than it is drawn in gray."""
    question = result.experiment
    drawn = slice(question.drawn.start, question.drawn.stop)
    names = [_called(name, words) for name in [name for table in question.names for name in table][drawn]]
    counts = np.array([count for table in question.tables for count in table], dtype=np.float64)[drawn]
    released, large = np.concatenate(result.released)[drawn], np.concatenate(result.large)[drawn]
    gaps = np.repeat(np.arange(len(question.tables)), [len(table) for table in question.tables])[drawn]
    places = np.arange(len(names)) + gaps - gaps[0]  # a gap of one cell between two tables
    top, lying = marks.round_up(max(question.roof, 10), (1, 1.5, 2, 3, 4, 5, 6, 8)), len(names) > UPRIGHT
    figure = marks.canvas(look, words, **_axes(places.tolist(), names, top, look.lecture))
    hover = words.hover("hover", x="%{text}", y="%{x:,.1f}" if lying else "%{y:,.1f}")
    parts = [("worth", DRAWN, result.reach, large), ("small", look.ghost, result.reach, ~large)]
    alike = [("released", look.ghost, None, np.ones_like(large))]  # how far the noise reaches is what is asked
    for name, color, reach, chosen in alike if look.predicting else parts:
        if chosen.any():
            figure.add(
                plot.bar(
                    **_bars(places[chosen], released[chosen], reach, look, lying),
                    name=escape(words[name]),
                    text=[escape(names[place]) for place in np.flatnonzero(chosen)],
                    marker={"color": color, "opacity": 0.8},
                    hovertemplate=hover,
                )
            )
    if look.truth:
        figure.add(true_counts(places, counts, [escape(name) for name in names], look, words, lying))
    return figure


def table(result: TablePlanResult, look: Look, words: Words) -> list[list[object]]:
    """The cells of all pages: released count, common width, and the true count for readers who may see it.

    Beside them one person's effect on all cells together, where L1 and L2 differ.
    """
    question = result.experiment
    several, norms = len(question.tables) > 1, (1, 2) if question.moved > 1 else ()
    moves = [question.together(norm) for norm in norms]
    rows: list[list[object]] = []
    for place, (cells, counts, released) in enumerate(
        zip(question.names, question.tables, result.released, strict=True)
    ):
        first = [words.write(Name(question.columns[place]))] if several else []
        rows += [
            [*first, _called(name, words), float(value), result.reach, *moves, *([count] if look.truth else [])]
            for name, count, value in zip(cells, counts, released, strict=True)
        ]
    heads = [*(["table"] if several else []), "cell", "value", "within", *(f"moves_{norm}" for norm in norms)]
    heads += ["truth"] if look.truth else []
    return [[words[head] for head in heads], *rows]
