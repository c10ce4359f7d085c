"""What the boxes call wrong, on boxes made by hand."""

from __future__ import annotations

import pytest

from tests.browser.boxes import Corners, Part, faults, share, shared


def box(left: float, top: float, right: float, bottom: float) -> Corners:
    return (left, top), (right, top), (right, bottom), (left, bottom)


FRAME = box(0, 100, 400, 700)
PLOT = Part("plot", "", box(60, 120, 390, 600))
TURNED = ((100.0, 610.0), (110.0, 620.0), (60.0, 670.0), (50.0, 660.0))  # by 45 degrees: its outline is half empty
CLEAR = [Part("question", "Why?", box(0, 0, 400, 40)), Part("figure", "", FRAME), PLOT]
WRONG = {
    "figure reaches from 0 to 420 of 400": Part("figure", "", box(0, 100, 420, 700)),
    "handle ends at 830 of 800": Part("handle", "", box(0, 780, 400, 830)),
    "answer 'Yes.' lies on question 'Why?' by 10 px": Part("answer", "Yes.", box(0, 30, 400, 60)),
    "tick '5' lies on plot by 8 px": Part("tick", "5", box(40, 300, 68, 310), FRAME),
    "axis title 'people' is cut by 7 px": Part("axis title", "people", box(-7, 300, 20, 400), FRAME),
    "'A whole ta' is cut": Part("cut", "A whole ta", ()),
}


def test_what_stands_clear_is_not_complained_about() -> None:
    ticks = [Part("tick", "schooling 6", TURNED, FRAME), Part("tick", "7", box(52, 608, 60, 625), FRAME)]
    assert not list(faults([*CLEAR, *ticks], 400, 800))
    assert share(CLEAR, 800) == 0.75


@pytest.mark.parametrize("complaint", WRONG)
def test_each_mistake_is_named(complaint: str) -> None:
    assert complaint in set(faults([WRONG[complaint], *CLEAR], 400, 800))


def test_boxes_that_are_turned_are_compared_as_they_lie() -> None:
    assert shared(TURNED, box(50, 608, 60, 625)) < 0 < shared(TURNED, box(80, 635, 100, 660))
