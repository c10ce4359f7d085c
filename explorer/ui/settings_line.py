"""The line of a phone and of a lecture that lists the settings, and opens and closes them."""

from __future__ import annotations

from pathlib import Path

from explorer.ui import internals, scripts

_CSS = """
.ldp-settings { align-items: center; gap: .5rem; width: 100%; min-height: 2.5rem; padding: .25rem .75rem;
  cursor: pointer; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
  background: none; color: inherit; font: .875rem var(--st-font); text-align: start; }
.ldp-settings:hover, .ldp-settings:focus-visible { border-color: var(--st-primary-color); }
.ldp-settings [aria-hidden] { font: 1.15rem "Material Symbols Rounded"; }
"""

_LINE = internals.component(
    "ldp_settings_line",
    html='<button type="button" class="ldp-settings"><span aria-hidden="true">tune</span><span></span></button>\n',
    css=_CSS,
    js=scripts.joined(Path(__file__).with_suffix(".js")),
    isolate_styles=False,
)


def show(label: str, line: str) -> None:
    """Show the line; the settings themselves stand in the container of their own name."""
    _LINE(data={"label": label, "line": line}, key="settings_line", height="content")
