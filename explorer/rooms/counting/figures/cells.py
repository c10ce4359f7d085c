"""Released tables of counts: every cell with what the noise may be, those as small as the noise apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN
from explorer.figures.theme import Look, escape
from explorer.rooms.counting.facts import named
from explorer.text.catalogue import Words
from ldpcore.experiments.counting.tableplan import Cell, TablePlanResult
from ldpcore.tables.table import shortened

LONGEST_TICK = 15  # letters: a name that leans back below the first bar still stands in the picture


def _called(cell: Cell, words: Words) -> str:
    """What a cell is called: the values or ranges of its columns."""
    return " · ".join(part if isinstance(part, str) else words.write(named(part)) for part in cell)


def axis_of_cells(places: Sequence[int], ticks: Sequence[str]) -> dict[str, Any]:
    """An axis of cells with the name of each, side by side."""
    return {
        "tickmode": "array",
        "tickvals": places,
        "ticktext": ticks,
        "range": [-0.6, places[-1] + 0.6],
        "ticklabeloverflow": "allow",
    }


def true_counts(places: Any, counts: Any, names: Sequence[str], size: int, look: Look, words: Words) -> plot.Trace:
    """The true count of every cell as a stroke across its bar."""
    hover = words.hover("hover", x="%{text}", y="%{y:,}")
    return marks.strokes(places, counts, words["truth"], look, size, text=names, hovertemplate=hover)


def whole(result: TablePlanResult, look: Look, words: Words) -> plot.Figure:
    """The released cells with the width that all keep together; a cell that is no larger than it is drawn in gray."""
    question = result.experiment
    drawn = slice(question.drawn.start, question.drawn.stop)
    names = [_called(name, words) for name in [name for table in question.names for name in table][drawn]]
    counts = np.array([count for table in question.tables for count in table], dtype=np.float64)[drawn]
    released, large = np.concatenate(result.released)[drawn], np.concatenate(result.large)[drawn]
    gaps = np.repeat(np.arange(len(question.tables)), [len(table) for table in question.tables])[drawn]
    places = np.arange(len(names)) + gaps - gaps[0]  # a gap of one cell between two tables
    top = marks.round_up(1.15 * max(float(counts.max(initial=0)), 10), (1, 1.5, 2, 3, 4, 5, 6, 8))
    figure = marks.canvas(
        look,
        words,
        yaxis={"range": [-top / 4, top]},
        xaxis=axis_of_cells(places.tolist(), [escape(shortened(name, LONGEST_TICK)) for name in names]),
    )
    error = {"type": "constant", "value": result.reach, "color": look.ink, "thickness": 1.5}
    hover = words.hover("hover", x="%{text}", y="%{y:,.1f}")
    for chosen, name, color in ((large, words["worth"], DRAWN), (~large, words["small"], look.ghost)):
        if not chosen.any():
            continue
        text = [escape(names[place]) for place in np.flatnonzero(chosen)]
        figure.add(
            plot.bar(
                x=places[chosen],
                y=released[chosen],
                width=0.8,
                name=escape(name),
                text=text,
                textposition="none",
                marker={"color": color, "opacity": 0.8},
                error_y=error,
                hovertemplate=hover,
            )
        )
    if look.truth:
        figure.add(true_counts(places, counts, [escape(name) for name in names], 16, look, words))
    return figure


def table(result: TablePlanResult, look: Look, words: Words) -> list[list[object]]:
    """Every cell of all pages: what was released, how far all of them keep, and the true count for those who see it."""
    question = result.experiment
    several = len(question.tables) > 1
    rows: list[list[object]] = []
    for place, (cells, counts, released) in enumerate(
        zip(question.names, question.tables, result.released, strict=True)
    ):
        first = [question.columns[place]] if several else []
        rows += [
            [*first, _called(name, words), float(value), result.reach, *([count] if look.truth else [])]
            for name, count, value in zip(cells, counts, released, strict=True)
        ]
    heads = [*(["table"] if several else []), "cell", "value", "within", *(["truth"] if look.truth else [])]
    return [[words[head] for head in heads], *rows]
