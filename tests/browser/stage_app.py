"""A page that is nothing but a stage, for `test_stage.py`: no mathematics, two bells that grow narrow with the level.

The address decides: `?lecture`, `?rtl`, `?strip=no` (no strip at all) or `?strip=half`, `?view=drawn`, `?slow` (the
server takes its time).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import streamlit as st
from starlette.middleware import Middleware

from explorer.figures import plot, theme
from explorer.heads import Handle, Head, ViewRow
from explorer.host.plotlyscript import PlotlyScript
from explorer.ui import stage, style

STOPS = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0)
VIEWS = {"bells": "Two bells", "drawn": "As boxes", "ten": "Ten releases", "crowds": "Bigger crowds", "plan": "Plan it"}
MORE = {"mean": "Running mean", "late": "Afterwards"}
LABELS = {
    "views": "Views",
    "more": "More views",
    "pending": "…",
    "tools": "Figure",
    "fit": "Fit to this level",
    "whole": "Whole picture",
    "save": "Save as picture",
    "png": "Picture (PNG)",
    "svg": "Drawing (SVG)",
    "full": "Full screen",
    "leave": "Leave full screen",
    "plotly_failed": "The figure cannot be drawn. Its numbers:",
}


AFRESH = "Begin afresh"  # the button of whoever comes next to a page that stands
TIGHT = """<style>
[data-testid="stMainBlockContainer"] { padding: 1rem 2rem !important; }
h1 { padding: 0 !important; }
</style>"""


@dataclass(frozen=True)
class Scene:
    """One scene, as the stage wants it."""

    answer: str
    note: str
    alt: str
    figure: plot.Figure | None = None
    drawing: str | None = None


def bells(level: float, look: theme.Look) -> plot.Figure:
    """Two bells on a still axis."""
    x = np.linspace(-60, 60, 241)
    lines = [
        plot.scatter(
            x=x,
            y=level * np.exp(-level * np.abs(x - center)) / 2,
            mode="lines",
            name=name,
            line={"color": theme.PALETTE[place], "width": 3, "dash": theme.DASHES[place]},
        )
        for place, (center, name) in enumerate([(0, "with this person"), (1, "without")])
    ]
    axes = {"xaxis": {"range": [-60, 60]}, "yaxis": {"range": [0, 0.5]}}
    fit = {"xaxis.range": [-5 / level, 5 / level], "yaxis.range": [0, 0.6 * level]}
    layout = theme.layout(look, "With one person or without: nearly the same", "published count", "density", **axes)
    figure = plot.Figure(lines, layout | {"meta": {"fit": fit, "below": 4.2 * look.font_size}})
    theme.set_margins(figure, look)
    return figure


def boxes(level: float) -> str:
    """A drawing whose height follows the level."""
    rows = "".join(f"<rect x='10' y='{20 * row + 5}' width='{20 + 9 * level}' height='14'/>" for row in range(12))
    return f"<svg viewBox='0 0 200 260' style='width:100%;fill:#0B5FA5'>{rows}</svg>"


def scene(view: str, level: float, look: theme.Look) -> Scene:
    """The scene of a view at a level."""
    far = "a sentence that needs more room than the others, " * (1 if level < 0.05 else 0)
    answer = f"<p>882 people are counted; {far}noise moves it by about <strong>{1 / level:.3g}</strong>.</p>"
    note = f"<p>The view {view}: what stands below the handle may be below the fold.</p>"
    if view == "drawn":
        return Scene(answer, note, f"Boxes at {level}.", drawing=boxes(level))
    return Scene(answer, note, f"Two bells at {level}.", bells(level, look))


def handle(index: int) -> Handle:
    """The handle at one of its stops."""
    written = [f"{stop:g}" for stop in STOPS]
    return Handle(
        "Privacy level ε =",
        STOPS,
        written,
        [f"epsilon {each}" for each in written],
        [f"even odds become {np.exp(stop):.3g} : 1" for stop in STOPS],
        index,
        ("much noise, much privacy", "little noise, little privacy"),
    )


def main() -> None:
    """One run."""
    asked, state = st.query_params, st.session_state
    st.set_page_config(layout="wide", page_title="Stage")
    look = theme.Look(lecture="lecture" in asked, dark=st.context.theme.type == "dark")
    st.html(style.EVERYWHERE + (style.LECTURE + TIGHT if look.lecture else ""))
    st.title("Can a count keep a secret?")
    state.setdefault("level", 0.1)
    state.setdefault("view", asked.get("view", "bells"))
    play(look)
    st.button(AFRESH, on_click=lambda: state.update(level=0.1, view=asked.get("view", "bells"), heard=[]))


@st.fragment
def play(look: theme.Look) -> None:
    """The stage and its strip."""
    asked, state = st.query_params, st.session_state
    view, index = state["view"], STOPS.index(state["level"])
    if "slow" in asked and state.get("heard"):
        time.sleep(1)
    shown = {stop: scene(view, STOPS[stop], look) for stop in range(len(STOPS))}
    token = f"{view} {look}"
    stage.show(
        "stage",
        head=Head(
            ViewRow(VIEWS, view, MORE),
            handle(index),
            LABELS,
            "rtl" if "rtl" in asked else "ltr",
            look.lecture,
            "bells",
            {},
        ),
        scene=shown[index],
        token=token,
        heard=stage.Heard(
            lambda level: state.update(level=level, heard=[*state.get("heard", []), level]),
            lambda slug: state.update(view=slug),
        ),
    )
    kind = asked.get("strip", "whole")
    if kind != "no":
        sent = {stop: each for stop, each in shown.items() if kind == "whole" or stop < 10}
        stage.strip("stage", stage.rolled("stage", token, sent))
    st.write("The server has heard:", ", ".join(f"{level:g}" for level in state.get("heard", [])) or "nothing")
    st.html("<div style='height:60rem'></div>")


if __name__ == "__main__":
    main()
else:
    app = st.App(__file__, middleware=[Middleware(PlotlyScript)])
