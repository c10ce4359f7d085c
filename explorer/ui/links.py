"""What a link asks of a page, judged before any widget exists, and the link that asks for the present page.

Streamlit drops an unusable parameter without a word; here every parameter is read as text when the page is reached
(from an address, a preset or "reset"), and the control it belongs to accepts it or says why not. Links carry slugs and
plain numbers; the address bar may show what Streamlit writes there; both are read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlencode, urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state

from explorer.navigation import DEFAULT
from explorer.text import listing
from explorer.ui.prose import fill

PROJECT = ("epsilon", "data")  # project-wide: they travel from page to page
APP = ("lecture", "hide")  # app-wide: they belong to the room, not to the page
T = TypeVar("T")


class UnusableError(ValueError):
    """A text that cannot be used as a value; the message is the rule it breaks, "must be ..."."""


def arrive(slug: str) -> None:
    """Take note of what is asked for, once per arrival on a page: its link, and what travels between pages."""
    state = st.session_state
    state["_known"] = {}
    if state.get("_page") == slug:
        if _stepped_back():  # what a widget is bound to Streamlit sets itself; what was written by `show` is asked for
            state["_asked"] |= {key: st.query_params.get_all(key) for key in state["_shown"]}
        return
    for key in chosen_in_rows(slug):
        state.pop(key, None)
    asked = {key: st.query_params.get_all(key) for key in st.query_params}
    for key, text in state.get("_project", {}).items():
        asked.setdefault(key, [text])
    state["_page"], state["_asked"], state["_unusable"], state["_noticed"] = slug, asked, [], None
    state["_shown"] = []


def chosen_in_rows(slug: str) -> tuple[str, str]:
    """Where the view and what is open below the figure are kept: no widget's, so leaving does not forget them."""
    return f"{slug}_tab", f"{slug}_below"


def _stepped_back() -> bool:
    """Whether the reader came by the browser's way back, or forth."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def ask(slug: str, wishes: Mapping[str, str]) -> None:
    """Set the whole page anew: what is not wished for takes its default."""
    state = st.session_state
    known = state.get("_known", {})
    state["_asked"] = {key: [] for key in (*known, f"{slug}_tab")} | {key: [text] for key, text in wishes.items()}
    state["_project"] = {key: wishes[key] for key in PROJECT if key in wishes}
    state["_page"], state["_unusable"], state["_noticed"] = slug, [], None


def settle(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> None:
    """Give a widget the value that the link asks for, or its default and a sentence that says why not.

    `write` is what Streamlit writes into the address for a value: the text of the option that the widget shows.
    """
    value = wish(key, name, default, read, write)
    if value is not None:
        st.session_state[key] = value
        _spell(key, None if value == default else write(value))


def wish(key: str, name: str, default: T, read: Callable[[str], T], write: Callable[[T], str]) -> T | None:
    """The value that is asked for, or the default and a sentence that says why not; None where nothing is asked."""
    texts: Sequence[str] | None = st.session_state.get("_asked", {}).pop(key, None)
    if texts is None:
        return None
    sentences = listing("labels")["frame"]
    if len(texts) > 1:
        complain(fill(sentences["twice"], {"name": name, "count": len(texts), "used": write(default)}))
    elif texts:
        try:
            return read(texts[0])
        except UnusableError as problem:
            told = {"name": name, "asked": texts[0][:60], "rule": str(problem), "used": write(default)}
            complain(fill(sentences["unusable"], told))
    return default


def _spell(key: str, text: str | None) -> None:
    """Spell a parameter in the address as Streamlit would, before its widget is there to bind it.

    Streamlit seeds a new widget from the address as it was at the start, and drops from it what it cannot read: a slug
    where it shows a name, a number without its groups. So the start is corrected too, by the function that Streamlit
    itself calls after a change of page.
    """
    with get_session_state().query_params() as address_bar:
        if address_bar.is_bound(key) or st.query_params.get_all(key) == ([] if text is None else [text]):
            return
        if text is None:
            st.query_params.pop(key, None)
        else:
            st.query_params[key] = text
        address_bar.set_initial_query_params_from_current()


def complain(sentence: str) -> None:
    """Remember what could not be used, for the notice at the top of the page."""
    if sentence not in st.session_state["_unusable"]:
        st.session_state["_unusable"].append(sentence)


def complaints() -> list[str]:
    """What the link asked for in vain; forgotten as soon as the reader sets something."""
    state = st.session_state
    if state["_noticed"] is None:
        state["_noticed"] = dict(state["_known"])
    elif state["_noticed"] != state["_known"]:
        state["_unusable"] = []
    found: list[str] = state["_unusable"]
    return found


def show(key: str, text: str | None) -> None:
    """Write a value that no widget holds into the address, or take it out."""
    if key not in st.session_state["_shown"]:
        st.session_state["_shown"].append(key)
    if text is None:
        st.query_params.pop(key, None)
    elif st.query_params.get_all(key) != [text]:
        st.query_params[key] = text


def keep(key: str, text: str, default: str) -> None:
    """Remember a control's present value as links write it.

    Project-wide ones travel to the next page, once somebody has moved them: each page may start at its own default.
    """
    state = st.session_state
    state["_known"][key] = None if text == default else text
    travelling = state.setdefault("_project", {})
    if key in PROJECT and (text != default or key in travelling):
        travelling[key] = text


def claim(family: str) -> dict[str, Sequence[str]] | None:
    """What is asked for in a family of parameters (`ask`, `ask_column`, ...), taken once; None where nothing is."""
    asked = st.session_state.get("_asked", {})
    found = {key: asked.pop(key) for key in list(asked) if _belongs(key, family)}
    return found or None


def carry(family: str, wishes: Mapping[str, str]) -> None:
    """Put a family of parameters in place of the present one: in links, in the address, and on the way between pages.

    For controls whose number varies, and which therefore cannot be bound one by one.
    """
    state = st.session_state
    for place in (state.setdefault("_known", {}), state.setdefault("_project", {})):
        for key in [key for key in place if _belongs(key, family)]:
            del place[key]
        place.update(wishes)
    for key in [key for key in st.query_params if _belongs(key, family) and key not in wishes]:
        del st.query_params[key]
    for key, text in wishes.items():
        if st.query_params.get_all(key) != [text]:
            st.query_params[key] = text


def _belongs(key: str, family: str) -> bool:
    return key == family or key.startswith(f"{family}_")


def address() -> str:
    """The public address of the app: the configured one, else the one that the reader uses."""
    configured = os.environ.get("LDP_EXPLORER_URL", "")
    if not configured:
        try:
            configured = str(st.secrets.get("LDP_EXPLORER_URL", ""))
        except FileNotFoundError:
            configured = ""
    if configured:
        return configured.rstrip("/")
    here = urlsplit(st.context.url or "")
    path = here.path.rstrip("/").removesuffix("/" + st.session_state.get("_page", ""))
    return f"{here.scheme}://{here.netloc}{path}".rstrip("/")


def link(slug: str) -> str:
    """The link that restores this page; the overview is the root and never linked by its slug."""
    wishes = {key: text for key, text in st.session_state.get("_known", {}).items() if text is not None}
    path = "/" if slug == DEFAULT else f"/{slug}"
    return address() + path + (f"?{urlencode(wishes)}" if wishes else "")
