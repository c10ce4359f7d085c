"""For every test of a screen: a control has one source of its value, and strips are drawn where they are looked at."""

import logging
from collections.abc import Iterator

import pytest
from streamlit.elements.lib import policies

from explorer.ui import page, stage


@pytest.fixture(autouse=True)
def one_source(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Streamlit warns once in a process of a control with two, so each test begins anew."""
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)
    policies._LOGGER.addHandler(caplog.handler)
    yield
    policies._LOGGER.removeHandler(caplog.handler)
    warned = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    assert not [text for text in warned if "created with a default value" in text]


def _nothing_ahead(run: page._Run[object]) -> None:
    stage.strip(run.key, stage.rolled(run.key, run.token, {}))


@pytest.fixture(autouse=True)
def strips_where_looked_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All other stops of a handle are drawn for a test that reads them (`strip`) or asks for them (`all_stops`).

    They are nine tenths of what a page draws. Those of every option and both ends of every control are drawn by
    `test_every_page.py`, and held to the laws by `test_scenes.py`.
    """
    test = request.function
    if "strip" not in test.__code__.co_names and request.node.get_closest_marker("all_stops") is None:
        monkeypatch.setattr(page._Run, "_strip", _nothing_ahead)
