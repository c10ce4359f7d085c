"""The level is called α where nobody is trusted and ε where a curator is, in every text, figure, sheet and document.

Which of the two holds is read off the kinds: of the mechanisms in a view's questions, of the mechanism that a text
describes, of the page that a way leads to. A text that names both says so: it speaks of a curator, of the local
model, or of shuffling between them. A modulus ω takes a distance that analysis calls ε; it is no level.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

import pytest

from explorer import ways
from explorer.pages.verify.settings import MISTAKES
from explorer.text import languages, listing, page_text
from explorer.text.catalogue import catalogue_of
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import CentralRelease, LocalRandomizer, Mechanism
from ldpcore.mechanisms.selector import Selector
from tests import scenes
from tests.cases import for_each
from tests.rationing import ALL, shared
from tests.scenes import STOPS, Setting, settings
from tests.test_titles_in_sentences import ROOT, texts
from tools import docs

LANGUAGES = languages()
ALONE, TRUSTED = "α", "ε"
SPELLED = {ALONE: re.compile(r"α|\\alpha\b"), TRUSTED: re.compile(r"ε|\\varepsilon\b|\\epsilon\b")}
BOTH = re.compile(
    r"[Cc]urator|Kurator|local model|lokalen Modell|[Ss]huffl|\b[Gg]?e?[Mm]isch(?:t|en|ung)\b"
    r"|متصدی|مدل محلی|بُر(?:زدن|خورده)?|نام سطح α|ε (?:or|oder|یا) α|is called α|heißt das Niveau α|ω|\\omega"
)
NOBODY = re.compile(r"without (?:a |any )?curator|no curator|(?:ohne|kein(?:en)?) Kurator|(?:بی|بدون) متصدی")
WAYS = sorted(path.stem for path in ROOT.glob("explorer/ways/*.toml") if path.stem != "decisions")
SLUGS = sorted({setting.page.slug for setting in settings()})


def kind(member: type[Mechanism]) -> str:
    """What the level of a mechanism is called, by its kind."""
    if issubclass(member, (LocalRandomizer, CentralRelease, Selector)):
        return ALONE if issubclass(member, LocalRandomizer) else TRUSTED
    assert member in MISTAKES  # of which some are of no kind, and say it themselves
    return ALONE if member.without_curator else TRUSTED


def kinds(value: Any, depth: int = 5) -> Iterator[str]:
    """What the levels of the mechanisms in a question are called."""
    if isinstance(value, Mechanism):
        yield kind(type(value))
    elif isinstance(value, (tuple, list)) and depth:
        for part in value:
            yield from kinds(part, depth - 1)
    elif is_dataclass(value) and not isinstance(value, type) and depth:
        for field in fields(value):
            yield from kinds(value.__dict__.get(field.name), depth - 1)


def declared(setting: Setting, language: str = "en") -> str:
    """The symbol that a view declares for its level under its settings."""
    label = setting.page.level_label("level_symbol", setting.asked, setting.view.slug)
    return catalogue_of(language).label(label, setting.page.slug)


def mixed(text: str, symbol: str) -> list[str]:
    """The paragraphs of a text that name a level by the other symbol without saying why."""
    other = SPELLED[TRUSTED if symbol == ALONE else ALONE]
    # That there is no curator is a reason to write α, and none to write ε.
    reasons = {part: NOBODY.sub("", part) if symbol == ALONE else part for part in text.split("\n")}
    return [part for part, reason in reasons.items() if other.search(part) and not BOTH.search(reason)]


def test_that_nobody_is_trusted_is_no_reason_to_write_the_curators_symbol() -> None:
    assert mixed("At ε = 2 a phone without a curator answers daily.", ALONE)
    assert mixed("Ein dynamisch gewähltes ε = 1.", ALONE)
    assert not mixed("With a curator the level is called ε = 1.", ALONE)
    assert not mixed("Gemischt wird ε = 1 daraus.", ALONE)


@cache
def symbols(slug: str) -> frozenset[str]:
    """The symbols of a page, over all its views and settings."""
    return frozenset(declared(setting) for setting in settings() if setting.page.slug == slug)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_symbol_of_a_view_is_that_of_the_mechanisms_it_asks_about(slug: str) -> None:
    """A question that names both kinds compares its own with the other, as surveys with a curator's count."""
    for setting in (one for one in settings() if one.page.slug == slug):
        found = set(kinds(setting.view.question(setting.asked, 1.0, setting.own)))
        assert not found or declared(setting) in found, (setting.name, found)
        handle = setting.page.level_label("epsilon", setting.asked, setting.view.slug)
        for language in LANGUAGES if setting.view.follows(setting.asked, setting.own) else ():
            label = catalogue_of(language).label(handle, slug)
            assert not mixed(label, declared(setting)), (setting.name, label)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_text_and_figure_of_a_view_calls_its_level_by_its_symbol(slug: str) -> None:
    mine = [setting for setting in settings() if setting.page.slug == slug]
    views = {setting.view.slug: setting for setting in reversed(mine)}  # each view is met in every run
    looks = tuple(itertools.product(LANGUAGES, (True, False)))
    taken = {each.name: each for each in (*views.values(), *shared(mine, 24))}.values()
    for place, setting in enumerate(taken):  # shown in one language and hidden in the other, by turns
        shown, symbol = scenes.scenes_of(setting), declared(setting)
        for language, truth in looks if ALL else (looks[place % 2], looks[3 - place % 2]):
            for where, text in scenes.texts(shown.scene(STOPS[-1], truth, language)).items():
                assert not (met := mixed(text, symbol)), (setting.name, language, where, met)


@for_each("language", LANGUAGES)
@for_each("slug", SLUGS)
def test_no_text_of_a_page_mixes_the_symbols(slug: str, language: str) -> None:
    """All texts of pages with one symbol, tasks, reasons, labels and tips; those of others are looked at as filled."""
    if len(symbols(slug)) == 1:
        (symbol,) = symbols(slug)
        for place, text in texts(page_text(slug, language)):
            assert not (met := mixed(text, symbol)), (slug, place, met)
    else:
        assert slug in ("overview", "counting", "averaging", "budget", "verify", "exercises"), (
            slug
        )  # which declare it by setting


@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_call_a_level_as_their_page_does(language: str) -> None:
    looked = 0
    for setting in settings():
        verb = setting.page.verb(setting.asked) if setting.page.verb else ""
        keys = [f"level {setting.page.slug} {part}".rstrip() for part in (setting.view.slug, verb, "")]
        key = next((key for key in keys if key in page_text("sheet", language)), keys[-1])
        text = str(page_text("sheet", language).get(key, ""))
        looked += bool(text)
        assert not (met := mixed(text, declared(setting))), (setting.name, key, met)
    assert looked > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_a_mechanism_calls_its_level_by_its_kind(language: str) -> None:
    for member in (*REGISTRY, *MISTAKES):
        told = catalogue_of(language).label(f"mechanisms.{member.slug}.about")
        assert not mixed(told, kind(member)), (member.slug, told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_in_use_are_called_by_who_is_trusted(language: str) -> None:
    rows = [line for line in listing("labels", language).text("deployments").split("\n") if " = " in line[:8]]
    assert len(rows) == 5
    for row in rows:
        nobody = re.search(r"without a curator|ohne Kurator|بدون متصدی", row) is not None
        assert row.startswith(f"| {ALONE if nobody else TRUSTED} = "), row


def test_the_document_of_every_mechanism_calls_its_level_by_its_kind() -> None:
    for text in (docs.page(), (ROOT / "docs" / "mechanisms.md").read_text(encoding="utf-8")):
        sections = {part.split("\n")[0].strip("# "): part for part in text.split("\n### ")}
        for member in REGISTRY:
            section = sections[member.title].split("\n## ")[0]
            assert not (met := mixed(section, kind(member))), (member.slug, met)
            assert re.search(rf"Level: {kind(member)} = ", section), member.slug


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_on_a_way_calls_the_level_as_the_page_it_leads_to(language: str) -> None:
    looked = 0
    for slug in WAYS:
        for step in ways.way_of(slug).steps:
            page = step.link.page
            if page in SLUGS and len(symbols(page)) == 1:
                (symbol,) = symbols(page)
                told = listing("ways", language).at(slug, "steps", step.name)
                looked += told is not None
                for _, text in texts(told):
                    assert not (met := mixed(text, symbol)), (slug, step.name, met)
    assert looked > 20


def test_a_level_by_the_wrong_symbol_is_seen() -> None:
    assert mixed("A phone answers at ε = 1.", ALONE) and mixed(r"at $\alpha = 1$", TRUSTED)
    assert not mixed("At α = 1; with a curator the same quantity is called ε.", ALONE)
    assert not mixed(r"$\omega(\varepsilon)$ is the modulus.", ALONE)


def test_a_page_that_declares_the_wrong_side_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    (setting,) = [one for one in settings() if one.page.slug == "overview" and one.asked.mode == "coin"][:1]
    assert declared(setting) == ALONE
    monkeypatch.setattr(setting.page, "model", lambda asked, view: "central")
    assert declared(setting) not in set(kinds(setting.view.question(setting.asked, 1.0, setting.own)))
    scenes.scenes_of.cache_clear()
    told = scenes.texts(scenes.scenes_of(setting).scene(1.0))
    assert any(mixed(text, declared(setting)) for text in told.values())
