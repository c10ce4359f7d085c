"""Recommendations of plans, as values that can be taken over: a level, a mechanism, a number of people."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from ldpcore.estimating import adviser
from ldpcore.mechanisms.base import CategoryRandomizer
from ldpcore.parameters import Epsilon, Interval, declaration
from ldpcore.questions import Recommendation, SettingValue


def only(*offered: Recommendation | None) -> tuple[Recommendation, ...]:
    """The recommendations that there are, each once."""
    return tuple(dict.fromkeys(each for each in offered if each is not None))


def sayable(level: float | None, down: bool = False) -> float | None:
    """The next level at or above (or below) that can be said: in hundredths, in smaller steps below 0.2.

    At most 5 % from the level. None where there is no level up to 50; a promise that holds from a level on holds there.
    """
    declared = declaration(Epsilon)
    assert isinstance(declared, Interval)
    low, high = declared.extreme
    if level is None or not math.isfinite(level) or level > high:
        return None
    step = min(-2, math.floor(math.log10(max(level, low) / 2)) - 1)
    slack = 1 + 1e-9 if down else 1 - 1e-9  # what a solver leaves of 0.6 is 0.6
    steps = (Decimal(max(level, low)) * Decimal(slack)).scaleb(-step)
    said = steps.to_integral_value(ROUND_FLOOR if down else ROUND_CEILING).scaleb(step)
    return min(float(said), high)


def recommended_level(level: float | None, purpose: str = "", **settings: SettingValue) -> Recommendation | None:
    """A level that can be said, with the settings that it takes; none where no level will do."""
    said = sayable(level)
    return None if said is None else Recommendation.of(purpose, **settings, epsilon=said)


def said_level(
    randomizer: CategoryRandomizer, level: float | None, fits: Callable[[CategoryRandomizer], bool]
) -> float | None:
    """The first level that can be said and is precise enough, from the level needed on.

    A design that rounds may err more for a while behind a change, see `adviser.level_needed`.
    """
    said = sayable(level)
    while said is not None:
        tuned = adviser.tuned_anew(randomizer, said)
        if tuned is None or fits(tuned):
            return None if tuned is None else said
        said = sayable(said * (1 + 1e-6))
    return said
