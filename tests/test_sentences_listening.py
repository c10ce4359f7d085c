"""What the page about listening says at the ends of its settings, and the facts behind it by another route."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
import scipy

from explorer.facts import Count, plain
from explorer.pages.protocols import facts as protocols
from explorer.pages.protocols.facts import RARE, better
from explorer.pages.protocols.settings import Protocols
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.protocols import Example, MoreRounds, SearchPath, SearchTail
from ldpcore.protocols import UniformCrowd
from tests.rationing import shared
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
    asked = Protocols(Example("search", UniformCrowd(), 0.9), 1000)
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
    level, asked = crossing(k), Protocols(Example("steps", UniformCrowd(0.0, 0.5)))
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


SEARCHES = [
    (n, level, delta, center)
    for n in (10, 1000, 16_384)
    for level in (0.01, 1.0, 3.0, 10.0)
    for delta in (0.1, 0.5, 0.9, 2.0)
    for center in (0.0, 0.4)
]
LESS = {"en": "less than 10⁻⁶", "de": "weniger als 10⁻⁶"}


def logarithms(n: int, chance: float) -> np.ndarray:
    """ln P(so many yeses) of n, by sums of logarithms."""
    counts = np.arange(n + 1)
    ways = scipy.special.gammaln(n + 1) - scipy.special.gammaln(counts + 1) - scipy.special.gammaln(n - counts + 1)
    return np.asarray(ways + counts * math.log(chance) + (n - counts) * math.log1p(-chance))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bound_is_told_as_finely_as_what_it_bounds(language: str) -> None:
    """P(error > limit) of the search on everybody's reports in logarithms, so that nothing is too small for it."""
    met = set()
    for n, level, delta, center in shared(SEARCHES, 3, LANGUAGES.index(language)):
        asked = Protocols(Example("search", UniformCrowd(center, 0.5), delta), n)
        if asked.example.grid.tests > n:
            continue
        result = asked.search(level, "tail")
        assert isinstance(result, SearchTail)
        made = result.run()
        search, limit = result.alone(), float(made.limits[made.place]) * (1 + 1e-12)
        off = np.abs(result.grid.estimates()[search.ends() - 1] - center) > limit
        seldom = scipy.special.logsumexp(logarithms(n, float(search.chance(center)))[off]) if off.any() else -math.inf
        told = protocols.facts(made)
        said = sentences("protocols", "search", asked, level, language, "tail")
        alone, bound = (
            catalogue_of(language).write(plain(told)[name]).replace("\u202f", " ") for name in ("alone", "bound")
        )
        assert (alone == LESS[language]) == (made.reachable and seldom < math.log(RARE)), (n, level, delta, alone)
        if made.bound[made.place] < 1:
            assert bound in said and alone in said
            assert bound == LESS[language] or made.bound[made.place] >= RARE or not asked.example.grid.tests
            assert not re.search(r"(at most|höchstens) (less|weniger)", said), said
            met.add((bound == LESS[language], alone == LESS[language]))
    assert met >= {(True, True), (False, True)}, met
