"""Links that have been given out keep their meaning: the corpus in `links.toml` opens as it did, whatever changes.

A change that breaks one of them must keep reading the old form; no link is taken out of the corpus or bent.
"""

from __future__ import annotations

import re
import tomllib
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from explorer.navigation import DEFAULT, entries
from explorer.text import listing, page_text
from tests.rationing import ALL, shared
from tests.screens.opening import answer, below, charts, complaints, link_of, note, opened, stage, staged, tabs
from tests.written import NARROW

CORPUS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("links.toml").read_text("utf-8"))["links"]
PRESETS: list[dict[str, Any]] = listing("labels")["presets"]  # type: ignore[assignment]
APP = "https://ldp.example.org"
SUM = {"ask": "everybody", "ask_verb": "sum", "ask_of": "score"}
MEAN = SUM | {"ask_verb": "mean"}


def followed(link: str) -> AppTest:
    """The page that a link leads to."""
    parts = urlsplit(link)
    return opened(parts.path.strip("/") or DEFAULT, **dict(parse_qsl(parts.query, keep_blank_values=True)))


def plain(text: str) -> str:
    """A text without Markdown's marks, and with blanks that can be typed."""
    return text.replace("*", "").replace("\\", "").replace(NARROW, " ")


def texts(app: AppTest) -> list[str]:
    """Every paragraph, that of the view among them, and the titles of the figures."""
    paragraphs = [str(text.value) for text in (*app.markdown, *app.caption)]
    paragraphs += [note(app)] if staged(app) else []
    return [plain(text) for text in [*paragraphs, *(chart["layout"]["title"]["text"] for chart in charts(app))]]


def state(app: AppTest) -> tuple[Any, ...]:
    """What is set on a page, and what is seen there."""
    known = link_of(app).settings()
    scene = (stage(app).chosen, stage(app).words) if staged(app) else answer(app)
    html = [str(piece.proto.body) for piece in app.get("html")]
    seen = [re.sub(r"(?:&amp;|[?&])lecture=true", "", body) for body in html if not body.startswith("<style>")]
    return known, scene, texts(app), charts(app), seen


def offered(app: AppTest) -> str:
    """The link that the page offers, without the address of the app; a page without a stage is its address."""
    if not staged(app):
        here = dict(app.query_params)
        page = link_of(app).page
        return f"/{'' if page == DEFAULT else page}" + (f"?{urlencode(here)}" if here else "")
    return str(below(app, "take_away").code[0].value).removeprefix(APP)


DATA = ("ask", "_column", "_values", "_split", "_value", "_find", "_matrix", "_answers")  # what people brought


def addressed(app: AppTest) -> dict[str, str]:
    """What the address bar asks for; no word of a language, for options are slugs."""
    written = {key: text for key, text in app.query_params.items() if key != "lang"}
    for key, texts in written.items():
        if not key.startswith(DATA[0]) and not key.endswith(DATA[1:]):
            assert not re.search(r"[^\w.,:|/-]", "".join(texts)), (key, texts)
    return written


@pytest.mark.parametrize(
    ("given", "turn"),
    [*zip(CORPUS, cycle(range(3 if ALL else 17)), strict=False)],
    ids=[given["link"] for given in CORPUS],
)
def test_a_link_that_was_given_out_keeps_its_meaning_as_does_one_that_comes_of_it(
    given: dict[str, Any], turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opened twice: as it was given, and in turn as the page offers it, as the address bar had it, or in German.

    By day one in six is opened again.
    """
    monkeypatch.setenv("LDP_EXPLORER_URL", APP)
    app = followed(given["link"])
    assert not complaints(app)
    for words in given["says"]:
        assert words in plain(answer(app))
    seen = texts(app)
    assert any(given.get("shows", "") in text for text in seen), seen

    if turn > 2:
        return
    before, written, chosen = state(app), addressed(app), stage(app).chosen if staged(app) else None
    bar = f"{urlsplit(given['link']).path}?{urlencode(written)}"
    if turn < 2:
        again = followed(offered(app) if turn == 0 else bar)
        assert not complaints(again)
        assert state(again) == before
        return
    link = given["link"]
    german = followed(f"{link}{'&' if '?' in link else '?'}lang=de")
    assert not complaints(german)
    assert addressed(german) == written, "both write one address, digit by digit"
    assert link_of(german).known == link_of(app).known
    assert chosen is None or stage(german).chosen == chosen


@pytest.mark.parametrize(
    "answers", ["340/900", "340 yes of 900", "560 no, 340 yes", "340 ja von 900", "560 nein, 340 ja"]
)
def test_typed_answers_stand_in_a_link_as_two_numbers_whatever_the_language(answers: str) -> None:
    for language in ("en", "de"):
        app = opened("response", response_tab="real", response_answers=answers, lang=language)
        assert not complaints(app)
        assert app.query_params["response_answers"] in ("340/900", ["340/900"])


@pytest.mark.parametrize(("language", "written"), [("de", "0,123"), ("en", "0.123")])
def test_a_slider_is_written_in_the_language_and_an_odd_value_of_a_link_stands_among_its_stops(
    language: str, written: str
) -> None:
    app = opened("response", response_share="0.123", lang=language)
    slider = app.select_slider(key="response_share")
    assert slider.value == 0.123 and written in slider.options and written.replace("123", "3") in slider.options
    assert link_of(app).known["response_share"] == "0.123"
    app.select_slider(key="response_share").set_value(0.25).run()
    assert link_of(app).known["response_share"] == "0.25"


def test_what_is_kept_for_all_readers_of_a_page_holds_nothing_of_one_of_them() -> None:
    def told(app: AppTest) -> tuple[str, str, bool]:
        titles = {page_text("response", language)["question"]: language for language in ("en", "de")}
        share = app.select_slider(key="response_share")
        return titles[app.title[0].value], stage(app).words["answer"][-30:], "0.123" in map(_point, share.options)

    one, other = opened("response", response_share="0.123"), opened("response")
    english = told(one)
    assert english[::2] == ("en", True) and told(other)[::2] == ("en", False)
    one.selectbox(key="lang").set_value("de").run()
    german = told(one)
    assert german[::2] == ("de", True) and german[1] != english[1] and told(other.run())[::2] == ("en", False)
    other.selectbox(key="lang").set_value("de").run()
    assert told(other)[::2] == ("de", False)
    one.selectbox(key="lang").set_value("en").run()
    assert told(one) == english


def _point(text: str) -> str:
    return text.replace(",", ".")


def test_the_corpus_leads_to_every_page_and_to_most_views() -> None:
    asked = [(urlsplit(given["link"]).path.strip("/") or DEFAULT, given["link"]) for given in CORPUS]
    assert {slug for slug, _ in asked} == {entry.slug for entry in entries()}
    views = {(slug, tab) for slug in {slug for slug, _ in asked} for tab in tabs(slug)}
    found = {(slug, tab) for slug, tab in views for page, link in asked if page == slug and f"{slug}_tab={tab}" in link}
    assert len(found) > len(views) / 2


@pytest.mark.parametrize("preset", shared(PRESETS, 5), ids=lambda preset: preset["title"])
def test_a_preset_asks_for_nothing_in_vain(preset: dict[str, Any]) -> None:
    app = followed(f"/{preset['page']}?{urlencode(preset['parameters'])}")
    assert not complaints(app)
    known = link_of(app).known
    assert all(known[key] in (text, None) for key, text in preset["parameters"].items())


def test_a_view_is_forgotten_when_its_page_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDP_EXPLORER_URL", APP)
    app = below(followed("/counting?counting_tab=plan"), "why")
    app.switch_page("pages/averaging.py").run()
    for key in list(app.query_params):
        del app.query_params[key]
    app.query_params["epsilon"] = "0.9"
    app.switch_page("pages/counting.py").run()
    assert offered(app) == "/counting?epsilon=0.9"


def test_a_mode_without_views_asks_for_none_in_its_address() -> None:
    app = followed("/verify?verify_tab=audit")
    app.session_state["verify_mode"] = "gallery"
    app.run()
    assert "verify_tab" not in app.query_params
    assert not complaints(app.run())


@pytest.mark.parametrize(
    ("slug", "parameters"),
    [
        ("verify", {"verify_mode": "counts", "verify_counts_first": "many"}),
        ("verify", {"verify_mode": "counts", "verify_counts_first": "9" * 5000}),
        ("response", {"response_tab": "real", "response_meant": "nobody"}),
        ("frequencies", {"frequencies_meant": "nobody"}),
        ("distinguish", {"distinguish_kind": "bars", "distinguish_bars_first": "a b"}),
        ("protocols", {"protocols_center": "1.5"}),
        ("protocols", {"protocols_n": "0"}),
        ("protocols", {"protocols_n": "1", "protocols_example": "stages"}),
        ("protocols", {"protocols_delta": "3", "protocols_example": "search"}),
        ("protocols", {"protocols_i": "2000"}),
    ],
)
def test_what_a_link_asks_for_in_vain_is_named_and_the_page_stands(slug: str, parameters: dict[str, str]) -> None:
    app = opened(slug, **parameters)
    assert complaints(app)
    assert answer(app)


@pytest.mark.parametrize(
    ("asked", "wanted", "shown"),
    [({}, "ratio", "ten"), ({"counting_neighbors": "add-remove", **MEAN}, "ten", "ratio")],
    ids=["two releases of a count", "ten releases of a mean in two"],
)
def test_a_view_that_the_settings_take_away_is_refused_by_its_name(
    asked: dict[str, str], wanted: str, shown: str
) -> None:
    for language in ("en", "de"):
        app = opened("counting", counting_tab=wanted, lang=language, **asked)
        (said,) = complaints(app)
        titles = [page_text("counting", language)[f"view {view}"] for view in (wanted, shown)]
        assert stage(app).chosen == shown and all(title in said for title in titles), said
        assert not re.search(rf"\b({wanted}|{shown})\b", said), said


@pytest.mark.parametrize("slug", shared([entry.slug for entry in entries() if tabs(entry.slug)], 4))
def test_views_that_a_link_asks_for_in_vain_are_called_as_readers_call_them(slug: str) -> None:
    """In German, where no slug is a word: of a view that there is none of, and of one that is asked for twice."""
    for texts in ("nonsense", tabs(slug)[:1] * 2):
        said = plain(" ".join(complaints(opened(slug, **{f"{slug}_tab": texts, "lang": "de"}))))
        titles = sorted((page_text(slug, "de")[f"view {view}"] for view in tabs(slug)), key=len, reverse=True)
        assert any(title in said for title in titles), said
        for title in titles:
            said = said.replace(title, "")
        assert not [view for view in tabs(slug) if re.search(rf"\b{re.escape(view)}\b", said)], said


def test_whether_people_are_a_census_or_a_sample_travels_between_pages() -> None:
    app = followed("/response?response_tab=real&basis=sample")
    assert not complaints(app) and app.query_params["basis"] == "sample"
    app.switch_page("pages/frequencies.py").run()
    assert app.query_params["basis"] == "sample"
    app.switch_page("pages/means.py").run()
    assert app.query_params["basis"] == "sample"
    assert complaints(followed("/means?basis=everybody"))


def test_a_crowd_that_leaves_the_range_is_named_in_one_sentence() -> None:
    app = opened("protocols", protocols_center="0.9", protocols_width="0.5")
    (warning,) = [each.value for each in app.warning]
    assert warning.replace("\\", "") == "Everybody must lie in the range of ±1; these people lie from 0.4 to 1.4."
    assert "1\u202f000 people" in answer(app)


def test_a_link_to_an_exercise_need_not_name_its_topic() -> None:
    app = followed("/exercises?exercises_tab=eta")
    assert (stage(app).chosen, complaints(app)) == ("eta", [])
    assert link_of(app).settings() == {"exercises_topic": "bounds", "exercises_tab": "eta"}
