"""The sheet: every page and view, in the room and for the public, in every language; nothing true on the public one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from typing import Any

import pytest

from explorer.declarations import PageDeclaration
from explorer.facts import Count as Counted
from explorer.facts import Said, Truth
from explorer.figures.theme import Look
from explorer.pages.counting.bounds import ChosenBound
from explorer.pages.counting.figures import cells
from explorer.pages.means.settings import Means, PeopleSource, halved
from explorer.pages.verify.settings import JudgedMatrix
from explorer.paper import document, sheets
from explorer.paper.printing import svg
from explorer.text import page_text, templates
from explorer.text.catalogue import catalogue_of
from explorer.ui import share
from ldpcore.reading.dialects import read_table
from ldpcore.tables.queries import Sum
from tests import guarded, leaks, scenes
from tests.guarded import table as staff
from tests.rationing import ALL, shared
from tests.scenes import ENDS, LANGUAGES, Scenes, Setting

LINK = (
    "https://ldp.example/counting?epsilon=0.3&counting_seed=7&counting_tab=plan&data=own-800x6&ask_value=33761&lang=de"
)
CODE = share.qr_svg(LINK)  # drawing one for each link would take longer than all the rest
ORIGIN = sheets.Origin(
    date(2026, 11, 22), "LDP Explorer 2, seed 7", "LDP Explorer 2", ("Laplace mechanism",), LINK, lambda _: CODE
)
PAGES = sorted({setting.page.slug for setting in scenes.settings()})
_VOID = {"meta", "br", "img"}


def made(setting: Setting, level: float, public: bool, language: str = "en", **more: Any) -> sheets.Sheet:
    """The sheet of a setting."""
    return sheets.sheet(
        setting.page,
        setting.view,
        setting.asked,
        level,
        ORIGIN,
        language=language,
        public=public,
        own=setting.own,
        answer=scenes.answered,
        **more,
    )


def first(page: str, view: str) -> Setting:
    return next(one for one in scenes.settings() if (one.page.slug, one.view.slug) == (page, view))


def read(sheet: sheets.Sheet) -> str:
    """Everything that can be read on a sheet, without the code of its link."""
    picture = re.sub('<g class="tick">.*?</g>', "", sheet.picture)  # the numbers along an axis say where, not what
    parts = (sheet.heading, sheet.question, sheet.view, sheet.answer, sheet.caption, picture, sheet.note)
    spoken = re.findall(r'aria-label="([^"]*)"', picture)
    return scenes.without_marks(" ; ".join((*parts, *(text for _, text in sheet.lines), *spoken)))


@pytest.mark.parametrize(("language", "evening", "person"), [("en", "evening", "person"), ("de", "Abend", "Person")])
def test_the_sheet_of_a_sum_speaks_of_whom_its_level_protects_and_of_its_own_noise_alone(
    language: str, evening: str, person: str
) -> None:
    """An evening of the cinema, a person elsewhere; and no δ of the page's other noise."""
    examples = dict[str, str]()
    for one in scenes.settings():
        if (one.page.slug, one.view.slug) == ("counting", "bound") and isinstance(one.own, ChosenBound):
            lines = made(one, 0.5, True, language).lines
            examples[one.own.example] = scenes.without_marks(" ".join(f"{term} {text}" for term, text in lines))
    assert {"cinema", "visits", "ages"} <= set(examples)
    for example, told in examples.items():
        assert (evening in told, person in told) == ((True, False) if example == "cinema" else (False, True)), told
        assert "δ" not in told, told


def secrets(tested: Scenes, level: float) -> dict[str, leaks.Secret]:
    """The telling truths of a setting: those that no number which may be said happens to equal."""
    page = tested.setting.page
    meant = sheets._facts(catalogue_of("en"), page, level, tested.facts(level), sheets.Data())
    anyway = leaks.said_anyway("sheet")
    return {name: secret for name, secret in leaks.secrets(meant, page.slug).items() if not secret.forms & anyway}


class _Outline(HTMLParser):
    """Which elements are open, which headings there are, and what is fetched."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[str] = []
        self.tags: set[str] = set()
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self.fetched += [text for name, text in attrs if name in ("src", "srcset", "data", "xlink:href")]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(tag)
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


@pytest.mark.parametrize("page", shared(PAGES, 2))
def test_a_sheet_that_is_made_while_people_predict_holds_no_true_value(page: str) -> None:
    """Every number on it, in words, figure and legend, against the facts that are marked as true.

    A number that happens to be a truth is none at the other levels, and a truth that shows does so at most of them.
    By day in every view at its first settings and in a sixth of the others, at two of three levels, in turn.
    """
    telling, seen = Counter[str](), Counter[str]()
    for turn, setting in enumerate(one for one in scenes.shared_settings(2) if one.page.slug == page):
        tested = Scenes(setting)
        for level in ENDS if ALL else (*ENDS[: turn % 3], *ENDS[turn % 3 + 1 :]):
            truths = secrets(tested, level)
            for language in ("en", "de")[: 2 - bool(setting.place)]:
                text = scenes.neutral(read(made(setting, level, True, language, hidden=True)), language)
                tokens = {leaks._compact(token) for token in leaks._TOKEN.findall(text)}
                tokens |= {token.replace("\u2212", "-") for token in tokens}
                named = {name: f"{setting.name} {language} {name}" for name in truths}
                telling.update(named.values())
                seen.update(named[name] for name, secret in truths.items() if tokens & secret.forms)
    assert telling or page == "budget"
    assert not {name: times for name, times in seen.items() if times > 1 and 3 * times > telling[name]}


@pytest.mark.parametrize("page", shared(PAGES, 3, 1))
def test_every_view_has_a_whole_sheet_in_every_language(page: str) -> None:
    """By day each view of every third page in half of the languages, in turn, each for one reader."""
    every = [one for one in scenes.settings() if one.page.slug == page and one.place < 2]
    for turn, setting in enumerate(every):
        languages = shared(LANGUAGES, 2, turn) if setting.place == 0 else ["en"]
        for place, language in enumerate(languages):
            catalogue = catalogue_of(language)
            for public, hidden in shared(((True, False), (True, True), (False, False)), 3, turn // 2 + place):
                sheet = made(setting, setting.page.default_level, public, language, hidden=hidden)
                html = document.document([sheet], catalogue)
                outline = _Outline()
                outline.feed(html)
                assert not outline.open and outline.headings == ["h1"] and not outline.fetched
                assert not {"script", "link", "iframe", "object", "base"} & outline.tags
                assert not re.search(r"@import|url\((?!data:font/woff2;)|javascript:|\son\w+=", html)
                assert "@{" not in html and not re.search(r">[^<]*\b(nan|inf)\b", html), setting.name
                assert f'lang="{language if language != "qps" else "en-x-pseudo"}"' in html
                assert f'dir="{catalogue.direction}"' in html
                terms = [term for term, _ in sheet.lines]
                assert hidden or terms[0] == catalogue.label("terms.asked", "sheet")
                assert terms[-1] == catalogue.label("terms.limits", "sheet")
                assert all(text.strip() for _, text in sheet.lines) and sheet.answer.strip() and sheet.picture


def test_the_public_sheet_says_what_the_level_means_and_how_far_off_it_is() -> None:
    """e^0.1 = 1.105; a bet is right in e^0.1 / (1 + e^0.1) = 52.5 % of cases; the noise is off by 1 / 0.1 people.

    While people predict, it says neither: each is what some view asks them.
    """
    setting = first("counting", "ten")
    text, asking = read(made(setting, 0.1, True)), read(made(setting, 0.1, True, hidden=True))
    for part in (
        "ε = 0.1",
        "1.11\u202f:\u202f1",
        "52.5\u202f%",
        "±10 people",
        "0.39\u202f% of all 2\u202f584",
        "invented",
    ):
        assert part in text, part
        assert part not in asking or part == "invented", part
    assert "invented" in asking and "882" not in asking and "1.1\u202f%" not in asking
    for public in (True, False):
        told = read(made(setting, 0.1, public))
        assert "882" in told and "1.1\u202f% of the true answer" in told, "what is true of nobody is no secret"


@pytest.mark.parametrize("view", ["cells", "sum"])
def test_whoever_knows_that_a_person_took_part_guesses_at_twice_the_level(view: str) -> None:
    """The likelihoods of the two most distant tables are as e^(2ε) to 1: e²/(1 + e²) = 88.1 %, not 73.1 %."""
    setting = first("counting", "ten" if view == "sum" else view)
    if view == "sum":
        setting = replace(setting, asked=replace(setting.asked, question=_negative_sum(setting.asked.question)))
    for language, percent in (("en", "88.1\u202f%"), ("de", "88,1\u202f%")):
        lines = " ".join(text for _, text in made(setting, 1.0, True, language).lines)
        assert percent in lines and "7" in lines
    other = replace(setting, asked=replace(setting.asked, neighbors="replace-one"))
    lines = " ".join(text for _, text in made(other, 1.0, True).lines)
    assert "88.1" not in lines and "73.1\u202f%" in lines


def _negative_sum(asked: Any) -> Any:
    """A sum of values from -10 to 10: its noise hides 10, and one who is replaced may move it by 20."""
    return replace(asked, query=Sum(asked.table.of_kind("number")[0], -10.0, 10.0))


def test_the_error_of_a_whole_table_is_that_of_all_its_cells() -> None:
    setting = first("counting", "cells")
    result = setting.view.ask(setting.asked, 0.1, setting.own).run()
    line = dict(made(setting, 0.1, True).lines)["How far off"]
    assert scenes.without_marks(line).startswith(f"±{result.reach:.3g} people for all")


@pytest.mark.parametrize(("by", "value", "sizes"), [("ward", "North", (137, 263)), ("age", "61", (89, 311))])
def test_a_public_sheet_of_two_groups_says_not_how_many_rows_an_own_table_has_of_each(
    by: str, value: str, sizes: tuple[int, int]
) -> None:
    rows = [f"{'North' if row < 137 else 'South'},{70 if row % 400 < 89 else 30},{row % 50}" for row in range(400)]
    table, _ = read_table("\n".join(["ward,age,stay", *rows]).encode(), "mine.csv")
    asked = Means(PeopleSource.of_column(table, "stay", 0, 50))
    setting = replace(first("means", "groups"), asked=asked, own=halved(asked, by, value))
    own = sheets.Data("own", Said.of("own.title", rows=Counted(400), columns=Counted(3)))
    for language in ("en", "de"):
        room, public = (read(made(setting, 1.0, told, language, data=own)) for told in (False, True))
        assert all(re.search(rf"\b{size}\b", room) for size in sizes)
        assert not any(re.search(rf"\b{size}\b", public) for size in sizes)
        assert (
            catalogue_of(language).lent("sheet", "kept", "means") in made(setting, 1.0, True, language, data=own).answer
        )


LEFT_OFF = ("was hidden when this sheet was made", "are left off here")


def test_no_answer_is_told_while_people_predict() -> None:
    for view in ("plan", "ten"):
        assert LEFT_OFF[0] in made(first("counting", view), 0.1, True, hidden=True).answer


def test_a_verdict_stands_on_the_public_sheet_as_it_does_in_the_room() -> None:
    verdicts = [one for one in scenes.settings() if one.page.slug in ("verify", "overview")]
    assert len(verdicts) > 10
    for one in verdicts:
        public, room = (made(one, 1.0, told) for told in (True, False))
        assert public.answer == room.answer and public.picture == room.picture and public.note == room.note, one.name
        assert not any(words in public.answer for words in LEFT_OFF)


@pytest.mark.parametrize("public", [True, False])
def test_the_sheet_of_a_matrix_lists_the_pair_that_decides_report_by_report(public: bool) -> None:
    one = next(
        one
        for one in scenes.settings()
        if isinstance(one.asked, JudgedMatrix) and one.asked.columns == 3 and one.view.slug.endswith("ratio")
    )
    sheet = made(one, 1.0, public)
    listing = sheet.listed
    assert "The deciding pair" in listing and "allows 2.718 times" in listing
    assert listing.count("<tr>") == 4 and catalogue_of("en").html(None, "app.hidden_answer") not in listing


@pytest.mark.parametrize("page", shared(PAGES, 2))
def test_no_sheet_asks_its_readers_to_guess(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By day half of the sheets of every other page, in turn one that hides and one that does not."""
    monkeypatch.setattr(sheets, "_picture", lambda *_: "")  # what is read is its words
    catalogue, quiz = catalogue_of("en"), [text for key, text in page_text(page).items() if key.endswith(" hidden")]
    for turn, setting in enumerate(one for one in scenes.settings() if one.page.slug == page and one.place < 2):
        for hidden in shared((True, False), 2, turn):
            sheet = made(setting, setting.page.default_level, True, hidden=hidden)
            assert catalogue.html(None, "app.hidden_answer") not in sheet.answer
            assert not hidden or "?" not in sheet.caption
            assert not hidden or not [text for text in quiz if sheet.note and text[:40] in sheet.note]


def test_the_public_lines_are_chosen_without_looking_at_what_is_true() -> None:
    """Counts of nobody and of many have the same lines, but for the question and the size of the crowd."""
    told = [
        (one.asked.question.answer, dict(made(one, 0.1, True, hidden=True).lines))
        for one in scenes.settings()
        if (one.page.slug, one.view.slug) == ("counting", "ten") and one.asked.question.verb == "count"
    ]
    assert len(told) >= 2
    assert len({tuple(lines) for _, lines in told}) == 1


@pytest.mark.parametrize("level", [0.01, 50.0])
def test_a_whole_table_is_printed_where_no_cell_or_every_cell_is_worth_publishing(level: float) -> None:
    setting = first("counting", "cells")
    question = replace(
        setting.view.ask(setting.asked, level, setting.own), tables=((5, 9, 120),), names=((("a",), ("b",), ("c",)),)
    )
    result = question.run()
    assert result.worth == (0 if level < 1 else 3)
    for look in (Look(), Look(truth=False)):
        words = catalogue_of("en").words("counting", "cells", setting.page.facts(result))
        figure = cells.whole(result if look.truth else result.masked(), look, words)
        assert "<svg" in svg(figure, sheets.numerals_of(catalogue_of("en")), "cells")
        assert all(len(trace["x"]) for trace in figure.data)


def test_what_is_not_a_fact_of_this_view_is_not_said() -> None:
    silences = [(page, line, view) for page in PAGES for line, view in scenes.declared(page).silences]
    assert len(silences) > 20
    for page, line, view in silences:
        assert line in (*sheets.LINES, "unit") and view in scenes.declared(page).views
        term = catalogue_of("en").label(f"terms.{line}", "sheet")
        assert term not in dict(made(first(page, view), 1.0, False).lines), (page, line, view)


def test_a_link_says_all_that_is_set_and_of_an_own_table_neither_its_size_nor_a_seed() -> None:
    setting = first("counting", "plan")
    own = sheets.Data("own", Said.of("own.title", rows=Counted(800), columns=Counted(6)))
    assert made(setting, 0.1, True).link == made(setting, 0.1, False).link == LINK
    assert made(setting, 0.1, True, hidden=True).link == f"{LINK}&hide=true"
    assert made(setting, 0.1, False, data=own).link == LINK
    guarded = made(setting, 0.1, True, data=own).link
    assert guarded == LINK.replace("&counting_seed=7", "").replace("own-800x6", "own")


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("http://localhost:8501", True),
        ("http://127.0.0.1:8501", True),
        ("http://[::1]:8501", True),
        ("http://desk.local", True),
        ("https://ldp.example", False),
        ("https://localhost.example.org", False),
    ],
)
def test_a_sheet_says_where_its_link_opens_on_one_machine_alone(address: str, near: bool) -> None:
    origin = replace(ORIGIN, link=f"{address}/counting?epsilon=0.3")
    setting = first("counting", "plan")
    sheet = sheets.sheet(setting.page, setting.view, setting.asked, 0.1, origin, own=setting.own)
    assert ("only works on the computer" in document.document([sheet], catalogue_of("en"))) is near


def test_a_sheet_about_an_own_table_says_for_whom_it_is_and_names_no_seed_and_no_size_for_the_public() -> None:
    own = sheets.Data("own", Said.of("own.title", rows=Counted(800), columns=Counted(6)))
    for public in (True, False):
        sheet = made(first("counting", "plan"), 0.1, public, data=own)
        assert ("seed 7" in sheet.origin) is not public
        assert ("800" in dict(sheet.lines)["Data"]) is not public
        assert ("a rehearsal" in dict(sheet.lines)["Limits"]) is public
        assert ("shows true values" in sheet.said) is not public
    assert "seed 7" in made(first("counting", "plan"), 0.1, True).origin
    for public in (True, False):
        assert "true values" not in made(first("counting", "plan"), 0.1, public).said


def test_several_sheets_are_one_file_in_order_with_headings_of_the_second_rank() -> None:
    views = ("plan", "ten", "crowds")
    chosen = [made(first("counting", view), 0.1, True, heading=f"<b>{view} & co</b>") for view in views]
    html = document.document(chosen, catalogue_of("en"))
    outline = _Outline()
    outline.feed(html)
    assert outline.headings == ["h1", "h2", "h2", "h2"]
    places = [
        html.index(f'<h2 id="sheet-{place}">&lt;b&gt;{view} &amp; co&lt;/b&gt;') for place, view in enumerate(views)
    ]
    assert places == sorted(places)


def test_levels_in_use_stand_below_in_both_languages() -> None:
    assert "19.61 – US census 2020" in document.elsewhere(catalogue_of("en"))
    assert "19,61 – Volkszählung der USA 2020" in document.elsewhere(catalogue_of("de"))


def test_every_text_of_a_sheet_asks_for_facts_that_its_page_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that could never be filled would be left out without a word."""
    monkeypatch.setattr(sheets, "_picture", lambda *_: "")  # what is read is its lines
    texts = page_text("sheet")
    lines = [key for key in texts if key.split()[0] in sheets.LINES]
    unsaid = {key: max(leaks.parts(templates.parsed(texts[key])), key=len).strip() for key in lines}
    assert len(unsaid) > 20
    averaged = [one for one in scenes.settings() if one.page.slug == "averaging" and one.asked.question.counts]
    averaged = [one for one in averaged if one.asked.curated()]
    sums = [replace(one, asked=replace(one.asked, question=_negative_sum(one.asked.question))) for one in averaged]
    own = sheets.Data("own", Said.of("own.title", rows=Counted(400), columns=Counted(3)))
    brought = [one for one in guarded.settings(staff()) if (one.page.slug, one.view.slug) == ("counting", "ten")]
    every = (*brought, *sums, *scenes.settings())
    for setting in sorted(every, key=lambda each: (scenes.dear(each.view, each.asked, each.own), each.place)):
        if any(key.split()[1:2] in ([], [setting.page.slug]) for key in unsaid):  # those of its page, or of all
            public = setting.place == 0 or setting.page.slug == "counting"
            told = [made(setting, ENDS[1], False), *([made(setting, ENDS[1], True, data=own)] if public else [])]
            written = "\n".join(text.replace("\u00a0", " ") for sheet in told for _, text in sheet.lines)
            unsaid = {key: text for key, text in unsaid.items() if text not in written}
    assert not unsaid


def test_a_truth_in_the_settings_is_masked_while_people_predict() -> None:
    setting = first("response", "everybody")
    page: PageDeclaration = setting.page
    assert page.line is not None and any(isinstance(fact, Truth) for fact in page.line(setting.asked).values())
    assert "30\u202f%" not in dict(made(setting, 1.1, True, hidden=True).lines).get("Asked of", "")
    assert "30\u202f%" in dict(made(setting, 1.1, True).lines)["Asked of"]
