"""The offer of files that travel: what it asks, and what it says when no file could be made."""

from __future__ import annotations

import pytest

from explorer.text.catalogue import catalogue_of
from explorer.ui.travel.process import TravelQuestion, UnmadeError
from ldpcore.questions import Progress, no_progress
from tests.screens.opening import answered, below, opened


def test_a_tour_that_could_not_be_made_is_said_once_and_may_be_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[TravelQuestion] = []

    def broken(question: TravelQuestion, progress: Progress = no_progress) -> bytes:
        asked.append(question)
        raise UnmadeError

    monkeypatch.setattr(TravelQuestion, "run", broken)
    app = below(opened("counting", way="lecture", step="2"), "take_away")
    answered(app.button("travel_make").click().run())
    assert [each.value for each in app.warning] == [catalogue_of("en").label("travel.unmade")]
    assert asked[0].of == "lecture" and not asked[0].answers, "for students, unless somebody asks for the answers"
    app.run()
    assert len(asked) == 1 and app.button("travel_make") and not app.warning
