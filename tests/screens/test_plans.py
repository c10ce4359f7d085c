"""Every plan has a button: pressed, the page stands where the plan says, its link carries it, and the plan is kept."""

from __future__ import annotations

import pytest

from explorer.navigation import entries
from explorer.pages.overview import cards
from explorer.settings.noises import noises
from explorer.text.catalogue import catalogue_of
from explorer.ways import decisions
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from tests.rationing import crossed, shared
from tests.scenes import declared
from tests.screens.opening import answer, complaints, looked_at, moved, note, numbers_in, opened, stage, taken

PLANNED = [entry.slug for entry in entries() if "plan" in declared(entry.slug).views]


@pytest.mark.parametrize("slug", shared(PLANNED, 2))
def test_a_plan_that_is_taken_is_set_on_the_page_and_in_its_link(slug: str) -> None:
    first = opened(slug, **{f"{slug}_tab": "plan"})
    takes = stage(first).words["takes"]
    assert takes and not any(take["set"] for take in takes)
    for place, take in shared(enumerate(takes), 2, PLANNED.index(slug) % len(takes)):
        app = taken(opened(slug, **{f"{slug}_tab": "plan"}), place)
        assert not app.exception and not complaints(app), complaints(app)
        if "epsilon" in take["settings"]:
            assert stage(app).level == float(take["settings"]["epsilon"])
        for key, text in take["settings"].items():
            assert app.query_params.get(key, text) == text
        assert any(again["set"] for again in stage(app).words["takes"])


def test_plans_that_stand_by_themselves_are_on_eight_pages() -> None:
    assert len(PLANNED) >= 8


def test_a_level_between_the_stops_that_was_taken_stays_a_stop() -> None:
    app = taken(opened("counting", counting_tab="plan"))
    assert stage(app).level == 0.6 and 0.6 in stage(app).head["handle"]["stops"]
    moved(app, 1.0)
    assert stage(app).level == 1.0 and 0.6 in stage(app).head["handle"]["stops"]


def test_the_best_mechanism_is_taken_from_the_ranking() -> None:
    app = opened("frequencies", frequencies_tab="which", frequencies_k="100")
    (take,) = stage(app).words["takes"]
    taken(app)
    assert app.query_params["frequencies_mechanism"] == take["settings"]["frequencies_mechanism"]


def test_an_exact_value_is_typed_beside_a_slider_in_the_notation_of_the_reader() -> None:
    app = opened("counting", counting_tab="plan")
    app.text_input(key="counting_width_exact").set_value("7,25").run()
    assert not complaints(app) and app.query_params["counting_width"] == "7.25"
    assert 7.25 in numbers_in(answer(app))
    app.text_input(key="counting_width_exact").set_value("lots").run()
    assert len(complaints(app)) == 1 and app.query_params["counting_width"] == "7.25"
    assert app.text_input(key="counting_width_exact").value == "7.25"
    app.text_input(key="counting_width_exact").set_value("-4").run()
    assert len(complaints(app)) == 1 and app.query_params["counting_width"] == "7.25"


def test_a_share_may_be_typed_in_per_cent() -> None:
    app = opened("counting", counting_tab="plan")
    app.text_input(key="counting_confidence_exact").set_value("97 %").run()
    assert app.query_params["counting_confidence"] == "0.97"


def test_a_width_has_the_unit_of_the_answer_and_follows_it_until_somebody_sets_it() -> None:
    app = opened("counting", counting_tab="plan")
    assert app.session_state["counting_width"] == 5
    money = opened("counting", counting_tab="plan", ask="everybody", ask_verb="sum", ask_of="income", ask_high="1e5")
    assert money.session_state["counting_width"] == 500_000 and "counting_width" not in money.query_params
    assert "0.6" in answer(money)  # as many times what one person moves: the same level


def test_a_whole_table_is_planned_and_its_level_taken() -> None:
    app = opened("counting", counting_tab="cells", data="clinic", ask="everybody", ask_verb="count")
    assert "all 4 cells" in answer(app) and "ε = 0.88" in answer(app) and "0.6" in answer(app)
    taken(app)
    assert app.query_params["epsilon"] == "0.88" and stage(app).words["takes"][0]["set"]


@pytest.mark.parametrize("member", noises(True).values(), ids=noises(True))
def test_a_whole_table_has_the_noise_that_the_page_has_chosen(member: type[AdditiveNoise]) -> None:
    """For each mechanism that there is: its name, its level, and where it has one its δ beside the handle as well."""
    asked = {"data": "clinic", "counting_mechanism": member.slug, "counting_neighbors": "replace-one"}
    app = opened("counting", counting_tab="cells", counting_layout="each", **asked)
    assert not complaints(app) and catalogue_of("en").label(f"mechanisms.{member.slug}.title") in note(app)
    odds = stage(app).head["handle"]["notes"]
    assert ("δ" in answer(app)) == ("δ" in odds[0]) == (member.norm == 2)
    taken(app)
    assert stage(app).words["takes"][0]["set"]
    looked_at(app, "errors")
    assert "δ" not in stage(app).head["handle"]["notes"][0], "a view with noise of its own"


@pytest.mark.parametrize(("layout", "data"), crossed(["one", "crossed", "each"], ["income", "clinic", "people"], 3))
def test_every_layout_of_a_whole_table_suits_every_built_in_table(layout: str, data: str) -> None:
    app = opened("counting", counting_tab="cells", data=data, counting_layout=layout)
    assert not app.exception and not complaints(app) and "±" in answer(app)


def test_each_decision_of_the_overview_leads_in_one_step_to_its_view() -> None:
    assert len(decisions()) >= 9
    for decision, language in crossed(decisions(), ["en", "de"]):
        page, asked = decision.link.page, decision.link.parameters
        app = opened(page, lang=language, **asked)
        assert not app.exception and not complaints(app)
        assert f"{page}_tab" not in asked or stage(app).chosen == asked[f"{page}_tab"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_overview_asks_who_holds_the_data_before_it_lists_its_pages(language: str) -> None:
    html = cards.others(catalogue_of(language), dark=False, room={}, carried={"epsilon": "0.3"})
    places = [html.index(f'data-go="decision-{each.name}"') for each in decisions()]
    assert places == sorted(places) and places[-1] < html.index('data-go="page-counting"')
    assert html.count("epsilon=0.3") == len(decisions()) + len(entries()) - 1, "the level comes along"
