"""The range of each number's control, for values that are proposed or clicked before the control is drawn again."""

from __future__ import annotations

import math

from explorer.ui.sessionkeys import RANGES


def remember(key: str, ends: tuple[float, float]) -> None:
    """Note the two ends of the control with this key."""
    RANGES.held()[key] = ends


def reaches(key: str, value: object) -> bool:
    """Whether a number's control reaches a value; any other control judges it when asked."""
    low, high = RANGES.get().get(key, (-math.inf, math.inf))
    return not isinstance(value, (int, float)) or bool(low <= value <= high)


def is_slider(key: str) -> bool:
    """Whether a control of a number has this key."""
    return key in RANGES.get()
