"""What the page about listening says at the ends of its settings, and the facts behind it by another route."""

from __future__ import annotations

import math

import pytest

from explorer.facts import Count
from explorer.rooms.protocols.facts import better
from explorer.rooms.protocols.settings import Protocols
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.protocols import Example, MoreRounds, SearchPath
from ldpcore.protocols import Crowd
from tests.sentences import sentences

LANGUAGES = ("en", "de")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("person", [1, 1000])
def test_the_person_who_is_looked_at_is_told_of_beside_the_run(person: int, language: str) -> None:
    said = sentences("protocols", "one", Protocols(Example("stages")), 1.0, language, person)
    named = {"en": "person ", "de": "Person "}[language] + catalogue_of(language).write(Count(person)).replace(
        "\u202f", " "
    )
    assert named in said and {"en": "on the scale", "de": "auf der Skala"}[language] in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_test_is_spoken_of_as_one(language: str) -> None:
    asked = Protocols(Example("search", Crowd(), 0.9), 1000)
    path = asked.search(1.0, "path")
    assert isinstance(path, SearchPath) and path.example.grid.tests == 1
    said = sentences("protocols", "search", asked, 1.0, language, "path")
    assert "test, each" not in said and "Test, jeden" not in said
    one = sentences("protocols", "one", asked, 1.0, language, 1)
    assert "group. Each" not in one and "Gruppe. Jede" not in one


def crossing(k: int) -> float:
    """The level at which k rounds are as good as one, for half-width 0.5 around 0: k z₀² - z_k² = (k-1)/12."""

    def over(level: float) -> float:
        return k / math.tanh(level / 2) ** 2 - 1 / math.tanh(level / k / 2) ** 2 - (k - 1) * 0.25 / 3

    low, high = 0.1, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if over(middle) > 0 else (middle, high)
    return high


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("k", [2, 4, 7])
def test_rounds_that_are_as_good_as_one_are_said_to_be(k: int, language: str) -> None:
    level, asked = crossing(k), Protocols(Example("steps", Crowd(0.0, 0.5)))
    result = MoreRounds(level, k, asked.example.crowd).run()
    assert result.ratio == pytest.approx(1, abs=1e-6) and better(result) == "even"
    said = sentences("protocols", "against", asked, level, language, ("rounds", k))
    assert {"en": "hardly matters", "de": "kaum einen Unterschied"}[language] in said
    for wrong in ("1 times the error", "**1 times", "das 1-Fache", "1-mal so groß"):
        assert wrong not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_single_round_is_not_compared_with_itself(language: str) -> None:
    said = sentences("protocols", "against", Protocols(), 1.0, language, ("rounds", 1))
    assert "1 times" not in said and "das 1-Fache" not in said
