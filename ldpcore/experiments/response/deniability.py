"""The evidence of one answer about its sender."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.experiments.response.design import ResponseDesign, chances
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Probability
from ldpcore.questions import Progress, Public, Question, no_progress


@dataclass(frozen=True)
class Deniability(Question["DeniabilityResult"], Declared):
    """The evidence of one answer: the posterior of a true yes along the prior, and at one prior."""

    design: ResponseDesign
    prior: Probability = 0.1

    def run(self, progress: Progress = no_progress) -> DeniabilityResult:
        priors = np.linspace(0, 1, 201)
        after_yes, after_no = (posterior(self.design, priors, answer) for answer in (True, False))
        chosen_yes, chosen_no = (float(posterior(self.design, self.prior, answer)) for answer in (True, False))
        return DeniabilityResult(self, priors, after_yes, after_no, chosen_yes, chosen_no)


def posterior(design: ResponseDesign, prior: ArrayLike, answered_yes: bool) -> Reals:
    """P(true yes | answer) = πa/(πa + (1-π)b), with 1-a and 1-b for a no; undefined where the answer never comes.

    For a fair coin and a second fair coin it is 3π/(1 + 2π) after a yes.
    """
    if answered_yes:
        a, b = chances(design)
    else:  # read off the channel: 1 - a would lose a small chance to lie
        b, a = map(float, np.asarray(design.channel().matrix)[:, 0])
    share = np.asarray(prior, dtype=np.float64)
    own, total = share * a, share * a + (1 - share) * b
    return np.asarray(np.divide(own, total, out=np.full(share.shape, np.nan), where=total > 0), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class DeniabilityResult(Public):
    """The posterior of a true yes after a yes and after a no, along all priors and at the chosen one."""

    experiment: Deniability
    priors: Reals
    after_yes: Reals
    after_no: Reals
    chosen_after_yes: float
    chosen_after_no: float

    @property
    def most(self) -> float:
        """The bound on the posterior after any answer: the prior odds times e^ε."""
        prior, level = self.experiment.prior, self.experiment.design.guarantee().epsilon
        return prior / (prior + (1 - prior) * math.exp(-level)) if prior else 0.0
