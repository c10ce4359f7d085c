"""What readers take along says where it comes from: version, seed, question, data, mechanism, level, day and link."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from explorer.facts import Name
from explorer.navigation import entries
from explorer.pages.reference.matching import mentions
from explorer.pages.reference.widgets import glossary
from explorer.text import languages, listing, page_text
from explorer.text.catalogue import catalogue_of
from explorer.ui import files, sources
from ldpcore import __version__
from tests.pdfs import File
from tests.screens.opening import below, complaints, looked_at, opened, stage
from tests.screens.test_sheets import STAFF, for_the_room
from tests.test_upload import brought

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


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What each button of the last run has offered to be saved: the names of its files with their contents."""
    kept: dict[str, str] = {}
    offer, button = files._offer, files._button

    def offering(page: Any, kind: str, made: Mapping[str, str | bytes], stem: str) -> None:
        for name, content in made.items():
            kept[f"{kind} {name}"] = content if isinstance(content, str) else content.decode("latin-1")
        offer(page, kind, made, stem)

    def pressed(page: Any, kind: str, name: str, content: Any, off: bool = False) -> None:
        if kind == "pdf" and not off:
            kept[f"{kind} {name}"] = File(content()).readable
        button(page, kind, name, content, off)

    monkeypatch.setattr(files, "_offer", offering)
    monkeypatch.setattr(files, "_button", pressed)
    return kept


def test_the_files_say_in_their_names_what_they_hold_and_inside_where_it_comes_from(offered: dict[str, str]) -> None:
    app = below(opened("counting", epsilon="0.3", counting_tab="plan"), "take_away")
    assert not app.exception
    stem = "ldp-explorer-counting-plan-level-0.3-seed-1"
    assert list(offered) == [
        f"csv {stem}.csv",
        f"csv_programs {stem}.csv",
        f"origin {stem}-origin.json",
        f"svg {stem}-85mm.svg",
        f"pdf {stem}-85mm.pdf",
    ]
    origin = json.loads(offered[f"origin {stem}-origin.json"])
    assert origin["made with"] == f"LDP Explorer {__version__}, seed 1" and "epsilon=0.3" in origin["link"]
    assert origin["settings"].startswith("how many: ") and origin["settings"].endswith("Laplace mechanism · ε = 0.3")
    sheet, programs, svg, pdf = (text for name, text in offered.items() if not name.startswith("origin"))
    assert all(f"\n{term}," in sheet.replace("\r", "") for term in origin), sheet
    assert not programs.startswith("#") and "LDP Explorer" not in programs
    inside = f"<metadata>{origin['made with']} · {origin['settings']} · {origin['link']}<"
    assert inside in html.unescape(svg) and f"Creator: {origin['made with']}\n" in pdf


def test_several_panels_are_a_file_each_named_by_what_they_measure(offered: dict[str, str]) -> None:
    app = below(opened("counting", counting_tab="ten", lang="de"), "take_away")
    assert not app.exception
    names = [name.partition("seed-1-")[2] for name in offered if name.startswith("csv ")]
    assert names == ["1-veroeffentlichung-nummer.csv", "2-gemittelte-veroeffentlichungen-n.csv"], names
    first, *_ = (text for name, text in offered.items() if name.startswith("csv "))
    assert ";" in first.splitlines()[0] and re.search(r";-?\d+,\d", first)
    assert sum(name.startswith("csv_programs ") for name in offered) == 3, "two tables and where they come from"


def test_no_file_tells_the_truth_while_people_predict(offered: dict[str, str]) -> None:
    for view in ("one", "ten", "plan"):
        offered.clear()
        app = below(opened("counting", counting_tab=view, hide="true"), "take_away")
        assert not app.exception and any(name.startswith("svg ") for name in offered)
        for name, text in offered.items():
            assert not re.search(r"(?<![\d.])882(?!\d)", text), (view, name)


@pytest.mark.parametrize("public", [True, False])
def test_files_about_an_own_table_hold_nothing_of_it_or_say_that_they_are_for_the_room(
    public: bool, offered: dict[str, str]
) -> None:
    app = brought(STAFF)
    for view in ("cells", "plan"):
        looked_at(app, view)
        offered.clear()
        below(app, "take_away") if view == "cells" else app.run()
        if not public:
            for_the_room(app)
        assert not app.exception
        assert bool(offered) == (view == "plan" or not public), view
        for name, text in offered.items():
            told = [mark for mark in ("Quokka", "seed", "own-40x2") if mark in name + text]
            assert not (public and told), (name, told)
            assert not {"seed"} & set(told), name  # what is drawn of an own table has the seed of nothing that is told
            assert ("For this room" in text) == (not public) and ("for-the-room" in name) == (not public), name


def test_letters_that_no_typeface_has_are_named_before_a_pdf_is_asked_for() -> None:
    app = brought(STAFF.replace(b"Quokka", "人山".encode()))
    looked_at(app, "cells")
    below(app, "take_away")
    for_the_room(app)
    assert not app.exception
    buttons = {each.proto.id.rpartition("-")[2]: each.proto for each in app.get("download_button")}
    assert buttons["counting_pdf"].disabled and not buttons["counting_svg"].disabled
    said = [catalogue_of(code).label("files.letters", facts={"letters": Name("人 山")}) for code in ("en", "de")]
    assert all(text.count("人 山") == 1 for text in said) and said[0] in [caption.value for caption in app.caption]


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


def test_density_is_called_as_on_the_pages_and_found_by_its_other_name_too() -> None:
    for language in languages():
        (term,) = (each for each in listing("glossary", language=language)["terms"] if each["en"] == "density")
        assert (term["fa"], term["also"]) == ("چگالی", "تراکم") and "چگالی" not in term["text"]
    pages = " ".join(text for entry in entries() for text in map(str, page_text(entry.slug, "fa").values()))
    assert "چگالی" in pages and "تراکم" not in pages


def test_persian_words_are_found_as_arabic_keyboards_write_them() -> None:
    persian = "\u06cc\u06a9\u200c\u06cc"
    assert mentions("\u064a\u0643\u064a", persian) and not mentions("\u0628", persian)


THESIS = (  # the words of the Persian thesis, as its footnotes and its text write them, joiners left out or not
    "فاصلهی واریانس کل",
    "فاصله واریانس کل",
    "نامساوی فانو",
    "هلینجر",
    "مکانیزم گوسی",
    "تخمینگر",
    "تخمین‌گر",
    "پرسوجو",
    "پرس‌وجو",
    "حساسیت سراسری",
    "اطلاعات متقابل",
    "آزمون فرض",
    "بستهبندی",
    "لو کم",
    "پینسکر",
    "کای-دو",
    "متصدی مورد اعتماد",
    "مکانیزم تصادفی",
    "مصونیت در برابر پسپردازش",
    "ترکیبپذیری پیشرفته",
    "محرمانگی گروهی",
    "مطلقاً پیوسته",
    "کولبک-لايبلر",
    "آنتروپی نسبی",
    "لم نیمن-پیرسون",
    "لم اسود",
    "نرخ مينيماكس",
    "تصادفیساز محلی",
    "واگرایی ماکزیمم",
    "نقطه شکست مرکزی",
    "کدگذاری یگانی",
    "انکارپذیری قابل قبول",
    "سودمندی",
    "نویز",
    "تراکم",
)


@pytest.mark.parametrize(
    "wanted", [*THESIS, "Pinsker", "chi-squared", "Le Cam", "Neyman–Pearson", "packing", "unbegrenzt"]
)
def test_the_words_of_the_documents_are_found_in_the_glossary(wanted: str) -> None:
    """Words of the thesis in Persian, of the script and of the notebook: a term or another of its names has them."""
    found = [
        term["en"]
        for term in listing("glossary")["terms"]
        if mentions(wanted, term["en"], term["de"], term["fa"], term.get("also", ""))
    ]
    assert found, wanted


def test_a_source_names_each_mechanism_once_and_few() -> None:
    from ldpcore.mechanisms.laplace import LaplaceMechanism

    noise = LaplaceMechanism(1.0)
    assert [each.slug for each in sources._mechanisms((noise, noise))] == ["laplace", "laplace"]
