"""Noise that is cut off at a width: what it proves is its δ, as integrated from the two densities."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from scipy import integrate

from ldpcore.experiments.counting.cutting import proof


@pytest.mark.parametrize(
    ("level", "sensitivity", "width"),
    [(0.6, 1, 5), (0.1, 1, 1), (2.0, 1, 0.7), (1.0, 38.7, 200), (5.0, 1, 0.4), (0.01, 1, 30)],
)
def test_what_cut_off_noise_proves_is_the_mass_beyond_the_level(level: float, sensitivity: float, width: float) -> None:
    b = sensitivity / level

    def density(x: float) -> float:
        return math.exp(-abs(x) / b) / (-2 * b * math.expm1(-width / b)) if abs(x) <= width else 0.0

    def excess(x: float) -> float:
        return max(density(x) - math.exp(level) * density(x + sensitivity), 0.0)

    breaks = (-width, -sensitivity, 0.0, width - sensitivity, width)
    ends = sorted({x for x in breaks if -width <= x <= width})
    parts = [integrate.quad(excess, low, high)[0] for low, high in pairwise(ends)]
    assert proof(level, sensitivity, width) == pytest.approx(sum(parts), rel=1e-6, abs=1e-12)


def test_the_published_width_of_a_failure_probability_comes_back() -> None:
    level, failure = 0.5, 1e-3
    width = math.log1p(math.expm1(level) / (2 * failure)) / level  # Geng, Ding, Guo and Kumar (2018), Definition 3
    assert proof(level, 1.0, width) == pytest.approx(failure, rel=1e-9)
