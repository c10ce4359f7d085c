"""A view for a cell of a notebook: `python -m explorer.ui.travel.notebook "/counting?epsilon=0.1" cell.json`.

The view is opened without a screen, which Streamlit's tester does in a server's place, with an event loop and a log of
its own; so a notebook calls this as a process of its own, and nothing of the app is in the notebook's.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import html
import json
import logging
import re
import sys
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

from explorer.figures.theme import Look
from explorer.host import plotlyscript
from explorer.paper.leaving import Audience
from explorer.paper.plates import About, plate
from explorer.paper.sheets import numerals_of
from explorer.scenes import Scene
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui import scripts, stage
from explorer.ui.opening import LinkError, opened
from explorer.ui.travel.files import COLORS
from explorer.ui.travel.states import Traveller

_HERE = Path(__file__).parent
_ENDS = re.compile(r"</(?:p|li|div)>|<br ?/?>")
_TAG = re.compile(r"<[^>]*>")
_EXPORTS = ("\nexport {", "\nexport default {")  # a loader of widgets takes what a module exports by default


@dataclass(frozen=True)
class NotebookCell:
    """The content of a cell: scripts and styles, the packed scenes at every stop, and words beside the stage.

    `answers` are the sentences by stop, and `still` is the view as it stands at first, for notebooks where no script
    runs; `plotly` is Plotly's script, packed, and empty where drawings stand in its place.
    """

    module: str
    styles: str
    plotly: bytes
    state: bytes
    language: str
    question: str
    origin: str
    stops: tuple[float, ...]
    level: float
    answers: tuple[str, ...]
    still: str
    complaints: tuple[str, ...]

    def written(self) -> str:
        """The content as JSON; what is packed stands in letters."""
        parts = {each.name: getattr(self, each.name) for each in fields(self)}
        packed = {name: base64.b64encode(getattr(self, name)).decode() for name in ("plotly", "state")}
        return json.dumps(parts | packed, ensure_ascii=False)


def notebook_cell(link: str, language: str = "en", answers: bool = True, drawn: bool = False) -> NotebookCell:
    """The view to which a link leads, for a cell; without `answers` the truth is not in it."""
    view = opened(link, language)
    traveller = Traveller(view, Audience(hidden=not answers), drawn)
    state, viewed, catalogue = traveller.state(), view.viewed, catalogue_of(language)
    said = tuple(_told(json.loads(light.split("\n")[0])["answer"]) for light, _ in state.scenes)
    question = catalogue.text(viewed.page.slug, "question")
    scene = viewed.scene(Look(truth=answers, asks=not answers, separators=catalogue.separators))
    answer, origin = said[traveller.places.index(viewed.level)], traveller.source
    return NotebookCell(
        module(),
        _styles(),
        b"" if drawn else _plotly(),
        gzip.compress(state.written(), 9, mtime=0),
        language,
        question,
        origin,
        traveller.places,
        viewed.level,
        said,
        _still(scene, language, question, answer, origin),
        view.complaints,
    )


def _told(answer: str) -> str:
    """An answer as plain text."""
    return " ".join(html.unescape(_TAG.sub("", _ENDS.sub(" ", answer))).split())


def _still(scene: Scene, language: str, question: str, answer: str, origin: str) -> str:
    """The view as HTML that needs no script: question, answer, and its picture on light paper."""
    picture = scene.figure if scene.figure is not None else scene.drawing
    about = About(question, scene.alt, origin, "", "")
    catalogue = catalogue_of(language)
    drawn = "" if picture is None else plate(picture, numerals_of(catalogue), "two", about)
    told = html.escape(question), html.escape(answer), html.escape(origin)
    return (
        f'<div lang="{language}" dir="{catalogue.direction}" style="max-width:44rem;padding:.75rem;'
        f'background:{COLORS["background-color"][0]};color:{COLORS["text-color"][0]}">'
        f"<p><strong>{told[0]}</strong></p><p>{told[1]}</p>{drawn}<p><small>{told[2]}</small></p></div>"
    )


@lru_cache(maxsize=1)
def module() -> str:
    """The script of a cell, as the notebook's loader of widgets takes it."""
    return scripts.module(_HERE / "notebook.js").replace(*_EXPORTS)


@lru_cache(maxsize=1)
def _styles() -> str:
    """The styles of the stage and of the cell, in the colors of light and of dark paper."""
    colors = "".join(
        f".ldp-cell{chosen}{{" + "".join(f"--st-{name}:{pair[place]};" for name, pair in COLORS.items()) + "}\n"
        for place, chosen in enumerate(("", "[data-dark]"))
    )
    return colors + stage.styles() + (_HERE / "notebook.css").read_text("utf-8")


@lru_cache(maxsize=1)
def _plotly() -> bytes:
    return gzip.compress(plotlyscript.script().read_bytes(), 9, mtime=0)


def main(given: list[str] | None = None) -> int:
    """Write one cell; the exit status."""
    asked = argparse.ArgumentParser(
        prog="python -m explorer.ui.travel.notebook", description=(__doc__ or "").splitlines()[0]
    )
    asked.add_argument("link")
    asked.add_argument("file", type=Path)
    asked.add_argument("--language", choices=languages(), default="en")
    asked.add_argument("--without-answers", action="store_true")
    asked.add_argument("--drawn", action="store_true")
    options = asked.parse_args(given)
    logging.disable(logging.WARNING)  # Streamlit's, of a session without a server
    try:
        cell = notebook_cell(options.link, options.language, not options.without_answers, options.drawn)
    except LinkError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    options.file.write_text(cell.written(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
