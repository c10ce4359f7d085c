"""Marks of the counting page: bars that go on, dots that nothing is drawn over, areas that keep their color."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from explorer.figures.plot import Trace
from explorer.figures.theme import Look
from explorer.scenes import scene
from explorer.text.catalogue import catalogue_of
from tests import scenes

PAGES = "averaging", "counting"


def drawn(view: str, level: float, look: Look = Look(), slug: str = "counting") -> list[Trace]:  # noqa: B008 (frozen)
    """The series of a view of a page as it is met first."""
    page = scenes.declared(slug)
    asked = next(each.asked for each in scenes.settings() if each.page is page)
    own = page.views[view].at_first(asked)
    figure = scene(page, page.views[view], asked, level, look, "en", scenes.answered, own).figure
    assert figure is not None
    return list(figure.data)


def called(traces: list[Trace], key: str) -> Iterator[Trace]:
    """The series of a name in the picture of crowds."""
    name = catalogue_of("en").page("counting").labels.table("crowds").text(key)
    return (trace for trace in traces if trace.get("name") == name)


@pytest.mark.parametrize("level", scenes.STOPS[::3])
def test_a_bar_that_leaves_the_picture_of_crowds_has_an_arrow_at_both_ends_and_no_other_has(level: float) -> None:
    traces = drawn("crowds", level)
    reach = np.max([np.abs(bar["x"]) for bar in traces if bar["type"] == "bar"], axis=0)
    arrows = list(called(traces, "beyond"))
    assert [arrow.get("showlegend") for arrow in arrows] == [True, False], "one entry, whatever leaves the picture"
    for arrow, side in zip(arrows, (1, -1), strict=True):
        rows = [row for row in np.atleast_1d(arrow["y"]) if row is not None]
        assert rows == np.flatnonzero(reach > 50).tolist()
        assert all(45 < side * place < 50 for place in arrow["x"] if place is not None)


def test_no_line_is_drawn_over_the_dots_of_a_bet() -> None:
    for look in (Look(), Look(truth=False)):
        kinds = ["markers" in str(trace.get("mode")) for trace in drawn("bet", 0.3, look) if trace.get("name")]
        assert any(kinds) and not all(kinds) and kinds == sorted(kinds), "lines first, dots last"


@pytest.mark.parametrize("slug", PAGES)
def test_an_area_keeps_its_color_in_the_legend_while_people_predict(slug: str) -> None:
    page, seen = scenes.declared(slug), 0
    for view in page.views.values():
        asked = next(each.asked for each in scenes.settings() if each.page is page)
        if view.only(asked) and any(trace.get("fill") for trace in drawn(view.slug, 0.3, slug=slug)):
            shown, hidden = (
                {trace["name"]: trace for trace in drawn(view.slug, 0.3, look, slug) if trace.get("showlegend", True)}
                for look in (Look(), Look(truth=False))
            )
            for name in (name for name in shown.keys() & hidden.keys() if shown[name].get("fill")):
                seen += 1
                assert hidden[name].get("fillcolor") == shown[name]["fillcolor"], (view.slug, name)
                assert hidden[name]["line"] == shown[name]["line"], (view.slug, name)
    assert seen
