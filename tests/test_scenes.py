"""The laws of the scenes: every view of every page, in telling settings, at every stop, in every language.

A red line reads `counting.1.plan:axes_hold_still`: the page, the sample of its settings, the view, the law. Nothing
here starts Streamlit or a browser; what a planted mistake looks like stands in `test_scenes_planted.py`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from functools import cache, cached_property, lru_cache
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

import explorer.text
from explorer.facts import Facts, PercentagePoints, Quantity
from explorer.figures.theme import unescape
from explorer.heads import declared_level
from explorer.navigation import entries
from explorer.scenes import Scene
from explorer.text import languages, page_text, templates
from explorer.text.conventions import PSEUDO
from explorer.text.writing import neutral as neutral_form
from explorer.ui import share
from ldpcore.fingerprints import fingerprint
from ldpcore.questions import seconds
from ldpcore.tables.table import BUILT_IN, built_in
from tests import leaks, pictures, scenes
from tests import written as numbers
from tests.fuzz.said import NOTHING_TO_EITHER_SIDE, SIGNS_SIDE_BY_SIDE, plainly
from tests.orders import numbers_keep_their_order
from tests.rationing import ALL, shared
from tests.scenes import ENDS, LANGUAGES, STOPS, Scenes, Setting, scenes_of

TEXTS = Path(explorer.text.__file__).parent
LONGEST_TRACE = 2000  # points
CHANGED_INK, CHANGED_PICTURE, MOVED_RING = 0.2, 0.02, 0.05  # shares of what is drawn, of the picture, of its width
SYMBOLS = frozenset({"Lap"})  # names in formulas that are the same in every language
OTHERS = tuple(language for language in LANGUAGES if language != "en")
_VOID = ("br", "img", "hr", "input", "wbr")
_DRAWN = re.compile(r"<svg\b([^>]*)>(.*?)</svg>", re.DOTALL)
_WORDS, _ANCHORS = re.compile(r"<text\b[^>]*>"), re.compile(r'text-anchor="(\w+)"')


def something_is_drawn(tested: Scenes) -> None:
    """Each scene has a figure or a drawing, and something is drawn in it; of what cannot be read nothing can be."""
    for place, scene in tested.every():
        assert (scene.figure is None) != (scene.drawing is None), place
        if scene.figure is not None:
            points = [len(trace.get("x", ())) + len(trace.get("z", ())) for trace in scene.figure.data]
            assert sum(points) > 0, place
        elif scene.drawing or tested.setting.moves:
            assert re.search("<(svg|table|div)", str(scene.drawing)), place


def texts_are_whole(tested: Scenes) -> None:
    """An answer, an alternative text and a title are there; no text holds a placeholder or a computer's word."""
    for place, scene in tested.every():
        texts = scenes.texts(scene)
        assert texts["answer"].strip(), place
        assert len(scene.alt) > 20, place
        assert scene.figure is None or texts["title"].strip(), place
        for where, text in texts.items():
            assert "@{" not in text and "%{" not in text, (place, where, text)
            assert not re.search(r"\b(nan|NaN|inf)\b", text), (place, where, text)


TWO_LINES = 215  # letters of English, as they stand at a desk


def answers_take_two_lines(tested: Scenes) -> None:
    """An answer in English is no longer than two lines at a desk."""
    for place, scene in tested.every(truths=(True,), tongues=("en",)):
        answer = plainly(scene.answer)[0]
        assert len(answer) <= TWO_LINES, f"{place}: the answer must take two lines, {TWO_LINES} letters: {answer}"


_MARKS = ".,\u066b\u066c\u202f"  # inside of a number
# A number with its group marks and its sign of per cent, as a language writes it between words.
_NUMBER = r"[\u2212-]?\d[\d.,\u066b\u066c\u202f]*(?:\u202f%|\u066a)?"
_PLURAL = "must have words for one of them, as “@{n; =1: one answer; other: # answers}”"
SAID_BADLY = {
    re.compile(rf"(?<![\w.,\u066b\u066c\u2212])({_NUMBER}) (?:to|bis|تا|–) \1(?![\w\u202f]|[.,\u066b\u066c]\d)"): (
        "must have other words where both ends of a range are the same"
    ),
    re.compile(r"(?<![\w.,\u202f^])1 (?:times|bits|people|answers|releases|reports|persons|are)\b"): _PLURAL,
    re.compile(r"(?<![\w.,\u202f])(?<!=\s)1 (?:Personen|Antworten|Veröffentlichungen|Berichte|Werte|sind)\b"): _PLURAL,
    re.compile(r"…\s?…|\.\.|,,| {2}"): "must close the gap that a part leaves which says nothing",
    re.compile(
        r"\b(?:lies|liegt|reaches|reicht) (?:typically |meist )?(?:in the range from|im Bereich|from|von) \S+"
        r"(?:\s%)?[,;.](?:\s|$)"
    ): ("must say where the range ends"),
    re.compile(rf"± ?({_NUMBER})(?![\d{_MARKS}])[^.;:±]* (?:instead of|statt|به جای) ± ?\1(?![\w{_MARKS}])"): (
        "must not set a number against itself"
    ),
    re.compile(r"(?<![\w.,\u202f])(?:1 (?:of|von) 1|0 (?:of them|davon))(?![\w\u202f]|[.,]\d)"): (
        "must have words for none, and for one where there is no other"
    ),
    re.compile(SIGNS_SIDE_BY_SIDE): "must have a number between two signs",
    re.compile(NOTHING_TO_EITHER_SIDE): "must say in words that there is no error",
}


def numbers_are_said_well(tested: Scenes) -> None:
    """No text goes from a number to itself, counts one of many, or leaves a gap where a part was left out.

    Nor has any text two signs of relation side by side, one of the stage as little as a formula or a task below it;
    what stands below is read by day at the ends or in the middle.
    """
    below_at = shared(ENDS, 2, turn_of(tested.setting))
    for place, scene in tested.every(truths=(True,), tongues=languages()):
        below = tested.below(place[0], place[2]) if ALL or place[0] in below_at else {}
        for where, told in {**scenes.texts(scene), **below}.items():
            assert (badly := said_badly(told)) is None, f"{place}: the {where} {badly}"


@lru_cache(maxsize=20_000)
def said_badly(told: str) -> str | None:
    """The faults in how a text says its numbers; a text that stands at several levels is read once."""
    text = re.sub("[\u2066-\u2069]", "", told)
    plain = re.sub(r"\s+(?=[,.;:)])", "", re.sub(r"[\n ]+", " ", text))  # elements leave blanks behind
    for pattern, rule in SAID_BADLY.items():
        if found := pattern.search(plain):
            return f"{rule}; it says “{found[0]}” in “{plain}”"
    return None


class _Elements(HTMLParser):
    """Which elements are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


def markup_is_sound(tested: Scenes) -> None:
    """Every element of an answer, a note and a drawing that is opened is closed, and none of them runs a script."""
    for place, scene in tested.every(tongues=("en",)):
        for text in (scene.answer, scene.note, scene.drawing or ""):
            reader = _Elements()
            reader.feed(text)
            assert not reader.open, (place, reader.open)
            assert not re.search(r"<script|javascript:|\son\w+=", text), place


def drawings_stand_still(tested: Scenes) -> None:
    """Words that begin or end at a place of a drawing do so in a page from right to left too."""
    for place, scene in tested.every(tongues=("en",)):
        for head, inside in _DRAWN.findall(scene.drawing or ""):
            words = _WORDS.findall(inside)
            anchored = "text-anchor" in head or all("text-anchor" in each for each in words)
            centered = anchored and set(_ANCHORS.findall(head + inside)) == {"middle"}
            assert 'direction="ltr"' in head or not words or centered, place


def values_of(facts: Facts) -> list[tuple[float, str]]:
    """The numbers of facts as they are read back, with their neutral form."""
    values = []
    for fact in facts.values():
        for part in leaks.quantities(fact):
            values += [(value, neutral_form(part) or "") for value in _as_read(part)]
    return values


def _as_read(fact: Quantity) -> list[float]:
    """A quantity's numbers: its value, and what else is written of it."""
    value = getattr(fact, "value", getattr(fact, "seconds", None))
    if isinstance(fact, PercentagePoints):
        return [100 * fact.value]
    if hasattr(fact, "level"):  # odds: so much to one
        return [math.exp(fact.level) if fact.level < 700 else math.inf, 1.0]
    if hasattr(fact, "seconds"):
        return [fact.seconds / size for size in (1, 60, 3600, 86400)]
    if hasattr(fact, "least"):
        return [float(value), fact.least]
    if hasattr(fact, "names"):
        return [float(len(fact.names) - fact.most)]
    return [float(value)] if isinstance(value, (int, float)) else []


@cache
def literals(slug: str, language: str) -> set[float]:
    """The numbers that stand in the answers of a page's texts themselves, such as the highest level there is."""
    numbers = set()
    for key, text in page_text(slug, "en" if language == PSEUDO else language).items():
        if key.split()[0] == "answer":
            bare = " ".join(leaks.parts(templates.parsed(text)))
            numbers |= set(scenes.numbers_in(bare, language if language != PSEUDO else "en"))
    return numbers


def answer_states_facts(tested: Scenes) -> None:
    """Every number of the answer is a fact of the scene, up to the rounding that the fact itself asks for."""
    slug, levels = tested.setting.page.slug, dict[float, tuple[list[str], list[tuple[float, str]]]]()
    for place, scene in tested.every(truths=(True,)):
        if place[0] not in levels:  # facts are the same in every language
            levels[place[0]] = [*scenes.names(tuple(scene.facts.values()))], values_of(scene.facts)
        names, known = levels[place[0]]
        read = scenes.numbers_in(scene.answer, place[2])
        stated = [number for number in read if number not in literals(slug, place[2])]
        data = {float(word) for word in re.findall(r"\d+", " ".join(names))}
        for number in stated:
            stands = number in data or any(_rounds_to(value, form, number) for value, form in known)
            assert stands, f"{place}: each number of the answer must be a fact, from a slot; it says {number:g}"
        assert "<strong>–</strong>" not in scene.answer, (place, scene.answer)  # a number that there is not
        if tested.setting.place == first_place(tested.setting):
            assert read or any(name in scenes.without_marks(scene.answer) for name in names), (place, scene.answer)


def _rounds_to(value: float, form: str, number: float) -> bool:
    """Whether a number that was read is a value as it is written, or rounded to at least two digits."""
    if value == number or (math.isinf(value) and value == number):
        return True
    if form and number in numbers.readings(form):
        return True
    return math.isfinite(value) and abs(value - number) <= 5e-3 * abs(number)


@cache
def asked_for(slug: str) -> frozenset[str]:
    """The names of facts for which the texts of a page ask, those shared or printed, or the code that draws."""
    printed = [TEXTS / "en" / f"{name}.md" for name in ("sheet", "kit")]
    texts = [(TEXTS / "en" / f"{slug}.md"), *printed, *(TEXTS / "en").glob("*.toml")]
    slots = re.findall(r"@\{\s*([a-z]\w*)", "".join(path.read_text("utf-8") for path in texts))
    return asked_for_in_code() | set(slots)


@cache
def asked_for_in_code() -> frozenset[str]:
    """The words between quotes in the code that draws."""
    code = [path for folder in ("figures", "ui", "pages") for path in (TEXTS.parent / folder).rglob("*.py")]
    code = [path for path in code if not {"facts", "settings"} & {path.stem, path.parent.name}]
    return frozenset(re.findall(r'"([a-z]\w*)"', "".join(path.read_text("utf-8") for path in code)))


def facts_are_asked_for(tested: Scenes) -> None:
    """Every fact is in some text of its page; a truth may stand for what the picture alone says."""
    for level in ENDS:
        public = {name for name, fact in tested.facts(level).items() if not any(leaks.truths_in(fact))}
        unsaid = sorted(public - asked_for(tested.setting.page.slug))
        assert not unsaid, f"each fact must be said by a text or a figure, else facts() must not give it: {unsaid}"


def truth_is_hidden(tested: Scenes) -> None:
    """No truth shows in any text, number, place, axis, table or file while people predict."""
    for language in LANGUAGES:
        assert not (leaked := leaks.leaks(tested, language)), (language, leaked)


def figures_know_no_truth(tested: Scenes) -> None:
    """While people predict, a figure gets a result without its truths: they are not there to be betrayed."""
    page, level = tested.setting.page, tested.setting.page.default_level
    for result in tested.results(level):
        kept = set(leaks.kept_by(result, result.masked(), page))
        assert not kept, (type(result).__name__, sorted(kept))


def axes_hold_still(tested: Scenes) -> None:
    """Every axis of a quantity has a range that is given, and every axis is the same at every stop of the level."""
    for truth in (True, False):
        kept: dict[str, Any] = {}
        for (level, _, _), scene in tested.every(truths=(truth,), tongues=("en",)):
            for name, axis in scenes.axes(scene.figure).items() if scene.figure is not None else ():
                ends = axis.get("range")
                if ends is None and not bare(axis):
                    given = scenes.of_names(scene.figure, name)
                    assert given, f"at level {level:g}: {name} must be given a range; it has none"
                    ends = _names_along(scene, name)
                    assert kept.setdefault(name, ends) == ends, (level, truth, name)
                elif ends is not None:
                    assert len(ends) == 2 and np.isfinite(ends).all() and ends[0] != ends[1], (level, name)
                    first = kept.setdefault(name, ends)
                    still = np.allclose(first, ends, rtol=1e-9, atol=0)
                    assert still, (
                        f"{name} must have one range at all levels, chosen from the settings; "
                        f"it has {list(first)} at the first stop and {list(ends)} at {level:g}"
                    )


def _names_along(scene: Scene, name: str) -> list[str]:
    """The names along an axis, in the order in which they are met."""
    assert scene.figure is not None
    along = [trace for trace in scene.figure.data if str(trace.get(f"{name[0]}axis", name[0])) == name[0] + name[5:]]
    ticks = scene.figure.layout[name].get("ticktext")
    return list(ticks or dict.fromkeys(text for trace in along for text in trace.get(name[0], ())))


def the_ring_stays(tested: Scenes) -> None:
    """Where a ring marks the reader's own settings, it is in the picture at every stop of the level."""
    rings_at = {
        place[0]: pictures.rings(scene.figure)
        for place, scene in tested.every(truths=(True,), tongues=("en",))
        if scene.figure is not None
    }
    numbers = {level: len(rings) for level, rings in rings_at.items()}
    assert len(set(numbers.values())) <= 1, f"a figure must have as many rings at each level; it has {numbers}"
    for level, rings in rings_at.items():
        seen = all(-1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9 for x, y in rings)
        assert seen, f"each ring must lie inside its axes; at level {level:g} they lie at {rings}, as shares of these"


def colors_hold_still(tested: Scenes) -> None:
    """The shades of a map mean the same at every stop of the level."""
    for _, scene in tested.every(truths=(True,), tongues=("en",)):
        for trace in scene.figure.data if scene.figure is not None else ():
            if trace["type"] == "heatmap":
                assert {"zmin", "zmax"} <= trace.keys() or "coloraxis" in trace, trace.get("name")


OUT_OF_SIGHT = {
    "protocols.search": "what happens less often than once in two million runs lies below its axis; the answer says so",
}


def no_panel_is_empty(tested: Scenes) -> None:
    """In each panel of a figure something can be seen at both ends of the handle and in the middle."""
    for level in () if view_of(tested.setting) in OUT_OF_SIGHT else ENDS:
        figure = tested.scene(level).figure
        empty = [] if figure is None else pictures.empty_panels(figure)
        assert not empty, (
            f"something must be seen in each panel at both ends of the handle and in its middle: "
            f"at level {level:g} nothing is inside the axes of {empty}; give them a wider range"
        )


BELLS_BEYOND = {
    "response.again": "its axis is one for all levels: at a high level, or with a curator, the law is a spike",
    "shapes.report": "its axis is one for all levels: at a high level a report is nearly the value itself",
    "shapes.shape": "where everybody has one number, the true shape is a spike, which no axis of estimates holds",
    "shapes.steps": "where everybody has one number, the true shape is a spike, which no axis of estimates holds",
}


def every_bell_has_its_tip(tested: Scenes) -> None:
    """A curve that rises and falls is seen up to its tip, at both ends of the handle and in the middle."""
    for level in () if view_of(tested.setting) in BELLS_BEYOND else ENDS:
        figure = tested.scene(level).figure
        cut = [] if figure is None else pictures.cut_bells(figure)
        assert not cut, f"at level {level:g} the upright axis must reach the tips of {cut}"


# Views that look the same in one half of the handle, because there is nothing new to say in it.
ALIKE_BELOW = {}
ALIKE_ABOVE = {
    "counting.cells": "most cells are small beside the largest: only the ends of the noise and the gray bars change",
}


def the_picture_moves(tested: Scenes) -> None:
    """Too much noise, too little and the middle all look different; a view without a handle stays.

    Judged in the first settings that have the view: a billion people may well look alike at every level.
    """
    low, middle, high = (tested.scene(level) for level in ENDS)
    if not tested.setting.moves:
        assert not (moved := [seen for one in (middle, high) if (seen := _difference(low, one))[0]]), moved
    elif tested.setting.place == first_place(tested.setting):
        ends, halves = _difference(low, high), [_difference(low, middle), _difference(middle, high)]
        assert ends[0], f"the two ends look alike: {ends[1]}"
        alike = [view_of(tested.setting) in views for views in (ALIKE_BELOW, ALIKE_ABOVE)]
        assert [half[0] for half in halves] == [not excused for excused in alike], f"an end like the middle: {halves}"


def _difference(one: Scene, other: Scene) -> tuple[bool, str]:
    """Whether the eye sees two scenes differ, and by how much."""
    if one.figure is None or other.figure is None:
        return one.drawing != other.drawing, "a drawing"
    ink, picture = pictures.changed(one.figure, other.figure)
    before, after = pictures.rings(one.figure), pictures.rings(other.figure)
    moved = max((math.dist(a, b) for a, b in zip(before, after, strict=False)), default=0.0)
    seen = ink >= CHANGED_INK or picture >= CHANGED_PICTURE or moved >= MOVED_RING or _marks(one) != _marks(other)
    return seen, f"{ink:.1%} of the ink, {picture:.2%} of the picture, rings by {moved:.1%}"


def _marks(scene: Scene) -> list[int]:
    """How many marks of each series there are: one that comes or goes is seen."""
    traces = scene.figure.data if scene.figure is not None else ()
    marked = [trace for trace in traces if "markers" in str(trace.get("mode"))]
    return [int(np.isfinite(scenes.numeric(trace.get("x"))).sum()) for trace in marked]


def view_of(setting: Setting) -> str:
    """The page and the view, whatever its settings are."""
    return f"{setting.page.slug}.{setting.view.slug}"


def first_place(setting: Setting) -> int:
    """The first sample of its page's settings that has the view."""
    return first_places()[view_of(setting)]


@cache
def first_places() -> dict[str, int]:
    """The first place of each view."""
    return {view_of(one): one.place for one in reversed(scenes.settings())}


def plotly_accepts_it(tested: Scenes) -> None:
    """Plotly knows every property of the figure and every value: at one level by day, at three at night.

    Which one, the view and its settings say: others have the others. What is hidden is seen in first settings, where
    the middle is.
    """
    first = tested.setting.place == first_place(tested.setting)
    hidden = [(ENDS[1], False)] if first else []
    for level, truth in [*((level, True) for level in shared(ENDS, 3, turn_of(tested.setting))), *hidden]:
        figure = tested.scene(level, truth).figure
        if figure is not None:
            go.Figure(json.loads(figure.json()))


def traces_are_light(tested: Scenes) -> None:
    """No trace has more points than a phone draws while a finger moves, and whole scenes stay small."""
    for place, scene in tested.every(tongues=("en",)):
        for trace in scene.figure.data if scene.figure is not None else ():
            size = max((np.size(trace[key]) for key in ("x", "y", "z") if trace.get(key) is not None), default=0)
            assert size <= LONGEST_TRACE, (place, trace.get("name"), size)


def axes_are_named(tested: Scenes) -> None:
    """Every visible axis has a title; those of the picture's own quantities with a unit, a symbol, or an explanation.

    A unit stands in parentheses or is what the title counts, an explanation after a comma. That something is a distance
    from the truth, or an error, is neither, in whichever panel; an axis of names needs none.
    """
    for place, scene in tested.every(tongues=("en",)):
        for name, axis in scenes.axes(scene.figure).items() if scene.figure is not None else ():
            if axis.get("visible", True):
                title = unescape(axis.get("title", {}).get("text", ""))
                assert title, (place, name)
                free = scenes.of_names(scene.figure, name) or bare(axis)
                said = free or _explained(title, tested.data)
                assert said, f"{place}: {name} must say what its numbers are, as “{title} (people)”"


def bare(axis: dict[str, Any]) -> bool:
    """Whether an axis hides the names along it, while people predict what stands there."""
    return axis.get("showticklabels") is False


def _explained(title: str, data: frozenset[str]) -> bool:
    """Whether an English title of an axis says what its numbers are."""
    counted = "people|rows|evenings|questions|releases|reports?|rounds|value|share|ratio|times|probability"
    explained = rf"[(,%]|\b\w\b|[εαδ]|\b({counted})\b|^answer$"
    return bool(re.search(explained, title)) or any(text in title for text in data)


def legend_is_clear(tested: Scenes) -> None:
    """Each entry of the legend stands for one thing and has a name."""
    for place, scene in tested.every():
        if scene.figure is not None:
            traces = [t for t in scene.figure.data if t.get("showlegend", True) and t.get("visible") is not False]
            named = Counter(trace.get("name", "") for trace in traces)
            assert "" not in named, (place, named)
            assert max(named.values(), default=1) == 1, (place, named)


COLUMNS = re.compile(rf"\b(?:{'|'.join({name for table in BUILT_IN for name in built_in(table).columns})})\b")


def nothing_is_english(tested: Scenes) -> None:
    """In the pseudo-language no English word is left, but for data and for names in formulas.

    In Persian no column of a table that comes with the project has its English name.
    """
    for place, scene in tested.every(truths=(True,), tongues=("fa",)):
        for where, text in scenes.texts(scene).items():
            raw = COLUMNS.search(text)
            assert raw is None, f"{place}: the {where} must call a column by its heading; it says “{raw and raw[0]}”"
    for place, scene in tested.every(tongues=(PSEUDO,)):
        texts = {**scenes.texts(scene), "table's head": " ".join(map(str, (scenes.rows(scene, place[2]) or [[]])[0]))}
        for where, text in texts.items():
            own = re.sub("\u2068.*?\u2069", " ", text)  # data are set apart
            left = [word for word in re.findall("[A-Za-z]{4,}", own) if not _known(word, tested.data)]
            assert not left, (place, where, left)


def _known(word: str, data: frozenset[str]) -> bool:
    return word in SYMBOLS or any(name.startswith(word) for name in data)


def exports_equal_the_picture(tested: Scenes) -> None:
    """Every number of a figure's series is in the table, with both ends of its bar, names in the place of places.

    By day of what is hidden in the middle alone.
    """
    for place, scene in tested.every(tongues=("en",)):
        if place[0] not in ENDS or not (ALL or place[1] or place[0] == ENDS[1]):
            continue
        if not (table := scenes.rows(scene)):
            assert scene.figure is None, place
            continue
        header, *body = table
        lines = list(csv.reader(io.StringIO(scenes.csv_of(scene))))
        assert [len(line) for line in lines] == [len(header)] * (1 + len(body)), place
        cells: dict[str, set[Any]] = {}
        for row in body:
            cells.setdefault(row[0], set()).update(row[1:])
        for trace in scene.figure.data if scene.figure is not None and scene.table is None else ():
            if trace.get("meta") != "decoration":
                missing = set(_drawn_numbers(scene, trace)) - cells.get(unescape(trace.get("name") or ""), set())
                assert not missing, (place, trace.get("name"), sorted(missing, key=str)[:5])


def _drawn_numbers(scene: Scene, trace: dict[str, Any]) -> list[Any]:
    """Every finite number of a trace with the ends of its bars; along an axis of names, the names."""
    drawn: list[Any] = []
    for letter in ("x", "y"):
        values = trace.get(letter)
        if values is None:
            continue
        axis = scenes.axis_of(scene.figure, trace, letter)
        drawn += _names_of(axis, trace, list(values)) or list(scenes.numeric(values))
        bars = trace.get(f"error_{letter}", {})
        for end in ("array", "arrayminus"):
            drawn += list(scenes.numeric(bars.get(end)))
        drawn += [bars["value"]] if bars.get("type") == "constant" and len(values) else []
    drawn += list(scenes.numeric(trace.get("z")))
    return [value for value in drawn if isinstance(value, str) or math.isfinite(value)]


def _names_of(axis: dict[str, Any], trace: dict[str, Any], values: list[Any]) -> list[str]:
    """The names behind places along an axis of names: those that the trace brings along, or those of the ticks."""
    if "ticktext" not in axis or any(_is_number(text) for text in axis["ticktext"]):
        return []
    texts = None if trace["type"] == "heatmap" else trace.get("text")
    if isinstance(texts, (list, tuple)) and len(texts) == len(values):
        return [unescape(text) for text in texts]
    names = dict(zip(axis["tickvals"], axis["ticktext"], strict=True))
    return [unescape(names[value]) for value in values] if set(values) <= set(names) else []


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[\d\s.,×⁰¹²³⁴⁵⁶⁷⁸⁹⁻−%\u202f∞<>-]+", text))


def code_gives_the_same(tested: Scenes) -> None:
    """The code taken away, run in a fresh place, gives the result that the scene shows."""
    scene = tested.scene(tested.setting.page.default_level)
    questions = scene.question if isinstance(scene.question, tuple) else (scene.question,)
    for question in questions:
        if question is not None and (key := fingerprint(question)) not in _executed:
            _executed.add(key)
            namespace: dict[str, Any] = {}
            exec(share.snippet(question).removesuffix("print(result)"), namespace)  # what readers are handed
            assert _same(namespace["result"], scenes.answered(question)), share.snippet(question)


def _same(one: Any, other: Any) -> bool:
    """Whether two results are equal to the last digit."""
    try:
        return fingerprint(one) == fingerprint(other)
    except TypeError:  # exact numbers that no cache keeps
        return repr(one) == repr(other)


_executed: set[str] = set()

LAWS = (
    something_is_drawn,
    texts_are_whole,
    answers_take_two_lines,
    numbers_are_said_well,
    markup_is_sound,
    drawings_stand_still,
    facts_are_asked_for,
    answer_states_facts,
    numbers_keep_their_order,
    truth_is_hidden,
    figures_know_no_truth,
    axes_hold_still,
    colors_hold_still,
    the_ring_stays,
    the_picture_moves,
    no_panel_is_empty,
    every_bell_has_its_tip,
    plotly_accepts_it,
    traces_are_light,
    axes_are_named,
    legend_is_clear,
    nothing_is_english,
    exports_equal_the_picture,
    code_gives_the_same,
)


class First(Setting):
    """A view in its first settings, as the day looks at it: at one stop between, each in every nineteenth view.

    In each other language at one end or in the middle, in none where another one is.
    """

    @cached_property
    def stops(self) -> tuple[float, ...]:
        stops, turn = super().stops, [*first_places()].index(view_of(self))
        return stops if stops == ENDS else tuple(sorted({*ENDS, *shared(STOPS, len(STOPS), turn)}))

    def stops_in(self, language: str) -> tuple[float, ...]:
        if language == "en":
            return self.stops
        return tuple(shared(ENDS, len(ENDS), turn_of(self) + OTHERS.index(language)))


class Later(Setting):
    """A view in settings that are not its first, as the day looks at it: in English and in one other language.

    Which one, and at which level, its turn says. English is looked at at three levels, for a truth is told from an
    accident by how many of them it is at.
    """

    @cached_property
    def stops(self) -> tuple[float, ...]:
        return ENDS

    def stops_in(self, language: str) -> tuple[float, ...]:
        if language == "en":
            return self.stops
        turn = turn_of(self)
        return (ENDS[turn // len(OTHERS) % len(ENDS)],) if language == OTHERS[turn % len(OTHERS)] else ()


def seen_as(kind: type[Setting], setting: Setting) -> Setting:
    """The same settings, looked at elsewhere."""
    return kind(setting.page, setting.view, setting.asked, setting.place, setting.own)


def estimated(setting: Setting) -> float:
    """How many seconds a view takes at one level, as its questions estimate."""
    asks = setting.view.question(setting.asked, 1.0, setting.own)
    return sum(seconds(each) for each in (asks if isinstance(asks, tuple) else (asks,)) if each is not None)


def turn_of(setting: Setting) -> int:
    """The place of the settings and that of the view: neighbors have others."""
    return setting.place + [*setting.page.views].index(setting.view.slug)


@cache
def tried() -> tuple[Setting, ...]:
    """Every view in its first settings, and all settings in one view; at night each in each.

    Which view, their place says, among those that take less than a twentieth of a second, as their questions estimate.
    """
    if ALL:
        return scenes.settings()
    among: dict[tuple[str, int], list[Setting]] = {}
    for each in scenes.settings():
        among.setdefault((each.page.slug, each.place), []).append(each)
    found = list[Setting]()
    for (_, place), views in among.items():
        firsts = [seen_as(First, each) for each in views if place == first_place(each)]
        cheap = [each for each in views if estimated(each) < 0.05] or views
        one = cheap[place % len(cheap)]
        found += firsts or [seen_as(Later, one)]
    return tuple(found)


SETTINGS = tried()
LATER = [each for each in SETTINGS if isinstance(each, Later)]
HELD = [*(each for each in SETTINGS if not isinstance(each, Later)), *shared(LATER, 2)]


@pytest.mark.parametrize("setting", HELD, ids=[setting.name for setting in HELD])
def test_laws(setting: Setting) -> None:
    """All laws of one setting are one test, for its scenes are dear and twenty tests of each are slow to count.

    By day every view in its first settings and half of the later settings.
    """
    broken = []
    for law in LAWS:
        try:
            law(scenes_of(setting))
        except AssertionError as problem:
            broken.append(f"{law.__name__}: {problem}")
    assert not broken, "\n\n".join(broken)


FARTHEST = shared([one for one in scenes.settings() if ALL or one.place == first_place(one)], 3)


@pytest.mark.parametrize("setting", FARTHEST, ids=lambda setting: setting.name)
def test_a_view_is_drawn_at_the_ends_of_the_levels_that_a_link_may_ask_for(setting: Setting) -> None:
    """Far beyond the handle: there chances are 0 or 1 in doubles, and variances vanish or are out of sight.

    By day every third view in its first settings at one of the two ends.
    """
    for level in shared(declared_level().extreme, 2, FARTHEST.index(setting)):
        drawn = scenes_of(setting).scene(level)
        assert drawn.answer.strip() and not re.search(r"\b(nan|NaN|inf)\b", drawn.answer), (level, drawn.answer)
        scenes_of(setting).below(level)


def test_every_page_with_a_stage_is_looked_at() -> None:
    pages = {setting.page.slug for setting in scenes.settings()}
    staged = {entry.slug for entry in entries() if find_spec(f"explorer.pages.{entry.slug}.settings")}
    assert pages == staged, f"tests/samples must have a module for each of {staged - pages}"
    for slug in pages:
        seen = {setting.view.slug for setting in scenes.settings() if setting.page.slug == slug}
        assert seen == set(scenes.declared(slug).views), (
            f"no sample of {slug} shows {set(scenes.declared(slug).views) - seen}"
        )


def test_views_that_may_look_alike_in_one_half_exist() -> None:
    views = {view_of(setting) for setting in scenes.settings()}
    assert not (gone := {*ALIKE_BELOW, *ALIKE_ABOVE, *OUT_OF_SIGHT, *BELLS_BEYOND} - views), gone


def test_every_page_is_looked_at_in_several_settings_and_languages() -> None:
    for slug in {setting.page.slug for setting in scenes.settings()}:
        assert len({setting.place for setting in scenes.settings() if setting.page.slug == slug}) >= 2
    assert {"en", PSEUDO} <= set(LANGUAGES)
    assert len(scenes.STOPS) >= 15


PAGES = sorted({setting.page.slug for setting in SETTINGS})


@pytest.mark.parametrize("slug", PAGES)
def test_every_page_has_truths_that_would_be_missed(slug: str) -> None:
    telling = (leaks.secrets(scenes_of(one).facts(ENDS[1]), slug) for one in SETTINGS if one.page.slug == slug)
    assert any(telling), f"{slug} marks no truth that is telling"


def copies_of_truths(settings: list[Setting], kinds: int = 2) -> set[tuple[str, str]]:
    """Truths that another fact says openly: the two are equal in every setting and at every stop that has both.

    A truth counts that has as many values at least.

    By day at both ends or in the middle, in turn: what is equal everywhere is equal there.
    """
    equal: dict[tuple[str, str], list[bool]] = {}
    values: dict[str, set[float]] = {}
    for setting in settings:
        for level in shared(ENDS, 2, setting.place):
            facts = Scenes(setting).facts(level)
            truths = {name: part for name, fact in facts.items() for part in leaks.truths_in(fact)}
            public = {name: leaks.value_of(fact) for name, fact in facts.items() if name not in truths}
            for name, truth in truths.items():
                if truth == round(truth) and abs(truth) < 10:
                    continue  # every figure has some of them
                values.setdefault(name, set()).add(truth)
                for other, value in public.items():
                    if value is not None:
                        equal.setdefault((name, other), []).append(math.isclose(value, truth, rel_tol=1e-9))
    return {pair for pair, same in equal.items() if all(same) and len(values[pair[0]]) >= kinds}


@pytest.mark.parametrize("slug", PAGES)
def test_no_fact_that_may_be_said_copies_a_truth(slug: str) -> None:
    """A copy that is equal everywhere is equal where the laws have looked: where they saw none, nobody looks on."""
    tried_ones, every = ([one for one in among if one.page.slug == slug] for among in (SETTINGS, scenes.settings()))
    assert not copies_of_truths(tried_ones, 1) or not copies_of_truths(every)
