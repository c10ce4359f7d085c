"""What readers take along says where it comes from: version, seed, question, data, mechanism, level, day and link."""

from __future__ import annotations

import re

import pytest

from explorer.rooms.reference.widgets import glossary, mentions
from explorer.text import listing
from explorer.ui import sources
from ldpcore import __version__
from tests.screens.opening import below, complaints, opened, stage

SAID = {
    "counting": ("seed 1", "fewer than 16 years of schooling", "2\u202f584 invented incomes", "Laplace mechanism"),
    "averaging": ("seed 1", "asked 100 times", "2\u202f584 invented incomes", "Laplace mechanism"),
    "response": ("seed 1", "α"),
    "frequencies": ("seed 1", "10\u202f000"),
    "means": ("seed 1", "income", "bounds 0 to 100\u202f000"),
}


@pytest.mark.parametrize("page", SAID)
def test_a_picture_says_in_one_line_where_it_comes_from(page: str) -> None:
    sent = stage(opened(page)).head["origin"]
    line = sent["source"]
    assert line.startswith(f"LDP Explorer {__version__}, ")
    assert all(part in line or part == sent["symbol"] for part in SAID[page]), line
    assert sent["symbol"] == ("ε" if page in ("counting", "averaging") else "α")


def test_the_file_of_numbers_says_the_same_with_level_day_and_link(monkeypatch: pytest.MonkeyPatch) -> None:
    from explorer.figures import theme

    heads: list[str] = []
    write = theme.to_csv
    monkeypatch.setattr(theme, "to_csv", lambda rows, note="": (heads.append(note), write(rows, note))[1])
    app = below(opened("counting", epsilon="0.3"), "take_away")
    assert not app.exception
    begins = r"LDP Explorer .*, seed 1 · how many: .* · Laplace mechanism · ε = 0\.3 · "
    assert heads and re.fullmatch(begins + r"\d{4}-\d\d-\d\d · .*epsilon=0\.3", heads[-1]), heads


def test_what_the_reporter_says_on_the_overview_is_in_the_link() -> None:
    app = opened("overview", overview_mode="coin")
    assert not complaints(app)
    assert app.query_params["overview_mode"] == "coin"
    assert len(complaints(opened("overview", overview_mode="dice"))) == 1


def test_a_link_writes_numbers_without_marks_however_they_were_asked_for() -> None:
    for text in ("4096", "4\u202f096"):
        app = opened("frequencies", frequencies_k=text)
        assert app.query_params["frequencies_k"] == "4096"
        assert not complaints(app)


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_word_of_the_glossary_is_found_by_its_name_in_every_language(language: str) -> None:
    terms, groups = (listing("glossary", language=language)[name] for name in ("terms", "groups"))
    words = dict.fromkeys(("english", "meaning", "german", "persian", "nothing"), "")
    assert len(terms) > 50
    for term in terms:
        for wanted in (term["en"], term["de"].upper(), f"  {term['fa']} "):
            assert "<td" in glossary([term], groups, words, wanted), (term["en"], wanted)


def test_persian_words_are_found_as_arabic_keyboards_write_them() -> None:
    persian = "\u06cc\u06a9\u200c\u06cc"
    assert mentions("\u064a\u0643\u064a", persian) and not mentions("\u0628", persian)


def test_a_source_names_each_mechanism_once_and_few() -> None:
    from ldpcore.mechanisms.laplace import LaplaceMechanism

    noise = LaplaceMechanism(1.0)
    assert [each.slug for each in sources._mechanisms((noise, noise))] == ["laplace", "laplace"]
