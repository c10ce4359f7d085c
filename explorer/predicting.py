"""What the room predicts at a view, and what it may see while it does: the mask of the whole scene follows from it.

It fails closed. Of the facts every number is hidden, and of the picture every mark taken out, that a view has not
declared to be what its question is about; the title asks, and where it does not, one question of all pages stands in
its place. Axes, names and legend stay as they are, so that nothing jumps when the truth returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.facts import Day, Facts, Hidden, Name, Quantity, Said, Term, masked
from explorer.figures.plot import Figure, Trace
from explorer.figures.theme import escape, unescape
from explorer.text.catalogue import Catalogue, Words
from explorer.text.templates import asked

HIDDEN = "hidden"  # the case of every text while people predict: it says nothing of what is found
WORDS = (Term, Name, Said, Day)  # what is no number
EVER = frozenset({"epsilon"})  # the level stands at the handle
BLANK = (
    '<svg viewBox="0 0 640 240" aria-hidden="true"><text x="320" y="150" text-anchor="middle" font-size="96" '
    'fill="#8A94A0">?</text></svg>'
)  # in the place of a drawing that nobody has declared
_FINDS = ("annotations", "shapes", "images", "updatemenus", "sliders")  # of a layout: may be put where something was
_STYLE = ("type", "name", "mode", "line", "showlegend", "legendgroup", "legendrank", "xaxis", "yaxis", "stackgroup")
_PLAIN = ("color", "symbol", "size", "line")  # of a mark: its entry in the legend


@dataclass(frozen=True)
class Prediction:
    """What the room predicts at a view, by the names of its facts, and what the question is about, which stays visible.

    `stays` are marks, by the keys of their names among the view's words; `whole` says that the picture asks by itself
    and holds nothing besides. `tells` are facts that the asking texts may say: what is set, and never what is found.
    """

    numbers: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    whole: bool = False

    def told(self, facts: Facts) -> Facts:
        """The facts as they may be told meanwhile."""
        hidden, open_to_all = Hidden(), EVER | set(self.tells)
        return {
            name: fact if name in open_to_all or _is_wordy(fact) else hidden for name, fact in masked(facts).items()
        }

    def veiled(self, figure: Figure, words: Words, title: str) -> Figure:
        """The figure with what the question is about, under a title that asks."""
        layout = {**figure.layout, "title": {"text": escape(title)}}
        if self.whole:
            return Figure(figure.data, layout)
        layout = {name: part for name, part in layout.items() if name not in _FINDS}
        if any(str(trace.get("fill")).startswith("tonext") for trace in figure.data):  # then Plotly turns the legend
            layout["legend"] = {"traceorder": "reversed"} | layout.get("legend", {})
        return Figure([trace if self.keeps(trace, words) else _emptied(trace) for trace in figure.data], layout)

    def keeps(self, trace: Trace, words: Words) -> bool:
        """Whether a series is what the question is about."""
        name = unescape(trace.get("name") or "")
        return bool(name) and any(words.reads_like(key, name) for key in self.stays)


UNDECLARED = Prediction()


def _is_wordy(fact: Quantity) -> bool:
    """Whether a fact says no number: a term, a name, what is asked."""
    return isinstance(fact, (*WORDS, Hidden))


def _emptied(trace: Trace) -> Trace:
    """A series without its numbers: its entry in the legend, its panel, and its names along an axis."""
    entry = {name: trace[name] for name in _STYLE if name in trace}
    if trace["type"] not in ("scatter", "bar"):
        entry |= {"type": "scatter", "mode": "markers", "showlegend": False}
    if "marker" in trace:
        entry["marker"] = {name: part for name, part in trace["marker"].items() if _is_one(name, part)}
    along = {letter: trace[letter] for letter in ("x", "y") if _names(trace.get(letter))}
    size = max((len(names) for names in along.values()), default=1)
    return entry | {"x": [None] * size, "y": [None] * size} | along | {"hoverinfo": "skip", "meta": "decoration"}


def _is_one(name: str, part: Any) -> bool:
    """Whether all marks of a series have this property in common."""
    return name in _PLAIN and not isinstance(part, (list, tuple)) and not hasattr(part, "shape")


def _names(values: Any) -> bool:
    """Whether places along an axis are names."""
    return values is not None and len(values) > 0 and isinstance(values[0], str)


def asking(catalogue: Catalogue, page: str, view: str, words: Words, facts: Facts, name: str) -> str:
    """A text of a view that asks, its title or its alternative text; where none can be told, that of all pages."""
    own: Mapping[str, Any] = catalogue.page(page)["labels"][view].get(HIDDEN, {})
    if isinstance(own, Mapping) and name in own and tellable(own[name], facts):
        return str(words[name])
    return catalogue.label(f"predicting.{name}")


def tellable(text: str, facts: Facts) -> bool:
    """Whether a text asks only for facts that may be told."""
    return all(name in facts and not isinstance(facts[name], Hidden) for name in asked(text))
