"""The rules of what may leave the app, in one place; every link, sheet, picture, file and piece of code asks here.

A quantity is *public* (a setting, a bound, a formula, a release), *true* (computed of values without noise) or
*brought* (of the reader's own data). To the public go public quantities, and true ones of invented data, which belong
to nobody. True and brought quantities of the reader's own table go to the room alone, under a line that says so; while
people predict, nothing true goes anywhere.
Nobody declares the secrecy of each number of a page. Where the public reads about an own table, a view is asked about
two stand-ins that have nothing of the table but its columns: what it says alike of both is public, and all else is left
off.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Generic
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from explorer.declarations import PageDeclaration, PageSettings, View
from explorer.facts import All, Facts, Hidden, Quantity
from explorer.figures import theme
from explorer.figures.plot import Figure
from explorer.figures.theme import Look
from explorer.scenes import RunQuestion, Scene, run, scene
from explorer.settings.recipes import about, named_in, own_table, reseeded
from ldpcore.fingerprints import fingerprint
from ldpcore.tables.standins import stand_ins

FRESH = 1  # the seed with which a page begins
SEEDS = re.compile(r"\w+_seed")
NEAR = re.compile(r"localhost|.*\.(localhost|local)|127(\.\d+){3}|::1|0\.0\.0\.0|\[::1?\]")


class Secrecy(Enum):
    """The secrecy of a quantity: public, true or brought."""

    PUBLIC = "public"  # a setting, a bound, a formula, a release
    TRUE = "true"  # computed of values without noise
    BROUGHT = "brought"  # of the reader's own data


@dataclass(frozen=True)
class Audience:
    """The audience: the public or the room, about an own table or not, while people predict or not."""

    public: bool = True
    own: bool = False
    hidden: bool = False

    def hears(self, kind: Secrecy) -> bool:
        """Whether a quantity of this secrecy goes to the audience."""
        if kind is Secrecy.PUBLIC:
            return True
        return not (self.own and self.public) and not (self.hidden and kind is Secrecy.TRUE)

    @property
    def warned(self) -> bool:
        """Whether a warning is needed that true values of an own table are shown."""
        return self.own and not self.public and not self.hidden

    @property
    def guarded(self) -> bool:
        """Whether the audience gets only consequences of the settings, of a table that is not asked."""
        return self.own and self.public


@dataclass(frozen=True)
class Viewed(Generic[PageSettings]):
    """One view at one level as its reader sees it: the page, the view, the settings of both, and the language."""

    page: PageDeclaration[PageSettings]
    view: View[PageSettings]
    asked: PageSettings
    own: object
    level: float
    language: str = "en"
    answer: RunQuestion = run

    def scene(self, look: Look) -> Scene:
        """The scene of the view."""
        return scene(self.page, self.view, self.asked, self.level, look, self.language, self.answer, self.own)

    @property
    def settings(self) -> tuple[PageSettings, object]:
        """The settings of the page and of the view."""
        return self.asked, self.own

    @cached_property
    def personal(self) -> bool:
        """Whether the view is about a table of the reader's own."""
        return own_table(self.settings) is not None

    @property
    def holder(self) -> str:
        """The holder of the true values: everybody alone where nobody is trusted."""
        model = self.page.model(self.asked, self.view.slug) if self.page.model else ""
        return "local" if model == "local" else self.page.holder

    @cached_property
    def stand_ins(self) -> tuple[Viewed[PageSettings], Viewed[PageSettings]]:
        """The view about each of the two tables that stand in for the reader's own, drawn as on a fresh page.

        Draws from the reader's own table have the noise of another seed, which must not be seen beside it.
        """
        table = own_table(self.settings)
        assert table is not None
        sized, present = self.page.sized(self.asked), self.holder != "curator"
        first, second = (
            about((fresh(self.asked), self.own), other)
            for other in stand_ins(table, named_in(self.settings), sized, present)
        )
        return tuple(replace(self, asked=asked, own=own) for asked, own in (first, second))  # type: ignore[return-value]


def fresh(asked: PageSettings) -> PageSettings:
    """The settings with the seed of a fresh page, as its public link opens it: another would give the noise away."""
    return reseeded(asked, FRESH)


def leaving(viewed: Viewed[PageSettings], look: Look, audience: Audience) -> Scene:
    """The scene of a view as the audience may have it."""
    look = replace(look, truth=audience.hears(Secrecy.TRUE), asks=audience.hidden)
    if not (audience.guarded and viewed.personal):
        return viewed.scene(look)
    first, second = (each.scene(look) for each in viewed.stand_ins)
    present = alike(first, second)
    drawn = viewed.page.drawn if viewed.view.brought is None else frozenset()
    return replace(present, facts={name: Hidden() if name in drawn else each for name, each in present.facts.items()})


def alike(first: Scene, second: Scene) -> Scene:
    """The common part of two scenes; a fact that differs is hidden, a picture or a table that differs is left out."""
    facts = agreed(first.facts, second.facts)
    same_picture = _drawn(first) == _drawn(second)
    same_table = same_picture and fingerprint(first.table) == fingerprint(second.table)
    return replace(
        first,
        facts=facts,
        figure=first.figure if same_picture else None,
        drawing=first.drawing if same_picture else None,
        table=first.table if same_table else [],
        alt=first.alt if first.alt == second.alt else "",
        recommended=first.recommended if first.recommended == second.recommended else (),
        said=first.said if first.said == second.said else ("", ""),
        question=None,
    )


def agreed(first: Facts, second: Facts) -> dict[str, Quantity]:
    """The facts with one value in both; the others are hidden."""
    return {
        name: fact if name in second and fingerprint(fact) == fingerprint(second[name]) else _without(name)
        for name, fact in first.items()
    }


def _without(name: str) -> Quantity:
    """The placeholder of a fact that is not public."""
    return All(()) if name == "asides" else Hidden()


def _drawn(seen: Scene) -> str:
    """The content of a picture as text."""
    if isinstance(seen.figure, Figure):
        return json.dumps([seen.figure.plain(), theme.figure_table(seen.figure)], default=str, sort_keys=True)
    return seen.drawing or ""


def link_for(audience: Audience, link: str, page: str) -> str:
    """The audience's link: all settings, and while people predict that the truth is hidden.

    Of the reader's own table the public learns neither its size nor the seed, by which noise could be taken off.
    """
    parts = urlsplit(link)
    said = parse_qsl(parts.query, keep_blank_values=True)
    if audience.guarded:
        said = [(key, "own" if key == "data" else text) for key, text in said if not SEEDS.fullmatch(key)]
    said += [("hide", "true")] if audience.hidden else []
    return urlunsplit(parts._replace(query=urlencode(said)))


def is_near(link: str) -> bool:
    """Whether an address works on one machine alone."""
    return bool(NEAR.fullmatch(urlsplit(link).hostname or ""))
