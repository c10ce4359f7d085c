"""The small pictures of the overview, drawn from the pages' own scenes: `make pictures`.

One file for each page, drawn in light colors; its first line gives each color's dark counterpart. Without
words, axes and legends: the card describes the picture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import numpy as np

from explorer.figures.plot import Figure, Pen, Trace, also
from explorer.figures.theme import Look
from explorer.pages.overview.pictures import FOLDER
from explorer.paper import printing
from explorer.paper.scales import AxisWriter
from explorer.paper.traces import INK
from explorer.scenes import scene
from tools.dearest import Opened

MOST_POINTS, MOST_DOTS = 60, 70  # of one line, of one cloud
WORDS = ("text", "texttemplate", "customdata", "hovertext")
COLOR = re.compile(r"#[0-9A-Fa-f]{6}\b|rgba?\([^)]*\)")
AGAIN = re.compile(r"(<svg x=[^>]*>)((?:(?!</?svg).)*)</svg>\1")  # two traces in one and the same frame
THICKER = 2.2  # lines and dots, for a picture is a third as wide as its figure


@dataclass(frozen=True)
class Chosen:
    """The view of a page that is drawn, at a level."""

    view: str
    level: float


CHOSEN: Mapping[str, Chosen] = {
    "counting": Chosen("one", 0.05),
    "averaging": Chosen("path", 0.1),
    "budget": Chosen("totals", 0.1),
    "trust": Chosen("curves", 1.0),
    "response": Chosen("deny", 1.1),
    "frequencies": Chosen("bars", 1.0),
    "means": Chosen("everybody", 1.0),
    "vectors": Chosen("leak", 1.0),
    "shapes": Chosen("shape", 1.0),
    "regression": Chosen("steps", 0.15),
    "distinguish": Chosen("errors", 1.0),
    "protocols": Chosen("one", 1.0),
    "limits": Chosen("people", 1.0),
    "verify": Chosen("ratio", 1.0),
    "exercises": Chosen("products", 1.0),
}


def figure(slug: str, dark: bool) -> Figure:
    """The figure of a page as it stands at its default settings."""
    run, chosen = _met(slug), CHOSEN[slug]
    drawn = scene(run.page, run.view, run.asked, chosen.level, Look(dark=dark), own=run.own).figure
    if drawn is None:
        raise ValueError(f"the view {chosen.view} of {slug} must be a figure; it is a drawing")
    return drawn


@cache
def _met(slug: str) -> Any:
    """The visitor's first scene at a view."""
    return Opened(slug).by({f"{slug}_tab": CHOSEN[slug].view}).run


def bare(drawn: Figure) -> Figure:
    """The figure without words, with as few points as its shape needs."""
    layout = {name: part for name, part in drawn.layout.items() if name not in ("annotations", "title")}
    layout |= {name: axis | {"visible": False} for name, axis in drawn.axes.items()}
    return Figure([_bare(trace) for trace in drawn.data], layout)


def _bare(trace: Trace) -> Trace:
    wordless = {name: part for name, part in trace.items() if name not in WORDS}
    kept = also(cast("Trace", wordless), showlegend=False, showscale=False, textposition="none")
    mode = kept.get("mode", "lines")
    if trace["type"] == "scatter":
        kept["mode"] = "+".join(part for part in mode.split("+") if part != "text") or "none"
        kept = _thinned(kept, MOST_DOTS if "lines" not in mode else MOST_POINTS)
        pen = kept.get("line", Pen())
        kept["line"] = pen | {"width": THICKER * float(pen.get("width", 2))}
    return kept


def _thinned(trace: Trace, most: int) -> Trace:
    """A trace with at most `most` of its points, evenly among them."""
    size, gaps = len(trace["x"]), any(each is None or each != each for each in trace["x"])
    if size <= most or gaps:  # where a line begins anew, every point counts
        return trace
    places = np.unique(np.linspace(0, size - 1, most).round().astype(int))
    return also(trace, **{name: _some(part, places, size) for name, part in trace.items()})


def _some(part: Any, places: np.ndarray, size: int) -> Any:
    if isinstance(part, dict):
        return {name: _some(inner, places, size) for name, inner in part.items()}
    if isinstance(part, (list, tuple, np.ndarray)) and len(part) == size:
        return [part[place] for place in places]
    return part


def svg(slug: str, dark: bool) -> str:
    """The picture of a page in light colors, or in dark ones."""
    drawn = printing.svg(bare(figure(slug, dark)), AxisWriter(str, str), "")
    inside = re.sub(r"^<svg[^>]*>|</svg>$", "", drawn)
    inside = re.sub(r"(\d)\.0(?=[^\d])", r"\1", inside)
    inside = re.sub(r' fill="none"(?=[^>]*stroke)', "", inside)
    while (merged := AGAIN.sub(r"\1\2", inside)) != inside:
        inside = merged
    head = f'<svg viewBox="0 0 {printing.WIDTH:g} {printing.HEIGHT:g}" fill="none" aria-hidden="true">'
    return head + inside + "</svg>"


def picture(slug: str) -> str:
    """The file of a page: pairs of colors, and the picture in the first of each pair."""
    light, dark = (
        svg(slug, dark=False),
        svg(slug, dark=True).replace(INK, Look(dark=True).ink),
    )  # what no look has colored
    if COLOR.sub("", light) != COLOR.sub("", dark):
        raise ValueError(f"the picture of {slug} must have one shape on light and on dark paper")
    pairs: dict[str, str] = {}
    for one, other in zip(COLOR.findall(light), COLOR.findall(dark), strict=True):
        if pairs.setdefault(one, other) != other:
            raise ValueError(f"{one} of {slug} must be one color in the dark; it is {pairs[one]} and {other}")
    colors = ";".join(f"{one} {other}" for one, other in pairs.items() if one != other)
    return f"{colors}\n{light}\n"


def main() -> None:
    """Draw all pictures."""
    for slug in CHOSEN:
        path = FOLDER / f"{slug}.svg"
        path.write_text(picture(slug), "utf-8")
        print(f"{slug}: {path.stat().st_size / 1000:.1f} kB")


if __name__ == "__main__":
    main()
