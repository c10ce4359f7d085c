"""Every mechanism and every famous mistake is named and told in each language; the reference says no other words."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, fields
from typing import Any

import pytest

from explorer.facts.naming import about_of, option_of, short_of, title_of
from explorer.pages.reference import widgets as reference
from explorer.pages.verify.settings import MISTAKES
from explorer.text import LANGUAGE, languages
from explorer.text.catalogue import Catalogue, catalogue_of
from explorer.text.conventions import PSEUDO
from ldpcore.mechanisms import REGISTRY, by_slug
from ldpcore.mechanisms.base import Mechanism
from ldpcore.parameters import Choice, Interval, declarations
from tests.cases import for_each
from tests.screens.opening import opened

MEMBERS = (*REGISTRY, *MISTAKES)
OTHERS = tuple(language for language in languages() if language != LANGUAGE)
EACH_MEMBER = for_each("member", MEMBERS, ids=lambda member: member.slug)
EACH_LANGUAGE = for_each("language", languages())
EACH_OTHER = for_each("language", OTHERS)
CROWDED = 24  # letters: what fits beside a bar


def told(member: type[Mechanism], language: str) -> tuple[str, str, str]:
    """Title, short name and description."""
    catalogue, slug = catalogue_of(language), member.slug
    return catalogue.write(title_of(slug)), catalogue.write(short_of(slug)), catalogue.write(about_of(slug))


def sentences(member: type[Mechanism]) -> list[str]:
    """What the docstring says to developers, sentence by sentence."""
    return [part.strip() for part in " ".join((inspect.getdoc(member) or "").split()).split(". ") if part.strip()]


def test_there_is_a_language_beside_english() -> None:
    assert "de" in OTHERS


@EACH_LANGUAGE
@EACH_MEMBER
def test_a_mechanism_has_a_title_a_short_name_and_a_description(member: type[Mechanism], language: str) -> None:
    title, short, about = told(member, language)
    assert not title[0].islower(), f"a title must begin with a capital; got “{title}”"
    longest, said = min(len(title), CROWDED), about.count(". ") + about.count(".\n") + 1
    assert 0 < len(short) <= longest, f"a short name must have at most {longest} letters; got {len(short)} in “{short}”"
    assert said <= 3 and about.endswith("."), f"a description must be one to three sentences; got “{about}”"
    assert 60 < len(about) < 300, f"a description must have 61 to 299 letters; got {len(about)} in “{about}”"


@EACH_MEMBER
def test_the_english_title_is_the_one_that_developers_read(member: type[Mechanism]) -> None:
    assert told(member, LANGUAGE)[0] == member.title


@EACH_LANGUAGE
def test_no_two_mechanisms_have_the_same_title(language: str) -> None:
    titles = [told(member, language)[0] for member in MEMBERS]
    assert len(set(titles)) == len(titles)


@EACH_OTHER
@EACH_MEMBER
def test_a_description_is_translated(member: type[Mechanism], language: str) -> None:
    assert told(member, language)[2] != told(member, LANGUAGE)[2]


@EACH_LANGUAGE
@EACH_MEMBER
def test_every_option_of_a_parameter_has_a_name(member: type[Mechanism], language: str) -> None:
    for name, declared in declarations(member).items():
        if isinstance(declared, Choice):
            named = [catalogue_of(language).write(option_of(name, option)) for option in declared.options]
            assert len(set(named)) == len(named) and all(named)


@pytest.mark.parametrize(
    ("declared", "english", "german"),
    [
        (Interval("x", 0, 1, (0, 1)), "a number from 0 to 1", "eine Zahl von 0 bis 1"),
        (
            Interval("x", 0, 2.5, (0, 1), open_low=True),
            "a number above 0, at most 2.5",
            "eine Zahl über 0, höchstens 2,5",
        ),
        (Interval("x", 0, 1, (0, 1), open_high=True), "a number of at least 0, below 1", "eine Zahl ab 0, unter 1"),
        (
            Interval("x", 0, 1, (0, 1), open_low=True, open_high=True),
            "a number above 0 and below 1",
            "eine Zahl über 0 und unter 1",
        ),
        (Interval("x", 2, 9, (2, 9), integer=True), "a whole number from 2 to 9", "eine ganze Zahl von 2 bis 9"),
        (
            Choice("x", ("analytic", "classical")),
            "to choose from: the smallest possible and the classical one",
            "zur Wahl: das kleinstmögliche und das klassische",
        ),
    ],
)
def test_what_a_parameter_may_be_is_said_in_words(declared: Any, english: str, german: str) -> None:
    assert reference.allowed("calibration", declared, catalogue_of("en")) == english
    assert reference.allowed("calibration", declared, catalogue_of("de")) == german


@EACH_LANGUAGE
@EACH_MEMBER
def test_every_control_of_a_mechanism_has_a_name_in_words(member: Any, language: str) -> None:
    """Of what it needs beside a level and k, as the page that tests every mechanism asks for it."""
    catalogue, page = catalogue_of(language), "verify"
    needed = {field.name for field in fields(member) if field.default is MISSING} - {"epsilon", "k"}
    for name in needed & set(declarations(member)):
        assert any(has_label(catalogue, path, page) for path in (f"{member.slug}_{name}", name)), (
            f"{language}/labels.toml: [parameters] must have {member.slug}_{name}, or {name} where several share it"
        )


def has_label(catalogue: Catalogue, name: str, page: str) -> bool:
    try:
        return bool(catalogue.label(name, page))
    except KeyError:
        return False


def test_a_control_shows_the_name_of_its_parameter_and_never_that_of_its_field() -> None:
    for slug, expected in (("gauss", "Versagenswahrscheinlichkeit δ"), ("coins", "Ein wahres Ja sagt Ja mit")):
        sliders: Any = opened("verify", verify_mechanism=slug, lang="de").get("select_slider")
        assert expected in [slider.label.replace("\u00ad", "") for slider in sliders], slug


def test_no_parameter_has_a_rule_that_the_words_leave_out() -> None:
    for member in REGISTRY:
        for declared in declarations(member).values():
            if isinstance(declared, Interval) and declared.integer:
                assert not (declared.open_low or declared.open_high), member


@pytest.mark.parametrize("language", [*OTHERS, PSEUDO])
def test_an_entry_of_the_reference_holds_nothing_of_its_docstring(language: str) -> None:
    catalogue = catalogue_of(language)
    for member in REGISTRY:
        entry = reference.entry(member, catalogue, catalogue.page("reference")["labels"])
        assert not [part for part in sentences(member) if part[:30] in entry], member
        assert "must be" not in entry and "at most" not in entry and " number" not in entry


def test_a_mechanism_is_found_by_its_name_in_either_language_and_by_what_it_does() -> None:
    for wanted in ("hadamard-antwort", "Hadamard response", "Wort eines Codes", "Acharya"):
        members = [member for found in reference.by_kind(catalogue_of("de"), wanted).values() for member in found]
        assert members == [by_slug("hadamard")], wanted
    assert not reference.by_kind(catalogue_of("de"), "nothing of the kind")


@EACH_OTHER
def test_the_page_of_the_reference_is_in_the_language_of_the_reader(language: str) -> None:
    app = opened("reference", lang=language, reference_tab="mechanisms")
    said = "\n".join(element.value for element in app.markdown)
    for member in REGISTRY:
        assert catalogue_of(language).markdown(None, about_of(member.slug).key) in said, member
        assert not [part for part in sentences(member) if part[:30] in said], member


@EACH_OTHER
def test_the_choice_of_a_mechanism_is_in_the_language_of_the_reader(language: str) -> None:
    options = opened("verify", lang=language).selectbox(key="verify_mechanism").options
    for member in MEMBERS:
        assert any(told(member, language)[0] in option for option in options), member
