"""A link that sets what another view of its page asks is kept for that view, and is not called unknown."""

from __future__ import annotations

from fnmatch import fnmatchcase
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests import scenes
from tests.rationing import shared
from tests.screens.opening import answered, complaints, link_of, looked_at, opened
from tests.screens.test_link_law import STAGED


def views(slug: str) -> list[str]:
    """The views of a page that ask for more than their page does; a run takes one of them, the night all."""
    chosen = [name for name, view in scenes.declared(slug).views.items() if view.own is not None]
    return shared(chosen, len(chosen) or 1, STAGED.index(slug))


def alone(slug: str, view: str) -> set[str]:
    """The settings of a page that are asked where a view is open; none where another decides that there is such one."""
    link = link_of(opened(slug, **{f"{slug}_tab": view}))
    return {key for key in link.known if link.held.get(f"{slug}_tab") == view and key.startswith(f"{slug}_")}


def undeclared(slug: str, keys: set[str]) -> list[str]:
    """The settings that `asks_elsewhere` of a page lacks."""
    patterns = scenes.declared(slug).elsewhere
    return [key for key in sorted(keys) if not any(fnmatchcase(key, pattern) for pattern in patterns)]


@pytest.mark.parametrize("slug", shared(STAGED, 2))
def test_what_one_view_alone_asks_is_declared_and_known_to_the_others(slug: str) -> None:
    usual = set(link_of(opened(slug)).known)
    theirs = {key for view in views(slug) for key in alone(slug, view) - usual}
    assert not undeclared(slug, theirs)
    if theirs:
        app = opened(slug, **dict.fromkeys(theirs, "1"))
        assert not complaints(app), complaints(app)
        assert link_of(app).settings().items() >= dict.fromkeys(theirs, "1").items()


@pytest.mark.parametrize(
    ("link", "view", "key"),
    shared(
        (
            ("/budget?budget_g=100", "groups", "budget_g"),
            ("/limits?limits_d=20", "vectors", "limits_d"),
            ("/budget?budget_days=7&budget_tab=split", "daily", "budget_days"),
        ),
        2,
    ),
)
def test_a_setting_of_another_view_stands_there_when_that_view_is_opened(link: str, view: str, key: str) -> None:
    parts = urlsplit(link)
    asked = dict(parse_qsl(parts.query))
    app = opened(parts.path.strip("/"), **asked)
    assert not complaints(app) and link_of(app).settings()[key] == asked[key]
    app = answered(app.run())  # it waits, however long the reader stays
    assert not complaints(app)
    app = looked_at(app, view)
    assert str(app.session_state[key]) == asked[key] and not complaints(app)


def test_a_page_that_does_not_declare_what_one_of_its_views_asks_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = alone("budget", "groups") - set(link_of(opened("budget")).known)
    assert asked == {"budget_g"} and not undeclared("budget", asked)
    monkeypatch.setattr(scenes.declared("budget"), "elsewhere", ("budget_days",))
    assert undeclared("budget", asked) == ["budget_g"]


def test_what_no_view_asks_is_still_unknown() -> None:
    assert complaints(opened("budget", budget_nothing="1"))
    assert complaints(opened("limits", limits_d="twenty", limits_tab="vectors"))
