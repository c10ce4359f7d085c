"""Rates at which errors can fall: powers of n for every problem, and along the parameter that sets them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ldpcore.limits.problems import EventShare, Exponents, HeavyMean, Problem, SmoothDensity, UniformEndpoint
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon
from ldpcore.questions import Progress, Public, Question, no_progress

LISTED: tuple[Problem, ...] = (
    EventShare(),
    HeavyMean(1.5),
    HeavyMean(2.0),
    HeavyMean(4.0),
    UniformEndpoint(),
    SmoothDensity(1.0, 0),
    SmoothDensity(2.0, 0),
    SmoothDensity(2.0, 1),
    SmoothDensity(3.0, 0),
    SmoothDensity(3.0, 1),
    SmoothDensity(3.0, 2),
)
DENSE = 121


@dataclass(frozen=True)
class ExponentRow:
    """A problem by its name and the parameters that matter, and the rate at which its squared error falls."""

    slug: str
    parameters: tuple[tuple[str, float], ...]
    private: float
    direct: float
    here: bool

    @classmethod
    def of(cls, problem: Problem, here: bool) -> ExponentRow:
        """The row of a problem, which is the one that is looked at, or not."""
        exponents = problem.exponents
        return cls(problem.slug, _matter(problem), exponents.private, exponents.direct, here)


def _matter(problem: Problem) -> tuple[tuple[str, float], ...]:
    if isinstance(problem, HeavyMean):
        return (("kappa", problem.kappa),)
    if isinstance(problem, SmoothDensity):
        return ("beta", problem.beta), ("order", float(problem.order))
    return ()


@dataclass(frozen=True)
class ExponentTable(Question["ExponentTableResult"], Declared):
    """How fast does the squared error fall at best, privately and directly, for this problem and for others?"""

    problem: Problem
    epsilon: Epsilon

    def run(self, progress: Progress = no_progress) -> ExponentTableResult:
        mine = self.problem.slug, _matter(self.problem)
        rows = [ExponentRow.of(each, (each.slug, _matter(each)) == mine) for each in LISTED]
        if not any(row.here for row in rows):
            last = max((place for place, row in enumerate(rows) if row.slug == self.problem.slug), default=-1)
            rows.insert(last + 1, ExponentRow.of(self.problem, True))
        xs, curve = self._curve()
        private = np.array([exponents.private for exponents in curve])
        return ExponentTableResult(self, tuple(rows), xs, private, np.array([each.direct for each in curve]))

    def _curve(self) -> tuple[Reals, list[Exponents]]:
        problem = self.problem
        if isinstance(problem, HeavyMean):
            xs = np.unique(np.append(np.linspace(1.02, 8.0, DENSE), 2.0))
            return xs, [HeavyMean(float(kappa)).exponents for kappa in xs]
        if isinstance(problem, SmoothDensity):
            xs = np.linspace(problem.order + 0.02, 4.0, DENSE)
            return xs, [SmoothDensity(float(beta), problem.order).exponents for beta in xs]
        return np.empty(0), []

    @property
    def variable(self) -> str | None:
        """The parameter of the axis; None where nothing changes the exponents."""
        return {"heavy": "kappa", "density": "beta"}.get(self.problem.slug)


@dataclass(frozen=True, eq=False)
class ExponentTableResult(Public):
    """A row for each problem, the present one among them, and curves along its parameter."""

    experiment: ExponentTable
    rows: tuple[ExponentRow, ...]
    xs: Reals
    private: Reals
    direct: Reals

    @property
    def here(self) -> ExponentRow:
        """The row of the present problem."""
        return next(row for row in self.rows if row.here)

    @property
    def variable(self) -> str | None:
        """The parameter of the axis."""
        return self.experiment.variable

    @property
    def at(self) -> float | None:
        """The place of the present problem on the axis."""
        return dict(self.here.parameters).get(self.variable or "")
