"""What the stage sends, and Plotly's script as it is packed at the start."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import plotly

from explorer.figures import plot, theme
from explorer.ui import stage

SCRIPT = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
STAGE = Path(stage.__file__).parent
QUICK = STAGE / "quick.js"


@dataclass(frozen=True)
class Scene:
    answer: str = "<p>One\nanswer</p>"
    note: str = ""
    alt: str = "A line."
    figure: plot.Figure | None = None
    drawing: str | None = None


def test_quick_drawing_is_for_the_plotly_that_it_was_tested_with() -> None:
    """After a change of the lock: write its name into quick.js, and keep it if test_walks.py is green."""
    tested = re.search(r'^export const TESTED = "(.+)"$', QUICK.read_text("utf-8"), re.MULTILINE)
    drawing = re.search(r"plotly\.js v(\S+)", SCRIPT.read_text("utf-8")[:200])
    assert tested is not None and drawing is not None
    assert tested[1] == drawing[1]


def test_a_scene_is_two_lines_and_its_figure_goes_without_the_template() -> None:
    layout = theme.layout(theme.Look(), "Title", "x", "y")
    words, figure = stage.encoded(Scene(figure=plot.Figure(plot.scatter(x=[1], y=[2]), layout))).split("\n")
    assert json.loads(words) == {"answer": "<p>One\nanswer</p>", "note": "", "alt": "A line.", "drawing": None}
    assert "template" in layout
    assert json.loads(figure)["layout"] == {name: part for name, part in layout.items() if name != "template"}
    assert stage.encoded(Scene(drawing="<svg/>")).endswith("\nnull")


def test_a_figure_is_written_once_as_long_as_it_lives() -> None:
    before = len(stage._WRITTEN)
    figure = plot.Figure(plot.scatter(x=[1], y=[2]), theme.layout(theme.Look(), "Title", "x", "y"))
    first, again = (stage.encoded(Scene(figure=figure, answer=answer)).split("\n")[1] for answer in ("one", "two"))
    assert first == again and len(stage._WRITTEN) == before + 1
    for place in range(20):  # another one in the same place of memory is another figure
        del figure
        assert len(stage._WRITTEN) == before
        figure = plot.Figure(plot.scatter(x=[place], y=[2]), {})
        assert json.loads(stage.encoded(Scene(figure=figure)).split("\n")[1])["data"][0]["x"] == [place]


def test_the_stage_draws_its_symbols_itself() -> None:
    """A font of the host would show the symbols' names until it has come, and a file that travels has none."""
    parts = sorted(path for path in STAGE.iterdir() if path.suffix in {".js", ".css"})
    assert len(parts) >= 20 and not [path.name for path in parts if "Material Symbols" in path.read_text("utf-8")]


def test_the_stages_looks_stand_in_one_place() -> None:
    """What another style of the app says of the stage's nodes would be missing where the stage stands by itself."""
    named = re.compile(r"\.(ldp-[\w-]+)")
    own = set(named.findall((STAGE / "stage.css").read_text("utf-8"))) - {"ldp-stage"}  # the page's rules may spare it
    others = {path: path.read_text("utf-8") for path in (*STAGE.parent.glob("*.py"), *STAGE.parent.glob("*.css"))}
    elsewhere = {path.name: own & set(named.findall(text)) for path, text in others.items()}
    assert len(own) > 30 and STAGE.parent / "style.py" in others
    said = {name: names for name, names in elsewhere.items() if names}
    assert said == {"drawing.py": {"ldp-drawing"}}, said  # a drawing outside of a stage is one too
