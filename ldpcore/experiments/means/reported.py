"""Reports that were really collected: the evidence of their mean about the mean of those who reported."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ldpcore.estimating.meanintervals import mean_interval
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.parameters import Confidence, Declared, ParameterError, Users
from ldpcore.people.scales import LARGEST_BOUND, PublicScale
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class RealMean(Question["RealMeanResult"], Declared):
    """The mean of `n` reports, each decoded to its person's number (it may lie beyond the bounds of `scale`).

    With `sampled` the people are a random sample, and the mean of everybody behind them is meant.
    """

    randomizer: NumberRandomizer
    mean: float
    n: Users
    scale: PublicScale
    confidence: Confidence = 0.95
    sampled: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not abs(self.mean) <= LARGEST_BOUND:  # false of what is no number, too
            raise ParameterError("scale_bound", name="mean", got=self.mean)

    def run(self, progress: Progress = no_progress) -> RealMeanResult:
        raw = (self.mean - self.scale.low) / self.scale.half - 1
        bounds = mean_interval(raw, self.randomizer, self.n, self.confidence, self.sampled)
        ends = (float(np.clip(end, -1.0, 1.0)) for end in (bounds.low, bounds.high))
        low, high = (float(self.scale.outward(end)) for end in ends)
        worst = self.scale.half * math.sqrt(self.randomizer.worst_variance() / self.n)
        return RealMeanResult(self, (low, high), worst)


@dataclass(frozen=True, eq=False)
class RealMeanResult(Public):
    """The interval, cut to the bounds, and a bound on the typical error of the mean of the reports."""

    question: RealMean
    interval: tuple[float, float]
    worst_error: float

    @property
    def reading(self) -> str:
        """Whether the interval holds everything between the bounds, or the mean lies where no mean can be."""
        scale, (low, high) = self.question.scale, self.interval
        if low <= scale.low and high >= scale.high:
            return "nothing"
        return "" if scale.low <= self.question.mean <= scale.high else "outside"
