"""Every true quantity on screen is that of the people: whatever is marked a `Truth` is recomputed by another route.

The routes stand in `tests/truths`, by the class of a result; what nobody recomputes is red.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest

from explorer.facts import Facts, Hidden, Number, Quantity, Truth, masked, plain
from explorer.facts.naming import opened
from explorer.pages.frequencies.settings import Answering, Frequencies
from explorer.pages.means.settings import Means
from explorer.pages.regression.settings import Regression
from explorer.pages.response.settings import ResponseSettings
from explorer.pages.shapes.settings import Shapes
from explorer.pages.trust.settings import Trust
from explorer.pages.vectors.settings import VectorsSettings
from explorer.scenes import results_of
from explorer.settings.numbers import PeopleSource
from ldpcore.estimating import shapes as bins
from ldpcore.experiments.counting.fromtruth import FromTruth, FromTruthResult
from ldpcore.experiments.named import Named
from ldpcore.experiments.shapes import distributions as shapes
from ldpcore.people.scales import ScaledNumbers
from tests import scenes, truths
from tests.rationing import ALL, shared
from tests.scenes import ENDS, Setting, answered
from tests.truths import RECOMPUTED, Context, agrees

for route in pkgutil.iter_modules(truths.__path__, "tests.truths."):  # each declares what it recomputes
    importlib.import_module(route.name)
SETTINGS = scenes.settings()


def looked_at() -> list[Setting]:
    """By day, as few of a share of the settings as still meet each view and each page's settings once more."""
    kept = [*scenes.shared_settings(1)]
    views = Counter((each.page.slug, each.view.slug) for each in kept)
    samples = Counter((each.page.slug, each.place) for each in kept)
    for each in () if ALL else tuple(kept):
        view, sample = (each.page.slug, each.view.slug), (each.page.slug, each.place)
        if views[view] > 1 and samples[sample] > 1:
            kept.remove(each)
            views[view] -= 1
            samples[sample] -= 1
    return kept


SHARE = looked_at()


def asked_by_page(setting: Setting, level: float) -> Iterator[Any]:
    """The questions of a page and of its tasks, which its views share."""
    page = setting.page
    for ask in (page.main, page.released, page.task):
        if ask is not None and setting.view.brought is None:
            yield from results_of(ask(setting.asked, level), itself)


def asked_by_view(setting: Setting, level: float) -> Iterator[Any]:
    """The questions of a view."""
    yield from results_of(setting.view.question(setting.asked, level, setting.own), itself)


def itself(question: Any) -> Any:
    """A question in place of its result."""
    return question


def results(setting: Setting, level: float) -> Iterator[Any]:
    """All that texts and pictures of a view are made of: its own results, the page's, and those of the tasks."""
    yield from map(answered, chain(asked_by_page(setting, level), asked_by_view(setting, level)))


def true_facts(facts: Facts) -> dict[str, Quantity]:
    """The facts that are true, or hold a truth, as they are told when nothing is hidden."""
    shown = masked(facts)
    return {name: fact for name, fact in plain(facts).items() if isinstance(shown[name], Hidden)}


def broken(setting: Setting, level: float) -> list[str]:
    """What is told as true at a level and is not that of the people, or is recomputed by nobody."""
    return untold(setting, results(setting, level))


def untold(setting: Setting, told_of: Iterable[Any]) -> list[str]:
    """What these results of a setting tell as true and is not that of the people."""
    found = []
    for result in told_of:
        inner, names = opened(result.result if isinstance(result, FromTruthResult) else result)
        told = setting.page.facts(result)
        found += untrue(inner, told, Context(setting.asked, setting.own, names))
    return found


def untrue(result: Any, told: Facts, context: Context) -> list[str]:
    """The true facts of one result that disagree with what is recomputed, or that nobody recomputes."""
    true = true_facts(told)
    if not true:
        return []
    name = type(result).__name__
    if type(result) not in RECOMPUTED:
        return [f"{name}: nobody recomputes {sorted(true)}"]
    open_facts = {key: fact for key, fact in told.items() if key not in true}
    expected = RECOMPUTED[type(result)](result, open_facts, context)
    missing = [f"{name}.{key}: nobody recomputes it" for key in true if key not in expected]
    wrong = [
        f"{name}.{key}: told {fact}, and the people say {expected[key]}"
        for key, fact in true.items()
        if key in expected and not agrees(fact, expected[key])
    ]
    return missing + wrong


@cache
def wrong_on_page(slug: str, place: int, level: float) -> list[str]:
    """What a page tells beside its views, which is the same below all of them."""
    setting = next(each for each in SETTINGS if (each.page.slug, each.place, each.view.brought) == (slug, place, None))
    return untold(setting, map(answered, asked_by_page(setting, level)))


def wrong(setting: Setting, level: float) -> list[str]:
    """As `broken`, where nothing is planted: what a page tells is looked at once for all of its views."""
    around = [] if setting.view.brought else wrong_on_page(setting.page.slug, setting.place, level)
    return around + untold(setting, map(answered, asked_by_view(setting, level)))


@pytest.mark.parametrize("setting", SHARE, ids=[setting.name for setting in SHARE])
def test_every_true_quantity_is_that_of_the_people(setting: Setting) -> None:
    """At the page's own level, at an end or in the middle, in turn; at night at all of them."""
    levels = shared((setting.page.default_level, *ENDS), 4, setting.place)
    met = [each for level in sorted(set(levels)) for each in wrong(setting, level)]
    assert not met, "\n".join(sorted(set(met)))


# --- people at the edges ---------------------------------------------------------------------------------------------

EDGES = {
    "everybody holds one number": [65.0] * 200,
    "people at both ends": [0.0] * 90 + [100.0] * 110,
    "one person": [37.0],
    "two persons": [0.0, 100.0],
}


def at_the_edges(held: list[float]) -> list[Setting]:
    """The views of the pages about numbers, as these people are asked; few bins, so that a bin is no number."""
    source = PeopleSource(ScaledNumbers.of(np.array(held), 0, 100), "bell")
    asked = {"shapes": Shapes(source, 8), "means": Means(source), "trust": Trust(source)}
    first = [setting for setting in SETTINGS if setting.place == 0 and setting.page.slug in asked]
    moved = [replace(setting, asked=asked[setting.page.slug]) for setting in first]
    return [replace(each, own=each.view.at_first(each.asked)) for each in moved if each.view.only(each.asked)]


@pytest.mark.parametrize("held", EDGES.values(), ids=EDGES)
def test_every_true_quantity_is_that_of_people_at_the_edges(held: list[float]) -> None:
    settings = at_the_edges(held)
    assert {setting.page.slug for setting in settings} == {"shapes", "means", "trust"}
    levels = shared((0.1, 1.0, 10.0), 2, [*EDGES.values()].index(held))
    met = [each for setting in settings for level in levels for each in broken(setting, level)]
    assert not met, "\n".join(sorted(set(met)))


FEW = {
    "frequencies": tuple(Frequencies(Answering(n=n)) for n in (1, 2)),
    "response": tuple(ResponseSettings(n=n, share=share) for n, share in ((1, 0.0), (1, 1.0), (2, 0.5), (2, 1.0))),
    "vectors": (VectorsSettings(3, 1), VectorsSettings(3, 2)),
    "regression": (Regression(people=1), Regression(people=2)),
}


@pytest.mark.parametrize("slug", FEW)
def test_every_true_quantity_is_that_of_one_person_or_two(slug: str) -> None:
    first = [setting for setting in SETTINGS if setting.place == 0 and setting.page.slug == slug]
    moved = [replace(each, asked=asked, own=each.view.at_first(asked)) for asked in FEW[slug] for each in first]
    met = [each for setting in moved if setting.view.only(setting.asked) for each in broken(setting, 1.0)]
    assert not met, "\n".join(sorted(set(met)))


# --- what the law is for ---------------------------------------------------------------------------------------------


def test_quantiles_that_are_read_off_bins_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def read_off(self: shapes.ReconstructionResult, levels: Any) -> Any:
        return self._outward(bins.quantiles(self.truth, levels))

    monkeypatch.setattr(shapes.ReconstructionResult, "true_quantiles", read_off)
    for held in EDGES.values():
        met = [each for setting in at_the_edges(held) for each in broken(setting, 1.0)]
        assert any(each.startswith("ReconstructionResult.true_half") for each in met), met


def test_a_distance_that_is_measured_between_bins_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def between(self: shapes.ReconstructionResult) -> float:
        return bins.wasserstein(self.fit.shares, self.truth)

    monkeypatch.setattr(shapes.ReconstructionResult, "distance", property(between))
    met = [each for setting in at_the_edges([65.0] * 200) for each in broken(setting, 1.0)]
    assert any(each.startswith("ReconstructionResult.distance") for each in met), met


def test_a_truth_that_nobody_recomputes_is_seen() -> None:
    setting = next(setting for setting in SETTINGS if setting.name == "means.0.everybody")
    result, names = opened(next(results(setting, 1.0)))
    told, context = setting.page.facts(result), Context(setting.asked, setting.own, names)
    assert not untrue(result, told, context)
    assert untrue(result, {**told, "oldest": Truth(Number(1.0))}, context) == [
        "MeanSurveyResult.oldest: nobody recomputes it"
    ]

    assert "nobody recomputes ['oldest']" in untrue(SETTINGS, {"oldest": Truth(Number(1.0))}, context)[0]


@pytest.mark.parametrize("slug", sorted({setting.page.slug for setting in SETTINGS}))
def test_truths_of_every_page_are_met(slug: str) -> None:
    """Every page marks something as true, and at its own settings it is looked at."""
    first = [setting for setting in SETTINGS if setting.page.slug == slug]
    assert any(
        true_facts(setting.page.facts(result))
        for setting in first
        for result in results(setting, setting.page.default_level)
    )


def kind_of(question: Any) -> str:
    """The class of what a question, or the one inside it, says that it answers."""
    inside = isinstance(question, (Named, FromTruth))
    return kind_of(question.question) if inside else str(type(question).run.__annotations__["return"])


def test_nothing_is_recomputed_that_is_told_nowhere() -> None:
    """By what questions say that they answer, so that few must be asked."""
    gone = {kind.__name__: kind for kind in RECOMPUTED}
    for setting in sorted(SETTINGS, key=lambda setting: setting.place):
        level = setting.page.default_level
        for question in chain(asked_by_page(setting, level), asked_by_view(setting, level)) if gone else ():
            if (name := kind_of(question)) in gone:
                result = answered(question)
                if type(opened(result)[0]) is gone[name] and true_facts(setting.page.facts(result)):
                    del gone[name]
    assert not gone, sorted(gone)
