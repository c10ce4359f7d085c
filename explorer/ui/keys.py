"""The keys of the whole document: the presenter's, whatever has the focus; and the language of its texts.

A lecture is told with one key: on a way Page Down shows what was predicted and goes to the next step; off every way it
goes through the views of a page in the order of telling, then to the next page. Other keys go through the views of the
page, to the first page, hide, draw again and show the code of this view. The window of the notes hears where the room
is, and its keys count as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from explorer.text.catalogue import Catalogue
from explorer.ui import internals, scripts
from explorer.ui.caught import caught

_CSS = """
.ldp-keys { position: fixed; z-index: 1000; inset: 0; display: none; place-content: center; gap: 1rem;
  background: #fff; color: #000; text-align: center; }
.ldp-keys[open] { display: grid; }
.ldp-keys svg { width: min(80vw, 78vh); height: auto; }
.ldp-keys p { margin: 0; font: 1rem var(--st-font); overflow-wrap: anywhere; max-width: 90vw; }
.ldp-keys:has(.ldp-code) svg { width: min(70vw, 58vh); justify-self: center; }
.ldp-keys .ldp-code { font: 700 min(14vw, 17vh)/1 monospace; letter-spacing: .12em; margin-inline-end: -.12em; }
.ldp-keys .ldp-code + p { font-size: min(3vw, 4vh); }
"""

_KEYS = internals.component(
    "ldp_keys",
    html='<div class="ldp-keys" role="dialog"></div>\n',
    css=_CSS,
    js=scripts.joined(Path(__file__).with_suffix(".js")),
    isolate_styles=False,
)


def listen(
    page: str,
    catalogue: Catalogue,
    lecture: bool,
    code: str,
    own: bool,
    signal: str,
    turns: Mapping[str, str],
    answers: Mapping[str, Callable[[], object]],
) -> None:
    """Listen for the keys; `answers` are their actions, `code` is the content of the whole screen at Q.

    `own` says whether there is a table of the reader's own; the answer "gone" hears that there was one before.
    `signal` tells other windows of this browser the present step of a way; empty off every way. `turns` are
    the addresses to which keys lead on a way, each one step of the browser's history.
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
        "signal": signal,
        "turns": dict(turns),
    }
    # In a tuple: a text is asked whether it is a table, which takes loading pandas.
    _KEYS(data=(data,), key="keys", height="content", on_pressed_change=hear)
