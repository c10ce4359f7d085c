"""The head of a stage as a pure value: its views, its handle at every stop, its labels.

Made beside the scenes, without a screen: the page, a file that travels and a test are given the same head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any

from explorer.declarations import PageDeclaration, PageSettings, View
from explorer.facts import Hidden, Level, Odds
from explorer.figures.theme import Look
from explorer.settings.grids import log_grid
from explorer.text.catalogue import Catalogue, catalogue_of
from ldpcore.parameters import Epsilon, Interval, declaration


@dataclass(frozen=True)
class Handle:
    """The handle: its name, its stops as numbers, written, spoken and with a quiet note, and its place."""

    name: str
    stops: Sequence[float]
    written: Sequence[str]
    spoken: Sequence[str]
    notes: Sequence[str]
    index: int
    ends: tuple[str, str]
    exact: str = ""  # what the box for an exact value is called; none where nothing can be typed

    def message(self) -> dict[str, Any]:
        """The handle as the browser reads it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


@dataclass(frozen=True)
class ViewRow:
    """The views, by slug: in the row, behind the menu, and the present one."""

    first: Mapping[str, str]
    chosen: str
    more: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Head:
    """Everything that a stage shows beside its scenes."""

    views: ViewRow
    handle: Handle | None
    labels: Mapping[str, str]
    direction: str
    lecture: bool
    stem: str
    origin: Mapping[str, str]

    def typed(self, exact: str) -> Head:
        """The head of a stage whose handle also takes a level that is typed into a box of this name."""
        return self if self.handle is None else replace(self, handle=replace(self.handle, exact=exact))


@lru_cache(maxsize=1)
def declared_level() -> Interval:
    """The declaration of the privacy level: its extreme ends and its typical ones."""
    interval = declaration(Epsilon)
    assert isinstance(interval, Interval)
    return interval


def usual_stops() -> tuple[float, ...]:
    """The places where every handle can rest."""
    return log_grid(*declared_level().typical)


def all_stops(level: float, kept: Sequence[float] = ()) -> tuple[float, ...]:
    """The places where a handle can rest: the usual ones, the level itself, and those that were kept."""
    return tuple(sorted({*usual_stops(), *kept, level}))


def headed(
    page: PageDeclaration[PageSettings],
    view: View[PageSettings],
    asked: PageSettings,
    own: object,
    level: float,
    look: Look,
    language: str,
    places: Sequence[float],
    source: str = "",
) -> Head:
    """The head of a view at a level; `places` are its stops, and `source` says where its numbers come from."""
    catalogue = catalogue_of(language)
    fitting = [each for each in page.views.values() if each.only(asked)]
    titles = {each.slug: catalogue.text(page.slug, f"view {each.slug}") for each in fitting}
    first, more = ({each.slug: titles[each.slug] for each in fitting if each.first is row} for row in (True, False))
    symbol = catalogue.label(page.level_label("level_symbol", asked, view.slug), page.slug)
    return Head(
        ViewRow(first, view.slug, more),
        _handle(catalogue, page, view, asked, level, look, places) if view.follows(asked, own) else None,
        catalogue.labels("stage"),
        catalogue.direction,
        look.lecture,
        f"ldp-explorer-{page.slug}-{view.slug}",
        {"source": source, "symbol": symbol},
    )


def _handle(
    catalogue: Catalogue,
    page: PageDeclaration[PageSettings],
    view: View[PageSettings],
    asked: PageSettings,
    level: float,
    look: Look,
    places: Sequence[float],
) -> Handle:
    """The handle of a view, by the page's own name for it."""
    chosen = None if view.own_noise else page.failing
    failing = chosen is not None and chosen(asked)
    written, notes = _written(catalogue.language, page.slug, tuple(places), look.predicting, failing)
    name, *ends = (
        catalogue.label(each, page.slug)
        for each in (
            page.level_label("epsilon", asked, view.slug),
            "epsilon_more_privacy",
            "epsilon_more_accuracy",
        )
    )
    return Handle(name, list(places), written, written, notes, list(places).index(level), (ends[0], ends[1]))


@lru_cache(maxsize=512)
def _written(
    language: str, slug: str, places: tuple[float, ...], predicting: bool, failing: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stops in writing and their meaning as odds: one for all readers of a page."""
    catalogue = catalogue_of(language)
    odds = (Hidden() if predicting else Odds(stop) for stop in places)
    meaning = "epsilon_odds_failing" if failing else "epsilon_odds"
    notes = (catalogue.label(meaning, slug, {"odds": each}) for each in odds)
    return tuple(catalogue.write(Level(stop)) for stop in places), tuple(notes)
