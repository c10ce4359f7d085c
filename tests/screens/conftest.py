"""For every test of a screen: no page fails, and a control has one source of its value, its default or its key."""

import logging
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest
from streamlit.elements.lib import policies

from explorer.poll import rooms as kept
from explorer.poll.rooms import Rooms
from explorer.ui import caught, share


@pytest.fixture(autouse=True)
def one_source(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Streamlit warns once in a process of a control with two, so each test begins anew."""
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    policies._LOGGER.addHandler(caplog.handler)
    yield
    policies._LOGGER.removeHandler(caplog.handler)
    records = [record for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    # What a page raises it tells in a sentence of its own: Streamlit, whom a test asks for exceptions, hears of none.
    assert not [record.getMessage() for record in records if record.name == caught.__name__]
    warned = [record.getMessage() for record in records]
    assert not [text for text in warned if "created with a default value" in text]


@pytest.fixture(autouse=True)
def _codes_once() -> None:
    """The QR code of an address is drawn once, not for each test that takes something along from it."""
    if not hasattr(share.qr_svg, "cache_info"):
        share.qr_svg = lru_cache(256)(share.qr_svg)


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    """The rooms of this server, in a database of their own."""
    monkeypatch.setenv("LDP_EXPLORER_ROOMS", str(tmp_path / "rooms.sqlite"))
    kept.rooms.cache_clear()
    yield kept.rooms()
    kept.rooms.cache_clear()
