"""A button that the browser itself must serve: copy the link."""

from __future__ import annotations

import streamlit as st

_CSS = """
button {
  font: inherit; font-size: .875rem; padding: .25rem .75rem; cursor: pointer;
  color: var(--st-text-color); background: transparent;
  min-height: 2.5rem; border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius);
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); color: var(--st-link-color); }
"""

_JS = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button")
  button.textContent = data.copy
  button.onclick = async () => {
    await navigator.clipboard.writeText(data.link)
    button.textContent = data.copied
    setTimeout(() => { button.textContent = data.copy }, 2000)
  }
}
"""

_BUTTON = st.components.v2.component(
    "ldp_export", html='<button type="button" class="copy"></button>\n', css=_CSS, js=_JS
)


def copy_link(link: str, copy: str, copied: str) -> None:
    """Copy a link; the button says for a while that it was done."""
    data = {"link": link, "copy": copy, "copied": copied}
    _BUTTON(data=data, key="export", width="content", height="content")
