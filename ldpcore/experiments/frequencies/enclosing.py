"""The meaning of intervals: for one share or for all at once, among the people asked or for the population behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ldpcore.estimating.confidences import one_tail, quantile
from ldpcore.estimating.intervals import Bounds, drawn_variance
from ldpcore.experiments.frequencies import FrequencyResult
from ldpcore.experiments.frequencies.collecting import CuratorCountsResult
from ldpcore.experiments.frequencies.decoding import DecodingResult
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class Enclosing(Question["Enclosing"], Declared, Public):
    """`together`: all intervals hold at once; `sampled`: the shares meant are those of a population behind the people.

    It is its own answer: what an interval is drawn around is asked elsewhere.
    """

    together: bool = False
    sampled: bool = False
    confidence: Confidence = 0.95

    def run(self, progress: Progress = no_progress) -> Enclosing:
        return self

    def bounds(self, result: FrequencyResult | DecodingResult) -> Bounds:
        """The interval around each share of one collection."""
        if isinstance(result, DecodingResult):
            return result.bounds(self.together)
        return result.bounds(self.confidence, self.together, sampled=self.sampled)

    def each(self, among: int) -> float:
        """The confidence of each of `among` intervals, by Šidák's rule where they hold together."""
        return 1 - 2 * one_tail(self.confidence, among) if self.together else self.confidence

    def reaches(self, curator: CuratorCountsResult) -> Reals:
        """The distances that a curator's shares stay within: the noise's, with sampling's added in squares."""
        shares, question = np.clip(curator.shares, 0, 1), curator.experiment
        spread = quantile(question.confidence) * np.sqrt(drawn_variance(shares, self.sampled) / question.n)
        return np.asarray(np.hypot(curator.reach, spread))
