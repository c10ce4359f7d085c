"""What an address asks for is judged, kept and written: the level, the settings of a page, and what travels."""

from __future__ import annotations

import pytest
from streamlit.runtime.state import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from explorer.navigation import entries
from explorer.ui import links
from tests.screens.opening import answer, complaints, looked_at, moved, opened, stage


def notice(app: AppTest) -> str:
    return " ".join(complaints(app))


@pytest.mark.parametrize(("asked", "value"), [("0.37", 0.37), ("1e-6", 1e-6), ("50", 50.0), ("0.1", 0.1)])
def test_a_usable_level_is_kept_to_the_last_digit(asked: str, value: float) -> None:
    app = opened("counting", epsilon=asked)
    assert not notice(app)
    assert stage(app).level == value
    assert value in stage(app).head["handle"]["stops"]


ADDED = {
    "utm_source": "mail",
    "UTM_Campaign": "spring",
    "fbclid": "IwAR0",
    "gclid": "Cj0K",
    "mc_cid": "1a",
    "mc_eid": "2b",
    "embed": "true",
    "embedded": "1",
}


@pytest.mark.parametrize("slug", ["counting", "overview", "reference"])
def test_what_mail_programs_and_portals_add_to_a_link_is_passed_over_without_a_word(slug: str) -> None:
    app = opened(slug, **ADDED, epsilon="0.3")
    assert not notice(app) and not [key for key in app.query_params if key not in ("epsilon", "embed")]
    assert notice(opened(slug, **ADDED, utmost="1")).count("The link") == 1


def test_what_is_added_to_a_link_is_the_name_of_no_setting() -> None:
    assert {entry.slug for entry in entries()} and all(not links._added(f"{entry.slug}_") for entry in entries())
    assert not any(map(links._added, (*links.PROJECT, *links.APP, "ask", "ask_column", "_embed", "clid", "gclid2")))


def test_a_number_may_be_grouped_or_plain() -> None:
    for text in ("1000000", "1\u202f000\u202f000", "1e6"):
        app = opened("counting", counting_repeats=text)
        assert app.select_slider(key="counting_repeats").value == 10**6
        assert not notice(app)
        assert app.query_params["counting_repeats"] == "1000000"


def test_the_notice_goes_when_the_reader_sets_something() -> None:
    app = opened("counting", epsilon="abc").run()
    assert notice(app)
    moved(app, 0.5)
    assert not notice(app)


def test_defaults_stay_out_of_the_address_and_everything_else_is_in_it() -> None:
    app = opened("counting")
    assert not app.query_params
    looked_at(moved(app, 0.7), "plan")
    app.number_input(key="counting_seed").set_value(3).run()
    assert dict(app.query_params) == {"epsilon": "0.7", "counting_tab": "plan", "counting_seed": "3"}
    again = opened("counting", **dict(app.query_params))
    assert stage(again) == stage(app)


def test_the_level_travels_from_page_to_page_once_somebody_has_moved_it() -> None:
    app = opened("counting", epsilon="0.37")
    app.switch_page("pages/overview.py").run()
    assert "0.37" in answer(app)
    app.query_params.clear()
    app.switch_page("pages/counting.py").run()
    assert stage(app).level == 0.37
    fresh = opened("counting")
    fresh.switch_page("pages/overview.py").run()
    assert "ε = 1 " in answer(fresh).replace("*", "")  # the page's own, not the one before's


def test_the_way_back_of_the_browser_is_followed() -> None:
    app = looked_at(opened("counting"), "one")
    app.query_params.clear()
    app.query_params["epsilon"] = "0.5"
    app.run()
    assert stage(app).level == 0.5 and stage(app).chosen == "ten"


def test_reset_takes_the_defaults() -> None:
    app = opened("counting", epsilon="0.37", counting_seed="9", counting_tab="one")
    app.button(key="reset").click().run()
    assert stage(app).level == 0.1 and stage(app).chosen == "ten"
    assert app.number_input(key="counting_seed").value == 1
    assert not app.query_params


def test_draw_again_takes_the_next_seed() -> None:
    app = opened("counting", counting_seed="9")
    app.button(key="counting_draw").click().run()
    assert app.number_input(key="counting_seed").value == 10


def test_a_room_that_hides_the_truth_is_in_its_address() -> None:
    app = opened("counting")
    app.toggle(key="hide").set_value(True).run()
    assert app.query_params["hide"] == "true"
    app.toggle(key="hide").set_value(False).run()
    assert "hide" not in app.query_params


def test_a_search_in_the_documents_stays_there_and_travels_with_their_name() -> None:
    app = opened("reference")
    assert app.segmented_control(key="reference_tab").value == "documents" and "reference_tab" not in app.query_params
    app.text_input(key="reference_find").set_value("Satz 2.9").run()
    assert app.segmented_control(key="reference_tab").value == "documents"
    assert app.query_params["reference_tab"] == "documents"
    assert "Satz 2.9" in " ".join(str(element.proto.body) for element in app.get("html"))


def test_a_link_with_a_search_alone_opens_the_mechanisms_as_ever() -> None:
    assert opened("reference", reference_find="Laplace").segmented_control(key="reference_tab").value == "mechanisms"


@pytest.mark.parametrize("wanted", ["", "Laplace", "محرمانگی", "Sensitivität", "<b>", "$x$", "zzz"])
def test_the_reference_finds_words_and_survives_anything(wanted: str) -> None:
    app = opened("reference", reference_find=wanted, reference_tab="words")
    html = " ".join(str(element.proto.body) for element in app.get("html"))
    assert ("<table" in html) == (wanted not in ("<b>", "$x$", "zzz"))
    assert "<b>" not in html.replace("&lt;b&gt;", "")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The addresses that pages send to the browser."""
    sent, send = list[dict[str, str]](), QueryParamsProxy.from_dict

    def noted(proxy: QueryParamsProxy, given: dict[str, str]) -> None:
        sent.append(dict(given))
        send(proxy, given)

    monkeypatch.setattr(QueryParamsProxy, "from_dict", noted)
    return sent


def test_a_late_address_that_says_what_is_chosen_is_written_all_the_same(written: list[dict[str, str]]) -> None:
    """The one that was written before is on its way, and would be the last that the browser hears."""
    first, app = stage(opened("counting")).chosen, opened("counting", counting_tab="one")
    looked_at(app, first)
    assert written == [{}]
    app.query_params["counting_tab"] = "one"  # the browser has not heard of it yet
    looked_at(app, "one")
    assert written[-1] == {"counting_tab": "one"} and len(written) == 2


def test_an_address_to_which_the_reader_goes_back_is_not_written_over(written: list[dict[str, str]]) -> None:
    app = opened("counting", counting_tab="one")
    looked_at(app, "bound")
    assert written == [{"counting_tab": "bound"}]
    app.query_params["counting_tab"] = "one"
    assert stage(app.run()).chosen == "one" and len(written) == 1
