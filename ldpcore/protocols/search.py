"""A search that cuts off one step at either end of the possible numbers, test after test, until two steps are left.

Among listeners each test has a group of its own, who are asked about the middle of what is left. The rival is the
search as it was proved in the first place: everybody sends one bit on the whole range, and each test reads all bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy

from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.binomials import more_than, no_more_than
from ldpcore.parameters import Declared, Epsilon, ParameterError, Users
from ldpcore.protocols.crowd import Run, UniformCrowd, smallest_share, yes
from ldpcore.protocols.steps import group_sizes

MOST_CELLS = 512  # steps of a grid


@dataclass(frozen=True)
class Grid:
    """Steps of length Δ over the range ± M: N = min{n : nΔ > 2M} of them, and intervals that shrink by one each test.

    Test k = 1, …, N - 2 at place j = 1, …, k looks at [l, u) with l = (j - 1)Δ - M, u = l + (N - k + 1)Δ, and decides
    between "at most l + Δ" and "at least u - Δ". Numbers are taken as they are written, 0.1 as 1/10, and N is exact.
    """

    delta: float
    reach: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.reach < np.inf:
            raise ParameterError("number_above", name="reach", low=0, got=self.reach)
        if not 0 < self.delta <= 2 * self.reach:
            raise ParameterError("number_above_in", name="delta", low=0, high=2 * self.reach, got=self.delta)
        if self.cells > MOST_CELLS:
            raise ParameterError("partition_cells", most=MOST_CELLS, least=2 * self.reach / MOST_CELLS, got=self.cells)

    @property
    def cells(self) -> int:
        """N, the smallest whole number with NΔ > 2M."""
        return int(2 * Fraction(str(self.reach)) / Fraction(str(self.delta))) + 1

    @property
    def tests(self) -> int:
        """N - 2, and none where two steps are the whole range."""
        return max(self.cells - 2, 0)

    def low(self, place: Counts | int) -> Reals:
        """The lower end of the interval at a place."""
        return np.asarray((np.asarray(place) - 1) * self.delta - self.reach)

    def high(self, test: int, place: Counts | int) -> Reals:
        """The upper end before a test; after the last one two steps are left."""
        return np.asarray(self.low(place) + (self.cells - test + 1) * self.delta)

    def middle(self, test: int, place: Counts | int) -> Reals:
        """The threshold about which a group is asked."""
        return np.asarray(self.low(place) + (self.cells - test + 1) * self.delta / 2)

    def estimates(self) -> Reals:
        """The places where the search can end: jΔ - M for j = 1, …, N - 1; the middle where no test is made."""
        if not self.tests:
            return np.zeros(1)
        return np.asarray(np.arange(1, self.cells) * self.delta - self.reach)


@dataclass(frozen=True)
class _Search(Declared):
    """The base of both searches: the law of the place where they end gives every error."""

    epsilon: Epsilon
    crowd: UniformCrowd
    n: Users
    grid: Grid

    def law(self) -> Reals:
        """The chance of each estimate of the grid."""
        raise NotImplementedError

    def squared_error(self) -> float:
        """The mean squared error, exactly."""
        return float(np.dot(self.law(), (self.grid.estimates() - self.crowd.center) ** 2))

    def tail(self) -> Reals:
        """P(|error| > (l + 1)Δ) for l = 0, 1, …, N - 2."""
        errors, law = np.abs(self.grid.estimates() - self.crowd.center), self.law()
        limits = np.arange(1, self.grid.cells) * self.grid.delta * (1 + 1e-12)
        return np.array([law[errors > limit].sum() for limit in limits])


@dataclass(frozen=True)
class SearchByGroups(_Search):
    """N - 2 groups, one after the other; each answers "is yours above the middle of what is left?" privately.

    A majority of yes cuts off the lowest step, anything else the highest.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < self.grid.tests:
            raise ParameterError("groups_few", least=self.grid.tests, got=self.n)

    @property
    def groups(self) -> Counts:
        """The number of people who answer each test."""
        return np.asarray(group_sizes(self.n, self.grid.tests) if self.grid.tests else np.zeros(0, dtype=np.int64))

    def ways(self, test: int, places: Counts) -> tuple[Reals, Reals]:
        """The chances that the highest and that the lowest step is cut off, at each place; each exact near zero too."""
        size = int(self.groups[test - 1])
        chances = yes(self.crowd.above(self.grid.middle(test, places)), self.epsilon)
        down, up = (side(size // 2, size, chances) for side in (no_more_than, more_than))
        return down, up

    def law(self) -> Reals:
        """The law after every test: from place j the search stays at j or goes on at j + 1; nothing is subtracted."""
        law = np.ones(1)
        for test in range(1, self.grid.tests + 1):
            down, up = (law * way for way in self.ways(test, np.arange(1, test + 1)))
            law = np.append(down, 0.0) + np.append(0.0, up)
        return law

    def sample(self, repeats: int, rng: np.random.Generator) -> Reals:
        """Independent estimates: each group's yeses are counted, given where the search stands."""
        places = np.ones(repeats, dtype=np.int64)
        for test, size in enumerate(self.groups.tolist(), 1):
            chances = yes(self.crowd.above(self.grid.middle(test, places)), self.epsilon)
            places += 2 * rng.binomial(size, chances) > size
        return self.grid.estimates()[places - 1]

    def run(self, rng: np.random.Generator) -> Run:
        """One run with everybody's number, threshold and answer; the possible numbers change after each group."""
        values, coins, flip = self.crowd.draw(self.n, rng), rng.random(self.n), smallest_share(self.epsilon)
        asked, sent = np.zeros(self.n), np.zeros(self.n, dtype=np.bool_)
        low, high = np.full(self.n, -self.crowd.reach), np.full(self.n, float(self.grid.high(1, 1)))
        place, start = 1, 0
        for test, size in enumerate(self.groups.tolist(), 1):
            group = slice(start, start + size)
            low[group], high[group] = self.grid.low(place), self.grid.high(test, place)
            asked[group] = self.grid.middle(test, place)
            sent[group] = coins[group] < np.where(values[group] > asked[group], 1 - flip, flip)
            place += int(2 * sent[group].sum() > size)
            start += size
            # The last of a group closes the test: what is believed then is the middle of what is left.
            low[start - 1], high[start - 1] = self.grid.low(place), self.grid.high(test + 1, place)
        return Run(values, asked, asked, sent, (low + high) / 2, low, high, self.epsilon)


@dataclass(frozen=True)
class SearchAlone(_Search):
    """Everybody sends one bit on the whole range, and the collector makes all N - 2 tests on the same reports.

    The number of yeses is all that the tests need, Bin(n, p) with p = ½(1 + θ/(M z₀)), θ the mean. The best test
    between two ends of an interval rejects above a count, and where it does, larger means only make it surer.
    """

    def chance(self, theta: Reals | float) -> Reals:
        """The chance of a yes, where the mean is θ; a grid's last step may reach the range's end but for rounding."""
        return yes(np.clip((1 + np.asarray(theta) / self.crowd.reach) / 2, 0, 1), self.epsilon)

    def cut(self, test: int, places: Counts) -> tuple[Reals, Reals, Reals]:
        """The chances at both ends, a and b, and the count above which b is the likelier one."""
        a = self.grid.low(places) + self.grid.delta
        b = self.grid.high(test, places) - self.grid.delta
        p, q = self.chance(a), self.chance(b)
        # Of ends that mirror each other half of all is a tie, however near their chances are: q - p keeps its digits.
        reach = self.crowd.reach
        apart = math.tanh(self.epsilon / 2) * (np.clip(b, -reach, reach) - np.clip(a, -reach, reach)) / (2 * reach)
        rise, fall = np.log1p(apart / p), np.log1p(apart / self.chance(-b))  # ln q/p, ln (1 - p)/(1 - q)
        return p, q, np.asarray(np.floor(self.n * fall / (rise + fall) * (1 + 1e-15)))

    def ends(self) -> Counts:
        """The place j where the search ends, for each number of yeses from 0 to n."""
        places, counts = np.ones(self.n + 1, dtype=np.int64), np.arange(self.n + 1)
        for test in range(1, self.grid.tests + 1):
            cuts = self.cut(test, np.arange(1, test + 1))[2]
            places += counts > cuts[places - 1]
        return places

    def law(self) -> Reals:
        weights = scipy.stats.binom.pmf(np.arange(self.n + 1), self.n, float(self.chance(self.crowd.center)))
        return np.asarray(np.bincount(self.ends() - 1, weights / weights.sum(), len(self.grid.estimates())))

    def sample(self, repeats: int, rng: np.random.Generator) -> Reals:
        """Independent estimates: one count of yeses each."""
        counts = rng.binomial(self.n, float(self.chance(self.crowd.center)), repeats)
        return self.grid.estimates()[self.ends()[counts] - 1]

    def affinities(self) -> Reals:
        """η_k, k = 1, …, N - 2: the smallest sum of both errors of a test between ends kΔ apart, at its worst place.

        The number of yeses has a monotone likelihood ratio, so that whole families "at most a" and "at least b" are no
        harder to tell apart than a and b themselves.
        """
        worst = []
        for distance in range(1, self.grid.tests + 1):
            test = self.grid.cells - distance - 1
            p, q, cut = self.cut(test, np.arange(1, test + 1))
            wrong = more_than(cut, self.n, p) + no_more_than(cut, self.n, q)
            worst.append(float(wrong.max()))
        return np.asarray(np.minimum(worst, 1.0), dtype=np.float64)

    def bound(self) -> Reals:
        """P(|error| > (l + 1)Δ) at most 4 Σ_{k = l + 1}^{N - 2} η_k, for l = 0, 1, …, N - 2, whatever the people hold.

        Reference: Donoho and Liu (1991), Geometrizing rates of convergence II; the sum is over the tests that are made.
        """
        sums = np.cumsum(self.affinities()[::-1])[::-1]
        return np.asarray(np.minimum(4 * np.append(sums, 0.0), 1.0), dtype=np.float64)
