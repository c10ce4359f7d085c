"""A text that a page has refused never outlives *Reset this page*, in any field; neither does what was said of it."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.navigation import entries
from tests.rationing import shared
from tests.screens.opening import answer, link_of, opened

Link = dict[str, str]
WISH: Link = {"ask": "own", "ask_column": "income", "ask_relation": "between", "ask_value": "1|2"}
SUM: Link = {"ask": "everybody", "ask_verb": "sum"}
ODD = "1e-320 x"
SLUGS = [entry.slug for entry in entries()]
SLIDERS: dict[str, Link] = {"exercises": {"exercises_tab": "products"}}  # where the first view has none

# Page, the link that shows the field, the field's key, and a text that it refuses.
FIELDS: tuple[tuple[str, Link, str, str], ...] = (
    ("budget", {"budget_tab": "ledger"}, "budget_rows", "laplace 1e-320"),
    ("verify", {"verify_mode": "matrix"}, "verify_rows_*", "1e308 1e309\n1 0"),
    ("verify", {"verify_mode": "counts"}, "verify_counts_first", "1, 1e-320"),
    ("verify", {"verify_mode": "counts"}, "verify_counts_second", "1000000000000001, 7"),
    ("response", {"response_tab": "real"}, "response_answers", "1e-320 yes, 1e308 no"),
    ("response", {"response_tab": "real"}, "response_list", "yes\n1e-320 no"),
    ("frequencies", {"frequencies_tab": "real"}, "frequencies_counts", "a\t1e-320\nb\t7"),
    ("distinguish", {"distinguish_kind": "bars"}, "distinguish_bars_first", "1e-320 x"),
    ("distinguish", {"distinguish_kind": "bars"}, "distinguish_bars_second", "-1e308 1"),
    ("distinguish", {"distinguish_kind": "groups"}, "distinguish_*_low", "1e308"),
    ("distinguish", {"distinguish_kind": "groups"}, "distinguish_*_high", ODD),
    ("distinguish", {"distinguish_kind": "groups"}, "distinguish_split_*", "1e308"),
    ("means", {}, "means_*_low", "1e308"),
    ("means", {}, "means_*_high", "1e-320"),
    ("means", {"means_tab": "groups"}, "means_split_*", ODD),
    ("trust", {"trust_source": "column"}, "trust_*_low", ODD),
    ("trust", {"trust_source": "column"}, "trust_*_high", "-1e308"),
    *(("regression", {"regression_source": "column"}, f"regression__{end}", "1e308") for end in ("x*_low", "y*_high")),
    *(("regression", {"regression_source": "column"}, f"regression__{end}", ODD) for end in ("x*_high", "y*_low")),
    *((page, WISH, "asking_*_from", ODD) for page in ("counting", "averaging")),
    *((page, WISH, "asking_*_to", "1e-320 €") for page in ("counting", "averaging")),
    *((page, SUM, "asking_*_low", "1e308") for page in ("counting", "averaging")),
    *((page, SUM, "asking_*_high", ODD) for page in ("counting", "averaging")),
    *((slug, SLIDERS.get(slug, {}), "*_exact", "1e-320 x") for slug in SLUGS if slug not in ("verify", "reference")),
)
FREE = ("reference_find", "ask_*_text", "ask_pin")  # refused when it is asked


def fields(app: AppTest) -> list[Any]:
    """All boxes for a text."""
    return [*app.text_input, *app.text_area]


def field(app: AppTest, key: str) -> Any:
    """The first box of this key."""
    return next(each for each in fields(app) if fnmatchcase(str(each.key), key))


def said(app: AppTest) -> list[str]:
    """What the page complains of."""
    return [str(each.value) for each in (*app.error, *app.warning)]


@cache
def visited(slug: str) -> AppTest:
    """A page in one session, for one field after the other."""
    return opened(slug)


def asked_anew(app: AppTest, link: Link) -> AppTest:
    """The link is followed on the page itself, in place of all that was set there."""
    state = link_of(app)
    state.asked = {key: [] for key in (*state.known, f"{state.page}_tab")}
    state.asked |= {key: [text] for key, text in link.items()}
    state.unusable, state.touched = [], True
    return app.run()


@pytest.mark.parametrize(("slug", "link", "key", "text"), shared(FIELDS, 5), ids=str)
def test_a_refused_text_does_not_outlive_a_reset(slug: str, link: Link, key: str, text: str) -> None:
    app = asked_anew(visited(slug), link)
    before = said(app)
    field(app, key).set_value(text).run()
    assert len(said(app)) > len(before) and not app.exception, "it must be refused"
    app.button(key="reset").click().run()
    for shown in (app, None):  # at once, and where the field is shown again
        app = shown or asked_anew(app, link)
        assert said(app) == before and not app.exception
        assert text not in [each.value for each in fields(app)]
        assert slug == "reference" or answer(app)


def test_every_field_for_a_text_that_a_page_shows_is_held_to_it() -> None:
    keys = [key for _, _, key, _ in FIELDS] + list(FREE)
    links = {(slug, tuple(link.items())) for slug, link, _, _ in FIELDS}
    shown = {str(each.key) for slug, link in sorted(links) for each in fields(asked_anew(visited(slug), dict(link)))}
    assert len(shown) > 60 and not [each for each in shown if not any(fnmatchcase(each, key) for key in keys)]
