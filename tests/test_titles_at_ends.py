"""A figure's title says what is seen at the present level: what holds at some levels alone is chosen by the facts."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from explorer.facts import Term
from explorer.pages.counting import facts as counting
from explorer.text import page_text
from explorer.text.catalogue import catalogue_of
from explorer.text.templates import asked
from ldpcore.experiments.counting.neighbors import TwoTables
from ldpcore.mechanisms.discretelaplace import DiscreteLaplaceMechanism
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.rationing import shared
from tests.scenes import STOPS, Scenes, settings
from tests.test_titles_in_sentences import texts

JUDGING = {  # what may hold at one level and not at another, where no fact chooses it
    "en": re.compile(r"\b(?:hard|easy|hardly|nearly|almost|coincide|overlap|little|small|large|far|close|usually)\b"),
    "de": re.compile(r"\b(?:kaum|fast|leicht|schwer|decken|überlappen|wenig|viel|klein|groß|weit|nahe|meist)\b"),
}
EVERY_PAGE = pytest.mark.parametrize("slug", sorted({setting.page.slug for setting in settings()}))


def judges(title: str, template: str, language: str) -> bool:
    """Whether a title that no fact changes judges what is seen."""
    return not asked(template) and not title.endswith("?") and JUDGING[language].search(title) is not None


def judged(slug: str, view: str) -> bool:
    """Whether a title of a view has a word that judges, in some case: a run draws those, and a share of the others."""
    places = [(language, each) for language in JUDGING for each in texts(page_text(slug, language))]
    titles = [(language, text) for language, (place, text) in places if {view, "title"} <= set(place.split("/"))]
    return any(JUDGING[language].search(text) for language, text in titles)


@EVERY_PAGE
def test_no_title_judges_what_is_seen_unless_a_fact_chooses_it(slug: str) -> None:
    firsts = {one.view.slug: one for one in reversed(settings()) if one.page.slug == slug and one.moves}
    chosen = [one for one in firsts.values() if judged(slug, one.view.slug)]
    for setting in {each.name: each for each in (*chosen, *shared(firsts.values(), 6))}.values():
        for language in JUDGING:
            titles = set()
            for level in (STOPS[0], STOPS[-1]):
                made = Scenes(setting).scene(level, True, language)
                if made.figure is not None:
                    titles.add(made.figure.layout["title"]["text"])
            if len(titles) == 1:  # the same at both ends: it must hold at both
                (title,) = titles
                assert JUDGING[language].search(title) is None, (setting.name, language, title)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("level", [0.01, 0.1, 0.5, 1.0, 3.0, 5.0, 10.0])
def test_two_bells_are_said_to_overlap_as_far_as_they_do(level: float, whole: bool) -> None:
    """The common part of the two drawn curves, by the trapezoid rule, against the share that the title goes by."""
    noise = DiscreteLaplaceMechanism(level) if whole else LaplaceMechanism(level)
    result = TwoTables(noise, 9.0, 0.0, 40.0).run()
    end = math.ceil(20 + 40 / level)
    at = np.arange(-end, end + 1.0) if whole else np.linspace(-end, end, 400_001)
    likely, other = (result.experiment.mechanism.relative(at + moved) for moved in (0.0, 1.0))
    common = np.trapezoid(np.minimum(likely, other), at) / np.trapezoid(likely, at)
    assert abs(common - result.common) < 1e-3
    told = counting.facts(result)["overlap"]
    assert told == Term("cases.most" if common >= 0.8 else "cases.some" if common >= 0.2 else "cases.little")


def test_the_title_of_one_release_is_another_at_either_end() -> None:
    for language, near, far in (
        ("en", "nearly the same", "hardly overlap"),
        ("de", "fast dieselbe", "kaum überlappen"),
    ):
        for level, seen in ((0.1, near), (10.0, far)):
            result = TwoTables(LaplaceMechanism(level, 1.0, "add-remove"), 9.0, 0.0, 40.0).run()
            words = catalogue_of(language).words("counting", "one", counting.facts(result))
            assert seen in words["title"]


def test_a_title_that_holds_at_some_levels_alone_is_seen() -> None:
    assert judged("counting", "one") and not judged("response", "deny")
    once = "With or without one person: hard to tell when the bells coincide"
    assert judges(once, once, "en") and judges("Es ist kaum ein Unterschied, wenn sich die Kurven decken", "", "de")
    assert not judges("Ten releases", "Ten releases", "en")
