"""An SVG drawing on the page: Streamlit's own HTML element strips SVG, a component keeps it."""

from __future__ import annotations

import streamlit as st

_JS = """
export default function ({ data, parentElement }) {
  const place = parentElement.querySelector(".ldp-drawing")
  if (place.drawn === data.html) return
  place.innerHTML = place.drawn = data.html
}
"""

_DRAWING = st.components.v2.component(
    "ldp_drawing", html='<div class="ldp-drawing"></div>\n', js=_JS, isolate_styles=False
)


def drawing(html: str, key: str) -> None:
    """Show a drawing from `explorer.drawings`, which has escaped whatever it shows."""
    _DRAWING(data={"html": html}, key=key, height="content")
