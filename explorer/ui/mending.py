"""What Streamlit's own markup gets wrong for screen readers, mended in the browser.

Navigation in groups is drawn as a list whose items lie inside other boxes, which is no list; here each part is told
what it is: a group of links.
"""

from __future__ import annotations

import streamlit as st

_JS = """
const mend = () => {
  document.querySelectorAll('[data-testid="stSidebarNavItems"]').forEach(list => {
    if (list.getAttribute("role") !== "group") list.setAttribute("role", "group")
    list.querySelectorAll("li:not([role])").forEach(item => item.setAttribute("role", "presentation"))
  })
}
let observer

export default function () {
  mend()
  observer?.disconnect()
  observer = new MutationObserver(mend)
  const sidebar = document.querySelector('[data-testid="stSidebar"]')
  if (sidebar) observer.observe(sidebar, { childList: true, subtree: true })
  return () => observer.disconnect()
}
"""

_MENDING = st.components.v2.component("ldp_mending", html="<span></span>\n", js=_JS)


def mend_navigation() -> None:
    """Mount the mending once, out of sight."""
    _MENDING(key="mending", height=1)
