"""A link says everything that is set: a page whose every control stands elsewhere than at first opens as it was seen.

Each page is set in every way that a reader has, view by view; its link, that of the room and that of the public sheet,
is opened by somebody else. What no link carries is listed here by name, with the sentence that the page says instead.
"""

from __future__ import annotations

import inspect
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from explorer.navigation import entries
from explorer.settings import linked
from ldpcore.accounting.columns import read_rows
from ldpcore.parameters import ParameterError
from tests import scenes
from tests.rationing import ALL, shared
from tests.screens.opening import answered, below, complaints, link_of, opened, stage

APP = "https://ldp.example.org"
STAGED = [entry.slug for entry in entries() if entry.slug not in ("reference", "ask")]
# What no link carries, by page and view: what was guessed in a gallery, and which reports of a matrix are merged.
LEFT_OUT: dict[str, frozenset[str]] = {"verify": frozenset({"gallery", "merging"})}
STAY = ("verify_mode",)  # which decides what views there are
MODES = {"merging": "matrix", "gallery": "gallery"}


def views(slug: str) -> list[str]:
    """The first view of a page and every other of those that ask for more than their page does; at night all views."""
    page = scenes.declared(slug)
    chosen = shared([name for name, view in page.views.items() if ALL or view.own is not None], 2)
    return list(dict.fromkeys([next(iter(page.views)), *chosen]))


def noted(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Any]]:
    """The options of each control that has some, by its key, as the pages draw them."""
    options: dict[str, list[Any]] = {}
    for name in ("select_slider", "segmented_control", "selectbox"):
        drawn = getattr(st, name)

        def draw(*given: Any, drawn: Any = drawn, **named: Any) -> Any:
            bound = inspect.signature(drawn).bind(*given, **named).arguments
            if bound.get("key") is not None:
                options[bound["key"]] = list(bound["options"])
            return drawn(*given, **named)

        monkeypatch.setattr(st, name, draw)
    return options


def move(app: AppTest, options: dict[str, list[Any]]) -> int:
    """Put every control of the page that a link knows elsewhere; how many there were."""
    moved = 0
    for key in (key for key in link_of(app).known if key not in STAY):
        value = app.session_state[key] if key in app.session_state else None  # noqa: SIM401
        if isinstance(value, bool):
            other: Any = not value
        elif key in options and value in options[key] and len(options[key]) > 1:
            other = options[key][(options[key].index(value) + 1) % len(options[key])]
        elif isinstance(value, int):
            other = value + 1
        else:
            continue
        app.session_state[key] = other
        moved += 1
    return moved


def seen(app: AppTest) -> tuple[Any, ...]:
    """What is set and what is shown: answer, paragraph, title and figure."""
    shown = stage(app)
    settings = {key: text for key, text in link_of(app).settings().items() if text is not None}
    return settings, shown.chosen, shown.words["answer"], shown.words["note"], shown.figure


def offered(app: AppTest) -> str:
    """The link below the figure, as the public gets it."""
    return str(answered(below(app, "take_away")).code[0].value).removeprefix(APP)


def followed(link: str) -> AppTest:
    parts = urlsplit(link)
    return opened(parts.path.strip("/") or "overview", **dict(parse_qsl(parts.query, keep_blank_values=True)))


@pytest.mark.parametrize("slug", shared(STAGED, 8))
def test_whoever_opens_the_link_of_a_view_sees_the_same(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDP_EXPLORER_URL", APP)
    options, compared = noted(monkeypatch), 0
    for place, view in enumerate(views(slug)):
        mode = "matrix" if view.startswith("matrix") else MODES.get(view, "")
        more = {"verify_mode": mode} if slug == "verify" and mode else {}
        app = opened(slug, **{f"{slug}_tab": view, "lang": ("en", "de")[place % 2]}, **more)
        if stage(app).chosen != view or view in LEFT_OUT.get(slug, ()):
            continue
        moved = move(app, options)
        answered(app.run())
        assert not app.exception and (moved or slug == "overview")
        before, warned = seen(app), complaints(app)
        again = followed(offered(app))
        assert complaints(again) == warned, (view, complaints(again))
        assert seen(again) == before, view
        compared += 1
    assert compared


TYPED = [
    ("response", "response_tab=real&response_answers=340/900"),
    ("verify", "verify_mode=matrix&verify_matrix=own&verify_own_matrix=3/4;1/4|1/4;3/4"),
    (
        "verify",
        "verify_mode=matrix&verify_matrix=own&verify_own_matrix=58%25;21%25;21%25|21%25;58%25;21%25|21%25;21%25;58%25",
    ),
    ("verify", "verify_mode=counts&verify_counts_first=5, 9&verify_counts_second=7, 7"),
    ("budget", "budget_tab=ledger&budget_ledger=laplace,0.5|gauss,1,1e-07|any,0.25,x3"),
    ("frequencies", "frequencies_tab=real&frequencies_counts=30-20-10"),
    ("distinguish", "distinguish_kind=bars&distinguish_bars_first=1|2|3&distinguish_bars_second=3|2|1"),
    ("counting", "data=clinic&counting_tab=cells&counting_rows=age&counting_cut_1=20_40_60"),
    ("counting", "data=clinic&counting_tab=cells&counting_cut_4=2_0.1.x"),
    ("means", "means_low=10&means_high=5000"),
    ("response", "response_n=800&epsilon=0.777"),
    ("frequencies", "frequencies_k=50"),
]


@pytest.mark.parametrize(("slug", "query"), TYPED)
def test_what_was_typed_travels_as_slugs_and_numbers(slug: str, query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LDP_EXPLORER_URL", APP)
    app = followed(f"/{slug}?{query}")
    assert not complaints(app)
    link = offered(app)
    for key, text in parse_qsl(query):
        assert dict(parse_qsl(urlsplit(link).query)).get(key) == text, (key, link)
    again = followed(link)
    assert not complaints(again)
    assert seen(again) == seen(app)


@pytest.mark.parametrize(
    ("slug", "query", "sentence"),
    [
        ("frequencies", "frequencies_tab=real&frequencies_counts=own-57", "more answers than a link can carry"),
        ("budget", "budget_tab=ledger&budget_ledger=own-57", "more than a link can carry"),
        ("verify", "verify_mode=matrix&verify_matrix=own", "does not carry the matrix"),
        ("verify", "verify_mode=matrix&verify_matrix=own&verify_own_matrix=yes", "that is no matrix"),
        ("counting", "data=own", "links never carry data"),
        ("counting", "data=own-12x3", "does not carry your own table of 12"),
    ],
)
def test_what_a_link_does_not_carry_is_said_in_one_sentence(slug: str, query: str, sentence: str) -> None:
    said = complaints(followed(f"/{slug}?{query}"))
    assert len(said) == 1 and sentence in said[0], said


def _ledger(lines: int) -> str:
    """Lines of every kind as people keep them, hardly two alike."""
    rng = np.random.default_rng(lines)
    kinds = (
        "laplace {} x {}",
        "discrete {}",
        "any {} 1e-7",
        "rr {}",
        "gauss {} 1e-6",
        "sigma {}",
        "sampled {} 0.01 x {}",
    )
    written = (kinds[place % 7].format(f"{rng.uniform(0.2, 3):.3g}", rng.integers(2, 400)) for place in range(lines))
    return "\n".join(f"{line} # day {place}" for place, line in enumerate(written))


@pytest.mark.parametrize("lines", shared([linked.LINES + 1, 200], 2, 1))
def test_a_ledger_of_hundreds_of_lines_travels_below_two_thousand_letters(
    lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LDP_EXPLORER_URL", APP)
    app = followed("/budget?budget_tab=ledger&budget_total=500")
    app = answered(app.text_area(key="budget_rows").set_value(_ledger(lines)).run())
    link = offered(app)
    assert len(link) < 2000 and "day" not in link
    again = answered(followed(link))
    assert not complaints(again) and seen(again) == seen(app)


def test_every_line_of_a_ledger_comes_back_and_forty_are_said_as_they_always_were() -> None:
    rows = read_rows(_ledger(200))
    assert linked.linked_lines(rows).startswith("~") and read_rows(linked.worded(linked.linked_lines(rows))) == rows
    few, more = rows[: linked.LINES], rows[: linked.LINES + 1]
    assert linked.linked_lines(more).startswith("~") and read_rows(linked.worded(linked.linked_lines(more))) == more
    assert read_rows(linked.worded(linked.linked_lines(few))) == few
    assert (
        linked.linked_lines(read_rows("laplace 0.1 x 30\ngauss 1 1e-6\nzcdp 0.05"))
        == "laplace,0.1,x30|gauss,1,1e-06|zcdp,0.05"
    )


def test_a_ledger_beyond_a_link_says_how_long_it_is_and_a_broken_one_is_none() -> None:
    rows = read_rows(_ledger(2000))
    assert linked.linked_lines(rows) == "own-2000"
    (said,) = complaints(followed("/budget?budget_tab=ledger&budget_ledger=own-2000"))
    assert "000 lines" in said and "none of them is here" in said
    good, bomb = linked.linked_lines(rows[:60]), linked._packed("l0.1\n" * 10**5)
    for text in (good[:-9], "~", "~####", f"~é{good[2:]}", linked._packed("q1"), bomb, linked._packed("l0.1x0")):
        with pytest.raises((linked.LinkedError, ParameterError)):
            read_rows(linked.worded(text))
    (said,) = complaints(followed(f"/budget?budget_tab=ledger&budget_ledger={good[:-9]}"))
    assert "not lines of a ledger" in said
