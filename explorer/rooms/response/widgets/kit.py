"""What a survey at the door needs: which device, and a file to be printed."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import streamlit as st

from explorer.rooms.response.drawings.kit import kit as printed
from explorer.rooms.response.facts import facts
from explorer.ui import controls, links, share
from explorer.ui.shown import Shown
from ldpcore.experiments.response import SurveyKit
from ldpcore.mechanisms.devices import Kind


def kit(shown: Shown, first: str) -> str:
    """The device; below it the file: instruction, text for a board, form."""
    kind = controls.choice(shown, "device", Kind, default=first)
    result = SurveyKit(kind, shown.level).run()
    link = _evaluated(result.level, shown.catalogue.language)
    known: Any = facts(result)
    file = printed(result, known, shown.catalogue, link, share.qr_svg(link))
    st.download_button(
        shown.label("kit_save"),
        file,
        f"ldp-explorer-kit-{kind}.html",
        "text/html",
        f"{shown.slug}_kit",
        on_click="ignore",
        icon=":material/print:",
        help=shown.label("kit_save_help"),
    )
    return kind


def _evaluated(level: float, language: str) -> str:
    """Where the sums of the form are evaluated: at the level that the device really gives."""
    asked = {"response_tab": "real", "response_design": "level", "epsilon": f"{level:.10g}", "lang": language}
    return f"{links.address()}/response?{urlencode(asked)}"
