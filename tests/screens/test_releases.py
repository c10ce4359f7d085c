"""What is released of a reader's own table: its file and its sheet, what all of it costs, the way to a real release."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.paper.opendp import VERSION
from ldpcore.experiments.counting.releases import CountingExperiment
from ldpcore.mechanisms.laplace import LaplaceMechanism
from tests.fuzz.said import slips
from tests.screens.opening import answer, below, charts, link_of, looked_at, moved, opened, plain, stage, strip, values
from tests.screens.test_sheets import STAFF, WORDS, for_the_room, papers, press
from tests.screens.test_units import VISITS
from tests.test_upload import brought, forget


def at_release(content: bytes = STAFF, view: str = "one") -> AppTest:
    """The page about counting with an own table and what is taken along of a view."""
    app = looked_at(brought(content), view)
    return below(app, "take_away")


def said(app: AppTest) -> list[str]:
    """What is written on the page."""
    return [str(each.value).replace("\\", "") for each in app.markdown]


def kept(app: AppTest) -> Any:
    return "_releases" in app.session_state and app.session_state["_releases"]


def test_each_release_joins_by_itself_and_the_same_draw_counts_once() -> None:
    app = at_release()
    assert [each.release.level for each in kept(app)] == [0.1], "its number stands in the answer"
    assert not slips(stage(app).words["answer"], "en")
    press(app, WORDS["add"])
    press(app, WORDS["add"])
    assert [each.release.level for each in kept(app)] == [0.1]
    looked_at(app, "plan")
    press(app, WORDS["add"])
    assert len(kept(app)) == 1, "another view of the same numbers is no other release"
    looked_at(app, "cells")
    press(app, WORDS["add"])
    assert len(kept(app)) == 2
    (cost,) = (text for text in said(app) if "2 releases" in text and "ε = 0.2" in text)
    assert not slips(cost, "en")
    first, _, other, last = (each.public.listed for each in app.session_state["_sheets"])
    assert re.findall(r"<td>([^<]*)</td><td>30</td>", first) == re.findall(r"<td>([^<]*)</td><td>30</td>", other) != []
    assert "at most ε = 0.2" in plain(last) and last.count("UTC") == 2, "the sheet lists what was released so far"
    forget(app)
    assert not kept(app)


def test_the_same_file_brought_again_has_the_same_releases_and_they_have_been_paid_for() -> None:
    """Another file has others; what stays of a table that is gone is what it cost, and no word of it."""
    app = below(looked_at(brought(VISITS), "cells"), "take_away")
    first = [each.release.key for each in kept(app)]
    number = papers(app)["one"]
    forget(app)
    assert not kept(app) and "patient" not in repr(app.session_state["_spent"])
    brought(STAFF, app=app)
    assert not {each.release.key for each in kept(app)} & set(first)
    forget(app)
    brought(VISITS, app=app)
    assert [each.release.key for each in kept(app)] == first
    below(looked_at(app, "cells"), "take_away")
    assert papers(app)["one"].split("<table>")[1] == number.split("<table>")[1] != ""
    assert any("in this session" in text for text in said(app))


def test_a_sheet_for_the_room_is_no_release() -> None:
    app = for_the_room(at_release())
    assert "UTC" not in papers(app)["one"]


def test_releases_for_different_units_do_not_add_up() -> None:
    app = at_release(VISITS)
    press(app, WORDS["add"])
    press(press(app, "“patient” says who"), WORDS["add"])
    assert {each.release.each for each in kept(app)} == {0, 1}
    assert any("do not add up" in text for text in said(app))


def test_a_count_and_a_table_can_be_released_in_whole_numbers() -> None:
    app = at_release(view="cells")
    assert "." in "".join(re.findall(r"<td>([−\d.]+)</td><td>[\d.]+</td></tr>", papers(app)["one"]))
    app.selectbox(key="counting_mechanism").set_value("discretelaplace").run()
    numbers = re.findall(r"<td>([−\d.]+)</td><td>([\d.]+)</td></tr>", papers(app)["one"])
    assert len(numbers) == 4 and not any("." in value + within for value, within in numbers)
    looked_at(app, "one")
    ((value, within),) = re.findall(r"<td>([−\d.]+)</td><td>([\d.]+)</td></tr>", papers(app)["one"])
    assert "." not in value and within == "30", (
        "P(|W| ≤ 30) = 1 − 2a³¹/(1 + a) = 0.9527 with a = e^−0.1, and 0.9477 for 29"
    )


@pytest.mark.parametrize("view", ["one", "cells"])
def test_the_way_to_a_real_release_is_one_paste(view: str) -> None:
    app = at_release(view=view)
    program = next(str(each.value) for each in app.code if "opendp" in str(each.value))
    assert program.startswith(f"# pip install opendp=={VERSION}\n")
    compile(program, "release.py", "exec")
    assert "d_in=1" in program and ("d_out=0.1)" in program or "(0.1,)" in program)
    assert "your-table.csv" in program and "Quokka" not in program
    assert "noise = dp.binary_search_chain(lambda scale: dp.m.make_laplace(" in program
    assert f"OpenDP {VERSION}" in plain(papers(app)["one"])


def test_everybodys_reports_join_too_and_another_view_or_confidence_is_no_other_release() -> None:
    app = brought(STAFF)
    app.switch_page("pages/means.py").run()
    app.selectbox(key="means_source").set_value("column").run()
    before = len(kept(app))
    assert {each.release.asked for each in kept(app)} == {"count", "reports"}, "both pages have shown what they release"
    for view in ("everybody", "plan"):
        press(below(looked_at(app, view), "take_away"), WORDS["add"])
    first, second = (re.search(r"<tbody>.*?</tbody>", each.public.listed) for each in app.session_state["_sheets"])
    assert first is not None and second is not None and first[0] == second[0]
    app.text_input(key="means_confidence_exact").set_value("0.8").run()
    press(app, WORDS["add"])
    assert len(kept(app)) == before
    assert any("do not add up" in text for text in said(app)), "a count and reports have other neighbors"
    app.switch_page("pages/shapes.py").run()
    app.selectbox(key="shapes_source").set_value("column").run()
    press(below(looked_at(app, "shape"), "take_away"), WORDS["add"])
    assert len(kept(app)) == before + 1
    assert "OpenDP" not in app.session_state["_sheets"][-1].public.listed


def handed(app: AppTest) -> float:
    """The number that the answer hands on."""
    first = re.match(r"Released: ([−\d.,\u202f]+) \(within ±\d+ in 95\u202f?%", plain(stage(app).words["answer"]))
    assert first is not None, plain(stage(app).words["answer"])
    return float(re.sub(r"[,\u202f]", "", first[1]).replace("−", "-"))


def on_the_sheet(app: AppTest) -> float:
    (value,) = re.findall(r"<td>([−\d.]+)</td><td>[\d.]+</td></tr>", papers(app)["one"])[:1]
    return float(value.replace("−", "-"))


def test_the_answer_about_an_own_table_begins_with_the_number_that_its_sheet_releases() -> None:
    """Nobody who knows the link, its seed and the program can take its noise off, and it moves with nothing else."""
    app = at_release()
    first, exact = handed(app), on_the_sheet(app)
    assert abs(first - exact) <= 0.5  # both are rounded
    mine = app.session_state["counting_seed"]
    told = CountingExperiment(LaplaceMechanism(0.1), 40, 40, seed=int(mine)).run().releases
    assert np.abs(told - on_the_sheet(app)).min() > 1e-3, "the link's seed draws none of it"
    for view in ("ten", "one"):
        assert handed(looked_at(app, view)) == first
    assert len(kept(app)) == 1 and at(app, 0.2) != exact and at(app, 0.1) == exact
    assert [each.release.level for each in kept(app)] == [0.1, 0.2], "each level that was shown costs its own"
    press(app, "Draw again")
    assert on_the_sheet(app) != exact and len(kept(app)) == 3, "what is drawn again is another release"
    app.toggle(key="hide").set_value(True).run()
    assert len(kept(app)) == 3, "while people predict the number itself is not shown"
    looked_at(app, "cells")
    assert len(kept(app)) == 4, "cells are shown while people predict how far the noise reaches, and they are real"


def test_a_picture_that_counts_from_the_hidden_answer_has_not_the_noise_of_the_number_that_is_released() -> None:
    """Else whoever saw the picture and reads the number later would know the answer to the last digit."""
    app = moved(at_release(), 1.0)  # no noise leaves the picture
    value = on_the_sheet(app)

    def nearest(answer: float) -> float:
        (figure,) = charts(app)
        dots = [trace for trace in figure["data"] if trace.get("mode") == "markers"]
        return min(float(np.abs(value - values(dot["x"]) - answer).min()) for dot in dots)

    assert nearest(0.0) < 1e-3, "the room, which sees the answer"
    app.toggle(key="hide").set_value(True).run()
    assert nearest(40.0) > 1e-3
    app.toggle(key="hide").set_value(False).run()
    assert on_the_sheet(app) == value


@pytest.mark.parametrize(("page", "view"), [("means", "everybody"), ("shapes", "shape")])
def test_reports_that_stand_on_the_screen_while_people_predict_join_too(page: str, view: str) -> None:
    app = brought(STAFF)
    app.toggle(key="hide").set_value(True).run()
    app.switch_page(f"pages/{page}.py").run()
    app.selectbox(key=f"{page}_source").set_value("column").run()
    looked_at(app, view)
    assert "reports" in {each.release.asked for each in kept(app) or ()}


def test_what_the_room_can_paste_says_which_program_knows_the_true_number() -> None:
    """The seed of the released numbers stands in the Python that makes the page's, under a warning, and in no other."""
    app = for_the_room(at_release())
    release, page = sorted((str(each.value) for each in app.code if "asked = " in str(each.value)), key=len)
    if "opendp" in page:
        release, page = page, release
    assert page.startswith("# For the room only: anyone who has this program and a released number knows the true one.")
    assert re.search(r"seed=\d{9,}", page) and "seed=1," in release and not re.search(r"seed=\d\d", release)


@pytest.mark.parametrize("own", [True, False])
def test_what_q_projects_says_neither_how_large_an_own_table_is_nor_its_seed(own: bool) -> None:
    app = brought(STAFF) if own else opened("counting", epsilon="0.3")
    app.toggle(key="lecture").set_value(True).run()
    press(app, "Draw again")
    (sent,) = (each.proto.json for each in app.get("bidi_component") if each.proto.component_name.endswith("ldp_keys"))
    code = html.unescape(json.loads(sent)[0]["code"])
    assert bool(re.search("data=own[&<]", code)) == own and "40x2" not in code
    assert ("seed=" in code) == (not own), "of invented people the audience sees the same"


def at(app: AppTest, level: float) -> float:
    """The number at another level, in all its digits."""
    return on_the_sheet(moved(app, level))


@pytest.mark.all_stops
def test_the_stops_of_a_view_that_releases_are_not_drawn_before_the_handle_rests_there() -> None:
    app = at_release()
    assert len(strip(app)) == 0
    assert len(strip(looked_at(app, "bet"))) > 10
    assert len(strip(opened("counting"))) > 10


def test_what_was_released_opens_as_a_ledger_whose_link_says_what_it_costs_and_no_word_of_the_table() -> None:
    app = looked_at(brought(STAFF), "bet")
    app.selectbox(key="counting_mechanism").set_value("discretelaplace").run()
    press(below(looked_at(app, "cells"), "take_away"), "Open these as a ledger")
    (box,) = app.text_area
    assert stage(app).chosen == "ledger" and "Quokka" not in box.value
    days, lines = zip(*(line.split(" ", 1) for line in box.value.split("\n")), strict=True)
    assert lines == ("count: laplace 0.1", "whole table: discrete 0.1") and re.fullmatch(r"\d{4}-\d\d-\d\d", days[0])
    assert "2 releases cost" in answer(app) and "0.2" in answer(app)
    asked = link_of(app).known["budget_ledger"]
    assert asked == "laplace,0.1|discrete,0.1"
    other = opened("budget", budget_tab="ledger", budget_ledger=asked)
    assert answer(other) == answer(app) and other.text_area[0].value == "laplace 0.1\ndiscrete 0.1"
