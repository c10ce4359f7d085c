"""What the whole document hears and says: the presenter's keys, whatever has the focus, and the language of its texts.

A lecture is told with one key: Page Down goes through the views of a page in the order of telling, then to the next
page; other keys hide, draw again and show the code of this view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from explorer.text.catalogue import Catalogue
from explorer.ui.caught import caught

_CSS = """
.ldp-keys { position: fixed; z-index: 1000; inset: 0; display: none; place-content: center; gap: 1rem;
  background: #fff; color: #000; text-align: center; }
.ldp-keys[open] { display: grid; }
.ldp-keys svg { width: min(80vw, 78vh); height: auto; }
.ldp-keys p { margin: 0; font: 1rem var(--st-font); overflow-wrap: anywhere; max-width: 90vw; }
"""

_JS = """
const TYPED = 'input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable=true]'
const WAYS = { PageDown: "next", PageUp: "previous" }
const ROOM = { h: "hide", d: "draw" }

export default function ({ data: [data], parentElement, setTriggerValue }) {
  const cover = parentElement.querySelector(".ldp-keys")
  document.documentElement.lang = data.lang
  document.documentElement.dir = data.dir
  try { void top.document } catch { document.documentElement.setAttribute("data-ldp-framed", "") }  // another site's
  cover.innerHTML = data.code
  // A table of the reader's own dies with its session; the browser remembers that there was one, and nothing of it.
  try {
    if (data.own) sessionStorage.setItem("ldpOwn", "1")
    else if (sessionStorage.getItem("ldpOwn")) {
      sessionStorage.removeItem("ldpOwn")
      setTriggerValue("pressed", "gone")
    }
  } catch { /* inside a frame of another site a browser may remember nothing */ }
  cover.setAttribute("aria-label", data.label)
  if (window.ldpPage !== data.page) {
    const narrow = innerWidth <= 768  // Streamlit's own limit: the list of pages lies over the page, and gives way
    if (window.ldpPage && narrow) document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click()
    window.ldpPage = data.page
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 })  // each page begins at its top
  }
  const pressed = event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPED)) return
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    if (key === "Escape" && cover.hasAttribute("open")) cover.removeAttribute("open")
    else if (WAYS[key]) setTriggerValue("pressed", WAYS[key])
    else if (data.lecture && key === "q") cover.toggleAttribute("open")
    else if (data.lecture && ROOM[key]) setTriggerValue("pressed", ROOM[key])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  // A connection that was lost may come back to a new session, which knows nothing of this page until it has run once.
  const app = document.querySelector('[data-testid="stApp"]'), connected = () => app.dataset.testConnectionState
  let before = connected()
  const line = new MutationObserver(() => {
    const now = connected()
    if (now === "CONNECTED" && before !== now) setTriggerValue("pressed", "again")
    before = now
  })
  line.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] })
  cover.onclick = () => cover.removeAttribute("open")
  // Called with every answer of the server and on every page: only the last one listens, or a key would be heard twice.
  window.ldpKeys?.()
  document.addEventListener("keydown", pressed, true)
  window.ldpKeys = () => {
    line.disconnect()
    document.removeEventListener("keydown", pressed, true)
  }
}
"""

_KEYS = st.components.v2.component(
    "ldp_keys", html='<div class="ldp-keys" role="dialog"></div>\n', css=_CSS, js=_JS, isolate_styles=False
)


def listen(
    page: str, catalogue: Catalogue, lecture: bool, code: str, own: bool, answers: Mapping[str, Callable[[], object]]
) -> None:
    """Listen for the keys; `answers` says what each does, `code` is what Q shows on the whole screen.

    `own` says whether there is a table of the reader's own; the answer "gone" hears that there was one before.
    """
    state: Any = st.session_state

    @caught
    def hear() -> None:
        answers[str(state["keys"]["pressed"])]()

    data = {
        "page": page,
        "lecture": lecture,
        "label": catalogue.label("qr_alt"),
        "code": code,
        "lang": catalogue.language,
        "dir": catalogue.direction,
        "own": own,
    }
    # In a tuple: a text is asked whether it is a table, which takes loading pandas.
    _KEYS(data=(data,), key="keys", height="content", on_pressed_change=hear)
