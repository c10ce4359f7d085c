"""The page about limits: its problems and their parameters, its links, and whatever cannot be used."""

from __future__ import annotations

import pytest

from tests.screens.opening import answer, complaints, moved, opened, stage, strip


@pytest.mark.all_stops
def test_the_first_view_says_what_nobody_can_promise_and_follows_the_handle() -> None:
    app = opened("limits")
    assert stage(app).chosen == "people" and stage(app).level == 1.0
    assert "no method can guarantee" in answer(app)
    assert stage(app).views == ["people", "worlds", "exponents", "vectors"]
    assert len(strip(app)) == 19
    low = moved(app, 0.01)
    assert low.query_params["epsilon"] == "0.01" and "less than a blind guess" in answer(low)


@pytest.mark.parametrize(("name", "text"), [("x0", "11"), ("beta", "0"), ("beta", "5"), ("order", "4"), ("bound", "0")])
def test_a_density_that_cannot_be_is_named_in_one_sentence(name: str, text: str) -> None:
    app = opened("limits", limits_problem="density", **{f"limits_{name}": text})
    assert not app.exception and len(complaints(app)) == 1


def test_a_derivative_that_the_smoothness_does_not_cover_is_refused_in_one_sentence() -> None:
    app = opened("limits", limits_problem="density", limits_beta="1", limits_order="1")
    assert not app.exception and len(complaints(app)) == 1
    assert "an error for the density" in answer(app)


def test_drawn_worlds_are_kept_in_the_link_and_odd_ones_are_named() -> None:
    link = {"limits_pair": "drawn", "limits_bars_first": "1|2|3", "limits_bars_second": "3|2|1"}
    app = opened("limits", limits_tab="worlds", **link)
    assert not complaints(app) and dict(app.query_params).items() >= link.items()
    odd = opened("limits", limits_tab="worlds", limits_pair="drawn", limits_bars_first="1 two")
    assert not odd.exception and complaints(odd) and answer(odd)
    uneven = opened(
        "limits", limits_tab="worlds", limits_pair="drawn", limits_bars_first="1|2|3", limits_bars_second="1|2"
    )
    assert not uneven.exception and len(complaints(uneven)) == 1


def test_the_error_sum_of_the_worst_worlds_is_kept_in_the_link_and_moves_them() -> None:
    near, far = (opened("limits", limits_tab="worlds", limits_eta=eta) for eta in ("0.9", "0.1"))
    assert not complaints(near) and not complaints(far)
    assert dict(far.query_params)["limits_eta"] == "0.1"
    assert answer(near) != answer(far)
    drawn = opened("limits", limits_tab="worlds", limits_pair="drawn")
    assert not any(box.label == "Error sum η" for box in drawn.select_slider)
    wrong = opened("limits", limits_tab="worlds", limits_eta="1")
    assert not wrong.exception and len(complaints(wrong)) == 1
