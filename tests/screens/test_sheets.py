"""Sheets on the screen: whom they are for, what is collected on the way, and that a table takes its sheets along."""

from __future__ import annotations

import gc
import json
import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.paper.sheets import MOST_SHEETS, Sheet
from explorer.text import page_text
from explorer.ui import cache, sheets
from tests.rationing import ALL
from tests.screens.opening import answer, answered, below, looked_at, opened, plain
from tests.test_upload import brought, forget

WORDS = page_text("sheet")["labels"]["sheet"]
STAFF = b"Zebrastreifen;pay\n" + b"".join(b"Quokka %d;%d\n" % (place % 4, 1000 + place) for place in range(40))


def papers(app: AppTest) -> dict[str, str]:
    """The files that the browser can print, by their names."""
    sent = [each.proto for each in app.get("bidi_component") if each.proto.component_name.endswith("ldp_printer")]
    files = [json.loads(proto.json) for proto in sent]
    return {re.sub(r".*-(\w+)\.html", r"\1", file["name"]): file["html"] for file in files}


def press(app: AppTest, label: str) -> AppTest:
    """A button is pressed."""
    app = answered(next(button for button in app.button if button.label == label).click().run())
    assert not app.exception, [error.value for error in app.exception]
    return app


def headings(html: str) -> list[str]:
    return [plain(text) for text in re.findall(r"<h[12] id[^>]*>(.*?)</h", html)]


def audience(app: AppTest) -> Any:
    return next(group for group in app.button_group if str(group.key).startswith("sheet_audience"))


def for_the_room(app: AppTest) -> AppTest:
    app.session_state[audience(app).key] = "room"
    return app.run()


def test_a_sheet_is_for_the_public_until_the_reader_says_otherwise() -> None:
    app = below(opened("counting", counting_tab="ten"), "take_away")
    public = plain(papers(app)["one"])
    assert "±10 people" in public and "882" in public and "For the public." in public
    for_the_room(app)
    assert "For the room." in plain(papers(app)["one"])


def test_while_the_truth_is_hidden_there_is_no_sheet_for_the_room() -> None:
    app = opened("counting", counting_tab="ten")
    app.toggle(key="hide").set_value(True).run()
    below(app, "take_away")
    assert list(audience(app).options) == [WORDS["public"]]
    press(app, WORDS["add"])
    assert all("882" not in plain(html) for html in papers(app).values())
    assert app.session_state["_sheets"][0].room is None


def test_scenes_are_collected_across_pages_named_put_in_order_and_taken_off() -> None:
    app = below(opened("counting", counting_tab="ten"), "take_away")
    press(app, WORDS["add"])
    looked_at(app, "plan")
    next(box for box in app.text_input if box.label == WORDS["heading"]).set_value("For <the> board").run()
    press(app, WORDS["add"])
    app.switch_page("pages/response.py").run()
    below(app, "take_away")
    assert headings(papers(app)["all"]) == ["How much noise hides one person in a count?", "For <the> board"]
    rows = [box for box in app.text_input if box.label.startswith(("1.", "2."))]
    assert [box.label for box in rows] == ["1. Ten releases", "2. Every level"]
    rows[0].set_value("First of all").run()
    press_up = [button for button in app.button if str(button.key).startswith("sheet_up_")]
    assert [button.disabled for button in press_up] == [True, False]
    press_up[1].click().run()
    assert headings(papers(app)["all"]) == ["For <the> board", "First of all"]
    next(button for button in app.button if str(button.key).startswith("sheet_remove_")).click().run()
    assert headings(papers(app)["all"]) == ["First of all"]
    press(app, WORDS["clear"])
    assert set(papers(app)) == {"one"}


def test_the_audience_is_chosen_for_all_sheets_when_they_are_printed() -> None:
    app = below(opened("counting", counting_tab="ten"), "take_away")
    press(app, WORDS["add"])
    assert "For the public." in plain(papers(app)["all"])
    for_the_room(app)
    assert "For the room." in plain(papers(app)["all"])


def test_a_reader_collects_so_many_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """By day of seven, at night of as many as there are: each sheet that is collected is printed anew with all."""
    most = MOST_SHEETS if ALL else 7
    monkeypatch.setattr(sheets, "MOST_SHEETS", most)
    app = below(opened("counting", counting_tab="plan"), "take_away")
    for _ in range(most + 1):
        press(app, WORDS["add"])
    assert len(app.session_state["_sheets"]) == most
    assert any(str(most) in warning.value for warning in app.warning)


def alive() -> list[Sheet]:
    """The sheets that this process holds."""
    gc.collect()
    return [thing for thing in gc.get_objects() if isinstance(thing, Sheet)]


def test_sheets_of_an_own_table_go_with_the_table(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing of them is left in the session, in a cache, in memory or in a log; sheets of invented data stay."""
    others = {id(sheet): sheet for sheet in alive()}  # of tests before this one, as long as these last
    app = below(opened("counting", counting_tab="plan"), "take_away")
    press(app, WORDS["add"])
    brought(STAFF, app=app)
    looked_at(app, "cells")
    below(app, "take_away")
    press(app, WORDS["add"])
    assert "Quokka" not in papers(app)["all"] and "40 × 2" not in plain(papers(app)["all"])
    for_the_room(app)
    assert "Quokka" in papers(app)["all"] and "40 × 2" in plain(papers(app)["all"])
    assert "shows true values" in plain(papers(app)["all"])
    forget(app)
    below(app, "take_away")
    assert [each.about for each in app.session_state["_sheets"]] == [""]
    assert "Quokka" not in "".join(papers(app).values())
    state = repr(app.session_state._state.filtered_state)
    assert "counting_below" in state and "Quokka" not in state and "Zebrastreifen" not in state
    assert not [sheet for sheet in alive() if id(sheet) not in others and "Quokka" in repr(sheet)]
    assert "Quokka" not in caplog.text + "".join(capfd.readouterr())


def test_sheets_of_an_own_table_are_never_kept_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    shared: list[str] = []
    keeper = cache._shared
    monkeypatch.setattr(
        cache, "_shared", lambda key, question: (shared.append(repr(question)), keeper(key, question))[1]
    )
    app = brought(STAFF)
    looked_at(app, "cells")
    shared.clear()
    below(app, "take_away")
    press(app, WORDS["add"])
    for_the_room(app)
    assert "Quokka" in papers(app)["all"]
    assert not [question for question in shared if "Quokka" in question or "Zebra" in question]


def test_what_is_drawn_at_random_from_an_own_table_is_drawn_from_a_secret() -> None:
    """Whoever knows the seed 1 of a fresh page could take the noise off the public sheet again."""
    app = brought(STAFF)
    looked_at(app, "cells")
    below(app, "take_away")
    press(app, WORDS["add"])
    (kept,) = app.session_state["_sheets"]
    public, room = (
        re.findall(r"<td>([−\d.]+)</td><td>[\d.]+</td></tr>", one.listed) for one in (kept.public, kept.room)
    )
    assert len(public) == 4 and public == room, "what is released is what the room was shown"
    app.session_state["_sheet_salt"] = "another session"
    press(app, WORDS["add"])
    other = app.session_state["_sheets"][-1].public.listed
    assert re.findall(r"<td>([−\d.]+)</td><td>[\d.]+</td></tr>", other) != public
    assert not kept.public.picture and kept.room.picture, "the picture shows the true counts"
    assert "seed" not in kept.public.origin + kept.room.origin


def test_the_noise_of_a_public_picture_is_not_that_of_the_numbers_beside_it() -> None:
    """Released 114.7, and in the picture a dot 2.7 above the truth: whoever has both has the truth."""
    app = brought(STAFF)
    looked_at(app, "one")
    below(app, "take_away")
    press(app, WORDS["add"])
    app.session_state["_sheet_salt"] = "another session"
    press(app, WORDS["add"])
    first, second = (kept.public for kept in app.session_state["_sheets"])
    assert first.listed != second.listed and first.picture == second.picture != ""


def test_what_is_taken_along_of_an_own_table_for_the_public_holds_nothing_of_it() -> None:
    """Link, QR code, numbers and Python follow the choice for whom they are, as the sheet does."""
    app = brought(STAFF)
    looked_at(app, "cells")
    below(app, "take_away")
    release, link, *_, code = (str(each.value) for each in app.code)
    code += release
    assert "data=own" in link and "own-40x2" not in link and "seed" not in link
    assert "your-table.csv" in code and "Quokka" not in code and not re.search(r"\b10(0[1-9]|[123]\d)\b", code)
    assert _files(app) == ["counting_release"], "the numbers are true, so there is no file but of what is released"
    for_the_room(app)
    release, link, *_, code = (str(each.value) for each in app.code)
    code += release
    assert "data=own-40x2" in link
    assert "Quokka" not in code and not re.search(r"\b10(0[1-9]|[123]\d)\b", code), "no value is ever written out"
    assert len(_files(app)) > 1


def _files(app: AppTest) -> list[str]:
    """What can be downloaded, by the ends of its keys."""
    return [re.sub(r".*-", "", str(button.proto.id)) for button in app.get("download_button")]


def test_who_could_be_found_is_counted_by_people_and_its_public_sheet_holds_columns_and_the_rule_alone() -> None:
    rows = "".join(f"Quokka {place % 20};{30 + place % 10};{place}\n" for place in range(100))
    app = press(looked_at(brought(f"patient;Age;cost\n{rows}".encode(), slug="trust"), "found"), "“patient” says who")
    assert "of 20 people shares" in plain(answer(app))  # of 100 rows
    below(app, "take_away")
    public = papers(app)["one"]
    assert "One column was looked at: Age" in plain(public) and "patient says who" in plain(public)
    assert "<figure>" not in public and "Levels in use" not in public and "protects" not in public
    assert not re.search(r"\b20\b|Quokka", plain(public.partition("<body>")[2]).partition("http")[0])
    for_the_room(app)
    assert "<figure>" in papers(app)["one"] and "20 people" in plain(papers(app)["one"])
