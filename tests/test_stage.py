"""What the stage sends, and Plotly's script as it is packed at the start."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import plotly
import pytest

from explorer.figures import plot, theme
from explorer.heads import Handle, Head, ViewRow
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
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
    """After a change of the lock: write its name into quick.js; keep it if test_walks.py is green at night."""
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
    """A rule for the stage's nodes in another style of the app would be missing where the stage stands by itself."""
    named = re.compile(r"\.(ldp-[\w-]+)")
    own = set(named.findall((STAGE / "stage.css").read_text("utf-8"))) - {"ldp-stage"}  # the page's rules may spare it
    others = {path: path.read_text("utf-8") for path in (*STAGE.parent.glob("*.py"), *STAGE.parent.glob("*.css"))}
    elsewhere = {path.name: own & set(named.findall(text)) for path, text in others.items()}
    assert len(own) > 30 and STAGE.parent / "style.py" in others
    said = {name: names for name, names in elsewhere.items() if names}
    assert said == {"drawing.py": {"ldp-drawing"}}, said  # a drawing outside of a stage is one too


TYPES = (STAGE.parent / "scripts.d.ts").read_text("utf-8")


def described(name: str, text: str) -> tuple[set[str], set[str]]:
    """The fields of a type in a text like `scripts.d.ts`: those that must be there, and those that may."""
    begun = rf"^(?:type {name} =|interface {name}) \{{"
    found = re.search(rf"{begun}(?:\n([\s\S]*?)^\}}|(.*)\}}$)", text, re.MULTILINE)
    assert found is not None, name
    plain = re.sub(r"/\*\*.*?\*/|//.*$", "", found[1] or found[2], flags=re.MULTILINE)
    while plain != (flat := re.sub(r"\{[^{}]*\}|<[^<>]*>", "", plain)):
        plain = flat
    names = re.findall(r"(?:^|[;\n])\s*(\w+)(\??):", plain)
    return {each for each, may in names if not may}, {each for each, may in names if may}


TAKE = {"text": "Use this", "set": False, "settings": {"epsilon": "1"}}


def lines(**others: Any) -> list[dict[str, Any]]:
    """The lines of a message that says everything that one can say."""
    figure = plot.Figure(plot.scatter(x=[1], y=[2]), theme.layout(theme.Look(), "Title", "x", "y"), [{"name": "a"}])
    numbered = ("1", "2")
    handle = Handle("ε", (1.0, 2.0), numbered, numbered, numbered, 0, ("low", "high"), "exact")
    views, labels = ViewRow({"one": "One"}, "one", {"two": "Two"}), catalogue_of("en").labels("stage")
    head = Head(views, handle, labels, "ltr", False, "a", {"source": "us", "symbol": "ε"})
    sent = stage.message("stage_a", head=head, scene=Scene(figure=figure), token="t", plotly="plotly.js", **others)
    return [json.loads(line) for line in sent.decode().split("\n")]


def parted(text: str) -> set[str]:
    """The types whose fields are others than what is sent, or heard, from the least that can be said to the most."""
    head, words, figure = lines(takes=[TAKE], sketch="<svg/>")
    strip, told = json.loads(stage.rolled("stage_a", "t", {})), {each.name for each in fields(stage.Heard)}
    sent: dict[str, tuple[set[str], set[str]]] = {
        "Head": ({*head}, set()),
        "HandleWords": ({*head["handle"]}, set()),
        "Labels": ({*head["labels"]}, set()),
        "Option": ({*head["views"][0], *head["more"][0]}, set()),
        "WordsOfScene": ({*lines()[1]}, {*words} - {*lines()[1]}),
        "Take": ({*words["takes"][0]}, set()),
        "Figure": ({*figure} - {"frames"}, {*figure} & {"frames"}),
        "StripHead": ({*strip}, set()),
        "Told": (told, set()),
    }
    return {name for name, named in sent.items() if described(name, text) != named}


def test_the_stage_is_sent_what_its_types_say_and_nothing_else() -> None:
    """A field on one side alone is red, in each part of each message, and of what comes back."""
    assert not parted(TYPES)
    for language in languages():
        assert {*catalogue_of(language).labels("stage")} == described("Labels", TYPES)[0], language


@pytest.mark.parametrize(
    ("written", "planted", "name"),
    [
        ("  heard: number", "  heard: number\n  seen: number", "Head"),
        ("  least: number  // px", "  // px", "Head"),
        ("  exact: string", "  exact?: string", "HandleWords"),
        ("  sketch?: string", "  sketch: string", "WordsOfScene"),
        ("{ text: string; set: boolean; ", "{ text: string; ", "Take"),
        ("  typed: string\n", "", "Told"),
        ("  plotly_failed: string\n", "", "Labels"),
        ("token: string; stops: number[] }", "token: string; places: number[] }", "StripHead"),
    ],
)
def test_a_field_on_one_side_alone_is_noticed(written: str, planted: str, name: str) -> None:
    assert TYPES.count(written) == 1 and parted(TYPES.replace(written, planted)) == {name}


def test_a_type_is_read_with_all_its_fields() -> None:
    """Nested braces and comments hide no field, and add none."""
    text = "  one: { inner: string }\n  /** three: no */\n  six: number  // two: no\n  four?: Map<{ five: 1 }, 2>\n"
    assert described("A", f"type A = {{\n{text}}}\n") == ({"one", "six"}, {"four"})
    assert described("B", "type B = { x: number; y?: string }\n") == ({"x"}, {"y"})
