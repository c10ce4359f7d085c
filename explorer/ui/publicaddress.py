"""The public address of the app: the server's configured one, else the one that this reader used."""

from __future__ import annotations

import os
from functools import lru_cache
from time import monotonic
from urllib.parse import urlsplit

import streamlit as st

FRESH = 60.0  # seconds for which the secrets are known: Streamlit looks for them anew where there are none


def address(page: str) -> str:
    """The public address of the app, without the path of the present `page` and without a slash at its end."""
    configured = os.environ.get("LDP_EXPLORER_URL", "") or _secret(int(monotonic() // FRESH))
    if configured:
        return configured.rstrip("/")
    here = urlsplit(st.context.url or "")
    path = here.path.rstrip("/").removesuffix("/" + page)
    return f"{here.scheme}://{here.netloc}{path}".rstrip("/")


@lru_cache(maxsize=1)
def _secret(when: int) -> str:
    """The address in the secrets of the app, as of this minute; empty where they name none."""
    try:
        return str(st.secrets.get("LDP_EXPLORER_URL", ""))
    except FileNotFoundError:
        return ""
