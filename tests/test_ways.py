"""The ways: declared in files, short enough, said in every language, and walked by one key forth and back."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from explorer import navigation
from explorer.text import languages, listing
from explorer.text.catalogue import catalogue_of
from explorer.text.conventions import PSEUDO
from explorer.ways import FOLDER, MOST, ORDER, Link, Point, Way, arrived, decisions, way_of
from explorer.ways.words import NOTES, told_at

WAYS = tuple(way_of(slug) for slug in ORDER)
EACH = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.slug)
LASTS = {"five": 5, "lecture": 45, "local": 45, "notebook": 45, "workshop": 60, "limits": 90}  # minutes


def path(way: Way) -> list[Point]:
    """All states of a way, in the order in which one key leads through them."""
    points = [arrived(way, 1)]
    while (further := points[-1].next()) != points[-1]:
        points.append(further)
    return points


def test_every_way_is_offered_and_every_file_is_one() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == {*ORDER, "decisions"}
    assert set(LASTS) == set(ORDER)


@EACH
def test_a_way_is_short_and_lasts_as_long_as_it_says(way: Way) -> None:
    assert 5 <= len(way.steps) <= MOST == 14
    assert way.minutes(len(way.steps)) == LASTS[way.slug]
    assert [way.minutes(place) for place in range(1, len(way.steps) + 1)] == sorted(
        way.minutes(place) for place in range(1, len(way.steps) + 1)
    )


@EACH
def test_every_step_leads_to_a_page(way: Way) -> None:
    slugs = {entry.slug for entry in navigation.entries()}
    for step in way.steps:
        assert step.link.page in slugs
        for key in step.link.parameters:
            assert key in ("epsilon", "data") or key.startswith(f"{step.link.page}_"), (step.name, key)
        assert Link.of(f"/{step.link}") == step.link


@EACH
@pytest.mark.parametrize("language", [*languages(), PSEUDO])
def test_every_step_has_its_words(way: Way, language: str) -> None:
    """A reader alone is told what to do; a room is asked first, and predicts only where there is something to show."""
    for step in way.steps:
        told = told_at(step, way, catalogue_of(language))
        kinds = [kind for kind, _ in told.notes()]
        assert told.title
        assert way.alone or way.room
        assert kinds == ((list(NOTES) if step.predict else ["ask", "say"]) if way.room else [])
        assert bool(told.do) is way.alone
        assert bool(told.seen) is (way.alone and step.predict)


@pytest.mark.parametrize("language", languages())
def test_no_words_are_left_over(language: str) -> None:
    texts = listing("ways", language)
    assert {*texts} == {*ORDER, "decisions"}
    for way in WAYS:
        assert [*texts[way.slug]["steps"]] == [step.name for step in way.steps]
    assert {*texts["decisions"]["names"]} == {decision.name for decision in decisions()}
    assert {decision.who for decision in decisions()} == {*texts["decisions"]} - {"title", "names"}


@EACH
def test_one_key_leads_through_a_way_and_another_back_through_the_same_states(way: Way) -> None:
    forth = path(way)
    assert len(forth) == len(way.steps) + sum(step.predict for step in way.steps)
    assert [point.place for point in forth] == sorted(point.place for point in forth)
    for before, after in pairwise(forth):
        assert after.previous() == before
    assert forth[0].previous() == forth[0]


@EACH
def test_what_is_predicted_is_hidden_first(way: Way) -> None:
    for place, step in enumerate(way.steps, 1):
        states = [point.hidden for point in path(way) if point.place == place]
        assert states == ([True, False] if step.predict else [False])


def test_the_lecture_shows_the_strongest_pictures_and_no_page_of_it_twice_in_the_same_view() -> None:
    links = [step.link for step in way_of("lecture").steps]
    assert len(links) == len({str(link) for link in links})
    assert {"overview", "counting", "budget", "trust", "means", "regression", "protocols", "verify"} <= {
        link.page for link in links
    }


def about(text: str) -> set[str]:
    """What a text speaks of: its longer words by their beginnings, and its numbers."""
    words = re.findall(r"[^\W\d_]{4,}|\d+(?:[.,]\d+)?", text.replace("\u202f", "").lower())
    return {word[:5] for word in words}


@pytest.mark.parametrize("language", languages())
def test_what_is_seen_at_a_step_names_what_was_asked_for_whoever_comes_by_a_link(language: str) -> None:
    """Its first sentence shares two words or numbers with the question, which then stands there no more."""
    bare = "By 10, where there are five people."
    assert len(about(bare) & about("The women are counted ten times. How far off are the answers on average?")) < 2
    for way in WAYS:
        for step in way.steps:
            told = told_at(step, way, catalogue_of(language))
            first = re.split(r"(?<=[.:]) ", told.seen)[0]
            assert not told.seen or len(about(first) & about(told.do)) >= 2, (step.name, first)
