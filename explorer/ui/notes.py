"""The speaker's notes in a window of their own, `?notes=lecture`: on a second screen, never on the projector.

They follow the presenter's window in this browser, without asking the server; their keys turn it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from explorer.facts import Name, Names
from explorer.paper.notes import notes
from explorer.text.catalogue import Catalogue
from explorer.ui import internals, scripts
from explorer.ways import ORDER, way_of
from explorer.ways.words import table

_USUAL = "lecture"
_NOTES = internals.component(
    "ldp_notes",
    html='<div class="ldp-notes"></div>\n',
    css=Path(__file__).with_suffix(".css").read_text("utf-8"),
    js=scripts.joined(Path(__file__).with_suffix(".js")),
    isolate_styles=False,
)


def asked() -> bool:
    """Whether the address asks for the notes in place of a page."""
    return "notes" in st.query_params


def show(catalogue: Catalogue) -> None:
    """Show the notes of the way that the address names; the lecture's, and a sentence, where it names none."""
    wanted = st.query_params["notes"]
    slug = wanted.lower() if wanted.lower() in ORDER else _USUAL
    if slug != wanted.lower() and wanted.lower() not in ("", "true"):
        facts = {
            "asked": Name(wanted[:60]),
            "options": Names(ORDER),
            "used": Name(table(catalogue, slug).text("title")),
        }
        st.warning(catalogue.markdown(None, "way.unknown", facts), icon=":material/link_off:")
    data = {"html": notes(way_of(slug), catalogue), "way": slug, "lang": catalogue.language, "dir": catalogue.direction}
    _NOTES(data=data, key="notes", height="content")
