"""What holds on every page: it opens, explains itself, keeps its anatomy, and survives any link and any setting."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
from streamlit.string_util import validate_material_icon
from streamlit.testing.v1 import AppTest

from explorer.exercises import EXERCISES, PAGE, TOPICS
from explorer.navigation import DEFAULT, entries
from explorer.text import listing
from explorer.text.catalogue import catalogue_of
from ldpcore.mechanisms import REGISTRY
from tests.pairs import rows
from tests.rationing import ALL, shared
from tests.screens.opening import (
    answer,
    charts,
    complaints,
    hold,
    link_of,
    moved,
    numbers_in,
    opened,
    stage,
    staged,
    strip,
    tabs,
    undeclared,
)
from tests.written import read

SLUGS = [entry.slug for entry in entries()]
OTHERS = shared(enumerate(SLUGS), 2)  # by day every other page, with its place
WITHOUT_LEVEL = ("reference",)  # a page without levels lets it pass
BAD_LEVELS = {"zero": "0", "negative": "-1", "tiny": "1e-12", "huge": "1e9", "nan": "NaN", "text": "abc", "empty": ""}


# Views that a page has under other settings than its first ones, and a link that leads there.
ELSEWHERE: dict[tuple[str, str], dict[str, str]] = {
    ("counting", "ratio"): {"ask": "everybody", "ask_verb": "mean", "ask_of": "score"},
    ("frequencies", "decoding"): {"frequencies_mechanism": "rappor"},
    ("verify", "merging"): {"verify_mode": "matrix"},
    ("verify", "gallery"): {"verify_mode": "gallery"},
    **{(each.link.page, each.slug): {f"{PAGE}_topic": each.topic} for each in EXERCISES if each.topic != TOPICS[0]},
}


@cache
def usual(slug: str) -> AppTest:
    """A page as it opens, for whoever looks at it and touches nothing."""
    return opened(slug)


@pytest.mark.parametrize("slug", SLUGS)
def test_page_opens_with_its_question_an_answer_and_at_most_one_chart(slug: str) -> None:
    app = usual(slug)
    question = next(entry.question() for entry in entries() if entry.slug == slug)
    assert [title.value for title in app.title] == [question]
    assert answer(app)
    assert not complaints(app)
    assert not undeclared(app)
    assert len(charts(app)) <= 1


@pytest.mark.parametrize(
    ("slug", "tab"), [(slug, tab) for place, slug in enumerate(SLUGS) for tab in shared(tabs(slug), 3, place)]
)
def test_every_view_opens_by_its_link_and_explains_itself(slug: str, tab: str) -> None:
    """By day every third view of each page: `test_links.py` follows links to most, `test_scenes.py` looks at all."""
    app = opened(slug, **{f"{slug}_tab": tab}, **ELSEWHERE.get((slug, tab), {}))
    assert not undeclared(app)
    assert not complaints(app)
    if staged(app):
        assert stage(app).chosen == tab
        assert (stage(app).figure is None) != (stage(app).words["drawing"] is None)
        assert len(stage(app).words["alt"]) > 20
    for chart in charts(app):
        layout = chart["layout"]
        assert layout["title"]["text"] and "@{" not in layout["title"]["text"]
        for axis in ("xaxis", "yaxis"):
            assert layout[axis]["title"]["text"] and "@{" not in layout[axis]["title"]["text"]
        assert chart["data"], "a figure without data"
    assert len(charts(app)) <= 1


@pytest.mark.parametrize(("slug", "tab"), shared(ELSEWHERE, 2))
def test_a_view_of_other_settings_is_refused_once(slug: str, tab: str) -> None:
    topic = {f"{PAGE}_topic": TOPICS[0]} if slug == PAGE else {}  # without one, the link would choose the view's
    app = opened(slug, **topic, **{f"{slug}_tab": tab})
    present = stage(app)
    assert tab not in present.views
    (complaint,) = complaints(app)
    title = catalogue_of("en").text(slug, f"view {tab}")
    assert title in complaint.replace("\\", "").replace("\u2060", "")
    assert present.chosen == present.views[0]


@pytest.mark.parametrize("slug", SLUGS)
def test_all_views_of_a_page_are_those_of_its_first_settings_but_for_those_known(slug: str) -> None:
    app = usual(slug)
    if staged(app):
        others = {tab for page, tab in ELSEWHERE if page == slug}
        assert set(stage(app).views) == set(tabs(slug)) - others
        row = [view["slug"] for view in stage(app).head["views"]]
        assert len(row) <= 6, f"at most six views stand in the row of {slug}; give one of {row} first=False"


@pytest.mark.all_stops
@pytest.mark.parametrize("slug", shared(SLUGS, 5))
def test_the_strip_holds_every_stop_of_the_handle(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.ui.page.thread_time", lambda: 0.0)  # a slow machine sends what a second makes
    asked = {"overview_mode": "coin"} if slug == DEFAULT else {}  # of which the root has sent no strip
    app = opened(slug, epsilon="0.97", **asked)  # between two stops: nobody else's strip is kept for it
    if staged(app) and (scenes := strip(app)):
        present = stage(app)
        handle = present.head["handle"]
        assert sorted(scenes) == list(range(len(handle["stops"])))
        assert len(handle["written"]) == len(handle["spoken"]) == len(handle["notes"]) == len(handle["stops"])
        shown = scenes[handle["index"]]
        words = {name: text for name, text in present.words.items() if name != "sketch"}  # the first picture's alone
        assert {name: shown[name] for name in words} == words
        assert shown["figure"] == present.figure


@pytest.mark.parametrize(
    ("slug", "bad"),
    [(slug, list(BAD_LEVELS)[(place + more) % 7]) for place, slug in OTHERS for more in shared((0, 3), 2)],
)
def test_an_unusable_level_in_the_link_gets_one_sentence_and_the_page_works(slug: str, bad: str) -> None:
    """Each of the seven on some page: they are judged in one place; at night two of them on each page."""
    asked = BAD_LEVELS[bad]
    app = opened(slug, epsilon=asked)
    assert len(complaints(app)) == (slug not in WITHOUT_LEVEL)
    assert answer(app)


@pytest.mark.parametrize("slug", shared(SLUGS, 2, 1))
def test_a_level_given_twice_and_an_unknown_dataset_get_one_sentence_each(slug: str) -> None:
    app = opened(slug, epsilon=["1", "2"], data="nowhere")
    assert " ".join(complaints(app)).count("The link ") == 1 + ("data" in app.session_state)
    assert answer(app)


@pytest.mark.all_stops
@pytest.mark.parametrize(("place", "slug"), shared(enumerate(SLUGS), 3, 1), ids=shared(SLUGS, 3, 1))
def test_a_page_survives_both_ends_of_every_slider(place: int, slug: str) -> None:
    """By day on every third page: one has the high ends, the next the low ones."""
    for end in shared((0, -1), 2, place // 3 + 1):
        app = opened(slug)
        for slider in app.select_slider:
            slider.set_value(read(slider.options[end]))
        assert not app.slider  # it would know one notation alone
        for box in app.number_input:
            box.set_value(box.min if end == 0 else box.max)
        app.run()
        if staged(app) and stage(app).head["handle"]:
            moved(app, stage(app).head["handle"]["stops"][end])
        assert not app.exception, [error.value for error in app.exception]
        assert answer(app)


def choices(app: AppTest) -> dict[str, list[Any]]:
    """What can be chosen among a few on the page itself, by the key of its control; the room's switches aside."""
    rows = [box for box in app.get("button_group") if box.value is None or isinstance(box.value, str)]
    aside = ("lang", f"{link_of(app).page}_below")  # the room's, and the row of what can be opened
    boxes = [box for box in (*app.selectbox, *app.radio, *rows) if box.key and box.key not in aside]
    found: dict[str, list[Any]] = {box.key: list(box.options) for box in boxes if len(box.options) > 1}
    return found | {switch.key: [False, True] for switch in (*app.main.toggle, *app.main.checkbox) if switch.key}


def choose(app: AppTest, row: dict[str, Any]) -> None:
    """Choose what is still offered: another choice may have taken it away."""
    for box in (*app.selectbox, *app.radio, *app.get("button_group")):
        if row.get(box.key) in box.options:
            box.set_value(row[box.key])
    for switch in (*app.main.toggle, *app.main.checkbox):
        if switch.key in row:
            switch.set_value(row[switch.key])
    app.run()


def few(options: list[Any], place: int) -> list[Any]:
    """Both ends of some options; at night one between too, which is another for each page."""
    if not ALL:
        return [*options[:1], *options[1:][-1:]]
    return [*options[:1], *options[1:-1][place % max(len(options) - 2, 1) :][:1], *options[1:][-1:]]


PLAIN = ("reference", "ask")  # pages without a stage


@pytest.mark.parametrize(("place", "slug"), shared(enumerate(SLUGS), 3), ids=shared(SLUGS, 3))
def test_a_page_survives_every_pair_of_its_choices(place: int, slug: str) -> None:
    """The views are choices too, and so are both ends of the level; what has more than two options gives its ends.

    By day on every third page, with every other view; on the next page all ends are met, on the one after all options.
    """
    app = opened(slug)
    factors = {key: few(options, place) for key, options in choices(app).items()}
    if staged(app):
        stops = stage(app).head["handle"]["stops"]
        factors |= {"view": shared(stage(app).views, 2, place // 3), "level": [stops[0], stops[-1]]}
    for row in rows(factors):
        if staged(app):
            hold(app, {f"{slug}_tab": row["view"], "epsilon": row["level"]})
        choose(app, row)
        assert not app.exception, (row, [error.value for error in app.exception])
        assert answer(app)
        if staged(app):
            shown = stage(app)
            assert shown.chosen == row["view"] or row["view"] not in shown.views, row
            assert not shown.head["handle"] or shown.level == row["level"], row


@pytest.mark.parametrize("slug", [slug for slug in shared(SLUGS, 3, 2) if slug != "overview"])
def test_a_page_survives_every_option_of_its_choices(slug: str) -> None:
    """One after the other in one session, all choices together: what the pairs leave out is met here.

    The views and the stops of the handle come in turn beside them, so that an option between the ends meets others than
    those that the page has at first.
    """
    app = opened(slug)
    first, seen = choices(app), stage(app) if staged(app) else None
    for index in range(max(map(len, first.values()), default=0)):
        if seen is not None:
            stops = seen.head["handle"]["stops"]
            turn = {f"{slug}_tab": seen.views[index % len(seen.views)], "epsilon": stops[7 * index % len(stops)]}
            hold(app, turn)
        choose(app, {key: options[index % len(options)] for key, options in first.items()})
        assert not app.exception, (index, [error.value for error in app.exception])
        assert answer(app)


@pytest.mark.parametrize("slug", PLAIN)
def test_a_page_without_a_stage_has_no_views_to_pair(slug: str) -> None:
    assert not staged(usual(slug))


def test_the_overview_states_its_level_and_the_ratio_that_it_allows() -> None:
    assert numbers_in(answer(opened(DEFAULT, epsilon="0.37"))) == pytest.approx([0.37, math.exp(0.37)], rel=5e-3)


def test_the_reference_counts_its_mechanisms_and_terms() -> None:
    assert numbers_in(answer(opened("reference"))) == [len(REGISTRY), len(listing("glossary")["terms"])]


@pytest.mark.parametrize("slug", [slug for slug in shared(SLUGS, 3) if slug != "counting"])
def test_a_page_that_has_no_use_for_the_level_or_the_data_lets_them_travel(slug: str) -> None:
    app = opened("counting", epsilon="0.37", data="clinic")
    app.query_params.clear()
    app.switch_page(f"pages/{slug}.py").run()
    assert not complaints(app)
    app.query_params.clear()
    app.switch_page("pages/counting.py").run()
    assert stage(app).level == 0.37 and app.session_state["data"] == "clinic"


def test_every_icon_of_the_navigation_is_one_that_streamlit_draws() -> None:
    for entry in entries():
        assert validate_material_icon(f":material/{entry.icon}:")


def test_the_overview_opens_without_an_apology() -> None:
    assert not opened("overview").error
