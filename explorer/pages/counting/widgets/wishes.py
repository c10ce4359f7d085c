"""The wish of a plan: the distance from the answer, and the confidence."""

from __future__ import annotations

from explorer.declarations import OwnSetting
from explorer.pages.counting.settings import Counting
from explorer.ui import controls
from explorer.ui.shown import Shown
from ldpcore.experiments.counting.releases import AnswerWidth
from ldpcore.parameters import Confidence


def wanted(shown: Shown, asked: Counting, first: tuple[float, float]) -> tuple[float, float]:
    """The width in the unit of the answer, and the confidence."""
    typical = asked.widths()[1]
    width = controls.number(shown, "width", AnswerWidth, default=first[0], low=1e-6, high=1e18, typical=typical)
    return width, controls.number(shown, "confidence", Confidence, default=first[1], low=0.5, high=0.99)


WISH = OwnSetting(wanted, Counting.wish)
