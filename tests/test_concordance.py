"""The concordance of *Reference*: every item of the four documents has its words, and a place that opens."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.facts import Count
from explorer.pages.reference.concordance import (
    TEXTS,
    DocumentItem,
    called,
    concordance,
    documents,
    found,
    link_of,
    names_of,
)
from explorer.pages.reference.matching import mentions
from explorer.text import languages, listing
from explorer.text.catalogue import catalogue_of
from explorer.ui.opening import LinkError, opened
from tests.rationing import crossed, shared

LEAST = {"notebook": 12, "summary": 8, "script": 40, "thesis": 30}
EXERCISES_OF_THE_SCRIPT = {1: 4, 2: 10, 3: 5}  # by chapter
ITEMS = [item for document in concordance().documents for item in document.items]
PLACES = sorted({item.place for item in ITEMS})
STAGED = [place for place in PLACES if place.startswith("/")]
LANGUAGES = pytest.mark.parametrize("language", languages())


def trouble(place: str, language: str) -> str:
    """The fault of a place: it opens no view, another than it names, or not without a complaint."""
    try:
        view = opened(place, language)
    except LinkError as problem:
        return str(problem)
    address = urlsplit(place)
    wanted = parse_qs(address.query)[f"{address.path.strip('/')}_tab"]
    return " ".join(view.complaints) or ("" if [view.viewed.view.slug] == wanted else f"{view.viewed.view.slug} opens")


def written(language: str, wanted: str = "") -> str:
    return documents(catalogue_of(language), wanted, {})


@pytest.mark.parametrize(("place", "language"), crossed(shared(STAGED, 6), languages()))
def test_every_link_opens_the_view_that_it_names_without_a_complaint(place: str, language: str) -> None:
    assert trouble(place, language) == ""


@pytest.mark.parametrize(
    "dead", ["/nowhere?nowhere_tab=one", "/counting?counting_tab=nowhere", "/counting?counting_tab=one&data=nobody"]
)
def test_a_dead_link_would_be_noticed(dead: str) -> None:
    assert trouble(dead, "en")


def test_every_link_names_a_view_that_its_page_has() -> None:
    for place in STAGED:
        address = urlsplit(place)
        page = address.path.strip("/")
        (view,) = parse_qs(address.query)[f"{page}_tab"]
        assert catalogue_of("en").has(page, f"view {view}"), place


def test_every_exercise_of_a_document_opens_its_own_view() -> None:
    named = {place.partition(" ")[2] for place in PLACES if place.startswith("exercise ")}
    assert len(named) > 10
    for slug in named:
        assert trouble(f"/{link_of(f'exercise {slug}')}", "en") == ""


@LANGUAGES
def test_a_place_that_is_a_word_finds_it(language: str) -> None:
    terms = listing("glossary", language)["terms"]
    words = [place for place in PLACES if place.startswith("word ")]
    assert words and not {place.partition(" ")[0] for place in set(PLACES) - set(STAGED)} - {"exercise", "word"}
    for place in words:
        wanted = link_of(place).parameters["reference_find"]
        assert any(mentions(wanted, term["en"], term["de"]) for term in terms)


@LANGUAGES
def test_every_item_and_every_misprint_has_a_text_and_none_is_left_over(language: str) -> None:
    texts, made = listing(TEXTS, language), concordance()
    names = [document.name for document in made.documents]
    assert list(texts) == ["titles", "kinds", *names, "misprints"]
    assert list(texts["titles"]) == names and list(texts["kinds"]) == list(made.kinds)
    for document in made.documents:
        assert list(texts[document.name]) == [item.key for item in document.items]
        assert len(document.items) >= LEAST[document.name]
    assert list(texts["misprints"]) == [misprint.key for misprint in made.misprints]
    for printed in texts["misprints"].values():
        assert printed["printed"] != printed["right"]


def test_every_exercise_of_the_script_is_there() -> None:
    (script,) = (document for document in concordance().documents if document.name == "script")
    wanted = [f"Aufgabe {chapter}.{n}" for chapter, most in EXERCISES_OF_THE_SCRIPT.items() for n in range(1, most + 1)]
    assert [item.name for item in script.items if item.name.startswith("Aufgabe")] == wanted
    assert len(wanted) == 19


def test_every_equation_of_the_thesis_is_there() -> None:
    (thesis,) = (document for document in concordance().documents if document.name == "thesis")
    equations = [item.name for item in thesis.items if item.name.startswith("equation:")]
    assert equations == [f"equation:{chapter}-{n}" for chapter, most in ((2, 29), (3, 11)) for n in range(1, most + 1)]


def test_a_misprint_stands_in_a_document_that_is_told() -> None:
    names = {document.name for document in concordance().documents}
    assert {misprint.document for misprint in concordance().misprints} == names
    assert len(concordance().misprints) > 40


@pytest.mark.parametrize(
    ("wanted", "key"),
    [
        ("Satz 2.9", "satz_2_9"),
        ("aufgabe 2.8", "aufgabe_2_8"),
        ("2-24", "equation_2_24"),
        ("۲-۲۴", "equation_2_24"),
        ("٢-٢٤", "equation_2_24"),
        ("معادله ۲–۲۴", "equation_2_24"),
        ("In [6]", "in6"),
        ("Übung", "exercise"),
        ("Korollar 3.4", "korollar_3_4"),
        ("Definition 1.1", "definition_1_1"),
    ],
)
@LANGUAGES
def test_an_item_is_found_by_the_name_that_its_author_gives_it(wanted: str, key: str, language: str) -> None:
    catalogue = catalogue_of(language)
    assert key in [item.key for item in ITEMS if found(wanted, *names_of(item.name, catalogue))]
    assert "<a href=" in written(language, wanted)


def test_a_number_that_is_searched_is_a_whole_one() -> None:
    assert found("2.1", "Aufgabe 2.1") and not found("2.1", "Aufgabe 2.10") and not found("2.1", "12.1")


@LANGUAGES
def test_a_document_that_is_searched_by_its_name_shows_all_its_items(language: str) -> None:
    made = written(language, listing(TEXTS, language)["titles"]["notebook"])
    assert made.count("<details open>") == 2  # the document, and what is misprinted in it
    assert made.count("<a href=") == len(concordance().documents[0].items)


@LANGUAGES
def test_everything_is_written_once_and_folded_until_it_is_searched(language: str) -> None:
    made = written(language)
    assert made.count("<a href=") == len(ITEMS) and made.count("data-head=") == 2 * len(concordance().misprints)
    assert made.count("<details>") == 6 and "<details open>" not in made
    assert written(language, "zzz") == ""
    assert f"({catalogue_of(language).write(Count(len(concordance().misprints)))})" in made


def test_links_carry_the_language_that_was_chosen() -> None:
    made = documents(catalogue_of("de"), "Satz 2.9", {"lang": "de"})
    assert "lang=de" in made and "&amp;" in made


def test_a_persian_name_is_told_in_the_language_of_the_reader() -> None:
    item = DocumentItem("one", "equation:2-14", "/counting")
    assert called(item.name, catalogue_of("de")) == "Gleichung (2-14)"
    assert called("Satz 2.9", catalogue_of("en")) == "Satz 2.9"
