"""Bounds on a quantile that the reports of a square wave prove: no prior, no normal law, no EM.

P(report ≤ t) falls as the own number grows. A person in a bin sends a report up to t with a chance between those
of the bin's two ends, and how many reports lie up to t, a sum of independent yes and no, bounds what the shares of the
bins may be. All shares that no such bound refuses are a polytope; an end of an interval is an edge on whose proper side
all of them have the share in question.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from ldpcore.estimating.shares import share_at_least, share_at_most
from ldpcore.estimating.waves import WaveInBins
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.bisection import least_whole

BINS, PLACES = 64, 48  # of the polytope; places at which reports are counted: few enough to be certain of all at once
SLACK = 1e-6  # ten times the tolerance of the solver


@dataclass(frozen=True, eq=False)
class WaveQuantiles:
    """The shares that the counts of reports in cells allow, with a confidence that holds for all quantiles at once."""

    channel: WaveInBins
    counts: Counts
    confidence: float = 0.95

    @property
    def cuts(self) -> Counts:
        """The cells after which reports are counted: evenly placed, whatever the counts."""
        cells = self.channel.cells
        places = np.arange(1, cells) if cells <= PLACES else np.rint(np.linspace(0, cells, PLACES + 2)[1:-1])
        return np.unique(places).astype(np.int64)

    @cached_property
    def chances(self) -> tuple[Reals, Reals]:
        """Bounds on P(report ≤ t), the mean over everybody, at each place.

        By Clopper and Pearson, with an equal part of the risk on either side of each place. Reports of people with
        other numbers have other chances; what lies a whole report or more below their sum, or above it, is no likelier
        than by the binomial law of the mean chance. Hoeffding (1956), On the distribution of the number of successes
        in independent trials, theorem 4. Nearer to the sum nobody is refused at a risk below ¼, but where all reports
        or none lie up to t: there the chance of another count is at most n(1 - p), and 1 - pⁿ ≥ 1 - e^{-n(1 - p)}, so
        that a risk of 1 - e^{-r} is r at most.
        """
        below, n = np.cumsum(self.counts)[self.cuts - 1].astype(np.float64), float(self.counts.sum())
        risk = -math.expm1(-(1 - self.confidence) / (2 * len(self.cuts)))
        return share_at_least(below, n, risk), share_at_most(below, n, risk)

    @cached_property
    def _refused(self) -> tuple[Reals, Reals]:
        """A f ≤ b for the shares f of bins that no place refuses: of a bin's ends the more lenient one."""
        channel, edges = self.channel, np.linspace(-1, 1, BINS + 1)
        places = 2 * (self.cuts - channel.aside) / channel.bins - 1
        law = np.array([channel.wave.cdf(places, float(edge)) for edge in edges]).T  # falls along the edges
        low, high = self.chances
        return np.vstack([law[:, 1:], -law[:, :-1]]), np.concatenate([high, -low])

    def _extreme(self, edge: int, sign: int) -> float:
        """The least share of people below an edge that reports allow, or the largest; where they allow none, any."""
        rows, limits = self._refused
        cost = sign * (np.arange(BINS) < edge).astype(np.float64)
        solved: Any = scipy.optimize.linprog(cost, rows, limits, np.ones((1, BINS)), [1.0], method="highs")
        return sign * float(solved.fun) if solved.success else float(sign < 0)

    def interval(self, share: float) -> tuple[float, float]:
        """The places of [0, 1] between which the number lies below which this share of people is.

        Bisection, for both shares below an edge grow with it; what a solver's tolerance could have said is not certain.
        """
        return self._edge(share, first=False) / BINS, self._edge(share, first=True) / BINS

    def _edge(self, share: float, first: bool) -> int:
        """The first edge below which the share lies for certain, or the last below which less lies for certain."""
        sign = 1 if first else -1
        asked = share + SLACK * sign
        low = max((edge for edge, below in self._known[sign].items() if below < asked), default=0)
        high = min((edge for edge, below in self._known[sign].items() if below >= asked), default=BINS)
        edge = least_whole(lambda at: self._known[sign].setdefault(at, self._extreme(at, sign)) >= asked, low, high)
        return edge if first else edge - 1

    @cached_property
    def _known(self) -> dict[int, dict[int, float]]:
        """The least and the largest shares found, by their edges, kept for the next quantile."""
        return {1: {}, -1: {}}
