"""What a page makes of exact values typed beside its sliders and of links: its controls are drawn, its stage is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st

from explorer.heads import declared_level
from explorer.navigation import entries
from explorer.settings.typed import Habits, plain_number
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.ui import lecture
from explorer.ui import links as judged
from ldpcore.parameters import Interval
from tests.fuzz.boxes import Box, RefusedError, Shown
from tests.fuzz.drawn import opened
from tests.fuzz.texts import TELLING, numbers
from tests.scenes import declared

SLUGS = tuple(entry.slug for entry in entries() if declared(entry.slug).on_stage)
TROUBLE = catalogue_of("en").label("frame.trouble")
LEVEL = "epsilon"


@dataclass(frozen=True)
class Known:
    """What a page declares in one view: its numbers with their ends, its choices, and all that a link may set."""

    numbers: Mapping[str, tuple[Interval, float, float]]
    options: Mapping[str, tuple[str, ...]]
    keys: tuple[str, ...]


@cache
def known(slug: str, view: str) -> Known:
    """What can be set on a page in one of its views."""
    met: list[str] = []
    wish = judged.requested

    def noted(key: str, *more: Any) -> Any:
        met.append(key)
        return wish(key, *more)

    with patch.object(judged, "requested", noted):
        seen = opened(slug).by({f"{slug}_tab": view})
    low, high = declared_level().extreme
    return Known(seen.numbers | {LEVEL: (declared_level(), low, high)}, seen.options, tuple(dict.fromkeys(met)))


def views() -> st.SearchStrategy[tuple[str, str]]:
    """One of the views of all pages."""
    return st.sampled_from([(slug, view) for slug in SLUGS for view in declared(slug).on_stage])


def exact_values() -> Box:
    """Numbers typed into the boxes beside sliders, in any language, one or two of a view."""
    tongue, texts = st.sampled_from(languages()), st.lists(_near(), min_size=1, max_size=2)
    return Box(st.tuples(views(), tongue, texts, st.integers(0, 99)), _typed)


def _near() -> st.SearchStrategy[Any]:
    """A text; or a number from 0 to 1 that says where between the ends of its control a number lies."""
    return st.one_of(numbers(), st.floats(0, 1), st.sampled_from((0.0, 1.0, *TELLING)))


def _typed(where: tuple[str, str], language: str, texts: list[Any], place: int) -> Shown:
    slug, view = where
    held, wanted, written = known(slug, view).numbers, {}, Habits.of(language)
    for step, text in enumerate(texts):
        key = list(held)[(place + step) % len(held)]
        declared_, low, high = held[key]
        said = text if isinstance(text, str) else written.spelled(_between(text, low, high, declared_.integer))
        wanted[key] = plain_number(written.between(said, low, high, whole=declared_.integer))
    return followed(slug, {f"{slug}_tab": view} | wanted)


def _between(share: float, low: float, high: float, integer: bool) -> float:
    """A number so far between two ends, by powers where they are far apart."""
    far = low > 0 and high / low > 1000
    value = low * (high / low) ** share if far else low + (high - low) * share
    return min(max(round(value) if integer else value, low), high)


def wild_links() -> Box:
    """Links to one of the views whose parameters hold wild numbers, or options."""
    return Box(views().flatmap(_link), followed)


def _link(where: tuple[str, str]) -> st.SearchStrategy[tuple[str, dict[str, str]]]:
    slug, view = where
    page = known(slug, view)
    keys = [key for key in page.keys if key not in lecture.ALL and key != f"{slug}_tab"] or [LEVEL]
    one = st.sampled_from(keys).flatmap(lambda key: st.tuples(st.just(key), _wish(page, key)))
    return st.tuples(st.just(slug), st.lists(one, max_size=5).map(partial(_with_view, f"{slug}_tab", view)))


def _with_view(key: str, view: str, wishes: list[tuple[str, str]]) -> dict[str, str]:
    return {key: view} | dict(wishes)


def _wish(page: Known, key: str) -> st.SearchStrategy[str]:
    """What a link may ask of a control: a number between its ends or any other, one of its options or none."""
    if key in page.options:
        return st.one_of(st.sampled_from(page.options[key]), st.sampled_from(page.options[key]), numbers())
    if key in page.numbers:
        declared_, low, high = page.numbers[key]
        inside = st.floats(0, 1).map(lambda share: plain_number(_between(share, low, high, declared_.integer)))
        return st.one_of(inside, inside, numbers())
    several = st.lists(numbers(), min_size=2, max_size=6)
    return st.one_of(numbers(), several.map("|".join), several.map("-".join), several.map("/".join))


def followed(slug: str, parameters: dict[str, str]) -> Shown:
    """What a page shows under a link, or the sentence by which it refuses."""
    page = opened(slug)
    try:
        run = page.by(parameters).run
    except AssertionError:
        said = " ".join(str(error.value) for error in page.app.error)
        if said and not page.app.exception and TROUBLE not in said:
            raise RefusedError(said) from None
        raise
    assert run is not None, (slug, parameters)
    assert run.level > 0
    return Shown(run.page, run.view, run.asked, run.own, run.level)
