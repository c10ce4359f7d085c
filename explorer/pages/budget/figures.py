"""The pictures of the budget page: totals under every rule beside a battery and with the plan, a ledger, splits,
groups, days.

Every range follows the settings alone, so that a level can be seen beside another.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.facts import Name
from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import PALETTE, Look, escape, style
from explorer.text.catalogue import Words
from ldpcore.experiments import budget
from ldpcore.experiments.budget.daily import LAST

FAMILY = ("exact", "advanced", "zcdp", "renyi", "basic")  # the colors of the rules
EMPTY, CELLS, GAP, LOW = PALETTE[9], 10, 0.12, 0.2
OUTLINE = ([0, 1, 1, 0.7, 0.7, 0.3, 0.3, 0, 0], [0, 0, 1, 1, 1.05, 1.05, 1, 1, 0])  # with its cap
UNDER = -0.07  # of the battery's height: where its charge is written
ROOM = 1.6  # the height in totals: a larger sum leaves the picture


def totals(result: budget.TotalLevelsResult, plan: budget.BudgetPlanResult, look: Look, words: Words) -> plot.Figure:
    """The cost of k questions under each rule, the allowed total, the level that uses it up, and a battery."""
    question = result.experiment
    top, right = ROOM * question.total, float(result.ks[-1])
    figure = marks.canvas(
        look,
        words,
        barmode="overlay",
        xaxis={"range": [0, right], "domain": [0, 0.86], "anchor": "y"},
        yaxis={"range": [0, top]},
        xaxis2={"range": [0, 1], "domain": [0.9, 1], "anchor": "y2", "visible": False, "fixedrange": True},
        yaxis2={"range": [2 * UNDER, 1.1], "anchor": "x2", "visible": False, "fixedrange": True},
    )
    for rule in FAMILY[::-1]:
        _rule(figure, result.ks, result.levels[rule], rule, words)
    figure.add(marks.guide([0, right], [question.total] * 2, words["total"], look.ink, dash="dot"))
    for rule in ("basic", "exact"):
        last = result.affordable(rule)
        end = marks.dots(
            [last if 0 < last <= right else None],
            [question.total],
            words[rule],
            size=13,
            marker={"color": style(rule, FAMILY).color, "symbol": "diamond"},
            showlegend=False,
            hovertemplate=words.hover("hover_last", x="%{x:,}"),
        )
        figure.add(end)
    hover = words.hover("hover", x="%{x:,}", y="%{y:,.4g}")
    figure.add(marks.line(plan.ks, plan.totals, words["allowed"], look.ink, width=1.5, hovertemplate=hover))
    figure.add(marks.ring(question.k, result.spent, words["present"], look, showlegend=False))
    _battery(figure, result.left / question.total, look, words)
    return figure


def _rule(figure: plot.Figure, x: Any, y: Any, rule: str, words: Words) -> None:
    """The curve of one rule; the exact one is the thickest."""
    drawn, exact = style(rule, FAMILY), rule == "exact"
    hover = words.hover("hover", x="%{x:,}", y="%{y:,.4g}")
    curve = marks.line(x, y, words[rule], drawn.color, dash=drawn.dash, width=5 if exact else 2.5, hovertemplate=hover)
    figure.add(curve)


def _battery(figure: plot.Figure, charge: float, look: Look, words: Words) -> None:
    """The rest of the total, in ten cells; red where it is used up."""
    color = OTHER if charge > LOW else DRAWN if charge > 0 else EMPTY
    edge = look.ink if charge > 0 or look.predicting else EMPTY
    figure.add(marks.outline(OUTLINE[0], OUTLINE[1], words["battery"], edge, **marks.SECOND))
    figure.add(marks.label(0.5, UNDER, words["battery"], look, **marks.SECOND))
    if look.predicting:
        return
    full = (1 - 2 * GAP) / CELLS
    floors = (np.arange(CELLS) + GAP) / CELLS
    figure.add_bar(
        x=[0.5] * CELLS,
        y=np.clip(charge - floors, 0, full),
        base=floors,
        width=1 - 2 * GAP,
        marker={"color": color},
        name=escape(words["battery"]),
        showlegend=False,
        hoverinfo="skip",
        meta="decoration",
        **marks.SECOND,
    )
    figure.add_bar(
        x=[0.5],
        y=[charge],
        width=0.8,
        opacity=0,
        name=escape(words["charge"]),
        showlegend=False,
        hovertemplate=words.hover("hover_charge"),
        meta="decoration",
        **marks.SECOND,
    )


def ledger(result: budget.MixedLedgerResult, look: Look, words: Words) -> plot.Figure:
    """The total after each row: added up, and as little as can be proved; the allowed one as a line."""
    question, places = result.experiment, np.arange(1, len(result.places) + 1)
    added, spent = (np.where(np.isfinite(levels), levels, np.nan) for levels in (result.added, result.exact))
    most = float(np.nanmax(added, initial=0.0))  # of levels with an end: noise too narrow for its δ has none
    top = marks.round_up(max(1.15 * question.total, 1.1 * most), (1, 1.5, 2, 3, 5, 7))
    lines = [escape(words.write(Name(question.rows[int(row) - 1].name or str(int(row))))) for row in result.places]
    figure = marks.canvas(
        look,
        words,
        barmode="overlay",
        bargap=0.3,
        xaxis={
            "range": [0.4, max(len(places), 3) + 0.6],
            "tickvals": places.tolist(),
            "ticktext": [f"{int(row)}" for row in result.places],
        },
        yaxis={"range": [0, top]},
    )
    hover = words.hover("hover", line="%{customdata}", y="%{y:,.4g}")
    paid = ["" if level <= question.total * (1 + 1e-12) else EMPTY for level in result.exact]
    colors = [color or THEORY for color in paid] if any(paid) else THEORY
    for name, values, color, wide in (("added", added, look.ghost, 0.8), ("spent", spent, colors, 0.5)):
        figure.add_bar(
            x=places,
            y=values,
            width=wide,
            name=escape(words[name]),
            marker={"color": color},
            customdata=lines,
            hovertemplate=hover,
        )
    figure.add(
        marks.guide([0.4, max(len(places), 3) + 0.6], [question.total] * 2, words["total"], look.ink, dash="dot")
    )
    return figure


def split(result: budget.SplitChoiceResult, look: Look, words: Words) -> plot.Figure:
    """The largest error of all answers along the number of questions, for both ways to share one level."""
    question = result.experiment
    unit, ends = 100 / math.sqrt(question.n), [float(result.ks[0]), float(result.ks[-1])]
    figure = marks.canvas(
        look,
        words,
        xaxis=marks.logarithmic(ends[0], ends[1], dtick=1),
        yaxis=marks.logarithmic(0.1 * unit, 300 * unit, dtick=1),
    )
    hover = words.hover("hover", x="%{x}", y="%{y:.3g}")
    for name, color, dash in (("level", THEORY, "solid"), ("people", DRAWN, "dash")):
        reach = 100 * result.reaches[name]
        pen = {"mode": "lines+markers", "dash": dash, "width": 4}
        figure.add(marks.line(result.ks, reach, words[name], color, hovertemplate=hover, **pen))
    figure.add(marks.guide(ends, [50, 50], words["useless"], look.ghost, dash="dot"))
    here = min(result.at("level"), result.at("people"))
    figure.add(marks.ring(question.k, 100 * here, words["present"], look, showlegend=False))
    return figure


def groups(result: budget.GroupBetsResult, look: Look, words: Words) -> plot.Figure:
    """The chance of a right bet about a whole group: as promised at most, and with two kinds of noise."""
    figure = marks.canvas(
        look, words, xaxis={"range": [0, max(100.0, result.experiment.g) * 1.02]}, yaxis={"range": [48, 102]}
    )
    hover = words.hover("hover", x="%{x}", y="%{y:.4g}")
    for name, color, dash in (("promise", THEORY, "solid"), ("laplace", DRAWN, "dash"), ("normal", OTHER, "dot")):
        curve = marks.line(
            result.sizes,
            100 * result.bets[name],
            words[name],
            color,
            dash=dash,
            width=4 if name == "promise" else 2.5,
            hovertemplate=hover,
        )
        figure.add(curve)
    figure.add(marks.ring(result.experiment.g, 100 * result.at("promise"), words["present"], look, showlegend=False))
    return figure


def daily(result: budget.EveryDayResult, look: Look, words: Words) -> plot.Figure:
    """The best guess about one person along the days, and the collector's knowledge about all."""
    ends, day = [float(result.days[0]), float(LAST)], result.experiment.days
    figure = marks.canvas(
        look, words, yaxis={"range": [0, 104], "dtick": 25}, xaxis=marks.logarithmic(ends[0], ends[1], 0.02, dtick=1)
    )
    figure.add(marks.guide([day, day], [0, 104], words["present"], look.ghost, dash="dot", showlegend=False))
    hover = words.hover("hover", x="%{x:,}", y="%{y:.4g}")
    guess, kept = 100 * result.guess, [100 * result.kept_guess] * 2
    figure.add(marks.line(result.days, guess, words["fresh"], DRAWN, width=5, hovertemplate=hover))
    figure.add(marks.line(ends, kept, words["kept"], THEORY, width=5, hovertemplate=hover))
    if look.truth:
        figure.add(marks.truth(ends, [100 * result.truth] * 2, words["truth"], look))
    estimates, all_kept = np.clip(100 * result.estimates, -9, 113), [100 * result.kept] * 2
    exact = words.hover("hover", x="%{x:,}", y="%{customdata:.4g}")
    figure.add(
        marks.line(
            result.days,
            estimates,
            words["learned"],
            DRAWN,
            dash="dot",
            width=2.5,
            hovertemplate=exact,
            customdata=100 * result.estimates,
        )
    )
    figure.add(marks.line(ends, all_kept, words["learned_kept"], THEORY, dash="dot", width=2.5, hovertemplate=hover))
    return figure
