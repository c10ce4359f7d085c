"""The pictures of the page about protocols that listen: a run and one of its people, errors, a tree, a search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from explorer.figures import marks, plot
from explorer.figures.marks import DRAWN, OTHER, THEORY
from explorer.figures.theme import Look, escape
from explorer.pages.protocols.facts import RARE
from explorer.text.catalogue import Words
from ldpcore.experiments import protocols
from ldpcore.experiments.protocols import FEWEST_USERS, MOST_USERS, ROUNDS
from ldpcore.numerics.arrays import Reals

MARKS, POINTS = 48, 400  # people who are drawn one by one, and points of a path
ERRORS = {"steps": (1e-3, 2.0), "stages": (1e-3, 50.0), "search": (1e-3, 2.0)}  # two stages know no end
LATTICE = 600  # questions that are drawn one by one
RUN, BESIDE = 0.7, 0.76  # where the picture of a run ends, and where that of one person begins
APART = (0.147, 0.063)  # how far branches turn away from their middle, of a tree of height one


def _thinned(n: int, most: int, even: bool) -> np.ndarray:
    """Places from 0 to n - 1, at equal distances, or so on a log scale."""
    places = np.linspace(1, n, most) if even else np.geomspace(1, n, most)
    return np.unique(np.rint(places).astype(np.int64)) - 1


def _range(reach: float, top: float = 0.0) -> dict[str, Any]:
    """An axis of people's values, and of a search's possible values where its steps go farther."""
    return {"range": [-1.08 * reach, max(reach, top) + 0.08 * reach]}


def one(result: protocols.OneRunResult, person: protocols.NextQuestionResult, look: Look, words: Words) -> plot.Figure:
    """One run: the remaining or asked range as a band, every yes and no, the belief, the truth.

    Beside it, at the same heights, the chance that one of its people says yes, for every number they might hold.
    """
    figure = _run(result, look, words)
    _person(figure, person, look, words)
    return figure


def _run(result: protocols.OneRunResult, look: Look, words: Words) -> plot.Figure:
    """The run itself, person after person."""
    path, question = result.path, result.experiment
    crowd, even = question.example.crowd, question.example.slug != "steps"
    x = {"range": [-0.03 * question.n, 1.03 * question.n]} if even else marks.logarithmic(1, question.n, dtick=1)
    up = _range(crowd.reach, float(question.example.grid.high(1, 1)) if question.example.slug == "search" else 0.0)
    figure = marks.canvas(look, words, xaxis=x, yaxis=up)
    along, people = _thinned(path.n, POINTS, even), _thinned(path.n, MARKS, even)
    if even:
        ends = path.possible_low[along], path.possible_high[along]
        for trace in marks.band(along + 1, *ends, words["left"], OTHER, line={"width": 1, "color": OTHER}):
            figure.add(trace)
    if look.truth:
        figure.add(marks.truth([1, question.n], [crowd.center] * 2, words["truth"], look, dash="dash"))
    hover = words.hover("hover", x="%{x:,}", y="%{y:.3g}")
    belief = marks.line(along + 1, path.belief[along], words["belief"], DRAWN, width=4, hovertemplate=hover, meta="pin")
    figure.add(belief)
    asked = np.where(path.sent, path.asked_high, path.asked_low)[people]
    for name, said, symbol, color in (("yes", True, "triangle-up", THEORY), ("no", False, "triangle-down", look.ghost)):
        mine = path.sent[people] == said
        marker = {"symbol": symbol, "size": 10, "color": color}
        hover = words.hover(f"hover_{name}", x="%{x:,}", y="%{y:.3g}")
        figure.add(marks.dots(people[mine] + 1, asked[mine], words[name], marker=marker, hovertemplate=hover))
    return figure


def against(
    result: protocols.MoreRoundsResult | protocols.AgainstSilenceResult, look: Look, words: Words
) -> plot.Figure:
    """The listeners against those who do not listen, or against themselves, asked again."""
    if isinstance(result, protocols.MoreRoundsResult):
        return rounds(result, look, words)
    return silence(result, look, words)


def silence(result: protocols.AgainstSilenceResult, look: Look, words: Words) -> plot.Figure:
    """Typical errors over the number of people: the rival, those who listen, runs with their ends."""
    hover = words.hover("hover", x="%{x:,}", y="%{y:.3g}")
    users, question = result.users, result.experiment
    up = marks.logarithmic(*ERRORS[question.example.slug], dtick=1)
    figure = marks.canvas(look, words, xaxis=marks.logarithmic(FEWEST_USERS, MOST_USERS, dtick=1), yaxis=up)
    figure.add(marks.line(users, result.rival, words["silent"], THEORY, hovertemplate=hover))
    if look.truth:
        dash = "solid" if result.exact else "dot"
        name = words["exact" if result.exact else "limit"]
        figure.add(marks.line(users, result.theory, name, DRAWN, dash=dash, hovertemplate=hover, meta="pin"))
        bars = {
            "type": "data",
            "symmetric": False,
            "array": result.high - result.simulated,
            "arrayminus": result.simulated - result.low,
        }
        figure.add(
            marks.dots(users, result.simulated, words["runs"], size=9, error_y=bars, color=DRAWN, hovertemplate=hover)
        )
        figure.add(marks.ring(question.n, result.here, words["present"], look))
    elif look.predicting:
        figure.add(marks.ring(question.n, math.nan, words["present"], look))
    return figure


def pair(result: protocols.TwoPeopleResult, look: Look, words: Words) -> plot.Figure:
    """A tree of all messages of two people: the wider a branch, the likelier; the one looked at stands out."""
    people = [escape(words["first"]), escape(words["second"])]
    ticks = {"tickvals": [0.5, 1.5], "ticktext": people, "range": [-0.05, 3.3], "showgrid": False}
    up = {"visible": False, "range": [-0.33, 1.33]}
    figure = marks.canvas(look, words, xaxis=ticks, yaxis=up, margin={"l": 8})
    joint = result.joint if look.truth else np.full((2, 2), 0.25)
    named: set[str] = set()
    for node, (start, end) in _branches(joint).items():
        name = "looked_at" if node[0] == result.experiment.history else "other"
        color = DRAWN if name == "looked_at" else THEORY
        (low, high), (later_low, later_high) = start, end
        x = len(node) - 1
        outline = {"x": [x, x + 1, x + 1, x], "y": [low, later_low, later_high, high]}
        more = {"mode": "lines", "line": {"width": 1, "color": color}, "fill": "toself", "hoverinfo": "skip"}
        shade = marks.see_through(color, 0.5)
        figure.add_scatter(**outline, **more, fillcolor=shade, name=escape(words[name]), showlegend=name not in named)
        named.add(name)
    _label_ends(figure, joint, look, words)
    return figure


def _label_ends(figure: plot.Figure, joint: Reals, look: Look, words: Words) -> None:
    """The messages at the end of each branch, and their probability; where it goes on, away from its lines."""
    for node, (_, (low, high)) in _branches(joint).items():
        said = escape(words[("p" if look.truth else "h") + "".join(map(str, node))])
        place = {"x": [len(node)], "y": [(low + high) / 2], "text": [said]}
        side = "middle right" if len(node) == 2 else ("bottom left", "top left")[node[0]]
        pen = {"textposition": side, "textfont": {"color": look.ink}, "hoverinfo": "text"}
        dot = {"size": 8, "color": look.ink}
        figure.add_scatter(**place, **pen, mode="markers+text", marker=dot, showlegend=False, name=said)


def _branches(joint: Reals) -> dict[tuple[int, ...], tuple[tuple[float, float], tuple[float, float]]]:
    """The branches as two intervals each, at the parent and at the end; their lengths are the branch's chance."""
    branches: dict[tuple[int, ...], tuple[tuple[float, float], tuple[float, float]]] = {}
    begin = 0.0
    for answer, chance in enumerate(joint.sum(axis=1)):
        end = begin + float(chance)
        aside = APART[0] * (2 * answer - 1)
        branches[(answer,)] = ((begin, end), (begin + aside, end + aside))
        inner = begin + aside
        for second, part in enumerate(joint[answer]):
            beyond = inner + float(part)
            more = APART[1] * (2 * second - 1)
            branches[answer, second] = ((inner, beyond), (inner + more, beyond + more))
            inner = beyond
        begin = end
    return branches


def pair_table(result: protocols.TwoPeopleResult, look: Look, words: Words) -> list[list[object]]:
    """Every history with its chance and the loss of the question after it; every transcript with its chance."""
    rows: list[list[object]] = [[words["sent"], words["chance"], words["loss"]]]
    rows.append([words["nothing"], 1.0, result.turns[0].loss])
    for answer, turn in enumerate(result.turns[1:]):
        rows.append([words[f"h{answer}"], float(result.joint[answer].sum()), turn.loss])
    for node, chance in np.ndenumerate(result.joint):
        rows.append([words["h" + "".join(map(str, node))], float(chance), ""])
    return rows


def search(result: protocols.SearchTailResult | protocols.SearchPathResult, look: Look, words: Words) -> plot.Figure:
    """A search: its intervals and path, or the frequency of a far end."""
    return _tail(result, look, words) if isinstance(result, protocols.SearchTailResult) else _path(result, look, words)


def _path(result: protocols.SearchPathResult, look: Look, words: Words) -> plot.Figure:
    """Every possible question, the ones that were asked, and the remaining range after each."""
    grid, crowd = result.experiment.grid, result.experiment.example.crowd
    figure = marks.canvas(
        look,
        words,
        xaxis={"range": [0.42, grid.cells - 0.42], "tick0": 1, "dtick": 1 if grid.cells <= 12 else 5},
        yaxis=_range(grid.reach, float(grid.high(1, 1))),
    )
    low, high = result.ends
    steps = np.arange(1, len(low) + 1)
    for trace in marks.band(steps, low, high, words["left"], OTHER):
        figure.add(trace | {"line": {"width": 1, "color": OTHER, "shape": "hv"}})
    tests, middles = result.questions
    if len(tests) <= LATTICE:
        marker = {"size": 4, "color": look.ghost, "line": {"width": 0}}
        figure.add(marks.dots(tests, middles, words["possible"], marker=marker, hoverinfo="name", meta="decoration"))
    if look.truth:
        figure.add(marks.truth([1, max(grid.cells - 1, 1)], [crowd.center] * 2, words["truth"], look, dash="dash"))
    hover = words.hover("hover", x="%{x}", y="%{y:.3g}")
    path = marks.line(
        steps, (low + high) / 2, words["asked"], DRAWN, mode="lines+markers", hovertemplate=hover, meta="pin"
    )
    figure.add(path | {"marker": {"size": 8, "color": DRAWN}})
    return figure


def _tail(result: protocols.SearchTailResult, look: Look, words: Words) -> plot.Figure:
    """The tail of a search's error: the bound, both exactly, and runs with their ends."""
    grid = result.experiment.grid
    figure = marks.canvas(
        look, words, xaxis={"range": [0, 2 * grid.reach + grid.delta / 2]}, yaxis=marks.logarithmic(RARE, 1.0, dtick=1)
    )
    hover = words.hover("hover", x="%{x:.3g}", y="%{y:.2g}")
    lines = [("bound", result.bound, THEORY, "dash")]
    if look.truth:
        lines += [("alone", result.alone, DRAWN, "solid"), ("groups", result.groups, OTHER, "solid")]
    for name, values, color, dash in lines:
        positive = np.where(values > 0, values, np.nan)
        figure.add(marks.line(result.limits, positive, words[name], color, dash=dash, hovertemplate=hover))
    if look.truth:
        seen = result.simulated > 0
        bars = {
            "type": "data",
            "symmetric": False,
            "array": (result.high - result.simulated)[seen],
            "arrayminus": (result.simulated - result.low)[seen],
        }
        figure.add(
            marks.dots(
                result.limits[seen], result.simulated[seen], words["runs"], size=9, error_y=bars, hovertemplate=hover
            )
        )
    return figure


def _person(figure: plot.Figure, result: protocols.NextQuestionResult, look: Look, words: Words) -> None:
    """The chance that this person says yes, to the right, at the height of their value, within the level's band."""
    question, upright = result.experiment, figure.layout["yaxis"]
    title = plot.Text(text=escape(words["x_person"]), standoff=4)
    figure.layout["xaxis"]["domain"] = [0, RUN]
    figure.layout["xaxis2"] = {"domain": [BESIDE, 1], "anchor": "y2", "range": [-3, 103], "nticks": 3, "title": title}
    figure.layout["yaxis2"] = {"anchor": "x2", "range": upright["range"], "visible": False, "matches": "y"}
    ends, held = upright["range"], [100 * limit for limit in result.limits]
    # A band that stands upright is one outline, drawn around.
    around = {"x": [held[0], held[1], held[1], held[0], held[0]], "y": [ends[0], ends[0], ends[1], ends[1], ends[0]]}
    edge = {"width": 1, "color": look.accent}
    shade = marks.see_through(THEORY, 0.18)
    more = {"mode": "lines", "fill": "toself", "fillcolor": shade, "line": edge, "hoverinfo": "skip"}
    figure.add_scatter(**around, **more, name=escape(words["limits"]), meta="decoration", **marks.SECOND)
    hover = words.hover("hover_person", x="%{y:.3g}", y="%{x:.3g}")
    pen = {"hovertemplate": hover, "showlegend": False} | marks.SECOND
    figure.add(marks.line(100 * result.silent, result.values, words["silent"], look.accent, dash="dash", **pen))
    if look.truth:  # the question of a later person says how the run goes on
        figure.add(marks.line(100 * result.chances, result.values, words["chance"], DRAWN, width=4, **pen))
        figure.add(marks.ring(100 * result.chance, result.value, words["own"], look, **marks.SECOND))
        path = [question.person], [sum(result.window) / 2]
        figure.add(marks.ring(path[0][0], path[1][0], words["own"], look, showlegend=False))


def rounds(result: protocols.MoreRoundsResult, look: Look, words: Words) -> plot.Figure:
    """The error of k rounds over that of one: the level split among them, and paid anew each time."""
    hover = words.hover("hover", x="%{x}", y="%{y:.3g}")
    figure = marks.canvas(
        look, words, xaxis={"range": [0.6, ROUNDS + 0.4], "tick0": 1, "dtick": 1}, yaxis={"range": [0, 4]}
    )
    figure.add(marks.guide([0.6, ROUNDS + 0.4], [1, 1], words["once"], look.ghost))
    k: Reals = np.asarray(result.rounds, dtype=np.float64)
    line = {"dash": "dot", "mode": "lines+markers", "hovertemplate": hover}
    figure.add(marks.line(k, result.anew, words["anew"], THEORY, **line))
    if look.truth:
        split = marks.line(
            k, result.split, words["split"], DRAWN, mode="lines+markers", hovertemplate=hover, meta="pin"
        )
        figure.add(split)
        figure.add(marks.ring(result.experiment.k, result.ratio, words["present"], look))
    return figure
