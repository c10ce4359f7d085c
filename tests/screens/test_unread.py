"""A view with an example of its own reads no setting of its page: those stand out of sight, and keep what they hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node, Widget

from explorer.declarations import PageDeclaration, View, always
from explorer.exercises import EXERCISES, PAGE
from explorer.ui.shown import UNREAD
from explorer.ui.style import EVERYWHERE
from ldpcore.fingerprints import fingerprint
from tests import scenes
from tests.screens.opening import answer, below, complaints, link_of, looked_at, numbers_in, opened

OF_THE_ROOM = ("hide", "lecture", "lang", "reset")


def alone() -> list[tuple[str, str]]:
    """Every view with an example of its own, by its page."""
    slugs = dict.fromkeys(setting.page.slug for setting in scenes.settings())
    return [
        (slug, view)
        for slug in slugs
        for view, declared in scenes.declared(slug).views.items()
        if declared.self_contained
    ]


def widgets(node: Node, unseen: bool = False) -> Iterator[tuple[str, bool]]:
    """The keys of all widgets below a node, and whether they are out of sight."""
    if isinstance(node, Widget):
        yield str(node.key), unseen
    elif isinstance(node, Block):
        named = node.type == "flex_container" and _key(node) in (UNREAD, f"{UNREAD}_more")
        for child in node.children.values():
            yield from widgets(child, unseen or named)


def _key(block: Block) -> str:
    """The key of a container, with which Streamlit ends its name."""
    return str(block.proto.id).rpartition("-")[2]


def seen(app: AppTest) -> dict[str, bool]:
    """The widgets of the main part by their keys, and whether each is seen."""
    return {key: not unseen for key, unseen in widgets(app.main)}


def reading(page: PageDeclaration, view: View) -> set[str]:
    """The questions of a view under all telling settings of its page; one where it reads none of them."""
    asked = [each.asked for each in scenes.settings() if each.page.slug == page.slug and view.only(each.asked)]
    own = next(each.own for each in scenes.settings() if (each.page.slug, each.view.slug) == (page.slug, view.slug))
    return {fingerprint(view.question(each, 0.3, own)) for each in asked}


def test_there_is_a_view_with_an_example_of_its_own() -> None:
    assert ("counting", "bound") in alone()


OF_A_TOPIC = {(PAGE, each.slug) for each in EXERCISES}  # the topic decides which exercises there are, and nothing else
OF_THE_TABLE = {("trust", "found"), ("trust", "choose")}  # what they ask themselves are columns of the page's table


def test_every_view_that_reads_no_setting_is_declared_to_have_an_example_of_its_own() -> None:
    pages = [scenes.declared(slug) for slug in dict.fromkeys(each.page.slug for each in scenes.settings())]
    unread = {(page.slug, view.slug) for page in pages for view in page.views.values() if len(reading(page, view)) == 1}
    assert unread == set(alone()) | OF_THE_TABLE | OF_A_TOPIC and len(alone()) >= 3


@pytest.mark.parametrize(("slug", "view"), alone())
def test_what_a_view_with_an_example_of_its_own_asks_depends_on_no_setting_of_its_page(slug: str, view: str) -> None:
    page = scenes.declared(slug)
    assert len(reading(page, page.views[view])) == 1
    usual = next(each for each in page.views.values() if not each.self_contained)
    assert len(reading(page, usual)) > 1, "a view that reads them is not taken for one that does not"


@pytest.mark.parametrize(("slug", "view"), alone())
def test_no_setting_out_of_sight_takes_the_view_away_that_does_not_read_it(slug: str, view: str) -> None:
    assert scenes.declared(slug).views[view].only is always


@pytest.mark.parametrize(("slug", "view"), alone())
def test_beside_a_view_with_an_example_of_its_own_no_setting_is_seen_that_it_does_not_read(
    slug: str, view: str
) -> None:
    usual = opened(slug)
    theirs = {key for key, visible in seen(usual).items() if visible and key not in OF_THE_ROOM}
    app = looked_at(usual, view)
    there = seen(app)
    settings = theirs & link_of(app).known.keys() | {f"{slug}_draw", f"{slug}_table"} & theirs
    assert settings and not [key for key in settings if there.get(key)], there
    own = [key for key, visible in there.items() if visible and key not in theirs and key not in OF_THE_ROOM]
    assert own, "what it asks itself is seen"
    assert f".st-key-{UNREAD}," in EVERYWHERE and f".st-key-{UNREAD}_more {{ display: none; }}" in EVERYWHERE


def test_settings_out_of_sight_keep_what_they_hold() -> None:
    asked = {"data": "clinic", "counting_neighbors": "replace-one", "counting_repeats": "7"}
    app = opened("counting", counting_tab="bound", **asked)
    assert not complaints(app) and link_of(app).settings().items() >= asked.items()
    app = looked_at(app, "ten")
    assert link_of(app).settings().items() >= asked.items() and "true 9" in answer(app)


def test_below_a_view_with_an_example_of_its_own_stand_the_tasks_about_it_alone() -> None:
    app = below(opened("counting", counting_tab="bound"), "tasks")
    (task,) = [str(text.value) for text in app.markdown if "200 people" in str(text.value)]
    assert {200.0, 23.0} <= set(numbers_in(task))
    assert not [text for text in app.markdown if "Halve ε" in str(text.value)]
    assert [text for text in below(opened("counting"), "tasks").markdown if "Halve ε" in str(text.value)]
