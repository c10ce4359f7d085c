"""What the pictures of curves say: water, sunken steps, valleys and borders, from results made by hand or drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from explorer.facts import plain
from explorer.figures.theme import Look
from explorer.pages.regression import figures
from explorer.pages.regression.facts import facts
from explorer.pages.regression.settings import Classes, Regression
from explorer.text.catalogue import catalogue_of
from ldpcore.people.curves import ClassModel

LOOK = Look()


def words(view: str, *results: Any) -> Any:
    known: dict[str, Any] = {}
    for result in (Regression().survey(1.0).run(), *results):
        known |= facts(result)
    return catalogue_of("en").words("regression", view, plain(known))


def traces(figure: Any) -> dict[str, Any]:
    return {trace.get("name", ""): trace for trace in figure.data}


def test_the_water_line_is_the_threshold_and_bars_below_it_are_the_sunken_steps() -> None:
    result = Regression().survey(0.1).run()
    drawn = traces(figures.steps(result, LOOK, words("steps", result)))
    assert drawn["water line c"]["y"] == [result.experiment.tuning.threshold] * 2
    colors = np.array(drawn["estimated share"]["marker"]["color"])
    assert 0 < result.sunk < result.cells and (colors == colors[result.steps.sunk][0]).sum() == result.sunk
    flat = np.asarray(drawn["under water: set to 0"]["y"])
    assert np.isfinite(flat).sum() == 2 * result.sunk and not np.nansum(np.abs(flat))
    living = np.asarray(drawn["from reports"]["y"])
    assert np.isfinite(living).sum() == 2 * (result.cells - result.sunk)


def test_steps_beyond_the_picture_are_arrows_at_its_edge() -> None:
    result = Regression().survey(1.0).run()
    heights = np.array([9.0, -9.0, *result.steps.heights[2:]])
    far = replace(result, steps=replace(result.steps, heights=heights))
    drawn = traces(figures.steps(far, LOOK, words("steps", result)))
    assert drawn["beyond the picture"]["marker"]["symbol"] == ["triangle-up", "triangle-down"]
    assert np.abs(drawn["beyond the picture"]["y"]).max() < 1.5


def test_the_ring_stands_on_the_valley_at_the_present_cells() -> None:
    result = Regression().sides(1.0).run()
    figure = figures.sides(result, LOOK, words("sides", result))
    ring = traces(figure)["your cells"]
    assert np.isclose(ring["x"][0], 1 / result.experiment.tuning.side) and ring["y"] == [result.here]
    private = traces(figure)["from reports"]
    assert private["x"][int(np.argmin(private["y"]))] == round(1 / result.best)


def test_a_curator_stands_in_the_place_of_honest_answers_and_is_hidden_with_them() -> None:
    results = [question.run() for question in Regression().steps(1.0, "curator")]
    drawn = traces(figures.steps(*results, LOOK, words("steps", *results)))
    assert "with a curator" in drawn and "honest answers" not in drawn
    hidden = [result.masked() for result in results]
    drawn = traces(figures.steps(*hidden, replace(LOOK, truth=False), words("steps", *results)))
    assert "with a curator" not in drawn


def test_borders_run_where_the_guess_changes() -> None:
    result = Regression().classes(1.0, Classes(ClassModel("blobs"), 4)).run()
    honest = np.ones((4, 4), dtype=np.int64)
    honest[:2] = -1
    drawn = traces(figures.classes(replace(result, honest=honest.ravel()), LOOK, words("classes", result)))
    x = np.asarray(drawn["border of honest answers"]["x"], dtype=float)
    assert set(x[np.isfinite(x)]) == {0.5}
    assert np.array_equal(np.asarray(drawn["private rule"]["z"]), result.guesses.reshape(4, 4).T)


def test_the_ring_stands_where_both_lines_of_the_private_rule_meet() -> None:
    settings = Regression(people=10**7)
    result = settings.classes(1.0, Classes(ClassModel("blobs"), 8, picture="people")).run()
    known = plain(facts(result) | facts(settings.survey(1.0).run()))
    named = catalogue_of("en").words("regression", "classes", known, "people")
    drawn = traces(figures.classes(result, LOOK, named))
    at = int(np.flatnonzero(result.sizes == 10**7)[0])
    for name in ("private, same squares", "private, narrower squares"):
        assert drawn[name]["y"][at] == 100 * result.here
    assert drawn["your people"]["x"] == [10**7] and drawn["your people"]["y"] == [100 * result.here]
    assert set(np.asarray(drawn["best rule"]["y"])) == {100 * result.best}


def test_cells_of_a_surface_are_counted_in_both_directions_and_are_fewer_along_each() -> None:
    line, plane = (Regression().sides(1.0, function).run() for function in ("curve", "saddle"))
    assert facts(plane)["best"].value == round(1 / plane.best) ** 2 and plane.best > line.best
    ring = traces(figures.sides(plane, LOOK, words("sides", plane)))["your cells"]
    assert ring["x"][0] ** 2 == facts(plane)["cells_here"].value and ring["y"] == [plane.here]
