"""The scenes of one view at every stop of its handle, light and dark, for one audience, as a file carries them.

A figure on dark paper differs from the one on light paper in its colors alone. So the file carries each scene once, on
light paper, and which color takes the place of which; a scene of which this is not true is refused.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import Any

import numpy as np

from explorer.explained import facts_below, has_why, is_told, task_keys, told_why, why_drawing, why_key
from explorer.facts import Facts, masked, plain
from explorer.figures.theme import Look
from explorer.heads import all_stops, headed
from explorer.paper.leaving import Audience, Secrecy, Viewed, agreed, leaving
from explorer.paper.printing import sketch
from explorer.paper.sheets import numerals_of, tellable, worded
from explorer.scenes import Scene, told_of
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.ui import stage, tables
from explorer.ui.opening import OpenedView
from explorer.ui.sources import version_of
from explorer.ui.travel.prose import prose

MILLION = 1e6
POINTED_AT = "data-low="  # of a drawing whose paragraph says that one may point at it
_EIGHT = re.compile(r'\{"dtype":"f8","bdata":"([^"]+)"\}')
_DIGITS = re.compile(r"(?<=[:,\[])-?\d+\.\d{9,}(?:e[+-]?\d+)?(?=[,\]}])")
COLOR = re.compile(r"#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b|rgba?\([^)]*\)")


def packed(content: bytes) -> str:
    """Content as letters that a script element may hold: packed, four bytes in five letters, without a `<`."""
    return base64.b85encode(gzip.compress(content, 9, mtime=0)).decode().replace("<", ",")


def recolored(light: str, dark: str) -> list[tuple[str, str]]:
    """The colors of a text on light paper, each with the one in its place on dark paper."""
    if COLOR.sub("#", light) != COLOR.sub("#", dark):
        raise ValueError(f"light and dark scenes must differ in their colors alone; got {light[:200]}")
    return list(zip(COLOR.findall(light), COLOR.findall(dark), strict=True))


def shortened(line: str) -> str:
    """A figure in JSON with numbers as long as a picture needs: four bytes each, or eight digits."""
    return _DIGITS.sub(lambda found: f"{float(found[0]):.8g}", _EIGHT.sub(_halved, line))


def _halved(found: re.Match[str]) -> str:
    """Packed numbers in half of their bytes, unless that moves one by a millionth of their range."""
    values = np.frombuffer(base64.b64decode(found[1]), "<f8")
    with np.errstate(over="ignore"):
        short = values.astype("<f4")
    known = np.isfinite(values)
    away = np.abs(short[known] - values[known])
    if not np.isfinite(short[known]).all() or (away > np.ptp(values[known]) / MILLION if known.any() else away).any():
        return found[0]
    return f'{{"dtype":"f4","bdata":"{base64.b64encode(short.tobytes()).decode()}"}}'


@dataclass(frozen=True)
class TravelState:
    """A view's head, and its scenes at every stop as the stage reads them: in light colors, and what dark ones are."""

    head: dict[str, Any]
    scenes: tuple[tuple[str, str], ...]  # words, figure and what stands below, on light and on dark paper

    @cached_property
    def colors(self) -> dict[str, str]:
        """The usual color on dark paper, by the one on light paper."""
        counted: dict[str, Counter[str]] = {}
        for light, dark in self.scenes:
            for one, other in recolored(light, dark):
                counted.setdefault(one, Counter())[other] += 1
        return {one: others.most_common(1)[0][0] for one, others in counted.items()}

    def unusual(self, light: str, dark: str) -> list[object]:
        """The places at which a color is not the usual one, each followed by its color."""
        pairs = enumerate(recolored(light, dark))
        return [part for place, (one, other) in pairs if self.colors[one] != other for part in (place, other)]

    def written(self) -> bytes:
        """The state in lines: one for the head; for each stop its words, figure, texts below, and colors."""
        lines = [json.dumps(self.head | {"colors": self.colors}, ensure_ascii=False, separators=(",", ":"))]
        for light, dark in self.scenes:
            lines += [light, json.dumps(self.unusual(light, dark), separators=(",", ":"))]
        return "\n".join(lines).encode()

    def packed(self) -> str:
        """The state in letters."""
        return packed(self.written())


@dataclass(frozen=True)
class Traveller:
    """A view that is to travel: opened, for an audience, with figures as drawings or by Plotly."""

    view: OpenedView
    audience: Audience
    drawn: bool = False

    @property
    def catalogue(self) -> Catalogue:
        """The texts in the language of the view."""
        return catalogue_of(self.view.viewed.language)

    @property
    def source(self) -> str:
        """The version and the seed, in the language of the view."""
        return version_of(self.catalogue, self.view.seed)

    @cached_property
    def places(self) -> tuple[float, ...]:
        """The stops of the handle; the level alone where it moves nothing."""
        viewed = self.view.viewed
        moves = viewed.view.follows(viewed.asked, viewed.own) and not self.view.still
        return all_stops(viewed.level) if moves else (viewed.level,)

    def at(self, level: float) -> Viewed[object]:
        """The view at a level."""
        if self.view.at is None:
            return replace(self.view.viewed, level=level)
        return self.view.at(level, self.audience.hidden)

    def look(self, level: float, dark: bool) -> Look:
        """The look of the view at a level."""
        look = Look(dark=dark, separators=self.catalogue.separators)
        look = replace(look, truth=self.audience.hears(Secrecy.TRUE), asks=self.audience.hidden)
        if self.view.printed is None:
            return look
        return replace(look, printed=self.view.printed[1] if level == self.view.printed[0] else ((nan, nan),))

    def settings(self) -> str:
        """The line that lists the settings, as the audience may have it; none of a table that is not asked."""
        viewed = self.view.viewed
        if self._guarded:
            return ""
        line = told_of(viewed.page, viewed.view, viewed.asked, viewed.own)
        if line is None:
            return ""
        told = plain(line[1]) if self.audience.hears(Secrecy.TRUE) else masked(line[1])
        return self.catalogue.text(viewed.page.slug, line[0], told)

    def state(self) -> TravelState:
        """The view at all of its stops."""
        viewed = self.view.viewed
        head = headed(
            viewed.page,
            viewed.view,
            viewed.asked,
            viewed.own,
            viewed.level,
            self.look(viewed.level, dark=False),
            viewed.language,
            self.places,
            self.source,
        )
        alone = replace(
            head,
            views=replace(head.views, first={viewed.view.slug: head.views.first.get(viewed.view.slug, "")}, more={}),
        )
        scenes = [(self._told_at(level, dark=False), self._told_at(level, dark=True)) for level in self.places]
        said, dark = (
            json.loads(stage.headline(self._name, alone, self._scene(self.places[0], dark), "", ""))
            for dark in (False, True)
        )
        said |= {"dark": dark["template"], "settings": self.settings()}
        return TravelState(said, tuple(scenes))

    def _told_at(self, level: float, dark: bool) -> str:
        """A scene in three lines: its words, its figure, and what stands below."""
        scene = self._scene(level, dark)
        return f"{self._written(scene)}\n{self._below(self.at(level), scene, dark)}"

    @property
    def _guarded(self) -> bool:
        """Whether the view is about a table that is not asked."""
        return self.audience.guarded and self.view.viewed.personal

    @property
    def _name(self) -> str:
        return f"{self.view.viewed.page.slug}-{self.view.viewed.view.slug}"

    def _scene(self, level: float, dark: bool) -> Scene:
        """The scene at a level as the audience may have it; nothing can be taken up in a file."""
        viewed = self.at(level)
        seen = replace(leaving(viewed, self.look(level, dark), self.audience), recommended=())
        seen = replace(seen, note="") if POINTED_AT in (seen.drawing or "") else seen  # there is nobody to hear of it
        return replace(worded(viewed, seen, self.audience), case="") if self._guarded else seen

    def _written(self, scene: Scene) -> str:
        """A scene in two lines, with its drawing where that is its figure for good."""
        figure = scene.figure
        drawing = sketch(figure, numerals_of(self.catalogue)) if self.drawn and figure is not None else ""
        words, drawn = stage.encoded(scene, (), drawing).split("\n")
        return f"{words}\n{shortened(drawn)}"

    def _below(self, viewed: Viewed[object], scene: Scene, dark: bool) -> str:
        """The formula and the tasks of a scene, as HTML in a line of JSON."""
        page, catalogue, look = viewed.page, self.catalogue, self.look(viewed.level, dark)
        known = self._known(viewed, look)
        parts: dict[str, object] = {"why": "", "tasks": []}
        if scene.table:
            parts["numbers"] = tables.table(scene.table, catalogue.label("numbers_alt"), words=catalogue)
        if has_why(page, catalogue):
            parts["why"] = self._why(scene, known, look)
        if viewed.view.brought is None:
            keys = [(key, f"{key} reveal") for key in task_keys(page, catalogue, scene)]
            asked = [pair for pair in keys if all(self._told(key, known) for key in pair)]
            if self.audience.hidden:  # a solution may say what people predict, in figures that are the text's own
                asked = [(key, "") for key, _ in asked if tellable(catalogue.page(page.slug).text(key), known)]
            parts["tasks"] = [
                [prose(catalogue.markdown(page.slug, key, known)) if key else "" for key in pair] for pair in asked
            ]
        return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))

    def _why(self, scene: Scene, known: Facts, look: Look) -> str:
        """The formula of a scene below its drawing; a note while it waits, and nothing of a table that is not asked."""
        viewed, catalogue = self.view.viewed, self.catalogue
        key = why_key(viewed.page, catalogue, scene, viewed.view.slug if viewed.view.brought else "")
        told = told_why(key, known, scene)
        if not self._told(key, told):
            return ""
        if not is_told(viewed.page, catalogue, key, told):
            return prose(catalogue.markdown(None, "app.hidden_answer"))
        drawing = why_drawing(viewed.page, catalogue, key, scene, known, look)
        return drawing + prose(catalogue.markdown(viewed.page.slug, key, told))

    def _told(self, key: str, known: Facts) -> bool:
        """Whether a text may be told: of a table that is not asked, one that needs nothing of it."""
        return not self._guarded or tellable(self.catalogue.page(self.view.viewed.page.slug).text(key), known)

    def _known(self, viewed: Viewed[object], look: Look) -> Facts:
        """The facts that texts below the stage may say to the audience."""
        if not self._guarded:
            return facts_below(viewed.page, viewed.view, viewed.asked, viewed.level, look, viewed.answer)
        first, second = (
            facts_below(each.page, each.view, each.asked, each.level, look, each.answer) for each in viewed.stand_ins
        )
        return agreed(first, second)
