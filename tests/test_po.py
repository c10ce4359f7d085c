"""The texts of a language leave as one PO file and come back letter by letter; what would break a page is refused."""

from __future__ import annotations

import shutil
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from explorer.text import LANGUAGE, pseudo
from tests.rationing import at_night, shared
from tools import po, textfiles

GERMAN = {path.name: path.read_bytes().decode("utf-8") for path in (po.FOLDER / "de").iterdir()}


def carried(catalog: Catalog, language: str | None = None) -> Catalog:
    """A catalogue as it comes back from a file, here and there in the name of another language."""
    file = BytesIO()
    write_po(file, catalog, width=100)
    file.seek(0)
    back = read_po(file, abort_invalid=True)
    back.locale = language or str(back.locale_identifier)
    return back


@pytest.fixture(scope="module")
def german() -> Catalog:
    return carried(po.exported("de"))


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quarter of the files of English and German, in a folder of their own; at night all."""
    folder = tmp_path_factory.mktemp("text")
    for language in (LANGUAGE, "de"):
        (folder / language).mkdir()
        for name in shared(sorted(GERMAN), 4):
            shutil.copy(po.FOLDER / language / name, folder / language)
    return folder


LABELS = r'''
# A comment with "quotes" and an = sign.
plain = "A @{n} “here”"  # beside it
'odd' = 'A "word"'
"," = "comma ,"
long = """
| a \\| b |
"""

[deep."two words"]
list = ["One", "Two"]
number = [0, 1]
inner = { first = "Ada", second = "Ben" }

[[presets]]
page = "counting"
title = "First"
parameters = { epsilon = "0.1" }

[[presets]]
page = "means"
title = "Second"
parameters = { epsilon = "1" }
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small page and a table with every way of writing a text, in two languages."""
    for language in (LANGUAGE, "de"):
        (tmp_path / "text" / language).mkdir(parents=True)
        shutil.copy(po.FOLDER / language / "kit.md", tmp_path / "text" / language)
        (tmp_path / "text" / language / "labels.toml").write_bytes(LABELS.encode("utf-8"))
    return tmp_path / "text"


def told(source: str, name: str, folder: Path) -> dict[str, str]:
    """What a file that is not written yet would say."""
    path = folder / name
    path.write_bytes(source.encode("utf-8"))
    return {place.key: place.text for place in textfiles.places(path)}


def test_german_comes_back_letter_by_letter(german: Catalog) -> None:
    made = po.imported(german)
    assert (made.language, made.waiting, made.refused) == ("de", {}, ())
    assert made.written == GERMAN


def test_the_same_texts_make_the_files_of_a_language_that_has_none(some: Path, tmp_path: Path) -> None:
    made, german_texts = po.imported(carried(po.exported("de", some), "fr"), some), po.told("de", some)
    assert made.language == "fr" and made.written.keys() == german_texts.keys()
    for name, source in made.written.items():
        assert told(source, name, tmp_path) == german_texts[name], name


@at_night
def test_the_pseudo_language_comes_back_as_it_is_made(some: Path, tmp_path: Path) -> None:
    """By day German comes back, and German texts as those of a language that has none."""
    made, english_texts = po.imported(carried(po.exported("qps", some)), some), po.told(LANGUAGE, some)
    assert made.written.keys() == english_texts.keys() and not made.refused
    for name, source in made.written.items():
        english = english_texts[name]
        assert told(source, name, tmp_path) == {key: pseudo.pseudo(text) for key, text in english.items()}, name


def test_every_text_for_readers_is_in_the_file(german: Catalog) -> None:
    contexts = [str(message.context) for message in german if message.id]
    assert len(contexts) == len(set(contexts)) == sum(len(entry) for entry in po.told(LANGUAGE).values())
    wanted = {
        "counting.md: question",
        "labels.toml: frame.view",
        "trust.md: labels.cases.never",
        "ways.toml: five.title",
    }
    assert wanted <= set(contexts)
    assert not any("parameters." in context and "presets" in context for context in contexts)


def test_a_translator_is_told_the_facts_and_the_choices_of_a_text() -> None:
    english = "@{kept; kept: @{n; one: # coin; other: # coins} at @{level}; other: None.}"
    assert po.comments(english) == [
        "Facts: @{kept}, @{n}, @{level}",
        "Choice @{kept; …}: keep the cases kept, other in this order",
        "Choice @{n; …}: use the plurals of your language",
    ]
    assert po.comments("No fact.") == []


def test_a_new_language_begins_empty_and_writes_a_file_when_all_of_it_is_said(folder: Path) -> None:
    catalog = carried(po.exported("fr", folder))
    assert not any(message.string for message in catalog if message.id)
    made = po.imported(catalog, folder)
    assert (made.written, made.refused) == ({}, ()) and made.waiting.keys() == {"kit.md", "labels.toml"}
    kit = [message for message in catalog if str(message.context).startswith("kit.md: ")]
    for message in kit:
        message.string = message.id
    kit[-1].flags.add("fuzzy")  # a translator's doubt
    assert po.imported(carried(catalog), folder).waiting["kit.md"] == 1
    kit[-1].flags.remove("fuzzy")
    assert po.imported(carried(catalog), folder).written.keys() == {"kit.md"}


SAID = {
    "plain": "Ein „@{n}“ \"hier\" und 'dort' \\ \t.",
    "odd": "Kein 'a', kein \"b\"",
    ",": 'Ein "Komma"',
    "long": 'Eine """Tabelle""" \\ \n| a |\n',
    "deep.two words.list.1": "Zwei",
    "deep.two words.inner.first": "Ada #1",
    "presets.1.title": "Zweitens",
}


@pytest.mark.parametrize("key", SAID)
def test_one_other_text_changes_its_own_place_alone(key: str, folder: Path) -> None:
    catalog = po.exported("de", folder)
    next(message for message in catalog if message.context == f"labels.toml: {key}").string = SAID[key]
    written = po.imported(carried(catalog), folder).written
    before = {place.key: place.text for place in textfiles.places(folder / "de" / "labels.toml")}
    assert set(SAID) <= before.keys() and "presets.1.page" not in before
    assert told(written["labels.toml"], "labels.toml", folder) == {**before, key: SAID[key]}
    assert len(set(written["labels.toml"].splitlines()) - set(LABELS.splitlines())) <= 2
    assert written["kit.md"] == GERMAN["kit.md"]


ENGLISH = "@{kept; kept: @{n; one: # coin; other: # coins}; none: Nothing; other: All} at @{level}."


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("@{kept; kept: @{n; one: #; few: #; other: #}; none: N; other: A} at @{level}.", None),
        ("At @{level}: @{kept; kept: @{n}; none: N; other: A}.", None),
        ("@{kept; kept: @{n; one: #; other: #}; none: N; other: A}.", "@{level} is missing"),
        ("@{kept; kept: @{n}; none: N; other: A} @{level} @{x}.", "@{x} is no fact of this text"),
        ("@{kept; kept: @{n}; other: A} @{level}", "@{kept; …} must have the cases kept, none, other in this order"),
        ("@{kept; none: N; kept: @{n}; other: A} @{level}", "must have the cases kept, none, other in this order"),
        ("@{kept} @{n} @{level}", "@{kept; …} must have the cases kept, none, other in this order"),
        ("@{kept; kept: @{n; one: #}; none: N; other: A} @{level}", "@{n; …} needs the case “other”"),
        ("@{kept; kept: @{n}; none: N; other: A @{level}", "a slot must be closed"),
    ],
)
def test_a_translation_that_would_break_a_page_is_refused_in_a_sentence(said: str, fault: str | None) -> None:
    found = list(po.faults(ENGLISH, said))
    assert not found if fault is None else len(found) == 1 and fault in found[0]


def test_nothing_is_written_where_one_entry_is_wrong(folder: Path) -> None:
    catalog = carried(po.exported("de", folder))
    entries = {str(message.context): message for message in catalog}
    entries["labels.toml: plain"].string = "Ihre Tabelle"
    entries["kit.md: before"].string = "Formular\n\n## labels"
    catalog.add("Not there", "Nicht da", context="kit.md: nowhere")
    catalog.add("An old English", "Alt", context="kit.md: planned")
    made = po.imported(carried(catalog), folder)
    assert not made.written
    assert set(made.refused) == {
        "labels.toml, plain: @{n} is missing.",
        "kit.md, before: no line may begin with ##, as the headings of a file do.",
        "kit.md, nowhere: English has no such text; export again.",
        "kit.md, planned: the English has changed since this was exported; export again.",
    }


def test_the_commands_write_a_file_and_read_it_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(po, "FOLDER", folder)
    file = folder.parent / "german.po"
    assert po.main(["export", "de", str(file)]) == 0 and po.main(["import", str(file)]) == 0
    assert capsys.readouterr() == ("", "")  # nothing was new
    (folder / "de" / "kit.md").unlink()
    assert po.main(["import", str(file)]) == 0
    assert capsys.readouterr().out == "kit.md: written\n"
    assert po.main(["export", "qqq", str(file)]) == 1
    assert capsys.readouterr().err == "The language must be a code that Babel knows, such as fr; got 'qqq'.\n"
    file.write_text("msgid", encoding="utf-8")
    assert po.main(["import", str(file)]) == 1
    assert capsys.readouterr().err.endswith(".\n")
