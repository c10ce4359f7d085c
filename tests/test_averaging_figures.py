"""What the pictures of the averaging page say, from its default settings and from extreme ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.facts import masked, plain
from explorer.figures.plot import Figure, Trace
from explorer.figures.theme import Look
from explorer.pages.averaging import figures
from explorer.pages.averaging.facts import facts
from explorer.pages.averaging.settings import Averaging
from explorer.text.catalogue import catalogue_of
from ldpcore.experiments.counting.fromtruth import FromTruthResult
from tests.samples.averaging import samples

USUAL, PEOPLE, ONCE, GIANT, SUM, MEAN, KNOWN = samples()[:7]
LOOK = Look()


def drawn(view: str, told: Averaging, level: float = 0.1, look: Look = LOOK) -> Figure:
    """The figure of a view that shows a pile's result."""
    result = told.pile(level).run()
    known = (plain if look.truth else masked)({**told.known(), **facts(result)})
    words = catalogue_of("en").words("averaging", view, known, "" if told.single() else "ratio")
    away = FromTruthResult(result if look.truth else result.masked())
    return getattr(figures, view)(away, look, words)  # type: ignore[no-any-return]


def named(figure: Figure, name: str) -> Trace:
    return next(trace for trace in figure.data if trace.get("name") == name)


def test_a_hundred_releases_are_a_hundred_dots_each_in_its_column() -> None:
    dots, result = named(drawn("pile", USUAL), "releases"), USUAL.pile(0.1).run()
    assert len(dots["x"]) == len(dots["y"]) == 100
    assert np.abs(dots["x"] - result.singles).max() <= 60 / 41 * (1 + 1e-9)
    assert dots["customdata"] == pytest.approx(result.singles)


@pytest.mark.parametrize(("level", "paid"), [(0.1, 100), (1, 20), (10, 2)])
def test_dots_that_the_total_no_longer_pays_for_are_pale(level: float, paid: int) -> None:
    dots = named(drawn("pile", USUAL, level), "releases")
    colors = np.broadcast_to(dots["marker"]["color"], 100).tolist()
    assert colors == [figures.DRAWN] * paid + [LOOK.ghost] * (100 - paid)


@pytest.mark.parametrize(("level", "left"), [(0.01, 19), (0.1, 10), (1, 0)])
def test_the_battery_shows_what_is_left_and_its_frame_what_there_was(level: float, left: float) -> None:
    figure = drawn("pile", USUAL, level)
    battery = next(trace for trace in figure.data if trace.get("orientation") == "h")
    assert battery["x"] == pytest.approx([left])
    (frame,) = [trace for trace in figure.data if trace.get("mode") == "lines" and trace.get("xaxis") == "x2"]
    assert (min(frame["x"]), max(frame["x"])) == (0, 20)
    assert (frame["line"]["color"] == figures.EMPTY) == (left == 0)


def test_too_much_noise_leaves_the_picture_and_too_little_is_a_needle() -> None:
    symbols = named(drawn("pile", USUAL, 0.01), "releases")["marker"]["symbol"]
    beyond = [symbol for symbol in symbols if symbol != "circle"]
    assert 30 < len(beyond) < 80
    needle = drawn("pile", USUAL, 10)
    assert set(named(needle, "releases")["x"]) == {0.0}
    assert named(needle, "column goes on")["x"] == pytest.approx([0])


def test_more_releases_than_dots_can_show_are_bars_of_the_first_thousand() -> None:
    figure = drawn("pile", PEOPLE)
    paid, unpaid = named(figure, "paid from the total"), named(figure, "more than it pays for")
    assert (paid["y"].sum(), unpaid["y"].sum()) == (200, 800)


@pytest.mark.parametrize("seed", [1, 2])
def test_only_a_new_pile_falls(seed: int) -> None:
    told = replace(USUAL, seed=seed)
    names = {named(drawn("pile", told, level), "releases")["uid"] for level in (0.01, 0.1, 10)}
    assert names == {f"falling-{seed}"}


def test_the_axes_of_chances_are_the_same_at_every_level_and_the_median_stands_beside_the_average() -> None:
    ranges = []
    for level in (0.01, 0.1, 10):
        results = [question.run() for question in USUAL.plan(level, (1.0, 0.95))]
        known = {**facts(USUAL.pile(level).run())}
        for result in results:
            known |= facts(result)
        figure = figures.plan(*results, LOOK, catalogue_of("en").words("averaging", "plan", plain(known)))
        assert named(figure, "median (most likely answer)")["y"] == pytest.approx(100 * results[1].median)
        ranges.append((figure.layout["xaxis"]["range"], figure.layout["yaxis"]["range"]))
    assert all(found == ranges[0] for found in ranges)


def test_the_band_is_two_exact_standard_errors_wide() -> None:
    upper = named(drawn("path", USUAL), "±2 standard errors (exact)")
    assert upper["y"] == pytest.approx(2 * 10 * np.sqrt(2 / upper["x"]))


def test_the_path_is_the_results_and_its_marks_are_the_notebooks() -> None:
    figure, result = drawn("path", PEOPLE), PEOPLE.pile(0.1).run()
    assert named(figure, "running mean")["y"] == pytest.approx(result.averaged.means - 3)
    marks = named(figure, "after 10, 1\u202f000, 100\u202f000 and 1\u202f000\u202f000")
    assert marks["x"] == [10, 1000, 100_000, 1_000_000]
    assert named(figure, "the total is spent")["x"] == [200, 200]
