"""The page about trust: its settings, its links, and whatever somebody may choose to know."""

from __future__ import annotations

import pytest

from tests.rationing import shared
from tests.screens.opening import answer, numbers_in, opened, stage, strip


@pytest.mark.all_stops
def test_the_first_view_is_the_three_errors_of_the_mean_income() -> None:
    app = opened("trust")
    assert stage(app).chosen == "curves" and stage(app).level == 1.0
    assert numbers_in(answer(app))[:2] == [1, 54.7]
    assert len(strip(app)) == 19


@pytest.mark.all_stops
@pytest.mark.parametrize("n", shared(["20", "100", "1000000"], 2))
def test_what_it_takes_is_drawn_beforehand_at_all_stops(n: str) -> None:
    app = opened("trust", trust_tab="plan", trust_source="constant", trust_n=n, trust_confidence="0.999")
    assert len(strip(app)) == len(stage(app).head["handle"]["stops"]) == 19


def test_a_level_that_trust_plans_is_the_one_that_means_plans() -> None:
    asked = {"confidence": "0.999", "source": "constant", "n": "100"}
    one = opened("trust", trust_tab="plan", epsilon="4", **{f"trust_{key}": text for key, text in asked.items()})
    other = opened(
        "means",
        means_tab="plan",
        means_mechanism="hm",
        means_within="1",
        epsilon="4",
        **{f"means_{key}": text for key, text in asked.items()},
    )
    assert 22.22 in numbers_in(answer(one)) and 22.22 in numbers_in(answer(other)), answer(other)


def test_invented_people_are_asked_where_there_is_no_table() -> None:
    app = opened("trust", trust_source="skewed", trust_n="1000000", trust_tab="choose")
    assert not app.exception and 8 in numbers_in(answer(app))
