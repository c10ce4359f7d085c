"""A class asked again and again: the estimates of single surveys, and the coverage of intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.costs import Cost
from ldpcore.estimating.intervals import CountLaw, count_law
from ldpcore.experiments import generator
from ldpcore.experiments.response.design import (
    RespondentCount,
    ResponseDesign,
    Yes,
    chances,
    check_yes,
    estimate_of,
    exact_cost,
)
from ldpcore.experiments.response.estimated import OfKnownClass
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Interval, ParameterError, Repeats, Seed
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class RepeatedSurveys(Question["RepeatedSurveysResult"], Declared):
    """One class asked again and again: a histogram of the estimates beside their exact law."""

    design: ResponseDesign
    n: RespondentCount
    yes: Yes
    repeats: Repeats = 1000
    bins: Annotated[int, Interval("B", 5, 500, (20, 100), integer=True)] = 61
    seed: Seed = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_yes(self.yes, self.n)
        if self.design.gap == 0:
            raise ParameterError("design_blind")

    def cost(self) -> Cost:
        return exact_cost(self.n)

    def run(self, progress: Progress = no_progress) -> RepeatedSurveysResult:
        law = count_law(self.yes, self.n, *chances(self.design))
        edges, binned = _binned(law, self.bins)
        counts = generator(self.seed, "surveys").multinomial(self.repeats, binned / binned.sum())
        return RepeatedSurveysResult(self, law, estimate_of(self.design, edges, self.n), binned, counts)


def _binned(law: CountLaw, bins: int) -> tuple[Reals, Reals]:
    """The edges and chances of runs of equally many consecutive counts, at most `bins`, where the law has weight."""
    cumulative = np.cumsum(law.chances)
    inside = np.flatnonzero((cumulative > 1e-7) & (cumulative[-1] - cumulative + law.chances > 1e-7))
    width = max(1, math.ceil((inside[-1] - inside[0] + 1) / bins))
    starts = np.arange(inside[0], inside[-1] + 1, width)
    chances = np.add.reduceat(law.chances, starts)
    # What lies before the first and after the last run, two parts in ten million, goes to the two ends.
    chances[0] += law.chances[: starts[0]].sum()
    edges = law.start + np.append(starts, starts[-1] + width) - 0.5
    return np.asarray(edges, dtype=np.float64), np.asarray(chances, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class RepeatedSurveysResult(Public, OfKnownClass):
    """The exact law of the number of yes, the edges of the bins as estimates, and law and histogram over the bins."""

    experiment: RepeatedSurveys
    law: CountLaw
    edges: Reals
    chances: Reals
    counts: Counts

    @property
    def estimates(self) -> Reals:
        """The estimate of every possible number of yes, beside `law.chances`."""
        return estimate_of(self.experiment.design, self.law.values(), self.experiment.n)

    @property
    def impossible(self) -> float:
        """The exact probability of an estimate below 0 or above 1."""
        estimates = self.estimates
        return float(self.law.chances[(estimates < -1e-12) | (estimates > 1 + 1e-12)].sum())

    def within(self, width: float) -> float:
        """The exact probability that an estimate is at most `width` off."""
        off = np.abs(self.estimates - self.truth)
        return float(min(self.law.chances[off <= width * (1 + 1e-12)].sum(), 1.0))
