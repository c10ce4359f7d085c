"""The sidebar's list of pages.

Measured: Streamlit's own navigation is rendered anew four times while a slider's move is answered, 14 of 125 ms in all;
links to pages are not. What they lack is added in the browser: that they are the navigation, which of them is the
present page, and that the sidebar, which lies over the page on a phone, gives way once one was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from explorer import navigation
from explorer.text import listing

_JS = """
const PHONE = 768  // Streamlit's own limit, in pixels

const mark = data => {
  const place = document.querySelector(".st-key-pages")
  if (!place) return
  place.setAttribute("role", "navigation")
  place.setAttribute("aria-label", data.label)
  place.querySelectorAll("a").forEach((link, position) => {
    if (position === data.present) link.setAttribute("aria-current", "page")
    else link.removeAttribute("aria-current")
    if (!link.getAttribute("href")) link.setAttribute("href", "./")  // the root: for a new tab
  })
  place.onclick = event => {
    if (!event.target.closest("a") || window.innerWidth > PHONE) return
    document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click()
  }
}

export default function ({ data }) {
  mark(data)
  const observer = new MutationObserver(() => mark(data))  // links may come later than this
  const sidebar = document.querySelector('[data-testid="stSidebar"]')
  if (sidebar) observer.observe(sidebar, { childList: true, subtree: true })
  return () => observer.disconnect()
}
"""

_SIDEBAR = st.components.v2.component("ldp_sidebar", html="<span></span>\n", js=_JS)


def links(found: Mapping[str, Sequence[Any]], present: Any) -> None:
    """The pages by group, as links, of which one is shown."""
    icons = {entry.slug: f":material/{entry.icon}:" for entry in navigation.entries()}
    with st.container(key="pages", gap="xsmall"):
        for title, members in found.items():
            st.caption(title)
            for page in members:
                st.page_link(page, icon=icons[page.url_path or navigation.DEFAULT])
    addresses = [page.url_path for members in found.values() for page in members]
    data = {"label": listing("labels")["app"]["pages"], "present": addresses.index(present.url_path)}
    _SIDEBAR(data=data, key="sidebar", height=1)
