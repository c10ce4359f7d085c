"""A button that the browser itself must serve: copy the link."""

from __future__ import annotations

from pathlib import Path

from explorer.ui import internals, scripts

_CSS = """
button {
  font: inherit; font-size: .875rem; padding: .25rem .75rem; cursor: pointer;
  color: var(--st-text-color); background: transparent;
  min-height: 2.5rem; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); color: var(--st-link-color); }
"""

_BUTTON = internals.component(
    "ldp_export",
    html='<button type="button" class="copy"></button>\n',
    css=_CSS,
    js=scripts.joined(Path(__file__).with_suffix(".js")),
)


def copy_link(link: str, copy: str, copied: str) -> None:
    """Copy a link; the button says for a while that it was done."""
    data = {"link": link, "copy": copy, "copied": copied}
    _BUTTON(data=data, key="export", width="content", height="content")
