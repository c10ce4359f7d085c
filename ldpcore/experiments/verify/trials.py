"""Bounds on a mechanism's level that trials alone prove."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.estimating.audit import LowerBound, audit_path, level_at
from ldpcore.experiments import generator
from ldpcore.mechanisms.base import Guarantee, Mechanism
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Seed
from ldpcore.questions import Progress, Question, Result, no_progress

TRIALS = tuple(10**power for power in range(2, 10))


@dataclass(frozen=True)
class AuditPath(Question["AuditResult"], Declared):
    """The bounds on ε that 100, 1 000, … trials prove, at a stated confidence. δ is the claimed one."""

    mechanism: Mechanism
    trials: tuple[int, ...] = TRIALS
    confidence: Confidence = 0.99
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> AuditResult:
        mechanism, delta = self.mechanism, self.mechanism.claim().delta
        laws, rng = mechanism.compare(*mechanism.worst()), generator(self.seed, "audit")
        bounds = audit_path(laws, self.trials, rng, self.confidence, delta)
        progress(1.0)
        return AuditResult(self, mechanism.claim(), level_at(laws, delta), bounds)


@dataclass(frozen=True, eq=False)
class AuditResult(Result):
    """Lower bounds that close in on the exact level of the audited pair as the trials grow."""

    audit: AuditPath
    claim: Guarantee
    exact: float
    bounds: tuple[LowerBound, ...]

    def masked(self) -> AuditResult:
        """The first bounds, which prove little yet: billions of trials would give the exact level away."""
        return replace(self, exact=math.nan, bounds=self.bounds[:3])

    @property
    def epsilons(self) -> Reals:
        """The bound after each number of trials."""
        return np.array([bound.epsilon for bound in self.bounds])
