"""Plans solve backwards to the smallest level there is, whatever the error does where mechanisms change."""

from __future__ import annotations

import math

import numpy as np
import pytest

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
