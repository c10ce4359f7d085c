"""Nothing is above "more than", and nothing at most "less than": a bound is a number.

A number may be written with a comparison of its own (`> 99.9 %`, "less than 10⁻⁶"). Where it stands after a comparison
of its sentence ("above", "at most", „höchstens“), that would be two. Every such place of every text is looked for, and
what is written there in every view of every page, from the least level to the most that can be typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import cycle

import pytest

from explorer.facts import Facts, Share, Term, at_most, plain
from explorer.text import page_text
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.text.templates import Slot, TemplateParts, asked, parsed
from tests.rationing import ALL, crossed, shared
from tests.scenes import STOPS, declared, scenes_of, settings
from tests.test_titles_in_sentences import before, texts

LEVELS = (STOPS[0], 50.0, STOPS[-1], 28.0)  # the least and the most that can be asked, the handle's end, and between
COMPARED = {
    "en": re.compile(r"\b(?:above|below|at (?:the )?most|at least|(?:more|less|fewer) than|up to|over|under)[ ±*]*$"),
    "de": re.compile(r"\b(?:über|unter|höchstens|mindestens|(?:mehr|weniger|größer|kleiner) als|bis zu)[ ±*]*$"),
}
ITSELF = re.compile(r"[<>≤≥]|(?:more|less) than|(?:mehr|weniger) als|at (?:most|least)|(?:höchst|mindest)ens")


def places(slug: str, language: str) -> Iterator[tuple[str, str, str]]:
    """Where a fact stands after a comparison: the text, the words before, and the fact's name."""
    for place, template in texts(page_text(slug, language)):
        for said, name in before(parsed(template), set(asked(template))):
            if COMPARED[language].search(said):
                yield place, said[-40:], name


def of_page(key: str, slug: str) -> bool:
    """Whether a text of the sheets is told of a page: it is named after it, or belongs to all."""
    return slug in key.split()


@cache
def own(slug: str, language: str) -> list[tuple[str, str, str, str]]:
    """The places of a page and of its sheet, and which of both."""
    sheet = [each for each in places("sheet", language) if of_page(each[0], slug)]
    return [*((slug, *each) for each in places(slug, language)), *(("sheet", *each) for each in sheet)]


def chosen(pieces: TemplateParts, facts: Facts, words: Catalogue) -> Iterator[str | Slot]:
    """A text with those of its cases that facts choose."""
    for piece in pieces:
        if isinstance(piece, Slot) and piece.cases and piece.name in facts:
            yield from chosen(words._case(piece, facts[piece.name]), facts, words)
        else:
            yield piece


def twice(facts: Facts, slug: str, language: str, view: str = "") -> list[tuple[str, ...]]:
    """The comparisons of a page and of its sheet that these facts of a view would double.

    A text of another view is filled with the facts of that one, and a case that these facts do not choose is not said.
    """
    words, found = catalogue_of(language), list[tuple[str, ...]]()
    numbers = {name: fact for name, fact in facts.items() if not isinstance(fact, Term)}
    others = declared(slug).views.keys() - {view}
    for source, place, said, name in own(slug, language):
        if name not in numbers or not ITSELF.match(text := words.write(numbers[name], slug)):
            continue
        if others.isdisjoint(re.split("[ /]", place)[:3]) and said in told(source, place, name, facts, words):
            found.append((place, said, text))
    return found


def told(source: str, place: str, name: str, facts: Facts, words: Catalogue) -> set[str]:
    """The words before a fact, in those cases of its text that facts choose."""
    text = dict(texts(page_text(source, words.language)))[place]
    return {said[-40:] for said, _ in before(tuple(chosen(parsed(text), facts, words)), {name})}


@pytest.mark.parametrize("slug", sorted({setting.page.slug for setting in settings()}))
def test_no_number_with_a_comparison_of_its_own_stands_after_another(slug: str) -> None:
    mine = [setting for setting in settings() if setting.page.slug == slug]
    views = {setting.view.slug: setting for setting in reversed(mine)}  # each view is met in every run
    cases = crossed(views.values(), LEVELS if ALL else LEVELS[:2])  # at the least or at the most
    for setting, level in dict.fromkeys((*cases, *zip(shared(mine, 12), cycle(LEVELS[2:]), strict=False))):
        if setting.moves or level in LEVELS[:2]:
            facts = plain(scenes_of(setting).facts(level))
            for language in COMPARED:
                met = twice(facts, slug, language, setting.view.slug)
                assert not met, (setting.name, level, met)


def test_sentences_that_compare_are_found_in_both_languages() -> None:
    for language in COMPARED:
        assert "most" in {name for _, _, name in places("response", language)}
        assert "bound" in {name for _, _, name in places("counting", language)}


def test_a_share_that_claims_to_be_more_is_seen_after_a_comparison() -> None:
    for language in COMPARED:
        assert twice({"most": Share(0.9996, 3)}, "response", language)
        assert not twice({"most": at_most(0.9996)}, "response", language)


def test_what_another_view_says_or_a_case_that_is_not_chosen_is_doubled_by_nothing() -> None:
    setting = next(setting for setting in settings() if setting.name == "protocols.2.search")
    facts = plain(scenes_of(setting).facts(28.0))
    unchosen = {name: fact for name, fact in facts.items() if name != "known"}
    for language in COMPARED:
        assert not twice(facts, "protocols", language, "search")
        assert twice(unchosen, "protocols", language, "search")
        assert not twice(unchosen, "protocols", language, "one")
