"""What leaves the app about a table of the reader's own: to the public nothing of it, to the room under its warning.

Two tables with the same columns and nothing else in common must leave the same for the public, letter by letter, on
every page, in every view, on the sheet, in the numbers, in the link and in Python: whatever differs tells of them. And
nothing that is marked in them is in it.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from explorer.facts import Count, Said
from explorer.figures.theme import Look, figure_table
from explorer.headline import written
from explorer.pages.counting.settings import Counting
from explorer.paper import leaving, releases, sheets
from explorer.paper.leaving import Audience, Secrecy, Viewed
from explorer.paper.numbers import NumbersSource, parquet, program, spreadsheet, to_csv
from explorer.paper.plates import About, as_pdf, plate
from explorer.paper.tex import tex
from explorer.scenes import Scene
from explorer.settings import recipes
from explorer.settings.questions import ConditionRow, QuestionDraft, query
from explorer.settings.recipes import own_table
from explorer.settings.tables import AnsweredQuestion
from explorer.text.catalogue import catalogue_of
from explorer.ui import opendp, share
from ldpcore.experiments import generator
from ldpcore.reading.readings import Reading
from ldpcore.tables.units import ROWS_DRAW, Unit, bounded
from tests import guarded, scenes
from tests.guarded import FEW, MANY, WORDS, staff, table
from tests.pdfs import File
from tests.rationing import ALL, shared
from tests.scenes import Setting, without_marks
from tests.test_sheets import made

GUARDED = Audience(public=True, own=True)
PAGES = (
    "averaging",
    "counting",
    "distinguish",
    "frequencies",
    "means",
    "regression",
    "response",
    "shapes",
    "trust",
    "vectors",
)


@cache
def settings(rows: int = MANY, turn: int = 0) -> tuple[Setting, ...]:
    """All views about one table, those alone that a table went into."""
    every = guarded.settings(table(rows, turn))
    return tuple(one for one in every if own_table((one.asked, one.own)) is not None)


def viewed(setting: Setting, level: float = 1.0, language: str = "en") -> Viewed:
    return Viewed(setting.page, setting.view, setting.asked, setting.own, level, language, scenes.answered)


def data(setting: Setting) -> sheets.Data:
    mine = own_table((setting.asked, setting.own))
    assert mine is not None
    size = {"rows": Count(mine.n), "columns": Count(len(mine.columns))}
    return sheets.Data("own", Said.of("own.title", **size))


def sheet(setting: Setting, public: bool, language: str = "en", level: float = 1.0) -> sheets.Sheet:
    return made(setting, level, public, language, data=data(setting))


def numbers(seen: Scene) -> list[list[Any]]:
    return (seen.table if seen.table is not None or seen.figure is None else figure_table(seen.figure)) or []


def code(setting: Setting, public: bool = True) -> str:
    audience = GUARDED if public else Audience(False, True)
    return code_of(setting, leaving.leaving(viewed(setting), Look(), audience), public)


def code_of(setting: Setting, present: Scene, public: bool = True) -> str:
    """The Python that goes with what is shown of a view."""
    taken = share.Taken(viewed(setting), "LDP Explorer", Reading(), public)
    return share.code(taken, present, catalogue_of("en"))


@cache
def left(setting: Setting, language: str = "en", printed: bool = False) -> dict[str, str]:
    """All that the public gets of a view, by where it is; `printed`, with the PDF that is made of its picture."""
    paper = sheet(setting, True, language)
    seen = leaving.leaving(viewed(setting, 1.0, language), Look(), GUARDED)
    parts = {"answer": paper.answer, "caption": paper.caption, "picture": paper.picture, "note": paper.note}
    parts |= dict(paper.lines) | {"origin": paper.origin, "link": paper.link} | files(seen, language, printed)
    return parts | {"code": code_of(setting, seen) if language == "en" else ""}


def files(seen: Scene, language: str, printed: bool) -> dict[str, str]:
    """The numbers in every form, and the picture for a paper, as text."""
    source, rows = NumbersSource((("made with", "LDP Explorer"),)), numbers(seen)
    parts = {"csv": program(rows, source), "spreadsheet": spreadsheet(rows, source, ",")} if rows else {}
    parts |= {"columns": str(pq.read_table(io.BytesIO(parquet(rows, source))).to_pydict())} if rows else {}
    if picture := seen.figure or seen.drawing:
        about = About(paper_title(seen), seen.alt, "LDP Explorer", "", "https://a.example/")
        svg = plate(picture, sheets.numerals_of(catalogue_of(language)), "two", about)
        parts |= {"svg": svg, "tex": tex(about.caption)}
        parts |= {"pdf": File(as_pdf(svg, "two", about)).readable} if printed else {}
    return parts


def paper_title(seen: Scene) -> str:
    return sheets.caption_of(seen, GUARDED)


def told(parts: dict[str, str]) -> str:
    return "\n".join(f"{name}: {text}" for name, text in parts.items())


def in_turn(page: str, first: int) -> list[Setting]:
    """By day each view of a page about a quarter of what it may be asked, in turn; of one that is asked little, half.

    The two laws have other turns, so that a view that is asked one thing is under one of them.
    """
    views: dict[str, list[Setting]] = {}
    for one in settings():
        if one.page.slug == page:
            views.setdefault(one.view.slug, []).append(one)
    each = enumerate(views.values())
    return [one for place, asked in each for one in shared(asked, max(2, min(4, len(asked))), place + first)]


def pairs(page: str, ones: Sequence[Setting] = ()) -> list[tuple[Setting, Setting]]:
    """A view about one table, and about another that has nothing but its columns in common with it.

    Where it is public how many people there are, both have as many.
    """
    ones = ones or [one for one in settings() if one.page.slug == page]
    sized = {one.name: one for one in settings(MANY, 5)}
    free = {one.name: one for one in settings(FEW, 5)}
    return [(one, (sized if one.page.sized(one.asked) else free)[one.name]) for one in ones]


def named(one: Setting) -> str:
    return f"{one.name} {getattr(one.asked, 'neighbors', '')}"


@pytest.mark.parametrize("page", PAGES)
def test_the_public_learns_nothing_by_which_two_tables_could_be_told_apart(page: str) -> None:
    compared = in_turn(page, 2)
    assert compared
    for one, other in pairs(page, compared):
        first, second = left(one), left(other)
        assert first.keys() == second.keys(), named(one)
        for place in first:
            assert first[place] == second[place], (named(one), place)


@pytest.mark.parametrize("page", PAGES)
def test_no_mark_of_a_table_and_no_size_is_in_anything_public(page: str) -> None:
    mine = in_turn(page, 1)
    for place, one in enumerate(mine):
        for language in ("en", "de")[: 1 + (place % 4 == 0)]:
            printed = ALL or (language == "en" and place % 4 == 1 % len(mine))  # its PDF is dear
            text = told(left(one, language, printed))
            asked = re.compile("|".join(re.escape(word) for word in asked_for(one)) or "$^")
            for word in WORDS:
                assert word not in asked.sub("", text), (named(one), word)
            if not one.page.sized(one.asked):
                read = scenes.neutral(without_marks(re.sub('<g class="tick">.*?</g>', "", text)), language)
                assert not re.search(rf"(?<![\d.]){MANY}(?![\d.])", read), named(one)


def asked_for(one: Setting) -> list[str]:
    """The words of the table that the question itself names: a condition is a setting, and nobody reads it without."""
    return [word for word in recipes.named_in((one.asked, one.own)) if isinstance(word, str) and word in WORDS]


def test_the_room_s_sheet_says_that_it_shows_true_values_of_a_table() -> None:
    for one in settings()[::5]:
        room, public = sheet(one, False), sheet(one, True)
        assert "shows true values" in room.said and "Do not publish" in room.said
        assert "shows true values" not in public.said


def test_what_the_public_reads_of_a_count_is_what_follows_from_its_settings() -> None:
    one = next(one for one in settings() if one.page.slug == "counting" and one.view.slug == "plan")
    text = without_marks(sheet(one, True, level=0.1).answer).replace("\u00a0", " ")
    assert "ε = 0.6" in text and "±30" in text


def test_how_many_rows_are_kept_of_how_many_people_is_not_public() -> None:
    """Where people are replaced their number is public, and that of their rows is not: some bring more than others."""
    many, few = (
        [
            one
            for one in guarded.settings(bounded(brought, Unit("age", 3), generator(1, ROWS_DRAW)))
            if _of_replaced(one)
        ]
        for brought in (table(MANY), table(FEW, 5))
    )
    assert {one.view.slug for one in many} >= {"one", "plan", "cells"}
    for one, other in zip(many, few, strict=True):
        assert left(one) == left(other), named(one)
        if one.view.line is not None:  # it speaks of something of its own, and of no table
            continue
        assert "at most 3 rows" in told(left(one))
        assert "bounded(table, Unit(column='age', most=3), generator(1, 'rows'))" in code(one)


def _of_replaced(one: Setting) -> bool:
    return one.page.slug == "counting" and one.asked.neighbors == guarded.SIZED


# Releases


def released(one: Setting, language: str) -> tuple[list[list[Any]], str]:
    """The file of what a view releases, and the program that makes it with other noise."""
    lines = one.page.lists[one.view.slug].lines(one.asked, 1.0, one.own, scenes.answered)
    assert lines is not None and lines.release is not None
    program = opendp.code(share.Taken(viewed(one), "LDP Explorer", Reading(), True), lines.release)
    return releases.file(lines.numbered(), catalogue_of(language), one.page.slug), program


@pytest.mark.parametrize("language", ["en", "de"])
def test_but_for_its_noisy_numbers_a_release_says_nothing_of_the_table(language: str) -> None:
    listed = [pair for pair in pairs("counting") if pair[0].view.slug in pair[0].page.lists]
    assert {one.view.slug for one, _ in listed} == {"one", "ten", "plan", "ratio", "cells"}
    for one, other in listed:
        (first, program), (second, same) = released(one, language), released(other, language)
        text, asked = to_csv(first), re.compile("|".join(map(re.escape, asked_for(one))) or "$^")
        assert not any(word in asked.sub("", text + program) for word in WORDS), named(one)
        assert program == same and first[0] == second[0], named(one)
        noisy = (1, 2) if one.view.slug in ("ratio", "cells") else (1,)  # how far a ratio is off follows from it
        if len(first) == len(second):
            kept, alike = (
                [[cell for place, cell in enumerate(row) if place not in noisy] for row in each]
                for each in (first, second)
            )
            assert kept == alike, named(one)
        assert one.page.sized(one.asked) or not re.search(rf"(?<!\d){MANY}(?!\d)", text + program), named(one)


def unmet(page: str, view: str, seed: int) -> Setting:
    """A view of a count under a condition that nobody of the table meets, nor of any that stands in for it."""
    mine = table(MANY)
    ours = query(mine, QuestionDraft("count", "own", (ConditionRow("age", "ge", ("200",)),)))
    asked = Counting(AnsweredQuestion.of(ours, mine, guarded.SIZED), guarded.SIZED, seed=seed)
    declared = scenes.declared(page)
    chosen = declared.views[view]
    return Setting(declared, chosen, asked, 0, chosen.at_first(asked))


@pytest.mark.parametrize("view", ["one", "bet", "ten", "crowds", "plan"])
def test_nothing_public_about_an_own_table_is_drawn_from_the_seed_of_its_page(view: str) -> None:
    """By that seed the noise of what stands on the screen is known; a picture would tell which of the seeds it is."""
    first, second = left(unmet("counting", view, 77)), left(unmet("counting", view, 78))
    assert first == second


@pytest.mark.parametrize("view", ["one", "ten"])
def test_what_is_drawn_of_a_stand_in_is_told_of_nobody(view: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody of either stand-in is counted: both have the same release, which is not the table's."""
    one = unmet("counting", view, 77)
    told = {name for name, fact in leaving.leaving(viewed(one), Look(), GUARDED).facts.items() if written(fact)}
    assert {"error", "epsilon", "n"} <= told and not told & {"released", "released_answer", "likely"}
    assert "released number is" not in left(one)["note"]
    monkeypatch.setattr(one.page, "drawn", frozenset())
    leak = leaving.leaving(viewed(one), Look(), GUARDED)
    assert {name for name, fact in leak.facts.items() if written(fact)} & {"released", "released_answer"}, (
        "the plant is seen"
    )


def test_the_planted_seed_of_a_page_is_seen_in_a_public_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "fresh", lambda asked: asked)
    seen = [leaving.leaving(viewed(unmet("counting", "bet", seed)), Look(), GUARDED) for seed in (77, 78)]
    assert leaving._drawn(seen[0]) != leaving._drawn(seen[1])


# Python


@pytest.mark.parametrize("page", shared(PAGES, 2))
def test_python_about_an_own_table_holds_no_value_of_it_and_gives_the_numbers_of_the_page(
    page: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run where the reader's file lies and nothing else, each number that a sentence says is printed as it is said."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "staff.csv").write_bytes(staff())
    printed = 0
    for one in (one for one in settings() if one.page.slug == page):
        source = code(one, public=False)
        assert "Path('staff.csv').read_bytes()" in source
        assert len(source) < 4000, "no column is written out"
        held = _numbers_in(source)
        pays = {20011 + 7 * ((row * 331) % 4391) + 0.25 for row in range(MANY)}
        assert not held & pays, named(one)
        exec(compile(source, one.name, "exec"), {})
        out = capsys.readouterr().out
        seen = viewed(one).scene(Look())
        for name in share.headlines(one.page, seen, catalogue_of("en")):
            if f"{name}: " in out:
                assert f"{name}: {written(seen.facts[name])}\n" in out, (named(one), name, out)
                printed += 1
    assert printed


def _numbers_in(source: str) -> set[float]:
    return {float(number) for number in re.findall(r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?", source)}


def test_python_for_the_public_names_no_file_and_no_reading() -> None:
    one = settings()[0]
    assert "staff.csv" in code(one, False) and "Reading(" in code(one, False)
    assert share.ANYBODYS in code(one) and "staff.csv" not in code(one) and "Reading(" not in code(one)


def test_python_of_invented_data_prints_its_numbers_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    for slug in ("counting", "response", "verify", "limits", "means"):
        one = next(one for one in scenes.settings() if one.page.slug == slug)
        present = viewed(one).scene(Look())
        source = share.code(share.Taken(viewed(one), "LDP Explorer", None, True), present, catalogue_of("en"))
        exec(compile(source, one.name, "exec"), {})
        out = capsys.readouterr().out
        names = share.headlines(one.page, present, catalogue_of("en"))
        assert names
        for name in names:
            assert f"{name}: {written(present.facts[name])}\n" in out or f"{name}: " not in out


# Planted leaks


def test_a_value_that_nobody_could_read_from_a_file_is_refused() -> None:
    with pytest.raises(share.BroughtError):
        share.Writing(own=True).value(np.array([1.0, 2.0]))


def planted(monkeypatch: pytest.MonkeyPatch, page: str, view: str) -> bool:
    """Whether two tables can be told apart by what leaves of a view."""
    one, other = next(pair for pair in pairs(page) if pair[0].view.slug == view)
    return bool(left.__wrapped__(one) != left.__wrapped__(other))


def test_a_scene_that_asks_the_table_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not planted(monkeypatch, "counting", "ten")
    monkeypatch.setattr(leaving, "alike", lambda first, second: first)
    monkeypatch.setattr(Viewed, "stand_ins", property(lambda self: (self, self)))
    assert planted(monkeypatch, "counting", "ten")


def test_a_stand_in_that_is_as_long_as_the_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    true = leaving.stand_ins
    monkeypatch.setattr(
        leaving, "stand_ins", lambda table, told, sized, present: true(table, told, sized=True, present=present)
    )
    assert planted(monkeypatch, "counting", "crowds")


def test_a_link_that_keeps_the_size_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "947" not in leaving.link_for(GUARDED, "https://a.example/counting?data=own-947x5", "counting")


def test_python_that_writes_a_column_out_is_found() -> None:
    """Scaled to [-1, 1], as the page keeps them, a column's values can be taken back to what they were."""
    one = next(one for one in settings() if one.page.slug == "means")
    without = replace(one.asked, source=replace(one.asked.source, table=None))
    with pytest.raises(share.BroughtError):
        share.Writing(own=True).value(without)


def test_who_hears_what() -> None:
    public, room = Audience(True, True), Audience(False, True)
    assert [public.hears(kind) for kind in (Secrecy.PUBLIC, Secrecy.TRUE, Secrecy.BROUGHT)] == [True, False, False]
    assert [room.hears(kind) for kind in Secrecy] == [True, True, True] and room.warned and not public.warned
    assert Audience(True, False).hears(Secrecy.TRUE), "what is true of nobody is no secret"
    assert not Audience(True, False, hidden=True).hears(Secrecy.TRUE)


def test_a_value_is_made_again_of_its_recipe() -> None:
    for one in settings():
        mine = own_table((one.asked, one.own))
        assert mine is not None
        again = recipes.about((one.asked, one.own), mine)
        assert json.dumps(repr(again)) == json.dumps(repr((one.asked, one.own))), named(one)


def test_on_paper_for_the_public_one_release_has_no_axis_that_says_nothing() -> None:
    for one, _ in pairs("counting"):
        if one.view.slug == "one":
            figure = leaving.leaving(viewed(one), Look(), GUARDED).figure
            assert figure is not None
            drawn = {str(trace.get(f"{letter}axis", letter)) for trace in figure.data for letter in "xy"}
            assert {name.replace("axis", "") for name in figure.layout if re.fullmatch(r"[xy]axis\d*", name)} == drawn
