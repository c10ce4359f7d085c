"""Buttons that the browser itself must serve: copy the link, save the figure on screen as SVG or PNG."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_CSS = """
.place { display: flex; flex-wrap: wrap; gap: .5rem; }
button {
  font: inherit; font-size: .875rem; padding: .25rem .75rem; cursor: pointer;
  color: var(--st-text-color); background: transparent;
  min-height: 2.5rem; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); color: var(--st-link-color); }
"""

# Plotly draws the picture itself, in the size it has on screen (PNG twice as fine).
_JS = """
const save = (format, name) => {
  const figures = [...document.querySelectorAll(".ldp-figure")].filter(figure => figure.offsetParent)
  const figure = figures[0]
  if (!figure || !window.Plotly) return
  const { width, height } = figure._fullLayout
  window.Plotly.downloadImage(figure, { format, filename: name, width, height, scale: format === "png" ? 2 : 1 })
}

export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".place")
  const serve = {
    copy: async button => {
      await navigator.clipboard.writeText(data.link)
      button.textContent = data.labels.copied
      setTimeout(() => { button.textContent = data.labels.copy }, 2000)
    },
    svg: () => save("svg", data.stem),
    png: () => save("png", data.stem),
  }
  place.replaceChildren(...Object.keys(serve).filter(name => name in data.labels).map(name => {
    const button = document.createElement("button")
    button.type = "button"
    button.className = name
    button.textContent = data.labels[name]
    button.onclick = () => serve[name](button)
    return button
  }))
}
"""

_BUTTONS = st.components.v2.component("ldp_export", html='<div class="place"></div>\n', css=_CSS, js=_JS)


def buttons(link: str, stem: str, labels: Mapping[str, str]) -> None:
    """One button per label among `copy`, `svg` and `png`; `stem` is the file's name without its ending."""
    _BUTTONS(data={"link": link, "stem": stem, "labels": dict(labels)}, key="export", width="content", height="content")
