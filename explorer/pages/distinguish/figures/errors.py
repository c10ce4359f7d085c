"""Both errors of every test of one report, and in the empty corner the report itself in both worlds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.distinguish.figures.worlds import FIRST, SECOND, SHARES
from explorer.text.catalogue import Words
from ldpcore.experiments import distinguish
from ldpcore.laws.channels import Pair

ACROSS, UPRIGHT = [0.62, 0.99], [0.56, 0.84]  # above the diagonal nothing else is drawn


def errors(result: distinguish.TellApartResult, look: Look, words: Words) -> plot.Figure:
    """Missing against accusing wrongly: the region that the level leaves, and the reach of this mechanism."""
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    sizes = 100 * result.sizes
    figure = marks.canvas(look, words, xaxis={"range": SHARES}, yaxis={"range": SHARES})
    bound = marks.line(sizes, 100 * (1 - result.bound), words["bound"], THEORY, hovertemplate=hover)
    figure.add(
        marks.line(
            [0, 100], [100, 0], words["guessing"], look.ghost, dash="dot", width=2, hoverinfo="name", meta="decoration"
        )
    )
    figure.add(bound | {"fill": "tonexty", "fillcolor": marks.see_through(THEORY, 0.14)})
    figure.add(
        marks.line(
            sizes, 100 * (1 - result.direct), words["direct"], look.ink, dash="dash", width=2, hovertemplate=hover
        )
    )
    if look.truth:
        figure.add(marks.line(sizes, 100 * (1 - result.private), words["private"], DRAWN, width=4, hovertemplate=hover))
        figure.add(marks.ring(100 * result.experiment.size, 100 * (1 - result.reached), words["present"], look))
        assert result.reports is not None
        _melting(figure, result.reports, words)
        _corner(figure, look, words)
    elif look.predicting:
        figure.add(marks.ring(100 * result.experiment.size, math.nan, words["present"], look))
    return figure


def _melting(figure: plot.Figure, pair: Pair, words: Words) -> None:
    """The probability of each report in either world, in order of its likelihood ratio."""
    order, many = np.argsort(pair.ratios(), kind="stable"), len(pair.first)
    top, wide = max(pair.first.max(), pair.second.max()), 0.42 / many
    corner = marks.SECOND | {"showlegend": False, "x": (np.arange(many) + 0.5) / many, "width": wide}
    corner["hovertemplate"] = words.hover("hover_corner", y="%{customdata:.3g}")
    for law, name, color, offset in ((pair.first, "first", FIRST, -wide), (pair.second, "second", SECOND, 0.0)):
        bars = {"y": 100 * law[order] / top, "customdata": 100 * law[order], "offset": offset}
        figure.add_bar(name=escape(words[name]), marker={"color": color}, **bars, **corner)


def _corner(figure: plot.Figure, look: Look, words: Words) -> None:
    """The axes of the corner, which nobody sees, and the names of its colors."""
    hidden: dict[str, Any] = {"visible": False, "fixedrange": True}
    for axis, anchor, domain, ends in (("x", "y2", ACROSS, [0, 1]), ("y", "x2", UPRIGHT, [0, 102])):
        title = {"text": escape(words[f"{axis}_corner"])}
        second = {"domain": domain, "anchor": anchor, "range": ends, "title": title} | hidden
        figure.put(**{f"{axis}axis2": second})
    named = [
        f'<span style="color:{color}">■</span> {escape(words[name])}'
        for name, color in (("first", FIRST), ("second", SECOND))
    ]
    across = {"xref": "paper", "x": ACROSS[1], "xanchor": "right"}
    upright = {"yref": "paper", "y": UPRIGHT[1] + 0.01, "yanchor": "bottom"}
    text = {
        "text": ("  " if look.lecture else "<br>").join(named),
        "align": "left",
        "font": {"size": 0.85 * look.font_size},
    }
    figure.put(annotations=[{"showarrow": False, **across, **upright, **text}])
