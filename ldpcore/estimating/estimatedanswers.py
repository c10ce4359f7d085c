"""An answer estimated from everybody's report, whose error depends on what people hold."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.mechanisms.base import FrequencyOracle, LocalRandomizer, NumberRandomizer
from ldpcore.mechanisms.gaussiannoise import NormalNoise
from ldpcore.mechanisms.laplace import LaplaceMechanism
from ldpcore.mechanisms.locallaplace import NumberPlusNoise
from ldpcore.mechanisms.manyreleases import ONE_BY_ONE
from ldpcore.mechanisms.noisyanswers import SINGLY, NoisyAnswers
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.numerics.tosses import heads_among
from ldpcore.parameters import Confidence, declaration
from ldpcore.people.populations import Population

if TYPE_CHECKING:
    from ldpcore.estimating.intervals import CountLaw

BLOCKS = 10, 90, 900, 9_000, 90_000  # rounds are drawn in: fewer of them are the first of more
CROWDED = 300  # different numbers: of more, fewer rounds are drawn one by one
CERTAIN = 30_000  # people from which on the normal law is near enough to begin with
SCANNED = 1.0186  # ratio of the levels between which a least one is looked for
STRICTEST = 1e-6  # no level below it is looked at
NEXT = 1e-7  # how near a level is asked to one at which a number of reports comes or goes
MOST = 10**18  # people whose reports are drawn at once


@dataclass(frozen=True)
class EstimatedAnswer(NoisyAnswers):
    """An estimate from everybody's report, each of which keeps the level alone.

    A mechanism's estimate of 1 is `unit` in the answer. Asked again, people randomize anew, unless the first
    report is `kept`: then every estimate is the first one.
    """

    randomizer: LocalRandomizer
    people: Population
    unit: float
    again: bool = True

    @property
    def epsilon(self) -> float:  # type: ignore[override]
        """The level α of one report."""
        level = self.randomizer.level
        assert level is not None
        return level

    @property
    def kept(self) -> bool:
        return not self.again

    @property
    def n(self) -> int:
        """The number of people who report."""
        return self.people.n

    @property
    def span(self) -> float:
        """The amount by which √n people move the answer: in this unit crowds of all sizes err alike at one level."""
        return self.unit / math.sqrt(self.n)

    @property
    def moved(self) -> float:
        """The largest amount by which one person's answer can move the true one."""
        return 2 * self.unit / self.n

    @property
    def trusted(self) -> LaplaceMechanism:
        """A curator's Laplace noise at the same level, where neighbors differ in one person's answer."""
        return LaplaceMechanism(self.epsilon, self.moved, "replace-one")

    @property
    @abstractmethod
    def truth(self) -> float:
        """The expectation of the mechanism's own estimate."""

    @property
    def telling(self) -> bool:
        """Whether the error of an estimate depends on what people hold."""
        return True

    def at_level(self, epsilon: float) -> Self:
        return replace(self, randomizer=self.randomizer.starting(**self.randomizer.parameters() | {"epsilon": epsilon}))

    def release(self, answer: ArrayLike, rng: np.random.Generator, repeats: int | None = None) -> Reals:
        """The estimates of `repeats` rounds of reports, of which a few are the first of more."""
        wanted = 1 if repeats is None else repeats
        errors = np.full(wanted, self._errors(1, rng)[0]) if self.kept else self._errors(wanted, rng)
        return np.asarray(np.asarray(answer, dtype=np.float64) + (errors[0] if repeats is None else errors))

    @abstractmethod
    def _errors(self, rounds: int, rng: np.random.Generator) -> Reals:
        """The errors of the estimates of `rounds` rounds."""

    def rounds(self, repeats: int) -> int:
        return min(repeats, ONE_BY_ONE)

    def total_absolute_error(self, repeats: int, rng: np.random.Generator) -> float:
        return float(np.abs(self.release(0.0, rng, repeats)).sum())

    def sum_of_noise(self, repeats: ArrayLike, rng: np.random.Generator) -> Reals:
        """The sums of the errors of `repeats` rounds each, of all reports at once; of too many people part by part."""
        times = np.atleast_1d(np.asarray(repeats)).astype(np.int64)
        sums, most = np.zeros(len(times)), max(MOST // self.n, 1)
        while times.any():
            part = np.minimum(times, most)
            sums += self._summed(self.people.counts[:, None] * part, part, rng)
            times = times - part
        return np.asarray(sums.reshape(np.shape(repeats)), dtype=np.float64)

    @abstractmethod
    def _summed(self, people: Counts, times: Counts, rng: np.random.Generator) -> Reals:
        """The sums of the errors, where `people` hold each value (rows), each in `times` rounds (columns)."""

    def average_error(self, repeats: ArrayLike) -> Reals:
        if self.kept:
            return np.full(np.shape(repeats), self.mean_absolute_error())
        errors = [self.average_error_of(int(times)) for times in np.atleast_1d(np.asarray(repeats))]
        return np.reshape(np.array(errors), np.shape(repeats))

    @abstractmethod
    def average_error_of(self, times: int) -> float:
        """The mean absolute error of an average of `times` rounds."""

    def mean_absolute_error(self) -> float:
        return self.average_error_of(1)

    def variance(self) -> float:
        return self.unit**2 * float(np.atleast_1d(self.randomizer.variance(self.people))[-1])

    @property
    def deviation(self) -> float:
        """The standard deviation of one estimate."""
        return math.sqrt(self.variance())

    def average_spread(self, repeats: ArrayLike) -> Reals:
        if self.kept:
            return np.full(np.shape(repeats), self.deviation)
        return super().average_spread(repeats)

    @property
    def failure(self) -> float:
        return self.randomizer.claim().delta

    def prices(self, times: ArrayLike) -> Reals:
        """The joint cost of one person's reports: under normal noise, the cost of one report with less noise."""
        if self.kept:
            return np.full(np.shape(times), self.epsilon)
        member = self.randomizer
        return member.prices(times) if isinstance(member, NormalNoise) else super().prices(times)

    def affordable(self, total: float) -> int | None:
        if self.kept:
            return MOST if self.epsilon <= total else 0
        member = self.randomizer
        return member.affordable(total) if isinstance(member, NormalNoise) else None


@dataclass(frozen=True)
class EstimatedCount(EstimatedAnswer):
    """The number of people who hold category 1 of two, estimated from everybody's report."""

    randomizer: FrequencyOracle

    @classmethod
    def asked(cls, randomizer: FrequencyOracle, held: int, n: int, again: bool = True) -> Self:
        """The estimate where `held` of n people hold the category."""
        return cls(randomizer, Population.of_categories([n - held, held]), float(n), again)

    @property
    def moved(self) -> float:
        return 1.0

    @property
    def held(self) -> int:
        """The number of people who hold the category."""
        return int(self.people.counts[1])

    @property
    def span(self) -> float:
        return math.sqrt(self.n) / 2

    @property
    def truth(self) -> float:
        return self.held / self.n

    def of(self, people: Population) -> Self:
        return replace(self, people=people, unit=float(people.n))

    def blind(self) -> Self:
        """The estimate for a crowd of the same size in which nobody holds the category."""
        return self.of(Population.of_categories([self.n, 0]))

    def of_crowd(self, n: int) -> Self:
        """The estimate for a crowd of n people with the same share of holders, as nearly as whole people allow."""
        held = round(self.held * n / self.n)
        return self.of(Population.of_categories([n - held, held]))

    def _summed(self, people: Counts, times: Counts, rng: np.random.Generator) -> Reals:
        summed = np.zeros(len(times))
        for many, chance, spread in zip(people, (self.randomizer.q, self.randomizer.p), self._spreads, strict=True):
            tail = spread / chance
            heads = heads_among(many, chance, tail, rng)
            # Less what they are on average, counted by the rarer side, where nothing cancels.
            summed += heads - many * chance if chance <= tail else many * tail - (many - heads)
        return np.asarray(summed / self.randomizer.gap, dtype=np.float64)

    @property
    def _spreads(self) -> tuple[float, float]:
        """p(1 - p) of people who do not hold the category, and of people who do."""
        own, others = self.randomizer.spreads
        return others, own

    def average_error_of(self, times: int) -> float:
        from ldpcore.estimating.absoluteerrors import count_error  # it knows the law of every report

        return count_error(self.randomizer, self.held * times, self.n * times) / times

    @property
    def law(self) -> CountLaw:
        """The exact law of the number of reports that support the category."""
        return _law(self.held, self.n, self.randomizer.p, self.randomizer.q)

    @cached_property
    def errors(self) -> Reals:
        """The error of the estimate, for each number of reports of the law."""
        member = self.randomizer
        return np.asarray((self.law.values() - self.n * member.q) / member.gap - self.held, dtype=np.float64)

    def _errors(self, rounds: int, rng: np.random.Generator) -> Reals:
        # By the quantiles of the exact law, so that a draw moves with the level and does not jump.
        places = np.searchsorted(np.cumsum(self.law.chances), rng.random(rounds))
        return self.errors[np.minimum(places, len(self.errors) - 1)]

    def within(self, width: float) -> float:
        """The probability that the estimate errs by at most `width`."""
        inside = np.abs(self.errors) <= width * (1 + 1e-12) + 1e-9
        return min(float(self.law.chances[inside].sum()), 1.0)

    def width(self, confidence: float) -> float:
        """The least distance that the estimate stays within with this probability."""
        off = np.abs(self.errors)
        order = np.argsort(off, kind="stable")
        kept = np.cumsum(self.law.chances[order])
        return float(off[order][min(int(np.searchsorted(kept, confidence)), len(off) - 1)])

    def level_within(self, width: float, confidence: float) -> float:
        """The least level from which on the estimate stays within the width with the probability.

        Estimates lie on a grid that moves with the level, so that the probability does not rise all the way.
        """
        return _least_level(self.at_level(1.0), width, confidence)


@lru_cache(maxsize=64)
def _least_level(estimate: EstimatedCount, width: float, confidence: float) -> float:
    """The least level from which on an estimate, of whatever level, stays within the width."""
    declaration(Confidence).check("confidence", confidence)
    spread = -NormalDist().inv_cdf((1 - confidence) / 2) * math.sqrt(estimate.n)
    level = 2 * math.asinh(spread / (2 * width)) * (3 if estimate.n < CERTAIN else 1.3)
    levels, chances = list[float](), list[float]()
    while not chances or (chances[-1] >= confidence and level > STRICTEST):
        levels.append(level)
        chances.append(estimate.at_level(level).within(width))
        level /= SCANNED
    last = len(levels) - 1
    if not last or chances[last] >= confidence:
        return levels[last]
    nearest = estimate.at_level(levels[last])
    edge = np.abs(np.abs(nearest.errors) - width) <= 2 / nearest.randomizer.gap
    room = 2 * float(nearest.law.chances[edge].max(initial=1e-12))  # what a number that comes or goes can change
    safe = next((place for place in range(last - 1, 0, -1) if chances[place] >= confidence + room), 0)
    low, _ = _bisected(estimate, width, confidence - room, levels[last], levels[safe])
    _, high = _bisected(estimate, width, confidence + room, levels[last], levels[safe])
    return _crossed(estimate, width, confidence, max(low, levels[last]), high)


def _bisected(
    estimate: EstimatedCount, width: float, confidence: float, low: float, high: float, near: float = 1e-6
) -> tuple[float, float]:
    """A level that is not enough and one that is, at most `near` apart."""
    while high - low > near * high:
        level = (low + high) / 2
        kept = estimate.at_level(level).within(width) >= confidence
        low, high = (low, level) if kept else (level, high)
    return low, high


def _crossed(estimate: EstimatedCount, width: float, confidence: float, low: float, high: float) -> float:
    """The last level between a lower one that is not enough and a higher one that is, from which on it is enough.

    A number of reports C is as far off as the width where tanh(α/2) = (C - n/2)/(c ± w - n/2). There it comes or goes,
    and in between the probability rises, so that it is asked on both sides of each such level.
    """
    ends = [low, high]
    for side in (-width, width):
        away = estimate.held + side - estimate.n / 2
        first, second = sorted(math.tanh(level / 2) * away for level in (low, high))
        reports = np.arange(math.ceil(first + estimate.n / 2), math.floor(second + estimate.n / 2) + 1)
        shares = (reports - estimate.n / 2) / away if away else np.empty(0)
        ends += [2 * math.atanh(share) * side for share in shares if 0 < share < 1 for side in (1 - NEXT, 1 + NEXT)]

    enough = high
    for level in sorted((level for level in ends if low <= level < high), reverse=True):
        if estimate.at_level(level).within(width) < confidence:
            return _bisected(estimate, width, confidence, level, enough, 1e-10)[1]
        enough = level
    return enough


@lru_cache(maxsize=64)
def _law(held: int, n: int, p: float, q: float) -> CountLaw:
    """The law of the number of reports that support a value, cached."""
    from ldpcore.estimating.intervals import count_law

    return count_law(held, n, p, q)


@dataclass(frozen=True)
class EstimatedNumber(EstimatedAnswer):
    """A sum or a mean of numbers from [-1, 1], estimated from everybody's report."""

    randomizer: NumberRandomizer

    @property
    def truth(self) -> float:
        return float(self.randomizer.truth(self.people))

    @property
    def telling(self) -> bool:
        return not isinstance(self.randomizer, NumberPlusNoise)

    @property
    def singly(self) -> int:
        return SINGLY if self.people.k <= CROWDED else SINGLY // 10

    def rounds(self, repeats: int) -> int:
        return min(repeats, self.singly)

    def blind(self) -> Self:
        """The estimate for people who all stand in the middle, unless the law is one for all people."""
        return self if not self.telling else replace(self, people=Population(np.zeros(1), np.array([self.n])))

    def _errors(self, rounds: int, rng: np.random.Generator) -> Reals:
        drawn: list[Reals] = []
        blocks = iter(BLOCKS)
        while sum(map(len, drawn)) < rounds:
            tally = self.randomizer.sample_tally(self.people, rng, next(blocks, BLOCKS[-1]))
            drawn.append(self.unit * (self.randomizer.estimate(tally) - self.truth))
        return np.concatenate(drawn)[:rounds]

    def _summed(self, people: Counts, times: Counts, rng: np.random.Generator) -> Reals:
        sums = self.randomizer.counted(self.people.values, people, rng)
        return np.asarray(self.unit * (sums / self.n - times * self.truth), dtype=np.float64)

    def average_error_of(self, times: int) -> float:
        from ldpcore.estimating.absoluteerrors import mean_error

        error = mean_error(self.randomizer, self.people, times)
        return math.sqrt(2 / math.pi * self.variance() / times) if error is None else self.unit * error
