"""While people predict, nothing in a scene lets a reader name the hidden number; planted leaks must fail.

A reader who has seen the same view at other stops of the level, with other people, names the number of the scene that
is most like this one (`tests/readers.py`): no better than one who sees nothing. What the question is about is left out
there, for it is meant to be read, and searched for the number itself. Where a number follows from the settings alone
the reader has seen other settings, which are told apart by nothing else (`VARIED` among a page's samples).
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from explorer.declarations import PageDeclaration
from explorer.figures import marks
from explorer.figures.plot import Figure
from explorer.figures.theme import Look
from explorer.predicting import UNDECLARED, Prediction
from explorer.scenes import Scene, scene
from explorer.text import languages, page_text
from explorer.ways import ORDER, way_of
from tests import leaks, readers, scenes
from tests.rationing import shared
from tests.scenes import ENDS, STOPS, Setting, answered, axes, dear, settings

NEARLY = 0.75  # of the errors of one who sees nothing: no reader may err less; a leak leaves less than a third
SEEDS, LEVELS = 3, STOPS[::3]
UNMOVED = 8  # seeds of a view that no level moves: of three, chance may make two numbers alike
FEW, MIDDLE = STOPS[::4], LEVELS[3:4]
Seen = tuple[Scene, Any, Any, Setting, float]


@cache
def firsts() -> dict[str, list[Setting]]:
    """The settings of every view, by page and view."""
    every: dict[str, list[Setting]] = {}
    for setting in settings():
        every.setdefault(f"{setting.page.slug}.{setting.view.slug}", []).append(setting)
    return every


@cache
def others() -> dict[str, tuple[Setting, ...]]:
    """Settings among which a number changes that stays at every level and seed, by view and what is looked at in it."""
    every = {}
    for setting in settings():
        told = vars(importlib.import_module(f"tests.samples.{setting.page.slug}")).get("VARIED", {})
        for name, found in told.items():
            if name.partition(" ")[0] == setting.view.slug:
                every[f"{setting.page.slug}.{name}"] = tuple(
                    replace(setting, asked=asked, own=own) for asked, own in found()
                )
    return every


NAMES = sorted(firsts())
POOLS = sorted({*NAMES, *others()})  # a view that shows two things has a pool for each


@cache
def pool(name: str) -> tuple[Seen, ...]:
    """The hidden scenes of a view: at several levels and seeds, or in other settings, where its numbers change."""
    among = others().get(name) or firsts()[name][:1]
    seen = tuple(each for setting in among for each in _seen(setting, alone=len(among) == 1))
    if any(len(set(values(seen, number))) > 2 for number in declared_of(name).numbers):
        drawn = len(among) == 1 and len({id(setting) for *_, setting, _ in seen}) > 1
        return seen if drawn else 2 * seen  # where nothing is drawn the reader has met with this very scene
    return tuple(each for setting in firsts()[name] for each in _seen(setting, alone=True))


def _seen(setting: Setting, alone: bool) -> tuple[Seen, ...]:
    much = setting.moves and dear(setting.view, setting.asked, setting.own)
    seeds = SEEDS - much if setting.moves else UNMOVED
    drawn = tuple(readers.seeded(setting, seeds)) if alone else (setting,)
    levels = LEVELS if alone and setting.moves else MIDDLE
    if much:
        levels = FEW if len(drawn) == 1 else ENDS
    return tuple((*readers.hidden(one, at), one, at) for one in drawn for at in levels)


def declared_of(name: str) -> Prediction:
    """What the room predicts at a view."""
    return firsts()[name.partition(" ")[0]][0].view.predicts


def values(scenes_of_view: tuple[Seen, ...], number: str) -> list[float]:
    """What is hidden in each scene under a name; the first end of an interval."""
    found = []
    for _, known, *_ in scenes_of_view:
        parts = [leaks.value_of(part) for part in leaks.quantities(known[number])] if number in known else []
        told = [part for part in parts if part is not None]
        found.append(told[0] if told else -1.0)
    return found


Plant = Callable[[Scene, float], Scene]


def read(name: str, plant: Plant | None = None, seen: tuple[Seen, ...] = ()) -> dict[str, float]:
    """By how much the nearest scene's number is nearer than the middle of all, for each number that is predicted."""
    seen, errors = seen or pool(name), {}
    for number in declared_of(name).numbers:
        hidden = values(seen, number)
        if len(set(hidden)) > 2:
            shown = [plant(one, value) if plant else one for (one, *_), value in zip(seen, hidden, strict=True)]
            told = [
                readers.features(one, it.view.predicts, words)
                for one, (_, _, words, it, _) in zip(shown, seen, strict=True)
            ]
            by_reader, by_nobody = readers.errors(told, hidden)
            errors[number] = by_reader / by_nobody
    return errors


@pytest.mark.parametrize("name", shared(POOLS, 5, 0))
def test_a_reader_of_other_scenes_names_a_predicted_number_no_better_than_one_who_sees_nothing(name: str) -> None:
    errors = read(name)
    assert errors, "a number must change with the level, the people or the settings: else nothing is shown"
    assert all(error >= NEARLY for error in errors.values()), errors


@pytest.mark.parametrize("name", shared(POOLS, 5, 1))
def test_no_predicted_number_stands_in_what_the_question_is_about(name: str) -> None:
    seen = list({id(each[0]): each for each in pool(name)}.values())[::2]
    hits = Counter(hit for one, known, _, it, _ in seen for hit in set(readers.found(one, known, it)))
    assert not (told := [hit for hit, times in hits.items() if 3 * times > len(seen)]), told


def test_every_view_says_what_the_room_predicts() -> None:
    silent = [name for name in NAMES if not declared_of(name).numbers]
    assert not silent, f"each view must say by predicts=Prediction(…) which facts the room predicts; silent: {silent}"


@pytest.mark.parametrize("name", ["frequencies.bars", "counting.plan"])
def test_of_a_view_that_has_not_said_yet_what_is_predicted_the_bare_axes_stay(name: str) -> None:
    setting = replace(firsts()[name][0], view=replace(firsts()[name][0].view, predicts=UNDECLARED))
    told = []
    for level in (LEVELS[0], *MIDDLE, LEVELS[-1]):
        seen, _, words = readers.hidden(setting, level)
        told.append(readers.features(seen, UNDECLARED, words))
        assert seen.figure is not None
        for trace in seen.figure.data:
            assert not any(np.isfinite(scenes.numeric(trace.get(letter))).any() for letter in "xyz"), trace
    assert told[0] == told[1] == told[2], set(told[0].items()) ^ set(told[2].items())


@pytest.mark.parametrize("name", ["ask.tally", "means.real", "response.everybody", "response.real"])
def test_on_a_scale_that_is_drawn_by_hand_nothing_stands_meanwhile(name: str) -> None:
    for setting in firsts()[name]:
        look = [Look(truth=truth) for truth in (False, True)]
        hidden, shown = (
            scene(setting.page, setting.view, setting.asked, 1.0, each, "en", answered, setting.own).drawing or ""
            for each in look
        )
        found = [set(re.findall('class="(reach|inner|point|edge|truth)"', drawing)) for drawing in (hidden, shown)]
        assert 'class="shares"' in hidden and not found[0] and found[1]


def test_every_step_that_is_predicted_declares_it_and_asks_in_its_own_words() -> None:
    for way in map(way_of, ORDER):
        for step in (step for step in way.steps if step.predict):
            page = scenes.declared(step.link.page)
            view = step.link.parameters.get(f"{page.slug}_tab") or _first_view(page.slug, step.link.parameters)
            assert page.views[view].predicts.numbers, (way.slug, step.name)
            for language in languages():
                title = page_text(page.slug, language)["labels"][view]["hidden"]["title"]
                assert title.rstrip("\u2069").endswith(("?", "؟")), (way.slug, step.name, language, title)


def _first_view(slug: str, parameters: Any) -> str:
    """The view that a page opens with, of the mode that a link may ask for."""
    mode = parameters.get(f"{slug}_mode", "")
    views = scenes.declared(slug).views
    return next((view for view in views if mode and view.startswith(f"{mode}-")), next(iter(views)))


@pytest.mark.parametrize("name", NAMES)
def test_every_mark_that_stays_and_number_that_is_predicted_belongs_to_the_view(name: str) -> None:
    page, view = name.split(".")
    texts, predicts = page_text(page)["labels"][view], declared_of(name)
    names = {*texts, *(key for part in texts.values() if isinstance(part, dict) for key in part)}
    unnamed = {*predicts.stays, *predicts.stand} - names
    assert not unnamed, f"stays and stand must be keys of [{view}] in {page}.md; {sorted(unnamed)} are none"
    unknown = {*predicts.numbers, *predicts.tells}
    for setting in firsts()[name]:  # until each was known once
        if unknown:
            unknown -= set(readers.hidden(setting, MIDDLE[0])[1])
    assert not unknown, f"what is predicted and told must be facts of {name}; {sorted(unknown)} are none"


@pytest.mark.parametrize("name", shared(POOLS, 5, 2))
def test_axes_and_their_order_do_not_jump_when_the_truth_returns(name: str) -> None:
    *_, setting, level = pool(name)[-1]
    hidden, shown = (
        scene(setting.page, setting.view, setting.asked, level, Look(truth=truth), "en", answered, setting.own).figure
        for truth in (False, True)
    )
    if hidden is None or shown is None:
        assert hidden is shown
        return
    centered = setting.view.predicts.centered
    beside = centered.replace("axis", "axis2")  # of a second picture along the same axis
    for axis, before in axes(hidden).items():
        after = shown.layout[axis]
        counted = axis in (centered, beside) and centered
        if counted and before["range"] != after["range"]:  # from the truth, and as wide as before
            assert sum(before["range"]) == 0 and np.diff(before["range"]) == pytest.approx(np.diff(after["range"]))
        for part in ("type", "domain", "tickvals", "ticktext", *(() if counted else ("range", "title"))):
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


def rings_that_wait_where_they_will_be(seen: Scene, value: float) -> Scene:
    assert seen.figure is not None
    waits = [trace | {"y": [value] * 2} if "+" in trace.get("mode", "") else trace for trace in seen.figure.data]
    return replace(seen, figure=Figure(waits, seen.figure.layout))


PLANTS = (title_with_the_number, ring_left, axis_that_ends_at_the_peak, recommended_anyway, said_beside)
EVERYWHERE = ["vectors.dimensions", "trust.curves", "limits.people", "means.everybody", "limits.exponents"]
PLANTED = [*((name, plant) for name in EVERYWHERE for plant in PLANTS)]
PLANTED += [(name, rows_in_true_order) for name in ("vectors.dimensions", "limits.people", "frequencies.bars")]
PLANTED += [(name, rings_that_wait_where_they_will_be) for name in ("limits.people", "trust.curves", "budget.groups")]


@pytest.mark.parametrize(("name", "plant"), PLANTED)
def test_a_planted_leak_is_read(name: str, plant: Plant) -> None:
    assert min(read(name, plant).values()) < NEARLY


@pytest.mark.parametrize("name", ["budget.totals", "response.deny", "trust.curves", "distinguish.errors"])
def test_a_mask_that_is_left_off_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prediction, "veiled", lambda mask, figure, words, title: figure)
    assert min(read(name, seen=2 * _seen(firsts()[name][0], alone=True)).values()) < NEARLY


def test_a_view_that_is_declared_twice_is_refused() -> None:
    page = PageDeclaration[object]("planted")
    first = firsts()[NAMES[0]][0].view
    page.view("one", first.ask, first.draw, predicts=first.predicts)
    with pytest.raises(ValueError, match=r"each view must have a slug of its own; page\.view declares 'one' twice"):
        page.view("one", first.ask, first.draw, predicts=first.predicts)
