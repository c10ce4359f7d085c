"""Sentences about one person, one answer or nobody, which were told as of many."""

from __future__ import annotations

from dataclasses import replace

import pytest

from explorer.facts import Count, Number, Share, plain
from explorer.pages.counting import facts as counting
from explorer.pages.counting.settings import of_table as counting_of
from explorer.pages.frequencies import facts as frequencies
from explorer.pages.frequencies.settings import Frequencies
from explorer.pages.trust.facts import facts as trust_facts
from explorer.pages.trust.settings import Trust
from explorer.settings.noises import ChosenNoise, noises
from explorer.settings.numbers import PeopleSource
from explorer.text import languages
from explorer.text.catalogue import catalogue_of
from ldpcore.estimating.adviser import candidates
from ldpcore.experiments.counting.releases import Afterwards
from ldpcore.experiments.frequencies.topten import TopTen
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.people.populations import Population
from tests.fuzz.drawn import said
from tests.fuzz.said import slips

LANGUAGES = ("en", "de")


def task_six(count: int, language: str, n: int = 2584, level: float = 0.1) -> str:
    return task(Afterwards(LaplaceMechanism(level, 1.0, "add-remove"), count, n), language)


def task(question: Afterwards, language: str) -> str:
    result = question.run()
    return catalogue_of(language).text("counting", "task 6 reveal", plain(counting.facts(result)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_count_far_from_its_ends_is_not_said_to_change(language: str) -> None:
    """At 882 of 2 584 and α = 0.1 the ends lie 88 scales away: e⁻⁸⁸ of the noise is cut off."""
    far, near = task_six(882, language), task_six(0, language)
    assert "10" in far and not far.rstrip().endswith("0.") and "**" not in far.replace("**10**", "")
    for never in ("instead of 10", "statt 10", "by **0**", "um **0**"):
        assert never not in far
    assert "**5**" in near.replace("4.99", "5").replace("4,99", "5")  # half of the noise is cut off at 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [0, 1, 2, 20, 60, 882, 2583, 2584])
def test_what_is_told_of_cutting_a_count_is_seen_in_its_numbers(count: int, language: str) -> None:
    told = task_six(count, language)
    assert not slips(told.replace("**", ""), language)
    assert not any(zero in told for zero in ("**0**", " 0 people", " 0 Personen"))


@pytest.mark.parametrize("language", languages())
def test_one_answer_shares_its_delta_with_no_other(language: str) -> None:
    for repeats in (1, 2, 100):
        link = f"averaging_tab=pile&averaging_mechanism=gauss&averaging_repeats={repeats}"
        told = said("averaging", link, 1.0, language)
        shared = {"en": "answers share one δ", "de": "teilen sich ein δ", "fa": "یک δ ="}[language]
        assert not slips(told, language) and (shared in told) == (repeats > 1)


@pytest.mark.parametrize("slug", noises(True))
def test_what_rounding_and_cutting_does_is_told_of_the_noise_that_is_chosen(slug: str) -> None:
    chosen = replace(counting_of("clinic", "add-remove", "count"), noise=ChosenNoise(slug))
    question = chosen.usual(0.3)[1]
    assert question.mechanism == chosen.mechanism(0.3) and question.mechanism.slug == slug
    assert plain(counting.facts(question.run()))["raw"] == Number(chosen.mechanism(0.3).mean_absolute_error())


def test_a_sum_is_not_told_of_a_count_of_no_people() -> None:
    for verb in ("sum", "mean"):
        noise = counting_of("clinic", "add-remove", verb).usual(0.1)[1]
        told = {language: task(noise, language) for language in LANGUAGES}
        assert "nobody" in told["en"] and "niemand" in told["de"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_list_of_one_is_told_as_of_one(seed: int, language: str) -> None:
    result = TopTen(GeneralizedRandomizedResponse(1.0, 3), Population([0, 1, 2], [50, 30, 20]), 40, 1, seed).run()
    found = plain(frequencies.facts(result))
    title = catalogue_of(language).words("frequencies", "top", found)["title"]
    answer = catalogue_of(language).text("frequencies", "answer top", found)
    note = catalogue_of(language).text("frequencies", "top", found)
    share = catalogue_of(language).write(found["found"])
    for text in (title, answer, note):
        assert share in text and not slips(text.replace("**", "").rstrip(".") + ".", language), text
        assert not any(many in text for many in ("most popular are", "1 of", " von 1", "of 1 ", "1 der", "are found"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_level_beyond_all_is_told_as_a_level_and_not_as_a_number(language: str) -> None:
    """One person needs 691 with a curator: never 'needs level more than 50', nor 'das Niveau mehr als 50' in German."""
    asked = Trust(PeopleSource.of_shape("constant", 1), confidence=0.999).plan(4.0, 0.01)
    brought = {"n": Count(1), "epsilon": Number(4.0), "confidence": Share(0.999)}
    found = plain(brought | {name: fact for each in asked for name, fact in trust_facts(each.run()).items()})
    told = catalogue_of(language).text("trust", "answer plan", found)
    level = {"en": "person needs a level of **more than 50** with", "de": "Person bei einem Niveau von **mehr als 50**"}
    assert level[language] in told


def test_no_mechanism_is_said_to_take_less_than_one_that_takes_as_much() -> None:
    """Subset selection names one of ten answers from α = 2.1 on, as direct answers do."""
    for slug, case in (("subset", ""), ("grr", ""), ("oue", "better")):
        (mechanism,) = candidates(1.0, 10, (slug,))
        best, own, *_ = (
            question.run() for question in Frequencies(mechanism=mechanism).plan(1.0, (0.1, 0.01, 0.95, True))
        )
        assert frequencies.best_first(best, own) == case
