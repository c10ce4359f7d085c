"""Plans solve backwards to the smallest level there is, whatever the error does where mechanisms change."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ldpcore.experiments.means import MeanPlan
from ldpcore.experiments.means.family import nearest, slugs
from ldpcore.experiments.solving import fewest_people, smallest_level
from ldpcore.experiments.vectors.family import METHODS, method


@pytest.mark.parametrize(("d", "allowed"), [(1, 20.0), (2, 23.0), (10, 115.0), (100, 1150.0), (10, 1e4), (10, 12.0)])
def test_no_smaller_level_on_a_fine_grid_is_enough(d: int, allowed: float) -> None:
    for slug in METHODS:
        level = smallest_level(lambda epsilon, slug=slug: method(slug, epsilon, d).worst_variance(), allowed)
        grid = np.geomspace(1e-3, 50, 800)
        enough = [epsilon for epsilon in grid if method(slug, float(epsilon), d).worst_variance() <= allowed]
        if level is None:
            assert not enough, slug
        else:
            assert method(slug, level, d).worst_variance() <= allowed * (1 + 1e-9), slug
            assert not enough or enough[0] >= level * (1 - 1e-9), slug


def test_the_level_before_the_hybrid_begins_is_found() -> None:
    level = smallest_level(lambda epsilon: method("sampled", epsilon, 100).worst_variance(), 1150.0)
    assert level is not None
    assert 0.6 < level < 0.6094


@pytest.mark.parametrize("allowed", [0.5, 8.0, 800.0])
def test_one_mean_needs_the_level_at_which_its_worst_variance_is_allowed(allowed: float) -> None:
    for slug in slugs():
        level = smallest_level(lambda epsilon, slug=slug: nearest(slug, epsilon).worst_variance(), allowed)
        if level is not None:
            assert math.isclose(nearest(slug, level).worst_variance(), allowed, rel_tol=1e-6), slug


@pytest.mark.parametrize("width", [1.0, 0.3, 0.01, 1e-5, 1e-8])
def test_the_fewest_people_are_found_with_few_questions(width: float) -> None:
    asked = []

    def reach(n: int) -> float:
        asked.append(n)
        return 1 / math.sqrt(n) + 0.3 / n

    people = fewest_people(reach, width, 1 / width**2, 10**18)
    assert people is not None and len(asked) <= 15
    assert reach(people) <= width < reach(max(min(people - 1, math.floor(people * 0.9999)), 1))
    assert fewest_people(reach, width, 1 / width**2, people // 2) is None
    assert fewest_people(lambda n: 0.0, width, 10**30, 10**18) is not None


def test_a_level_is_the_first_that_does_where_a_higher_one_does_not() -> None:
    """A worst case that falls like 1/ε to 0.5 at ε = 2, rises to 0.9 at 4 and falls again from 8 on."""

    def worst(level: float) -> float:
        return 1 / level if level <= 2 else min(0.5 + 0.2 * (level - 2), 0.9, 7.2 / level)

    for allowed in (0.52, 0.6, 0.8):
        assert smallest_level(worst, allowed) == pytest.approx(1 / allowed, rel=1e-9)
    assert smallest_level(lambda level: max(worst(level), 0.7), 0.5) is None
    assert smallest_level(lambda level: max(worst(level), 0.7 * (level > 4)), 0.52) == pytest.approx(1 / 0.52, rel=1e-9)


def test_a_sample_is_exact_enough_at_a_level_below_those_of_which_less_is_proved() -> None:
    """At 2.61 the errors of 10 000 people are within 0.025; at 50 so much is not proved of them."""
    plan = MeanPlan(1.0, 10_000, 0.025, sampled=True)
    level = plan.level("hm")
    assert level is not None and level == pytest.approx(2.6067, abs=1e-3)
    assert plan.reach("hm", level, plan.n) <= plan.width * (1 + 1e-9) < plan.reach("hm", level * 0.99, plan.n)
    assert plan.reach("hm", 50.0, plan.n) > plan.width
