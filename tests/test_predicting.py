"""While people predict, nothing in a scene lets a reader name the hidden number; planted leaks must fail.

A reader who has seen the same view at other stops of the level, with other people, names the number of the scene that
is most like this one (`tests/readers.py`): no better than one who sees nothing. What the question is about is left out
there, for it is meant to be read, and searched for the number itself. A view that declares nothing must be the same
whatever was found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from explorer.figures import marks
from explorer.figures.plot import Figure
from explorer.figures.theme import Look
from explorer.predicting import Prediction
from explorer.scenes import Scene, scene
from explorer.text import languages, page_text
from explorer.text.catalogue import catalogue_of
from explorer.ways import ORDER, way_of
from tests import leaks, readers, scenes
from tests.scenes import ENDS, STOPS, Setting, answered, axes, dear, settings

LEAST_DECLARED = 65  # views that say what the room predicts; raise it whenever one more does
NEARLY = 0.75  # of the errors of one who sees nothing: no reader may err less; a leak leaves less than a third
SEEDS, LEVELS = 3, STOPS[::2]
Seen = tuple[Scene, Any, Any, Setting]


@cache
def firsts() -> dict[str, list[Setting]]:
    """The settings of every view, by page and view."""
    every: dict[str, list[Setting]] = {}
    for setting in settings():
        every.setdefault(f"{setting.page.slug}.{setting.view.slug}", []).append(setting)
    return every


DECLARED = sorted(name for name, found in firsts().items() if found[0].view.predicts.numbers)
UNDECLARED = sorted(set(firsts()) - set(DECLARED))


@cache
def pool(name: str) -> tuple[Seen, ...]:
    """The hidden scenes of a view in its first settings; in all of them where nothing is hidden that would change."""
    own = _seen(firsts()[name][0])
    numbers = firsts()[name][0].view.predicts.numbers
    if any(len(set(values(own, number))) > 2 for number in numbers):
        return own
    return tuple(each for setting in firsts()[name] for each in _seen(setting))


def _seen(setting: Setting) -> tuple[Seen, ...]:
    levels = LEVELS if setting.moves else LEVELS[3:4]
    if setting.moves and dear(setting.view, setting.asked, setting.own):
        levels = ENDS
    return tuple((*readers.hidden(one, level), one) for one in readers.seeded(setting, SEEDS) for level in levels)


def values(scenes_of_view: tuple[Seen, ...], number: str) -> list[float]:
    """What is hidden in each scene under a name; the first end of an interval."""
    found = []
    for _, known, _, _ in scenes_of_view:
        parts = [leaks.value_of(part) for part in leaks.quantities(known[number])] if number in known else []
        told = [part for part in parts if part is not None]
        found.append(told[0] if told else -1.0)
    return found


Plant = Callable[[Scene, float], Scene]


def read(name: str, plant: Plant | None = None) -> dict[str, float]:
    """By how much the nearest scene's number is nearer than the middle of all, for each number that is predicted."""
    seen, errors = pool(name), {}
    for number in firsts()[name][0].view.predicts.numbers:
        hidden = values(seen, number)
        if len(set(hidden)) > 2:
            shown = [plant(one, value) if plant else one for (one, *_), value in zip(seen, hidden, strict=True)]
            told = [readers.features(one, it.view.predicts, w) for one, (_, _, w, it) in zip(shown, seen, strict=True)]
            by_reader, by_nobody = readers.errors(told, hidden)
            errors[number] = by_reader / by_nobody
    return errors


@pytest.mark.parametrize("name", DECLARED)
def test_a_reader_of_other_scenes_names_a_predicted_number_no_better_than_one_who_sees_nothing(name: str) -> None:
    errors = read(name)
    assert errors, "a number must change with the level, the people or the settings: else nothing is shown"
    assert all(error >= NEARLY for error in errors.values()), errors


@pytest.mark.parametrize("name", DECLARED)
def test_no_predicted_number_stands_in_what_the_question_is_about(name: str) -> None:
    seen = pool(name)
    hits = Counter(hit for one, known, _, it in seen for hit in set(readers.found(one, known, it)))
    assert not (told := [hit for hit, times in hits.items() if 3 * times > len(seen)]), told


@pytest.mark.parametrize("name", UNDECLARED)
def test_a_view_that_declares_nothing_looks_the_same_whatever_was_found(name: str) -> None:
    setting = firsts()[name][0]
    page, words = setting.page, catalogue_of("en").words(setting.page.slug, setting.view.slug)
    told = []
    for level in (LEVELS[0], LEVELS[3], LEVELS[-1]):
        seen = scene(page, setting.view, setting.asked, level, readers.HIDING, "en", answered, setting.own)
        told.append(readers.features(seen, setting.view.predicts, words))
        for trace in seen.figure.data if seen.figure is not None else ():
            assert not any(np.isfinite(scenes.numeric(trace.get(letter))).any() for letter in "xyz"), trace
    assert told[0] == told[1] == told[2], set(told[0].items()) ^ set(told[2].items())


def test_every_step_that_is_predicted_declares_it_and_asks_in_its_own_words() -> None:
    for way in map(way_of, ORDER):
        for step in (step for step in way.steps if step.predict):
            page = scenes.declared(step.link.page)
            view = step.link.parameters.get(f"{page.slug}_tab") or _first_view(page.slug, step.link.parameters)
            assert page.views[view].predicts.numbers, (way.slug, step.name)
            for language in languages():
                title = page_text(page.slug, language)["labels"][view]["hidden"]["title"]
                assert title.endswith("?"), (way.slug, step.name, language, title)


def _first_view(slug: str, parameters: Any) -> str:
    """The view that a page opens with, of the mode that a link may ask for."""
    mode = parameters.get(f"{slug}_mode", "")
    views = scenes.declared(slug).views
    return next((view for view in views if mode and view.startswith(f"{mode}-")), next(iter(views)))


@pytest.mark.parametrize("name", DECLARED)
def test_every_mark_that_stays_and_number_that_is_predicted_belongs_to_the_view(name: str) -> None:
    page, view = name.split(".")
    texts = page_text(page)["labels"][view]
    names = {*texts, *(key for part in texts.values() if isinstance(part, dict) for key in part)}
    assert set(firsts()[name][0].view.predicts.stays) <= names
    unknown = {*firsts()[name][0].view.predicts.numbers, *firsts()[name][0].view.predicts.tells}
    for setting in firsts()[name]:
        if unknown:
            unknown -= set(readers.hidden(setting, setting.page.default_level)[1])
    assert not unknown


def test_many_views_say_what_the_room_predicts() -> None:
    assert len(DECLARED) >= LEAST_DECLARED


@pytest.mark.parametrize("name", DECLARED)
def test_axes_and_their_order_do_not_jump_when_the_truth_returns(name: str) -> None:
    setting = firsts()[name][0]
    level = setting.page.default_level
    hidden, shown = (
        scene(setting.page, setting.view, setting.asked, level, Look(truth=truth), "en", answered, setting.own).figure
        for truth in (False, True)
    )
    if hidden is None or shown is None:
        assert hidden is shown
        return
    for axis, before in axes(hidden).items():
        after = shown.layout[axis]
        for part in ("range", "type", "domain", "tickvals", "ticktext", "title"):
            assert np.all(before.get(part) == after.get(part)), (axis, part, before.get(part), after.get(part))


# Planted leaks, each in views where it could stand.


def title_with_the_number(seen: Scene, value: float) -> Scene:
    assert seen.figure is not None
    return _with(seen, title={"text": f"Off by {value:.3g}"})


def ring_left(seen: Scene, value: float) -> Scene:
    assert seen.figure is not None
    ring = marks.ring(1.0, value, "here", Look())
    return replace(seen, figure=Figure([*seen.figure.data, ring], seen.figure.layout))


def axis_that_ends_at_the_peak(seen: Scene, value: float) -> Scene:
    assert seen.figure is not None
    return _with(seen, yaxis=seen.figure.layout["yaxis"] | {"range": [0.0, 1.1 * value]})


def rows_in_true_order(seen: Scene, value: float) -> Scene:
    assert seen.figure is not None
    others = {f"method {place}": float(limit) for place, limit in enumerate(np.geomspace(1e-4, 1e5, 60))}
    order = sorted({**others, "yours": value}.items(), key=lambda pair: pair[1])
    names = [name for name, _ in order]
    return _with(seen, yaxis=seen.figure.layout["yaxis"] | {"tickvals": list(range(len(names))), "ticktext": names})


def recommended_anyway(seen: Scene, value: float) -> Scene:
    return replace(seen, recommended=(("level", value),))  # type: ignore[arg-type]


def said_beside(seen: Scene, value: float) -> Scene:
    return replace(seen, alt=f"{seen.alt} It ends at {value:.3g}.")


def _with(seen: Scene, **layout: Any) -> Scene:
    assert seen.figure is not None
    return replace(seen, figure=Figure(seen.figure.data, {**seen.figure.layout, **layout}))


PLANTS = (title_with_the_number, ring_left, axis_that_ends_at_the_peak, recommended_anyway, said_beside)
EVERYWHERE = ["vectors.dimensions", "trust.curves", "limits.people", "means.everybody"]
PLANTED = [*((name, plant) for name in EVERYWHERE for plant in PLANTS)]
PLANTED += [(name, rows_in_true_order) for name in ("vectors.dimensions", "limits.people")]


@pytest.mark.parametrize(("name", "plant"), PLANTED)
def test_a_planted_leak_is_read(name: str, plant: Plant) -> None:
    assert min(read(name, plant).values()) < NEARLY


@pytest.mark.parametrize("name", ["budget.totals", "response.deny", "trust.curves", "distinguish.errors"])
def test_a_mask_that_is_left_off_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prediction, "veiled", lambda mask, figure, words, title: figure)
    pool.cache_clear()
    try:
        assert min(read(name).values()) < NEARLY
    finally:
        pool.cache_clear()
