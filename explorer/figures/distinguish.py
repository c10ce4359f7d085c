"""The pictures of the page about two worlds: both errors, distances, crowds, the best test, guesses, information."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape, layout
from explorer.text.catalogue import Words
from ldpcore.experiments import distinguish
from ldpcore.experiments.distinguish import LEVELS, USERS
from ldpcore.products import Between

SHARES = (-2, 102)  # an axis of shares, with a little room
FIRST, SECOND = PALETTE[2], PALETTE[6]  # the two worlds, here and where they are drawn by hand
CORNER = ([0.62, 0.99], [0.6, 0.9])  # above the diagonal nothing else is drawn
FEW = 32  # so many reports have a bar of their own


def errors(result: distinguish.TellApartResult, look: Look, words: Words) -> plot.Figure:
    """Missing against accusing wrongly: the region that the level leaves, and how far this mechanism lets one down."""
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    sizes = 100 * result.sizes
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis={"range": SHARES}, yaxis={"range": SHARES})
    )
    bound = marks.line(sizes, 100 * (1 - result.bound), words["bound"], THEORY, hovertemplate=hover)
    figure.add(marks.line([0, 100], [100, 0], words["guessing"], look.ghost, dash="dot", width=2, hoverinfo="name",
                          meta="decoration"))  # fmt: skip
    figure.add(bound | {"fill": "tonexty", "fillcolor": marks.see_through(THEORY, 0.14)})
    figure.add(marks.line(sizes, 100 * (1 - result.direct), words["direct"], look.ink, dash="dash", width=2,
                          hovertemplate=hover))  # fmt: skip
    if look.truth:
        figure.add(marks.line(sizes, 100 * (1 - result.private), words["private"], DRAWN, width=4,
                              hovertemplate=hover))  # fmt: skip
        figure.add(marks.ring(100 * result.experiment.size, 100 * (1 - result.reached), words["present"], look))
        _melting(figure, result, look, words)
    return figure


def _melting(figure: plot.Figure, result: distinguish.TellApartResult, look: Look, words: Words) -> None:
    """In the empty corner: how likely each report is in either world, in order of what it betrays."""
    assert result.reports is not None
    pair = result.reports
    order, many = np.argsort(pair.ratios(), kind="stable"), len(pair.first)
    top, places, wide = max(pair.first.max(), pair.second.max()), (np.arange(many) + 0.5) / many, 0.42 / many
    hover = words.hover("hover_corner", y="%{customdata:.3g}")
    for law, name, color, offset in ((pair.first, "first", FIRST, -wide), (pair.second, "second", SECOND, 0.0)):
        figure.add_bar(
            x=places,
            y=100 * law[order] / top,
            name=escape(words[name]),
            marker={"color": color},
            width=wide,
            offset=offset,
            xaxis="x2",
            yaxis="y2",
            showlegend=False,
            customdata=100 * law[order],
            hovertemplate=hover,
        )
    hidden = {"visible": False, "fixedrange": True}
    figure.layout["xaxis2"] = {
        "domain": CORNER[0],
        "anchor": "y2",
        "range": [0, 1],
        "title": {"text": escape(words["x_corner"])},
    } | hidden
    figure.layout["yaxis2"] = {
        "domain": CORNER[1],
        "anchor": "x2",
        "range": [0, 102],
        "title": {"text": escape(words["y_corner"])},
    } | hidden
    named = "<br>".join(
        f'<span style="color:{color}">■</span> {escape(words[name])}'
        for name, color in (("first", FIRST), ("second", SECOND))
    )
    figure.layout["annotations"] = [
        {
            "text": named,
            "xref": "paper",
            "yref": "paper",
            "x": CORNER[0][1],
            "y": CORNER[1][1] + 0.01,
            "xanchor": "right",
            "yanchor": "bottom",
            "align": "left",
            "showarrow": False,
            "font": {"size": 0.85 * look.font_size},
        }
    ]


def before(result: distinguish.BeforeAfterResult, look: Look, words: Words) -> plot.Figure:
    """Each distance as a bar of what is left, with what is allowed as a mark that no bar crosses."""
    rows = [escape(words[slug]) for slug in distinguish.DISTANCES]
    places = list(range(len(rows)))[::-1]
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis={"range": SHARES}, bargap=0.35,
                      yaxis={"range": [-0.6, len(rows) - 0.4], "tickvals": places, "ticktext": rows,
                             "automargin": True})
    )  # fmt: skip
    hover = words.hover("hover", x="%{x:.3g}")
    if look.truth:
        figure.add_bar(x=[100 * share for share in result.left], y=places, orientation="h", name=escape(words["left"]),
                       marker={"color": DRAWN}, hovertemplate=hover)  # fmt: skip
    for shares, name, color, size in ((result.allowed, "allowed", THEORY, 52), (result.channel, "channel", OTHER, 26)):
        if look.truth or name == "allowed":
            upright = {"symbol": "line-ns", "size": size, "line": {"width": 5, "color": color}, "color": color}
            at = [100 * share for share in shares]
            figure.add(marks.dots(at, places, words[name], marker=upright, hovertemplate=hover))
    return figure


def inequality_table(result: distinguish.BeforeAfterResult, look: Look, words: Words) -> list[list[Any]]:
    """Distances before and after, and every inequality between those of the reports."""
    rows: list[list[Any]] = [[words["y"], words["before"], words["after"], words["allowed"]]]
    for slug, before_, after, share in zip(distinguish.DISTANCES, result.before, result.after, result.allowed,
                                           strict=True):  # fmt: skip
        rows.append([words[slug], before_, after, share])
    rows.extend([words[each.slug], each.smaller, each.larger, ""] for each in result.inequalities)
    return rows


def _ends(crowd: tuple[Between, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The lower and the upper ends of guesses, in per cent of those that are right."""
    low, high = (np.array([getattr(each, end) for each in crowd]) for end in ("low", "high"))
    return 50 * (1 + low), 50 * (1 + high)


def many(result: distinguish.ManyPeopleResult, look: Look, words: Words) -> plot.Figure:
    """How often the best guess from n reports is right: with privacy, without, and at most at this level."""
    hover = words.hover("hover", x="%{x:,}", y="%{y:.4g}")
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis=marks.logarithmic(1, USERS[-1], dtick=1),
                      yaxis={"range": [48, 102]})
    )  # fmt: skip
    users = np.array(USERS)
    figure.add(marks.line(users, _ends(result.direct)[0], words["direct"], look.ink, dash="dash", width=2,
                          hovertemplate=hover))  # fmt: skip
    figure.add(marks.line(users, 50 * (1 + result.bound), words["bound"], THEORY, hovertemplate=hover))
    if look.truth:
        low, high = _ends(result.private)
        for edge in marks.band(users, low, high, words["private"], DRAWN):
            figure.add(edge | {"showlegend": False})
        figure.add(marks.line(users, low, words["private"], DRAWN, width=4, hovertemplate=hover))
        figure.add(marks.ring(result.experiment.n, 50 * (1 + result.here.low), words["present"], look))
    return figure


def best(result: distinguish.MinimaxResult, look: Look, words: Words) -> plot.Figure:
    """For the likeliest reports, how probable each is in the hardest mixtures, and how often the test accuses at it."""
    order = [int(place) for place in result.order[:FEW]]
    rows, room = np.arange(1, len(order) + 1), min(result.places, FEW)
    across = {"range": [0.3, room + 0.7], "tick0": 0, "dtick": 1 if room <= FEW // 2 else 5}
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis=across, yaxis={"range": [0, 105]},
                      barmode="group", bargap=0.2)
    )  # fmt: skip
    first, second = (mixture[order] for mixture in result.mixtures)
    top = max(float(first.max()), float(second.max()))
    hover = words.hover("hover_report", x="%{x}", y="%{customdata:.3g}")
    for law, name, color in ((first, "first", FIRST), (second, "second", SECOND)):
        # While people predict the bars keep their shape and not their numbers: those of two reports are the errors.
        more = {"customdata": 100 * law, "hovertemplate": hover} if look.truth else {"hoverinfo": "name"}
        figure.add_bar(x=rows, y=100 * law / top, name=escape(words[name]), marker={"color": color}, **more)
    if look.truth:
        chances = 100 * result.test.chances[order]
        marker = {"symbol": "diamond", "size": 12, "color": look.ink}
        figure.add(marks.dots(rows, chances, words["accuses"], marker=marker, hovertemplate=words.hover(
            "hover", x="%{x}", y="%{y:.3g}")))  # fmt: skip
    return figure


def guess(result: distinguish.GuessingResult, look: Look, words: Words) -> plot.Figure:
    """How often every guess is wrong at least, against the number of people."""
    hover, users = words.hover("hover", x="%{x:,}", y="%{y:.3g}"), np.array(USERS)
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis=marks.logarithmic(1, USERS[-1], dtick=1),
                      yaxis={"range": SHARES})
    )  # fmt: skip
    figure.add(marks.line(users, 100 * result.fano, words["fano"], DRAWN, width=4, hovertemplate=hover))
    figure.add(marks.line(users, 100 * result.open_fano, words["open_fano"], look.ink, dash="dash", width=2,
                          hovertemplate=hover))  # fmt: skip
    figure.add(marks.line(users, 100 * result.le_cam, words["le_cam"], THEORY, hovertemplate=hover))
    figure.add(marks.ring(result.experiment.n, 100 * result.here, words["present"], look))
    return figure


def information(result: distinguish.InformationResult, look: Look, words: Words) -> plot.Figure:
    """Bits about the world in one report, along the level; never more than without privacy."""
    bit = math.log(2)
    top = marks.round_up(result.open / bit, (1, 2, 3, 5)) if result.open > 0 else 1.0
    figure = plot.Figure(
        layout=layout(look, words["title"], words["x"], words["y"], xaxis=marks.logarithmic(*LEVELS),
                      yaxis={"range": [-0.02 * top, 1.04 * top]})
    )  # fmt: skip
    figure.add(marks.guide(list(LEVELS), [result.open / bit] * 2, words["open"], look.ink))
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.3g}")
    if look.truth:
        told = marks.line(result.levels, result.along / bit, words["told"], DRAWN, hovertemplate=hover)
        figure.add(marks.filled(told, DRAWN))
        figure.add(marks.ring(result.experiment.epsilon, result.here / bit, words["present"], look))
    return figure
