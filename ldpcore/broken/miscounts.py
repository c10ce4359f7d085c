"""Famous mistakes that keep the level and spoil the answer: wrong counts, wrong estimates, wrong error bars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.mechanisms.base import LocalRandomizer, ReportTally
from ldpcore.mechanisms.grr import GeneralizedRandomizedResponse
from ldpcore.numerics.arrays import RealOrWhole, Reals


class Miscount(LocalRandomizer):
    """A mistake behind the collector's door; `breaks` names the law that it fails."""

    breaks: ClassVar[str]


@dataclass(frozen=True)
class ClippedEstimate(GeneralizedRandomizedResponse, Miscount):
    """An "unbiased" estimate that clips at 0 and renormalizes inside, quoted with the variance of f̂ = (C/n-q)/(p-q).

    The level is kept; frequent values come out too small, rare ones too large, and nobody is told.
    """

    breaks: ClassVar[str] = "estimate_is_unbiased"
    slug: ClassVar[str] = "clipped-estimate"
    title: ClassVar[str] = "An estimator that clips inside"
    reference: ClassVar[str] = "hharcolezi/multi-freq-ldpy, GRR_Aggregator: clipped at zero and renormalized"

    def estimate(self, tally: ReportTally) -> Reals:
        clipped = np.maximum(super().estimate(tally), 0)
        return np.asarray(clipped / np.maximum(clipped.sum(axis=0), 1e-300))


@dataclass(frozen=True)
class CodingFromOne(GeneralizedRandomizedResponse, Miscount):
    """A collector that counts categories from 1 to k where reports run from 0 to k-1: category v is read as v+1.

    The level is kept; item 0 is lost without a word, and every other count moves by one place.
    """

    breaks: ClassVar[str] = "privatize_follows_the_channel"
    slug: ClassVar[str] = "coding-from-one"
    title: ClassVar[str] = "A coding from 1 that loses item 0"
    reference: ClassVar[str] = (
        "Samuel-Maddock/pure-LDP, _freq_oracle_server.py: items are numbered from 1 unless told otherwise"
    )

    def tally(self, reports: ArrayLike) -> ReportTally:
        answers = np.asarray(reports)
        return ReportTally(np.bincount(answers, minlength=self.k + 1)[1 : self.k + 1].astype(np.int64), len(answers))


@dataclass(frozen=True)
class ForgetfulReset(GeneralizedRandomizedResponse, Miscount):
    """A collector whose `reset` between two surveys keeps the old counts: the second tally is C₁ + C₂ of n reports.

    The level is kept; only the first survey is counted right.
    """

    breaks: ClassVar[str] = "reports_keep_to_their_generator"
    slug: ClassVar[str] = "forgetful-reset"
    title: ClassVar[str] = "A reset that keeps the old counts"
    reference: ClassVar[str] = "Samuel-Maddock/pure-LDP, rappor_server.py: reset() keeps the counts of the bits"

    def __post_init__(self) -> None:
        super().__post_init__()
        kept: list[RealOrWhole] = []
        object.__setattr__(self, "_kept", kept)

    def tally(self, reports: ArrayLike) -> ReportTally:
        kept: list[RealOrWhole] = getattr(self, "_kept")  # noqa: B009 - the state that a value must not have
        tally = super().tally(reports)
        kept.append(tally.counts)
        return ReportTally(np.sum(kept, axis=0), tally.n)


@dataclass(frozen=True)
class VarianceAtZero(GeneralizedRandomizedResponse, Miscount):
    """Error bars from Var = q(1-q)/(n(p-q)²) for every share f, which is right only at f = 0.

    The level is kept; the bars of frequent values have the wrong length.
    """

    breaks: ClassVar[str] = "variance_is_exact"
    slug: ClassVar[str] = "variance-at-zero"
    title: ClassVar[str] = "A variance that is right only for absent values"
    reference: ClassVar[str] = (
        "hharcolezi/multi-freq-ldpy, VAR_Long_Pure: f = 0 by default; Arcolezi et al. (2021), arXiv:2111.04636"
    )

    def variance_of_shares(self, shares: ArrayLike, n: int) -> Reals:
        return super().variance_of_shares(np.zeros_like(np.asarray(shares, dtype=np.float64)), n)
