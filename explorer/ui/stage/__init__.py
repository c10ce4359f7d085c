"""The stage: the answer, the views, the picture and the handle, painted in the browser while the handle is dragged.

The server sends the scene at the present level, then the strip: the scenes at all other stops, which are made once the
browser asks for them where nobody has before. Between press and release the browser paints from the strip and says
nothing to the server; when the handle rests, the level follows.
Plotly is served by the app itself (`explorer.host.plotlyscript`), because Streamlit would send its copy unpacked.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from sys import intern
from typing import Any, NotRequired, Protocol, TypedDict, Unpack
from weakref import finalize

import streamlit as st

from explorer.figures import plot
from explorer.heads import Head
from explorer.host import plotlyscript
from explorer.ui import internals, scripts
from explorer.ui.caught import caught

_FOLDER = Path(__file__).parent


class Scene(Protocol):
    """The stage's part of a scene; answer, note and drawing are HTML with all data escaped."""

    @property
    def answer(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def alt(self) -> str: ...
    @property
    def figure(self) -> plot.Figure | None: ...
    @property
    def drawing(self) -> str | None: ...


@dataclass(frozen=True)
class Heard:
    """The listeners for the resting handle, the requested view, a plan's settings, a typed level, and other colors."""

    level: Callable[[float], None]
    view: Callable[[str], None]
    take: Callable[[Mapping[str, object]], None] | None = None
    typed: Callable[[str], None] | None = None
    paper: Callable[[], None] | None = None

    def __call__(self, key: str, name: str) -> None:
        """Hand on the stage's message; where nobody listens, the next run paints in the new colors."""
        said, then = st.session_state[key][name], getattr(self, name)
        if name == "level":
            then(float(said["level"]))
        elif then is not None:
            then(*([] if name == "paper" else [said]))


def _script(name: str) -> str:
    return scripts.joined(_FOLDER / f"{name}.js")


def styles() -> str:
    """The stage's looks, which take type and colors from the variables `--st-*` of its host."""
    return (_FOLDER / "stage.css").read_text("utf-8")


_UNSEEN = '<div class="ldp-unseen"></div>\n'
_STAGE = internals.component(
    "ldp_stage", html='<div class="ldp-stage"></div>\n', js=_script("mount"), isolate_styles=False
)
_STRIP = internals.component("ldp_strip", html=_UNSEEN, js=_script("strip"), isolate_styles=False)
# Streamlit sends a message of 10 kB or more once to a reader, and later only its name: the same engine for every scene.
_ENGINE = internals.component(
    "ldp_engine",
    html=_UNSEEN,
    css=styles(),
    js=_script("engine"),
    isolate_styles=False,
)
_WRITTEN: dict[int, tuple[str, str]] = {}


def encoded(scene: Scene, takes: Sequence[Mapping[str, object]] = (), sketch: str = "") -> str:
    """A scene as the browser reads it, in two lines: its words and buttons, and its figure without the template.

    `sketch` is a drawing of the figure that stands until Plotly has come.
    """
    words: dict[str, Any] = {"answer": scene.answer, "note": scene.note, "alt": scene.alt, "drawing": scene.drawing}
    words |= {"takes": list(takes)} if takes else {}
    words |= {"sketch": sketch} if sketch else {}
    return f"{_line(words)}\n{'null' if scene.figure is None else _written(scene.figure)[0]}"


def _written(figure: plot.Figure) -> tuple[str, str]:
    """A figure without its template, and the template, which all figures of a page have in common.

    Written once as long as the figure lives: many are shown it, and nobody changes it.
    """
    name = id(figure)
    if (known := _WRITTEN.get(name)) is None:
        layout = {name: part for name, part in figure.layout.items() if name != "template"}
        bare = plot.Figure(figure.data, layout, figure.frames).json()
        known = _WRITTEN[name] = bare, intern(_line(figure.layout.get("template")))
        finalize(figure, _WRITTEN.pop, name, None).atexit = False
    return known


class MessageParts(TypedDict):
    """The parts of a message that a page says, by name; those that may be missing are plain then.

    `token` names everything that the scenes of a strip depend on beside the level; `takes` are a plan's buttons,
    `sketch` is the server's drawing of the figure.
    """

    head: Head
    scene: Scene
    token: str
    takes: NotRequired[Sequence[Mapping[str, object]]]
    sketch: NotRequired[str]


def message(key: str, *, plotly: str, heard: float = 0, **shown: Unpack[MessageParts]) -> bytes:
    """A scene as a stage receives it, in three lines: a head, described in `scripts.d.ts`, and the two of `encoded`.

    `plotly` is the address of Plotly's script, empty where the sketches are the figures; `heard` says when the level
    was sent that this scene answers.
    """
    line = headline(key, shown["head"], shown["scene"], shown["token"], plotly, heard)
    return f"{line}\n{encoded(shown['scene'], shown.get('takes', ()), shown.get('sketch', ''))}".encode()


def show(key: str, *, heard: Heard, **shown: Unpack[MessageParts]) -> None:
    """Show a scene on the page, as `message` describes it, and hear what its stage tells."""
    last = (st.session_state.get(key) or {}).get("level") or {}
    sent = message(key, plotly=plotlyscript.address(), heard=last.get("at", 0), **shown)
    _ENGINE(key=f"{key}_engine", height="content")
    hearing: dict[str, Any] = {
        f"on_{each.name}_change": caught(partial(heard, key, each.name)) for each in fields(Heard)
    }
    _STAGE(data=sent, key=key, **hearing)


def headline(key: str, head: Head, scene: Scene, token: str, plotly: str, heard: float = 0) -> str:
    """The head of a stage as the browser reads it, in one line; `plotly` is the address of Plotly's script.

    `heard` is the last move of the handle that the scene answers.
    """
    said = {
        "key": key,
        "views": _options(head.views.first),
        "more": _options(head.views.more),
        "chosen": head.views.chosen,
        "labels": dict(head.labels),
        "handle": head.handle and head.handle.message(),
        "token": token,
        "heard": heard,
        "plotly": plotly,
        "direction": head.direction,
        "lecture": head.lecture,
        "least": _least(scene),
        "stem": head.stem,
        "origin": dict(head.origin),
    }
    return f'{_line(said)[:-1]},"template":{_template(scene)}}}'


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _template(scene: Scene) -> str:
    """The part that all figures of a page have in common, as it is sent."""
    return "null" if scene.figure is None else _written(scene.figure)[1]


def _least(scene: Scene) -> float:
    """The pixels that a figure needs on a phone, where it may be higher than the window; none where it says nothing."""
    return 0 if scene.figure is None else float(scene.figure.layout.get("meta", {}).get("least", 0))


def _options(titles: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{"slug": slug, "title": title} for slug, title in titles.items()]


def rolled(key: str, token: str, scenes: Mapping[int, Scene | str], late: float = 0) -> bytes:
    """A strip as it is sent: scenes by place among the handle's stops, `encoded` ones as well, for the stage `key`.

    Its head in a line, then the scenes, packed: a tenth of their size, which Streamlit reads twice for each reader.
    Where its scenes are still to be made, `late` says since when, and the browser asks for them, once for each time.
    """
    head = json.dumps({"key": key, "late": late, "token": token, "stops": list(scenes)}).encode()
    parts = [scene if isinstance(scene, str) else encoded(scene) for scene in scenes.values()]
    return head + b"\n" + (gzip.compress("\n".join(parts).encode(), 6, mtime=0) if parts else b"")


def module() -> str:
    """The stage for a host of its own, as one ES module that exports `mount`; `styles` go with it."""
    return scripts.module(_FOLDER / "host.js")


def strip(key: str, sent: bytes) -> None:
    """Send a strip to the stage `key`, mounted before.

    A strip of all stops stays the same while the handle moves, so that it is sent once; it is best cached, `rolled`.
    For a late one the browser asks by a run of what stands around this call, a fragment of its own.
    """
    _STRIP(data=sent, key=f"{key}_strip", height="content", on_late_change=_nothing)


@caught
def _nothing() -> None:
    """Do nothing: the run that a browser asks for says it all."""
