"""The reach of each control: a number's range, for values that are proposed or clicked before it is drawn; options."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.ui.sessionkeys import OPTIONS, RANGES


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


@dataclass(frozen=True)
class ControlOptions:
    """The values that a control offers: its label, and their titles by what links say."""

    label: str
    titles: Mapping[str, str] = field(default_factory=dict)


def remember_options(key: str, label: str, titles: Mapping[str, str]) -> None:
    """Note the options of the control with this key."""
    OPTIONS.held()[key] = ControlOptions(label, dict(titles))


def options() -> Mapping[str, ControlOptions]:
    """The options of all controls that were drawn, by their keys."""
    return OPTIONS.get()
