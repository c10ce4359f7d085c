"""A view while the room predicts: its question and what may be seen, from which the mask of the whole scene follows.

It fails closed. Every fact is hidden, and every mark is taken out of the picture, unless the view has declared it to be
about its question; the title asks, and where it does not, one question of all pages stands in its place. Axes,
names and legend of a view that declares stay, so that nothing jumps when the truth returns; of others the bare axes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, cast

import numpy as np

from explorer.facts import Facts, Hidden, masked
from explorer.figures.plot import Figure, Marker, Trace, along, also, axis_name, scatter
from explorer.figures.theme import escape, unescape
from explorer.text.catalogue import Catalogue, Words
from explorer.text.templates import asked

HIDDEN = "hidden"  # the case of every text while people predict: it says nothing of what is found
EVER = frozenset({"epsilon", "asks"})  # the level stands at the handle, what is asked in the settings
BLANK = (
    '<svg viewBox="0 0 640 240" aria-hidden="true"><text x="320" y="150" text-anchor="middle" font-size="96" '
    'fill="#8A94A0">?</text></svg>'
)  # in the place of a drawing that nobody has declared
_FINDS = ("annotations", "shapes", "images", "updatemenus", "sliders")  # of a layout: may be put where something was
_PLACE = ("mode", "xaxis", "yaxis")  # of a series: where it would be drawn, and how
_FILLED = ("tozeroy", "tonexty", "toself")  # a series with an area in its entry
_ENTRY = {"name": (), "legendgroup": (), "legendrank": (), "line": ("color", "dash"), "marker": ("color", "symbol")}


@dataclass(frozen=True)
class Prediction:
    """A prediction at a view: the names of the predicted facts, and the subject of the question, which stays visible.

    `stays` are marks, by the keys of their names among the view's words; marks that `stand` wait on the axis, where
    only their place along it is public. `whole` says that the picture asks by itself and holds nothing besides.
    `tells` are facts that the asking texts may say: settings, and never findings. `centered` is an axis
    with the true answer in its middle, which meanwhile counts from it.
    """

    numbers: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    whole: bool = False
    stand: tuple[str, ...] = ()
    centered: str = ""

    def mask(self, facts: Facts) -> Facts:
        """The facts that may be told while the room predicts."""
        hidden = Hidden()
        return {name: fact if name in EVER or name in self.tells else hidden for name, fact in masked(facts).items()}

    def veiled(self, figure: Figure, words: Words, title: str) -> Figure:
        """The figure with only the subject of the question, under a title that asks."""
        layout = {**figure.layout, "title": {"text": escape(title)}}
        if self.whole:
            return Figure(figure.data, layout)
        layout = {name: part for name, part in layout.items() if name not in _FINDS}
        if not self.numbers:
            return _bare(figure, layout)
        if any(str(trace.get("fill")).startswith("tonext") for trace in figure.data):  # then Plotly turns the legend
            layout["legend"] = {"traceorder": "reversed", **figure.layout.get("legend", {})}
        seen = [self._seen(trace, figure, words) for trace in figure.data]
        return Figure([trace for trace in seen if trace is not None] + _panels(figure), layout)

    def keeps(self, trace: Trace, words: Words) -> bool:
        """Whether a series belongs to the subject of the question."""
        return _called(self.stays, trace, words)

    def stands(self, trace: Trace, words: Words) -> bool:
        """Whether a series waits on the axis, at its public place."""
        return _called(self.stand, trace, words)

    def _seen(self, trace: Trace, figure: Figure, words: Words) -> Trace | None:
        """The visible part of a series while the room predicts."""
        if self.keeps(trace, words):
            return trace
        return _waiting(trace, figure) if self.stands(trace, words) else _emptied(trace)


UNDECLARED = Prediction()


def _called(keys: tuple[str, ...], trace: Trace, words: Words) -> bool:
    """Whether a series has one of these names."""
    name = unescape(trace.get("name") or "")
    return bool(name) and any(words.reads_like(key, name) for key in keys)


def _waiting(trace: Trace, figure: Figure) -> Trace | None:
    """A mark on the axis below its later place, with a line up along which it may be; nothing of a line."""
    at, marker = float(np.asarray(trace["x"], dtype=np.float64)[0]), trace.get("marker")
    if marker is None or not math.isfinite(at):
        return _emptied(trace)
    across, up = (figure.axis(axis_name(trace, letter)) for letter in "xy")
    place = math.log10(at) if across.get("type") == "log" else at
    place = min(max(place, min(across["range"])), max(across["range"]))
    ends = [10.0**end if up.get("type") == "log" else float(end) for end in up["range"]]
    waits = {**marker, "symbol": [marker["symbol"], "circle"], "size": [marker["size"], 0]}
    line = {"color": marker["color"], "width": 1.5, "dash": "dot"}
    places = {"x": [10.0**place if across.get("type") == "log" else place] * 2, "y": ends, "cliponaxis": False}
    return also(trace, **places, mode="lines+markers", marker=waits, line=line, hoverinfo="skip")


def _bare(figure: Figure, layout: dict[str, object]) -> Figure:
    """The axes alone, without the names along them, whose order may follow the results."""
    named = {axis_name(trace, letter) for trace in figure.data for letter in "xy" if _names(along(trace, letter))}
    for name, axis in figure.axes.items():
        if name in named or "ticktext" in axis:
            left = {part: value for part, value in axis.items() if part not in ("tickvals", "ticktext")}
            layout[name] = left | {"showticklabels": False, "ticks": "", "automargin": False}
    return Figure(_panels(figure), layout)


def _panels(figure: Figure) -> list[Trace]:
    """One empty series per panel, without which its axes would not be drawn; as many, whatever was found."""
    panels = sorted({(trace.get("xaxis", "x"), trace.get("yaxis", "y")) for trace in figure.data})
    return [scatter(x=[None], y=[None], xaxis=x, yaxis=y, showlegend=False, meta="decoration") for x, y in panels]


def _emptied(trace: Trace) -> Trace | None:
    """A series without its numbers: its entry in the legend and its names along an axis; none where it has neither."""
    if trace["type"] == "bar":
        trace = trace | {"mode": "markers", "marker": Marker(symbol="square") | trace.get("marker", {})}
    held: Mapping[str, object] = trace
    empty = {"type": "scatter", **{name: held[name] for name in _PLACE if name in held}, "showlegend": False}
    if trace["type"] in ("scatter", "bar") and trace.get("showlegend", True):
        empty |= {name: _entry(held[name], parts) for name, parts in _ENTRY.items() if name in held}
        empty["showlegend"] = True
        if trace.get("fill") in _FILLED:  # an area of nothing, by itself: what it was drawn down to is gone
            empty |= {"fill": "toself", "fillcolor": held["fillcolor"], "line": trace.get("line", {})}
    both = {letter: along(trace, letter) for letter in ("x", "y")}
    places = {letter: names for letter, names in both.items() if names is not None and _names(names)}
    if not places and not empty["showlegend"]:
        return None
    size = max((len(names) for names in places.values()), default=1)
    nowhere = {"x": [None] * size, "y": [None] * size}
    return cast("Trace", {**empty, **nowhere, **places, "hoverinfo": "skip", "meta": "decoration"})


def _entry(style: Any, parts: tuple[str, ...]) -> Any:
    """A style as the legend shows it: what all marks of a series have in common, without a width that stresses one."""
    if not parts:
        return style
    return {name: style[name] for name in parts if isinstance(style.get(name), str)}


def _names(values: Any) -> bool:
    """Whether places along an axis are names."""
    return values is not None and len(values) > 0 and isinstance(values[0], str)


def asking_cases(kind: str) -> tuple[str, ...]:
    """The cases of texts that ask: the view's, and that of one of its pictures, if it asks something else there.

    A kind of several words goes from the general to the particular; one that names a finding has no texts here.
    """
    return tuple(accumulate((HIDDEN, *kind.split()), "{} {}".format))


def asking(catalogue: Catalogue, place: tuple[str, str, str], words: Words, facts: Facts, name: str) -> str:
    """A text that asks, a title or an alternative text; where none can be told, the one of all pages.

    The place is a page, a view and which of the view's pictures is shown.
    """
    page, view, kind = place
    texts, own = catalogue.page(page).labels.table(view), dict[str, str]()
    for case in asking_cases(kind):
        own |= texts.strings(case)
    if name in own and tellable(own[name], facts):
        return words[name]
    return catalogue.label(f"predicting.{name}")


def tellable(text: str, facts: Facts) -> bool:
    """Whether a text uses only facts that may be told."""
    return all(name in facts and not isinstance(facts[name], Hidden) for name in asked(text))
