"""A stage on a page of its own without Streamlit: one HTML text with the stage's module, its looks and its scenes."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

from explorer.figures import theme
from explorer.heads import Head, ViewRow
from explorer.paper.printing import sketch
from explorer.paper.sheets import numerals_of
from explorer.text.catalogue import catalogue_of
from explorer.ui import stage
from tests.browser.stage_app import LABELS, MORE, STOPS, VIEWS, handle, scene

COLORS = {
    "--st-text-color": "#10151C",
    "--st-background-color": "#FFFFFF",
    "--st-secondary-background-color": "#F2F4F7",
    "--st-primary-color": "#0B5FA5",
    "--st-link-color": "#0B5FA5",
    "--st-border-color": "#C9CFD6",
    "--st-font": "Arial, Helvetica, sans-serif",
}
HOST = """
const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
window.heard = []
const told = (name, value) => heard.push([name, value])
window.show = ([data, strip]) => mount({
  data: bytes(data), strip: bytes(strip), parentElement: document.querySelector("main"),
  setStateValue: told, setTriggerValue: told,
})
window.leave = show(SENT)
"""


def sent(view: str, *, plotly: str = "", lecture: bool = False) -> list[str]:
    """A scene of a view and its strip, both as letters."""
    look, write = theme.Look(lecture=lecture), numerals_of(catalogue_of("en"))
    scenes = {stop: scene(view, level, look) for stop, level in enumerate(STOPS)}
    drawn = {stop: sketch(each.figure, write) for stop, each in scenes.items() if each.figure is not None}
    index = STOPS.index(0.1)
    message = stage.message(
        "hosted",
        head=Head(ViewRow(VIEWS, view, MORE), handle(index), LABELS, "ltr", lecture, "bells", {}),
        scene=scenes[index],
        token=view,
        plotly=plotly,
        sketch=drawn.get(index, ""),
    )
    words = {stop: stage.encoded(each, sketch=drawn.get(stop, "")) for stop, each in scenes.items()}
    return [base64.b64encode(data).decode() for data in (message, stage.rolled("hosted", view, words))]


def page_of(
    view: str, *, plotly: str = "", promised: str = "null", lecture: bool = False, colors: Mapping[str, str] = COLORS
) -> str:
    """The HTML of a page with one view at all stops; `promised` is the host's promise of Plotly, in JavaScript."""
    variables = " ".join(f"{name}: {value};" for name, value in colors.items())
    shown = json.dumps(sent(view, plotly=plotly, lecture=lecture))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Stage</title><style>:root {{ {variables} }} '
        f"body {{ margin: 1rem; }}\n{stage.styles()}</style><main></main>"
        f"<script>window.ldpStages = {{ plotly: {promised} }}</script>"
        f'<script type="module">{stage.module()}\nconst SENT = {shown}\n{HOST}</script></html>'
    )
