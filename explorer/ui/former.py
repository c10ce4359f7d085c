"""What an address asks for that no longer stands by itself: the nearest view opens, and one sentence says so."""

from __future__ import annotations

import streamlit as st

from explorer import aliases
from explorer.facts import Name
from explorer.ui.language import catalogue
from explorer.ui.linkstate import link_state


def elsewhere(slug: str, travelling: tuple[str, ...]) -> tuple[str, dict[str, str]] | None:
    """The page to which a view of this one has moved, and what to ask of it; none where the view is here."""
    text = st.query_params.get(f"{slug}_tab", "")
    now = aliases.retired(slug, text)
    if now is None or not now.page or "." in text:
        return None
    former = text if text in aliases.RETIRED[slug] else aliases.views(slug, text)[0]
    kept = {key: st.query_params[key] for key in travelling if key in st.query_params}
    kept |= now.carried({key: st.query_params[key] for key in st.query_params})
    return now.page, kept | {f"{now.page}_tab": f"{slug}.{former}"}


def read(slug: str) -> None:
    """Ask for the nearest view in place of one that no longer stands by itself."""
    link, key = link_state(), f"{slug}_tab"
    texts = link.asked.get(key, ())
    now = aliases.retired(slug, texts[0]) if len(texts) == 1 else None
    if now is not None:
        link.asked = {**now.ask(link.asked), key: [now.view]}
        facts = {"view": Name(catalogue().text(slug, f"view {now.view}"))}
        if now.below:
            st.session_state[f"{slug}_below"] = now.below
            facts["below"] = Name(catalogue().label(now.below))
        key = "frame.retired_below" if now.below else "frame.retired"
        link.became, link.became_under = catalogue().markdown(None, key, facts), None
    elif texts:
        link.became = ""


def sentence() -> str:
    """What the view of the address has become; forgotten once the reader sets something after it."""
    link, known = link_state(), dict(link_state().known)
    if link.became_under not in (None, known):
        link.became = ""
    link.became_under = known
    return link.became
