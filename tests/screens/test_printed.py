"""What a text prints stands beside what is drawn only where the page is set as the step of its way says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.text.catalogue import catalogue_of
from explorer.ui import way
from explorer.ways import way_of
from tests.screens.opening import charts, moved, opened, strip, values

NAME = catalogue_of("en").label("way.printed")
PLACE = 4  # ten releases of five people
STEP = way_of("notebook").steps[PLACE - 1]


def at(**more: str) -> AppTest:
    """The page at the step, or as an address beside it asks."""
    asked = {**STEP.link.parameters, "way": "notebook", "step": str(PLACE), **more}
    return opened(STEP.link.page, **{key: text for key, text in asked.items() if text})


def printed(app: AppTest) -> list[list[float]]:
    """The crosses of the picture, by the series of that name."""
    traces = [trace for trace in charts(app)[0]["data"] if trace.get("name") == NAME]
    return [[float(y) for y in values(trace["y"]) if y is not None and np.isfinite(y)] for trace in traces]


@pytest.mark.all_stops
def test_what_is_printed_stays_at_its_level_and_its_name_at_every_other() -> None:
    app, exact = at(), [y for _, y in STEP.printed]
    assert printed(app) == [exact]
    for scene in strip(app).values():
        assert [trace.get("name") for trace in scene["figure"]["data"]].count(NAME) == 1
    assert printed(moved(app, 1.0)) == [[]]
    assert printed(moved(app, 0.1)) == [exact]


ELSEWHERE = ({"data": "clinic"}, {"counting_away": "true"}, {"way": "", "step": ""}, {"counting_tab": "one"})


def wrong() -> list[dict[str, str]]:
    """The settings under which what is printed of another question stands in the picture all the same."""
    return [more for more in ELSEWHERE if printed(at(**more))]


def test_what_is_printed_of_one_question_stands_beside_no_other() -> None:
    assert printed(at(counting_seed="7")) == [[y for _, y in STEP.printed]], "another draw of the same question"
    assert not wrong()


def test_a_planted_cross_beside_another_question_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    careless: Callable[..., object] = lambda page, settings, usual: (usual, STEP.printed)  # noqa: E731
    monkeypatch.setattr(way, "printed", careless)
    assert wrong() == list(ELSEWHERE)
