"""Whatever is raised while a page is built becomes one sentence and a way back; the log has the place and no value."""

from __future__ import annotations

import logging

import pytest

from explorer.text.catalogue import catalogue_of
from explorer.ui import page
from tests.screens.opening import answer, opened

SECRET = "Gräfelfing"


def test_what_is_raised_becomes_a_sentence_and_the_page_can_be_reset(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    app = opened("counting", epsilon="0.3")

    def broken(run: object) -> None:
        raise KeyError(SECRET)

    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(page._Run, "show", broken)
        app.run()
    assert not app.exception
    (told,) = app.error
    assert told.value == catalogue_of("en").label("frame.trouble") and SECRET not in told.value
    logged = " ".join(record.getMessage() for record in caplog.records if record.name == "explorer.ui.trouble")
    assert "KeyError on counting" in logged and "broken" in logged and SECRET not in logged + caplog.text
    next(button for button in app.button if button.key == "trouble").click().run()
    assert not app.error and answer(app)


def test_what_was_entered_stays_when_something_was_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened("counting", epsilon="0.3", counting_seed="7")
    with monkeypatch.context() as patched:
        patched.setattr(page._Run, "show", lambda run: 1 / 0)
        app.run()
        assert app.error
    app.run()
    assert not app.error and "0.3" in str(app.query_params["epsilon"]) and "7" in str(app.query_params["counting_seed"])
