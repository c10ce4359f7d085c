"""Settings drawn over the declared ranges of their controls: both ends, 1, 2 and between, every option, every view."""

from __future__ import annotations

import math
import random
from functools import cache

from explorer.settings.typed import plain_number
from ldpcore.parameters import Interval
from tools.dearest import Opened, Seen, paths


def number(chance: random.Random, declared: Interval, low: float, high: float) -> str:
    """A number that the control takes: an end, 1 or 2, or anything between, evenly or over the orders of size."""
    kind = chance.random()
    if kind < 0.3:
        value = chance.choice((low, high))
    elif kind < 0.5:
        value = min(high, max(low, chance.choice((1.0, 2.0))))
    elif low > 0 and high / low > 20 and kind < 0.9:
        value = math.exp(chance.uniform(math.log(low), math.log(high)))
    else:
        value = chance.uniform(low, high)
    return plain_number(
        float(round(value)) if declared.integer else float(f"{value:.3g}") if low < value < high else value
    )


@cache
def opened(slug: str) -> Opened:
    """A page whose controls alone are drawn, kept for all settings."""
    return Opened(slug)


@cache
def options(slug: str) -> dict[str, tuple[str, ...]]:
    """Every choice of a page, with its options; what an option brings is met too."""
    met: dict[str, tuple[str, ...]] = {}
    for _, seen in paths(opened(slug)):
        met.update(seen.options)
    return met


def drawn(slug: str, seed: int) -> tuple[dict[str, str], Seen]:
    """The link of a setting with this number, and what the page declares and asks under it.

    First some choices are made, then a view, and then the numbers that these ask for.
    """
    chance = random.Random(f"{slug} {seed}")
    known = options(slug)
    made = {key: chance.choice(given) for key, given in sorted(known.items()) if given and chance.random() < 0.4}
    seen = opened(slug).by(made)
    if len(seen.views) > 1:
        made[f"{slug}_tab"] = chance.choice(seen.views)
        seen = opened(slug).by(made)
    numbers = {key: number(chance, *limits) for key, limits in sorted(seen.numbers.items()) if chance.random() < 0.7}
    link = numbers | made
    return link, opened(slug).by(link)
