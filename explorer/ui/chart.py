"""A figure on the page, drawn by Plotly into a place that stays.

Measured: Streamlit's own chart element takes every figure down and draws the next one twice, which is most of what a
slider's move takes in the browser. Here Plotly changes what is there, once. It is the copy that Streamlit brings along
and loads with its first chart: an empty one, never shown, asks for it.
"""

from __future__ import annotations

import json

import streamlit as st

from explorer.figures import plot

_JS = """
const CONFIG = { displayModeBar: false, scrollZoom: false }
const loaded = async () => {
  while (!window.Plotly) await new Promise(done => setTimeout(done, 20))
}

const draw = async place => {
  if (place.busy) return
  place.busy = true
  try {
    await loaded()
    while (place.shown !== place.wanted && place.isConnected) {
      place.shown = place.wanted
      const { data, layout, frames } = JSON.parse(place.shown)
      layout.width = place.clientWidth
      if (place._transitionData?._frames.length) window.Plotly.purge(place)  // a replay would go on with the old frames
      await window.Plotly.react(place, { data, layout, frames, config: CONFIG })
    }
  } finally {
    place.busy = false
    tidy(place)
  }
}

// Also called for an update that a newer one has overtaken, and while Plotly draws: only what has left the page goes.
const tidy = place => {
  if (place.isConnected || place.busy) return
  place.observer.disconnect()
  window.Plotly?.purge(place)
}

const fit = place => {
  const width = place.clientWidth
  if (width && place._fullLayout && width !== place._fullLayout.width) window.Plotly.relayout(place, { width })
}

export default function ({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector(".ldp-figure")
  const { alt, height, figure } = JSON.parse(new TextDecoder().decode(data))
  place.setAttribute("aria-label", alt)
  place.style.height = `${height}px`
  const before = place.wanted
  place.wanted = figure
  place.observer ??= new ResizeObserver(() => fit(place))
  place.observer.observe(place)
  draw(place)

  const paper = getComputedStyle(parentElement).getPropertyValue("--st-background-color")
  if (place.paper && place.paper !== paper) setTriggerValue("paper", paper)  // ask for the colors of the new scheme
  place.paper = paper
  return () => {
    tidy(place)
    if (place.isConnected && before && place.wanted === figure) {
      place.wanted = before
      draw(place)
    }
  }
}
"""

_FIGURE = st.components.v2.component(
    "ldp_figure", html='<div class="ldp-figure" role="figure"></div>\n', js=_JS, isolate_styles=False
)


def load() -> None:
    """Ask Streamlit for its copy of Plotly."""
    with st.container(key="plotly"):
        st.plotly_chart({"data": [{"type": "scatter"}]})


def show(figure: plot.Figure, key: str, alt: str) -> None:
    """Show a figure, whose finding the alternative text tells to those who cannot see it."""
    data = json.dumps({"alt": alt, "height": figure.layout["height"], "figure": figure.json()})
    _FIGURE(data=data.encode(), key=key, height="content", on_paper_change=_repaint)


def _repaint() -> None:
    """Nothing to be done: the rerun that follows paints in the new colors."""
