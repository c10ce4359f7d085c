"""Every page's views in every setting, at every stop of the level: the scenes that `test_scenes.py` holds to the laws.

A page takes part as soon as it has a module of samples: it is looked for, never listed.
"""

from __future__ import annotations

import html
import importlib
import re
import runpy
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from explorer.declarations import PageDeclaration, View
from explorer.explained import facts_below, has_why, is_told, task_keys, told_why, why_key
from explorer.facts import Facts
from explorer.figures.theme import HEADS, Look, figure_table, unescape
from explorer.navigation import entries
from explorer.paper.numbers import to_csv
from explorer.scenes import Scene, facts_at, results_of, scene
from explorer.settings.grids import log_grid
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from explorer.text.conventions import PSEUDO, conventions_of
from explorer.text.numerals import NARROW
from ldpcore.fingerprints import fingerprint
from ldpcore.parameters import Choice, declarations
from ldpcore.questions import seconds
from tests.rationing import ALL, FEW, shared
from tests.written import readings

STOPS = tuple(log_grid(0.01, 10))
ENDS = (STOPS[0], 0.3, STOPS[-1])  # the two ends and the middle, for what is dear and for what the level does not move
LANGUAGES = tuple(sorted({"en", PSEUDO, *languages()}))
_ISOLATES = re.compile("[\u200f\u2066-\u2069]")
_TAG = re.compile(r"<style.*?</style>|<[^>]*>", re.DOTALL)
_SPOKEN = re.compile(r"(?:aria-label|title|alt|data-(?!take)[\w-]+)=\"([^\"]*)\"")  # a button sets what links say
_CODE = re.compile(r"%\{[^}]*\}")  # what Plotly fills at a point


@dataclass(frozen=True, eq=False)
class Setting:
    """One view of a page as one reader has set it."""

    page: PageDeclaration
    view: View
    asked: Any
    place: int
    own: Any

    @property
    def name(self) -> str:
        """How a red line names it."""
        return f"{self.page.slug}.{self.place}.{self.view.slug}"

    @cached_property
    def stops(self) -> tuple[float, ...]:
        """Where it is looked at: at the ends, in the middle, and of first settings at every twelfth stop of the handle.

        Which of these, the view's place says: nearly each stop is met in some view. At night everywhere the handle can
        rest, and at every third stop of later settings. Of views that are dear by their own estimate, or that no
        level moves, the ends and the middle do; so they do of all views in the inner loop.
        """
        if FEW or not self.moves or dear(self.view, self.asked, self.own):
            return ENDS
        if ALL:
            return STOPS if self.place == 0 else STOPS[::3]
        first = [*self.page.views].index(self.view.slug)
        return tuple(sorted({*ENDS, *shared(STOPS, 12, first)})) if self.place == 0 else ENDS

    def stops_in(self, language: str) -> tuple[float, ...]:
        """Where it is looked at in a language: everywhere in the first, at the ends or in the middle in the others.

        What other languages say in settings that are drawn at random, `tests/fuzz/test_sentences.py` reads. The one
        that is made of English is looked at where no other is: what the code says in English, it says at every stop.
        """
        if language == "en":
            return self.stops
        if ALL:
            return ENDS if self.stops == ENDS else self.stops[:: 3 if self.place == 0 else 2]
        return tuple(shared(ENDS, 2, self.place + [*self.page.views].index(self.view.slug) + (language == PSEUDO)))

    @property
    def moves(self) -> bool:
        """Whether the page says that the level moves the view."""
        return self.view.follows(self.asked, self.own)


def dear(view: View, asked: Any, own: Any) -> bool:
    """Whether a view takes more than a tenth of a second at one level, as its questions estimate."""
    asks = view.question(asked, 1.0, own)
    return sum(seconds(each) for each in (asks if isinstance(asks, tuple) else (asks,)) if each is not None) > 0.1


@cache
def declared(slug: str) -> PageDeclaration:
    """The declaration of a page, read from its file as the app does."""
    path = next(entry.path for entry in entries() if entry.slug == slug)
    page = runpy.run_path(str(path))["page"]
    assert isinstance(page, PageDeclaration)
    return page


@cache
def settings() -> tuple[Setting, ...]:
    """Every view of every page that has a stage, in every sample of its settings."""
    every = []
    for slug in (entry.slug for entry in entries() if find_spec(f"tests.samples.{entry.slug}")):
        module = importlib.import_module(f"tests.samples.{slug}")
        for place, asked in enumerate(module.samples()):
            views = [view for view in declared(slug).views.values() if view.only(asked)]
            told = [module.TOLD.get((place, view.slug), view.at_first(asked)) for view in views]
            every += [Setting(declared(slug), view, asked, place, own) for view, own in zip(views, told, strict=True)]
    return tuple(every)


@cache
def shared_settings(first: int = 0) -> tuple[Setting, ...]:
    """Every view in its first settings, and in a sixth of its others, as each settings are in a sixth of theirs.

    Settings are met in one view at least; a dear view is in others than its first where no other view meets them. At
    night all of them; `first` says which sixth, so that two laws by day are about both.
    """
    found, views, samples = list[Setting](), set[tuple[str, str]](), set[tuple[str, int]]()
    for each in settings():
        turn = (each.place + [*each.page.views].index(each.view.slug) + first) % 6 == 0
        if ALL or (turn and not dear(each.view, each.asked, each.own)) or (each.page.slug, each.view.slug) not in views:
            found.append(each)
            samples.add((each.page.slug, each.place))
        views.add((each.page.slug, each.view.slug))
    for each in sorted(settings(), key=lambda each: dear(each.view, each.asked, each.own)):
        if (each.page.slug, each.place) not in samples:
            found.append(each)
            samples.add((each.page.slug, each.place))
    return tuple(sorted(found, key=settings().index))


_answers: dict[str, Any] = {}


def answered(question: Any) -> Any:
    """The result of a question, kept for the next view or language that asks the same."""
    key = fingerprint(question)
    if key not in _answers:
        if len(_answers) > 3000:
            _answers.clear()
        _answers[key] = question.run()
    return _answers[key]


class Scenes:
    """All scenes of one setting, and what is true behind them."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._scenes: dict[Any, Scene] = {}
        self._facts: dict[float, Facts] = {}
        self._below: dict[float, Facts] = {}
        self._secrets: dict[float, Any] = {}

    def scene(self, level: float, truth: bool = True, language: str = "en") -> Scene:
        """What is shown at a level."""
        key, it = (level, truth, language), self.setting
        if key not in self._scenes:
            look = Look(truth=truth, separators=catalogue_of(language).separators)
            self._scenes[key] = scene(it.page, it.view, it.asked, level, look, language, answered, it.own)
        return self._scenes[key]

    def every(self, *, truths: tuple[bool, ...] = (True, False), tongues: tuple[str, ...] = LANGUAGES) -> Iterator[Any]:
        """All scenes, with where they stand: (level, truth, language), scene."""
        for level in self.setting.stops:
            for truth in truths:
                for language in (each for each in tongues if level in self.setting.stops_in(each)):
                    yield (level, truth, language), self.scene(level, truth, language)

    def below(self, level: float, language: str = "en") -> dict[str, str]:
        """The formula and the tasks below the stage, as Markdown, by their keys; nothing is hidden."""
        it, made, catalogue = self.setting, self.scene(level, True, language), catalogue_of(language)
        if level not in self._below:
            self._below[level] = facts_below(it.page, it.view, it.asked, level, Look(), answered)
        known = self._below[level]
        brought = it.view.slug if it.view.brought is not None else ""
        tasks = [] if brought else task_keys(it.page, catalogue, made)
        told = dict.fromkeys([*tasks, *(f"{key} reveal" for key in tasks)], known)
        if has_why(it.page, catalogue):
            key = why_key(it.page, catalogue, made, brought)
            facts = told_why(key, known, made)
            told |= {key: facts} if is_told(it.page, catalogue, key, facts) else {}
        return {key: catalogue.markdown(it.page.slug, key, facts) for key, facts in told.items()}

    def results(self, level: float) -> tuple[Any, ...]:
        """What the figure gets while nothing is hidden."""
        it = self.setting
        return results_of(it.view.question(it.asked, level, it.own), answered)

    def facts(self, level: float) -> Facts:
        """What was found, with its truths still marked."""
        if level not in self._facts:
            known, _ = facts_at(self.setting.page, self.setting.asked, level, answered, self.setting.view)
            for result in self.results(level):
                known = {**known, **self.setting.page.facts(result)}
            self._facts[level] = known
        return self._facts[level]

    def secrets(self, level: float, look_for: Callable[[Facts, str], Any]) -> Any:
        """The truths that are telling at a level, looked for once."""
        if level not in self._secrets:
            self._secrets[level] = look_for(self.facts(level), self.setting.page.slug)
        return self._secrets[level]

    @cached_property
    def data(self) -> frozenset[str]:
        """The words of the data: names, labels, columns; they are what people brought, in no language of ours."""
        first = self.scene(self.setting.stops[0])
        data = [text for value in (first.question, self.setting.own, *first.facts.values()) for text in names(value)]
        return frozenset(word for text in data for word in re.findall("[A-Za-z]{4,}", text))


@lru_cache(maxsize=1)
def scenes_of(setting: Setting) -> Scenes:
    """The scenes of a setting, kept until the next setting is looked at."""
    return Scenes(setting)


@cache
def _options(kind: type) -> set[str]:
    """The parameters of a kind whose texts are its own options; one with types for the checker alone declares none."""
    with suppress(NameError):
        return {name for name, one in declarations(kind).items() if isinstance(one, Choice)}
    return set()


def names(value: Any) -> Iterator[str]:
    """The texts inside a question or a fact that are data; a parameter's own options are none."""
    if isinstance(value, str):
        yield value
    elif type(value).__name__ in ("Term", "Said"):  # keys of the catalogue, and facts of their own
        for _, fact in getattr(value, "facts", ()):
            yield from names(fact)
    elif is_dataclass(value) and not isinstance(value, type):
        chosen = _options(type(value))
        for field in fields(value):
            if field.name not in chosen:
                yield from names(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for part in pair for text in names(part))
    elif isinstance(value, (tuple, list, set, frozenset)) or (
        isinstance(value, np.ndarray) and value.dtype.kind in "UO"
    ):
        yield from (text for part in value for text in names(part))


# What can be read in a scene.


def without_marks(text: str) -> str:
    """HTML as it is read: without elements, with the signs that entities stand for."""
    return html.unescape(_TAG.sub(" ", text))


def neutral(text: str, language: str) -> str:
    """A text with its numbers in the digits 0 to 9, the point, and without invisible signs."""
    own = conventions_of(language)
    back = {ord(sign): chr(code) for code, sign in own.signs.items() if len(sign) == 1} | {ord(own.group): NARROW}
    read = _ISOLATES.sub("", text).translate(back)
    return read if own.zero == "0" else re.sub(r"(?<=\d)%", f"{NARROW}%", read)  # Persian sets its sign close


def numbers_in(text: str, language: str = "en") -> list[float]:
    """The numbers of a text, written in a language."""
    return readings(neutral(without_marks(text), language))


def texts(scene: Scene) -> dict[str, str]:
    """Every text of a scene by its place, as it is read."""
    texts = {"answer": without_marks(scene.answer), "note": without_marks(scene.note), "alt": scene.alt}
    if scene.drawing is not None:
        texts["drawing"] = without_marks(scene.drawing)
        texts |= {f"drawing's label {i}": html.unescape(t) for i, t in enumerate(_SPOKEN.findall(scene.drawing))}
    if scene.figure is not None:
        texts |= {place: unescape(_TAG.sub(" ", _CODE.sub(" ", text))) for place, text in _written(scene.figure)}
    return texts


_WRITTEN = ("name", "text", "hovertext", "hovertemplate", "customdata", "ids")


def _written(figure: Any) -> Iterator[tuple[str, str]]:
    """The texts of a figure: of its traces, and of its layout."""
    for place, trace in enumerate(figure.data):
        for key in (*_WRITTEN, "x", "y"):
            yield from ((f"trace {place} {key}", text) for text in names(trace.get(key)))
    for key, part in figure.layout.items():
        if key == "title":
            yield "title", part["text"]
        elif key[1:5] == "axis":
            yield f"{key} title", part.get("title", {}).get("text", "")
            yield from ((f"{key} ticks", text) for text in part.get("ticktext", ()))
        elif key == "annotations":
            yield from (("annotation", note.get("text", "")) for note in part)
        elif key == "updatemenus":
            yield from (("menu", button.get("label", "")) for menu in part for button in menu.get("buttons", ()))


def rows(scene: Scene, language: str = "en") -> list[list[Any]]:
    """The figure's numbers as the table that can be opened below it."""
    if scene.table is not None:
        return scene.table
    heads = {name: catalogue_of(language).label(name) for name in HEADS}
    return [] if scene.figure is None else figure_table(scene.figure, heads)


def csv_of(scene: Scene) -> str:
    """The figure's numbers as the file that can be taken home."""
    return to_csv(table) if (table := rows(scene)) else ""


def numeric(values: Any) -> np.ndarray:
    """A coordinate's finite or missing numbers; empty where there are words."""
    if values is None or isinstance(values, (str, bool)):
        return np.array([])
    try:
        return np.atleast_1d(np.asarray(values, dtype=float)).ravel()
    except (TypeError, ValueError):
        return np.array([])


def axes(figure: Any) -> dict[str, dict[str, Any]]:
    """The axes of a figure by name."""
    return {name: axis for name, axis in figure.layout.items() if re.fullmatch(r"[xy]axis\d*", name)}


def of_names(figure: Any, name: str) -> bool:
    """Whether an axis holds names (answers, rules, reports) and no quantity."""
    axis, letter = figure.layout[name], name[0]
    ticks = axis.get("ticktext", ())
    if "ticktext" in axis and all(re.search(r"[^\W\d]", text) for text in ticks):
        return True
    along = [trace for trace in figure.data if str(trace.get(f"{letter}axis", letter)) == letter + name[5:]]
    if "ticktext" in axis and any(trace["type"] == "heatmap" for trace in along):
        return True
    if along and all(isinstance(trace.get("text"), (list, tuple)) and "ticktext" in axis for trace in along):
        return True
    firsts = [next(iter(trace[letter]), None) for trace in along if trace.get(letter) is not None]
    return bool(firsts) and all(isinstance(value, str) for value in firsts)


def axis_of(figure: Any, trace: Mapping[str, Any], letter: str) -> dict[str, Any]:
    """The axis that a trace is drawn along."""
    axis = figure.layout[f"{letter}axis" + str(trace.get(f"{letter}axis", letter))[1:]]
    assert isinstance(axis, dict)
    return axis
