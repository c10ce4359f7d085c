"""The δ of normal noise, which the comparison of errors asks for."""

from __future__ import annotations

from explorer.pages.counting.settings import Counting
from explorer.ui import controls
from explorer.ui.page import OwnSetting, Shown
from ldpcore.parameters import Delta


def delta(shown: Shown, asked: Counting, first: float) -> float:
    """The δ of all mechanisms that need one."""
    return float(controls.number(shown, "error_delta", Delta, default=first, low=1e-12, high=0.1))


DELTA = OwnSetting(delta, Counting.delta)
