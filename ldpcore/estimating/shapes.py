"""A distribution as bins of equal width: its quantiles, and the distance of two of them.

Everything is on a scale whose whole width is 1, so that distances are shares of it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.numerics.arrays import Reals
from ldpcore.people.populations import Population


def bins_of(population: Population, bins: int) -> Reals:
    """The share of people in each of the bins that cut [-1, 1] into equal parts; 1 itself lies in the last one."""
    place = np.minimum(((population.values + 1) / 2 * bins).astype(np.int64), bins - 1)
    return np.asarray(np.bincount(place, population.counts, minlength=bins) / population.n, dtype=np.float64)


def cumulative(shares: ArrayLike) -> Reals:
    """The share of people at or below each of the edges of the bins, the first one 0 and the last one 1."""
    held = np.asarray(shares, dtype=np.float64)
    running = np.concatenate([[0.0], np.cumsum(held)])
    return running if running[-1] == 0 else running / running[-1]


def wasserstein(one: ArrayLike, other: ArrayLike) -> float:
    """∫|F - G|, the earth mover's distance, of two histograms on the same bins, each spread evenly inside its bins.

    Between two edges F - G is a straight line, so that the integral is exact, also where the line crosses zero.
    """
    gap = cumulative(one) - cumulative(other)
    return float(_mean_sizes(gap[:-1], gap[1:]).sum() / (len(gap) - 1))


def wasserstein_from(population: Population, shares: ArrayLike) -> float:
    """∫|F - G| of people who hold single numbers of [-1, 1], and a histogram that is spread evenly inside its bins.

    Between two numbers and edges F is level and G is a straight line: exact.
    """
    running = cumulative(shares)
    held, edges = (population.values + 1) / 2, np.linspace(0, 1, len(running))
    order = np.argsort(held, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(population.counts[order]) / population.n])
    points = np.union1d(edges, held)
    level = below[np.searchsorted(held[order], points[:-1], side="right")]
    line = np.interp(points, edges, running)
    return float(_mean_sizes(line[:-1] - level, line[1:] - level) @ np.diff(points))


def _mean_sizes(starts: Reals, ends: Reals) -> Reals:
    """The mean size of straight lines from these starts to these ends, also of those that cross zero."""
    left, right = np.abs(starts), np.abs(ends)
    total = left + right
    triangles = np.divide(left**2 + right**2, 2 * total, out=np.zeros_like(total), where=total > 0)
    return np.where(starts * ends < 0, triangles, total / 2)


def kolmogorov(one: ArrayLike, other: ArrayLike) -> float:
    """max |F - G|, the distance of Kolmogorov and Smirnov; of histograms it is attained at an edge."""
    return float(np.abs(cumulative(one) - cumulative(other)).max())


def quantiles(shares: ArrayLike, levels: ArrayLike) -> Reals:
    """The places where F reaches each level, as shares of the scale, people spread evenly inside their bin."""
    running, wanted = cumulative(np.maximum(np.asarray(shares, dtype=np.float64), 0)), np.asarray(levels)
    edges = np.linspace(0, 1, len(running))
    rises = np.concatenate([[True], np.diff(running) > 0])  # of a flat stretch, its right end: where F rises again
    first = np.concatenate([rises[1:], [True]]) | rises
    return np.asarray(np.interp(wanted, running[first], edges[first]), dtype=np.float64)
