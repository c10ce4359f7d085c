"""Released tables of counts: every cell with what the noise may be, those as small as the noise apart."""

from __future__ import annotations

import numpy as np

from explorer.facts.counting import named
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN
from explorer.figures.theme import Look, escape, layout
from explorer.text.catalogue import Words
from ldpcore.experiments.tableplan import Cell, TablePlanResult
from ldpcore.tables import shortened

LONGEST_TICK = 15  # letters


def _called(cell: Cell, words: Words) -> str:
    """What a cell is called: the values or ranges of its columns."""
    return " · ".join(part if isinstance(part, str) else words.write(named(part)) for part in cell)


def whole(result: TablePlanResult, look: Look, words: Words) -> plot.Figure:
    """The released cells with the width that all keep together; a cell that is no larger than it is drawn in gray."""
    question = result.experiment
    names = [_called(name, words) for table in question.names for name in table]
    counts = np.array([count for table in question.tables for count in table], dtype=np.float64)
    released, large = np.concatenate(result.released), np.concatenate(result.large)
    gaps = np.repeat(np.arange(len(question.tables)), [len(table) for table in question.tables])
    places = np.arange(len(names)) + gaps  # a gap of one cell between two tables
    top = marks.round_up(1.15 * max(float(counts.max(initial=0)), 10))
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], yaxis={"range": [-top / 4, top]},
                      xaxis={"tickmode": "array", "tickvals": places.tolist(),
                             "ticktext": [escape(shortened(name, LONGEST_TICK)) for name in names],
                             "range": [-0.6, float(places[-1]) + 0.6], "ticklabeloverflow": "allow"}),
    )  # fmt: skip
    error = {"type": "constant", "value": result.reach, "color": look.ink, "thickness": 1.5}
    hover = words.hover("hover", x="%{text}", y="%{y:,.1f}")
    for chosen, name, color in ((large, words["worth"], DRAWN), (~large, words["small"], look.ghost)):
        if not chosen.any():
            continue
        text = [escape(names[place]) for place in np.flatnonzero(chosen)]
        figure.add(
            plot.bar(x=places[chosen], y=released[chosen], width=0.8, name=escape(name), text=text, textposition="none",
                     marker={"color": color, "opacity": 0.8}, error_y=error, hovertemplate=hover)
        )  # fmt: skip
    if look.truth:
        stroke = {"symbol": "line-ew-open", "size": 16, "color": look.ink, "line": {"width": 4}}
        figure.add_scatter(
            x=places, y=counts, mode="markers", name=escape(words["truth"]), marker=stroke,
            text=[escape(name) for name in names], hovertemplate=words.hover("hover", x="%{text}", y="%{y:,}"),
        )  # fmt: skip
    return figure
