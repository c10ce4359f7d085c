"""Settings drawn over the declared ranges of their controls: both ends, 1, 2 and between, every option, every view."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import cache
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qsl

from explorer.figures.theme import Look
from explorer.scenes import scene
from explorer.settings.typed import plain_number
from explorer.ui import links as judged
from ldpcore.parameters import Interval
from tests.fuzz.said import plainly
from tests.rationing import ALL
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


def ways(page: Opened) -> Iterator[tuple[dict[str, str], Seen]]:
    """The page as it opens, and under each option of each choice, those that an option brings among them.

    At night one option after the other. By day choices that came together take their next option together, each as long
    as it has one, and what another option of the same opening took away is opened by itself.
    """
    if ALL:
        yield from paths(page)
        return
    known: set[str] = set()
    waiting: list[tuple[dict[str, str], dict[str, str]]] = [({}, {})]  # what stands at first, and what is chosen
    while waiting:
        usual, now = waiting.pop(0)
        seen = page.by(usual | now)
        yield usual | now, seen
        if len(now) > 1:
            waiting += [(usual, {key: option}) for key, option in now.items() if key not in seen.options]
        brought = {key: options for key, options in seen.options.items() if key not in known}
        known.update(brought)
        first = usual | now | {key: options[0] for key, options in brought.items()}
        for place in range(max(map(len, brought.values()), default=0)):
            row = {key: options[place] for key, options in brought.items() if place < len(options)}
            waiting.append((first, row))


@cache
def walked(slug: str) -> tuple[dict[str, dict[str, Any]], list[tuple[dict[str, str], Seen]]]:
    """A page's readers, and all ways that it was opened in to find them."""
    met: dict[str, dict[str, Any]] = {}
    wish, gone = judged.requested, []

    def noted(key: str, name: str, default: Any, read: Any, write: Any) -> Any:
        met.setdefault(key, {"read": read, "options": ()})
        return wish(key, name, default, read, write)

    with patch.object(judged, "requested", noted):
        for chosen, seen in ways(opened(slug)):
            gone.append((chosen, seen))
            for key, options in seen.options.items():
                met[key]["options"] = options
            if seen.views:
                met[f"{slug}_tab"]["options"] = seen.views
    return met, gone


def readers(slug: str) -> dict[str, dict[str, Any]]:
    """Everything on a page that reads a part of a link: how, and what its options are."""
    return walked(slug)[0]


@cache
def options(slug: str) -> dict[str, tuple[str, ...]]:
    """Every choice of a page, with its options; what an option brings is met too."""
    return {key: part["options"] for key, part in readers(slug).items() if key != f"{slug}_tab"}


def drawn(slug: str, seed: int) -> tuple[dict[str, str], Seen]:
    """The link of a setting with this number, and what the page declares and asks under it.

    First all choices are made, then a view, and then the numbers that these ask for, so that nothing stays of before.
    """
    chance = random.Random(f"{slug} {seed}")
    known = options(slug)
    made = {
        key: chance.choice(given if chance.random() < 0.4 else given[:1])
        for key, given in sorted(known.items())
        if given
    }
    seen = opened(slug).by(made)
    if len(seen.views) > 1:
        made[f"{slug}_tab"] = chance.choice(seen.views)
        seen = opened(slug).by(made)
    numbers = {key: number(chance, *limits) for key, limits in sorted(seen.numbers.items())}
    link = numbers | made
    return link, opened(slug).by(link)


@cache
def arrived(slug: str, link: str) -> Any:
    """What a page asks of a visitor who arrives by a link, and by nothing before it."""
    return Opened(slug).by(dict(parse_qsl(link))).run


def said(slug: str, link: str, level: float | None = None, language: str = "en") -> str:
    """The answer and the note that a page gives under a link, as a reader reads them; at a level, or the page's own."""
    run = arrived(slug, link)
    made = scene(run.page, run.view, run.asked, run.level if level is None else level, Look(), language, own=run.own)
    return " ".join((*plainly(made.answer), *plainly(made.note)))
