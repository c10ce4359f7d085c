"""Asking again: the running mean of N releases, its cost, and how soon it gives the exact answer away."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, Literal, Self

import numpy as np

from ldpcore.accounting import Ledger, spent
from ldpcore.experiments import generator
from ldpcore.experiments.averaging.needed import least_releases
from ldpcore.experiments.counting.releases import AnswerWidth, TrueAnswer
from ldpcore.experiments.recommending import only, recommended_level
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.noisyanswers import SINGLY, NoisyAnswers
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Confidence, Declared, Epsilon, Interval, Seed, declaration
from ldpcore.questions import Progress, Public, Question, Recommendation, Result, no_progress

MOST = 10**12
AverageCount = Annotated[int, Interval("N", 1, MOST, (1, MOST), scale="log", integer=True, small=(1, 2, 10))]
MARKS = (10, 1_000, 100_000, 1_000_000)
FIRST = SINGLY  # releases that are drawn one by one; beyond, all noise between two points of a path is one draw


@lru_cache(maxsize=1)
def checkpoints() -> tuple[Counts, ...]:
    """The numbers of releases at which a path is looked at, the same for every N: up to a million, and beyond.

    Thirty points a decade, all small numbers, every 1-2-5 stop.
    """
    stops = {stop * 10**decade for stop in (1, 2, 5) for decade in range(13)}
    spread = {round(float(n)) for n in np.geomspace(1, MOST, 30 * 12 + 1)}
    marks = np.array(sorted(n for n in stops | spread | set(range(1, 21)) if n <= MOST), dtype=np.int64)
    marks.flags.writeable = False
    near = int(np.searchsorted(marks, 10**6, side="right"))
    return marks[:near], marks[near:]


@lru_cache(maxsize=2)
def _gaps(first: int) -> tuple[Reals, ...]:
    """The numbers of releases between checkpoints from the first one on, stretch by stretch."""
    near, far = checkpoints()
    return np.diff(near[near >= first]).astype(np.float64), np.diff(far, prepend=near[-1]).astype(np.float64)


@dataclass(frozen=True)
class AveragedNoise:
    """The noise of N releases: the first thousand one by one, and the mean of all at the checkpoints of a path."""

    singles: Reals
    repeats: Counts
    means: Reals


@dataclass(frozen=True)
class AverageCurve:
    """The range of most averages around the truth, along the number of releases."""

    repeats: Reals
    low: Reals
    high: Reals


def averaged_noise(mechanism: NoisyAnswers, repeats: int, seed: int, part: str = "") -> AveragedNoise:
    """Exact draws: the first thousand releases are the seed's own, from there on increments between checkpoints.

    A stretch is drawn whole and in order, so that a longer path continues a shorter one; an N between two checkpoints
    ends with an increment of its own. Two `part`s of one release have noise of their own each.
    """
    first = mechanism.singly
    singles = mechanism.release(0.0, generator(seed, f"releases{part}"), min(repeats, first))
    sums, stops = singles.cumsum(), np.concatenate(checkpoints())
    stops = stops[stops <= repeats]
    if mechanism.kept:
        stops = np.union1d(stops, repeats)
        return AveragedNoise(singles, stops, np.full(len(stops), singles[0]))
    if repeats <= first:
        stops = np.union1d(stops, repeats)
        return AveragedNoise(singles, stops, sums[stops - 1] / stops)
    rng, needed = generator(seed, f"path{part}"), 1 if repeats <= 10**6 else 2
    gaps = np.concatenate([mechanism.sum_of_noise(gaps, rng) for gaps in _gaps(first)[:needed]])
    sums = np.concatenate([sums[stops[stops <= first] - 1], sums[-1] + gaps.cumsum()])[: len(stops)]
    if stops[-1] < repeats:
        rest = mechanism.sum_of_noise([repeats - int(stops[-1])], generator(seed, f"last step{part}"))
        stops, sums = np.append(stops, repeats), np.append(sums, sums[-1] + rest[0])
    return AveragedNoise(singles, stops, sums / stops)


@dataclass(frozen=True)
class AveragingExperiment(Question["AveragingResult"], Declared):
    """Ask one question N times, about the same people, and average the answers."""

    mechanism: NoisyAnswers
    answer: TrueAnswer
    repeats: AverageCount = 1_000_000
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> AveragingResult:
        return AveragingResult(self, averaged_noise(self.mechanism, self.repeats, self.seed))

    @property
    def epsilon(self) -> float:
        """The level of one release."""
        return self.mechanism.epsilon

    def price(self, times: int) -> float:
        """The joint cost of `times` releases: N ε as it is written, or what they keep with the δ of one."""
        owns = self.mechanism.failure or self.mechanism.kept
        return self.mechanism.price(times) if owns else float(spent(self.epsilon, times))

    def prices(self, times: Counts) -> Reals:
        """The cost of each of these numbers of releases, for a picture."""
        return self.mechanism.prices(times)

    def affordable(self, total: float) -> int:
        """The number of releases a total pays for, counted exactly."""
        paid = self.mechanism.affordable(total)
        return Ledger.of(total).affordable(self.epsilon) if paid is None else paid

    @property
    def truth(self) -> float:
        """The true answer."""
        return self.answer

    def masked(self) -> AveragingExperiment:
        """This question around a hidden answer."""
        return replace(self, mechanism=self.mechanism.blind(), answer=0.0)


@dataclass(frozen=True)
class AveragedReleases(Result):
    """The average of noisy releases at its checkpoints, of one number or of a ratio of two, and its cost."""

    experiment: Any
    noise: AveragedNoise

    def masked(self) -> Self:
        """The distances from the truth alone, around a hidden answer."""
        return replace(self, experiment=self.experiment.masked())

    @property
    def truth(self) -> float:
        """The true answer."""
        return float(self.experiment.truth)

    @property
    def repeats(self) -> Counts:
        """The numbers of releases at which the path is looked at."""
        return self.noise.repeats

    @property
    def offsets(self) -> Reals:
        """The distance of the average from the truth at every checkpoint."""
        return self.noise.means

    @property
    def singles(self) -> Reals:
        """The distance of each of the first thousand releases from the truth."""
        return self.noise.singles

    @property
    def average(self) -> float:
        """The average of all N releases."""
        return self.truth + float(self.offsets[-1])

    @property
    def spent(self) -> float:
        """The cost of all N releases: the level that is left of the promise."""
        return self.spent_at(1)

    def spent_at(self, factor: int) -> float:
        """The cost of `factor` times as many releases."""
        return float(self.experiment.price(factor * self.experiment.repeats))


@dataclass(frozen=True)
class AveragingResult(AveragedReleases):
    """The running mean at its checkpoints, and its cost."""

    experiment: AveragingExperiment

    def masked(self) -> Self:
        moved = super().masked()
        if moved.experiment.mechanism is self.experiment.mechanism:
            return moved
        return replace(moved, noise=moved.experiment.run().noise)  # how far this one is off tells what people hold

    @property
    def means(self) -> Reals:
        """The running mean at every checkpoint."""
        return np.asarray(self.truth + self.offsets, dtype=np.float64)

    @property
    def spread(self) -> float:
        """The standard deviation of the average."""
        return self.standard_error

    @property
    def standard_errors(self) -> Reals:
        """The standard deviation of the average at every checkpoint, exactly: of Laplace noise b√2/√N."""
        return self.experiment.mechanism.average_spread(self.repeats)

    @property
    def standard_error(self) -> float:
        """The standard deviation of the average after all N releases."""
        return float(self.standard_errors[-1])

    @property
    def error(self) -> float:
        """The exact mean absolute error of the average."""
        return float(self.experiment.mechanism.average_error(self.experiment.repeats))

    def curve(self, decades: int) -> AverageCurve:
        """The range of two exact standard errors to either side, up to a power of ten."""
        grid = np.geomspace(1, 10.0**decades, 10 * decades + 1)
        half = 2 * self.experiment.mechanism.average_spread(grid)
        return AverageCurve(grid, -half, half)

    def error_at(self, factor: int) -> float:
        """The exact mean absolute error with `factor` times as many releases."""
        return float(self.experiment.mechanism.average_error(factor * self.experiment.repeats))

    @property
    def marked(self) -> tuple[int, ...]:
        """The round numbers of repetitions that lie on the path."""
        return tuple(mark for mark in MARKS if mark <= self.experiment.repeats)

    def at(self, repeats: int) -> float:
        """The running mean at one of the checkpoints."""
        return float(self.means[np.searchsorted(self.repeats, repeats)])


@dataclass(frozen=True)
class Attack(Question["AttackResult"], Declared):
    """How sure is an attacker who averages, and one who takes the median, along the number of releases?"""

    mechanism: AdditiveNoise
    repeats: AverageCount
    width: AnswerWidth = 0.5

    def run(self, progress: Progress = no_progress) -> AttackResult:
        # Six decades around the place where the average's standard error is the width.
        middle = self.mechanism.variance() / self.width**2
        low, high = max(1.0, middle / 1e3), min(max(1e3, middle * 1e2), float(MOST))
        grid = np.geomspace(min(low, high / 10), high, 81)
        numbers = tuple(sorted({2 * int(n // 2) + 1 for n in grid if n < MOST} | {self.repeats}))
        return self.along(numbers)

    def along(self, numbers: tuple[int, ...]) -> AttackResult:
        """The chances at these numbers of releases."""
        average, median = (np.array([within[place] for within in map(self.chances, numbers)]) for place in (0, 1))
        return AttackResult(self, np.array(numbers, dtype=np.float64), average, median)

    def chances(self, repeats: int) -> tuple[float, float]:
        """The chance of the average to lie within the width, and that of the median; none where it tells no more."""
        median = self.mechanism.median_within(self.width, repeats)
        return self.mechanism.average_within(self.width, repeats), math.nan if median is None else median


@dataclass(frozen=True)
class AttackResult(Public):
    """The chance to be within the width by the average and by the median."""

    experiment: Attack
    repeats: Reals
    average: Reals
    median: Reals

    @property
    def ahead(self) -> Literal["median", "average", "neither"]:
        """The better of the two at the number of releases asked about, by its chance in nine digits.

        The median wins where the width is small beside the noise; where one release nearly tells, the average does.
        """
        average, median = self.present
        if math.isnan(median):
            return "average"
        if math.isclose(average, median, rel_tol=1e-9, abs_tol=1e-12):
            return "neither"
        return "median" if median > average else "average"

    @property
    def present(self) -> tuple[float, float]:
        """The chances of both at the number of releases asked about."""
        return self.experiment.chances(self.experiment.repeats)


@dataclass(frozen=True)
class AveragingPlan(Question["AveragingPlanResult"], Declared):
    """Solve backwards: to be within ±w with this confidence, how many releases, and at what price?"""

    mechanism: AdditiveNoise
    width: AnswerWidth = 1.0
    confidence: Confidence = 0.95

    def run(self, progress: Progress = no_progress) -> AveragingPlanResult:
        once = self.mechanism.level_within(self.width, self.confidence)
        needed = least_releases(self.mechanism, self.width, self.confidence, MOST)
        return AveragingPlanResult(self, needed, once, declaration(Epsilon).admits(once))


@dataclass(frozen=True)
class AveragingPlanResult(Public):
    """The number of releases needed (None: more than 10¹²), and the level at which one release does as well."""

    experiment: AveragingPlan
    repeats: int | None
    once: float
    possible: bool
    most: int = MOST

    @property
    def case(self) -> str:
        """The way that gets there: asking again, one release alone, or neither."""
        if self.repeats is not None:
            return "possible"
        return "beyond" if self.possible else "impossible"

    @property
    def spent(self) -> float | None:
        """The joint cost of the releases."""
        mechanism = self.experiment.mechanism
        return None if self.repeats is None else AveragingExperiment(mechanism, 0.0, self.repeats).price(self.repeats)

    @property
    def recommended(self) -> tuple[Recommendation, ...]:
        """The number of releases, or one that does as well."""
        again = None if self.repeats is None else Recommendation.of(repeats=self.repeats)
        return only(again, recommended_level(self.once, repeats=1))

    @property
    def attack(self) -> AttackResult:
        """The chance along the number of releases, for the picture."""
        question = self.experiment
        return Attack(question.mechanism, self.repeats or MOST, question.width).run()

    def at_once(self) -> AdditiveNoise:
        """One release that is as precise."""
        return self.experiment.mechanism.at_level(self.once)
