"""An SVG drawing on the page: Streamlit's own HTML element strips SVG, a component keeps it."""

from __future__ import annotations

from pathlib import Path

from explorer.ui import internals, scripts

_DRAWING = internals.component(
    "ldp_drawing",
    html='<div class="ldp-drawing"></div>\n',
    css="@media print { .ldp-drawing { break-inside: avoid; } }\n",
    js=scripts.joined(Path(__file__).with_suffix(".js")),
    isolate_styles=False,
)


def drawing(html: str, key: str) -> None:
    """Show the HTML of a page's `drawings`, which has escaped all texts."""
    _DRAWING(data={"html": html}, key=key, height="content")
