"""Where the app is found by others: as whoever keeps the server has said, else as this reader came."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

import streamlit as st


def address(page: str) -> str:
    """The public address of the app, without the path of the `page` that is shown and without a slash at its end."""
    configured = os.environ.get("LDP_EXPLORER_URL", "")
    if not configured:
        try:
            configured = str(st.secrets.get("LDP_EXPLORER_URL", ""))
        except FileNotFoundError:
            configured = ""
    if configured:
        return configured.rstrip("/")
    here = urlsplit(st.context.url or "")
    path = here.path.rstrip("/").removesuffix("/" + page)
    return f"{here.scheme}://{here.netloc}{path}".rstrip("/")
