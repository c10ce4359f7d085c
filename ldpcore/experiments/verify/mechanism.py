"""One mechanism beside its claim: the exact level, where it is attained, and the laws that attain it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.audit import (
    delta_curve,
    keeps_its_promise,
    level_at,
    outputs_beyond,
    outputs_of_largest_loss,
    standing,
)
from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.base import CategoryRandomizer, Guarantee, Mechanism, NumberRandomizer, Witness
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, ParameterError, Probability
from ldpcore.questions import Progress, Question, Result, no_progress

DRAWN_VALUES = 16  # the largest k whose whole channel is drawn
DRAWN_REPORTS = 512  # and the most reports
SLACK = 1e-9  # levels closer than this are equal: what rounding leaves of a tight bound


def largest_ratio(epsilon: float) -> float:
    """e^ε, infinite where a double cannot hold it."""
    return math.exp(epsilon) if epsilon < 709 else math.inf


@dataclass(frozen=True)
class MechanismCheck(Question["MechanismVerdict"], Declared):
    """The loss of the worst pair of inputs, beside the promise. δ, or the claim's, may go wrong."""

    mechanism: Mechanism
    delta: Probability = 0.0

    def cost(self) -> Cost:
        return Cost(64 * MEGABYTE, 0.5)  # a channel of at most 16 × 512, its law and its curve

    def run(self, progress: Progress = no_progress) -> MechanismVerdict:
        mechanism = self.mechanism
        value, other = mechanism.worst()
        laws, claim, real = mechanism.compare(value, other), mechanism.claim(), mechanism.guarantee()
        # Where no pair is the worst, the pair shown has a smaller loss than the mechanism, and δ does not help.
        allowed = max(self.delta, claim.delta)
        level = level_at(laws, allowed) if laws.loss() >= real.epsilon * (1 - 1e-9) else real.epsilon
        finite = [epsilon for epsilon in (1.25 * level, 1.25 * claim.epsilon) if math.isfinite(epsilon)]
        epsilons = np.linspace(0, max([*finite, 0.1]) if math.isfinite(level) else max([*finite, 5.0]), 101)
        verdict = MechanismVerdict(
            self,
            claim,
            real,
            level,
            keeps_its_promise(mechanism),
            (value, other),
            mechanism.witness(),
            laws.cut(),
            densities(mechanism, value, other),
            whole_channel(mechanism),
            epsilons,
            delta_curve(laws, epsilons),
        )
        progress(1.0)
        return verdict


@dataclass(frozen=True, eq=False)
class MechanismVerdict(Result):
    """The exact level beside the claim, where it is attained, and the two report laws that attain it.

    `deltas` is the curve of this pair, which no other pair exceeds at δ = 0; where pairs differ in kind (collisions in
    a Bloom filter), another pair may need more δ at a smaller ε.
    """

    check: MechanismCheck
    claim: Guarantee
    real: Guarantee
    level: float
    keeps: bool
    pair: tuple[object, object]
    witness: Witness
    laws: Pair
    densities: Densities | None
    channel: Finite | None
    epsilons: Reals
    deltas: Reals

    def masked(self) -> MechanismVerdict:
        """The promise and the reports, without their loss."""
        return replace(self, real=Guarantee(math.nan), level=math.nan, deltas=np.full(len(self.deltas), np.nan))

    @property
    def ratio(self) -> float:
        """The largest likelihood ratio, e^level: the bar."""
        return largest_ratio(self.level)

    @property
    def verdict(self) -> str:
        """The verdict on the promise: kept exactly, with room, but for δ, for all reports, stricter, or broken.

        `none` where no finite level was promised and none holds, `unbounded` where one was promised.
        """
        claim, level = self.claim.epsilon, self.level
        if self.claim.delta > 0 and self.keeps:
            return "delta"
        if math.isinf(level):
            return "none" if math.isinf(claim) else "unbounded"
        if level > claim * (1 + SLACK):
            return "broken"
        if level <= SLACK * max(claim, SLACK):
            return "trivial"
        if self.together is not None:  # what is judged here is one report
            return "lifelong"
        if level < claim * (1 - SLACK):
            return "room"
        return "stricter" if claim < self.asked * (1 - SLACK) else "kept"

    @property
    def asked(self) -> float:
        """The level in the mechanism's own parameters; its claim where it is declared by others."""
        level = self.check.mechanism.level
        return self.claim.epsilon if level is None else level

    @property
    def together(self) -> Guarantee | None:
        """The loss of all reports of a person about one value together, where that is the promise; else None."""
        return self.check.mechanism.lifelong()

    @property
    def standing(self) -> Literal["stricter", "attained", "broken"]:
        """The place of the real level beside the claim: that of all reports together, or of one."""
        if self.together is not None:
            return standing(self.together.epsilon, self.claim.epsilon)
        return standing(self.level, self.claim.epsilon)

    @property
    def allowed(self) -> float:
        """e^ε of the claim: the line that the bar may touch and not cross."""
        return largest_ratio(self.claim.epsilon)

    @property
    def attained(self) -> NDArray[np.bool_]:
        """The outcomes of `laws` at which their largest ratio is attained."""
        return outputs_of_largest_loss(self.laws)

    @property
    def beyond(self) -> NDArray[np.bool_]:
        """Whether each outcome of `laws` betrays more than the claim: δ would have to cover it."""
        return outputs_beyond(self.laws, self.claim.epsilon * (1 + 1e-9))[0]


@dataclass(frozen=True, eq=False)
class Densities:
    """The densities of one real report, given each of the two values."""

    reports: Reals
    first: Reals
    second: Reals


def densities(mechanism: Mechanism, value: Any, other: Any, points: int = 401) -> Densities | None:
    """The two densities on a grid that holds 99 % of each law; none where reports are discrete or several numbers."""
    if isinstance(mechanism, NumberRandomizer) and math.isfinite((mechanism.support() or (math.inf,))[0]):
        return bounded_densities(mechanism, value, other, points)
    if not has_densities(mechanism, value, other):
        return None
    center, reach = (value + other) / 2, abs(other - value)
    for _ in range(60):
        grid = along(mechanism, center - reach, center + reach, (value, other), points)
        laws = [np.exp([mechanism.log_density(float(z), x) for z in grid]) for x in (value, other)]
        if min(float(np.trapezoid(law, grid)) for law in laws) > 0.99:
            return Densities(grid, *laws)
        reach *= 1.5
    return None


def has_densities(mechanism: Mechanism, value: Any, other: Any) -> bool:
    """Whether a report is one number with a density; one in steps is compared on finitely many events all the same."""
    in_steps = isinstance(mechanism, AdditiveNoise) and not mechanism.whole
    if isinstance(mechanism.compare(value, other), Pair) and not in_steps:
        return False
    return isinstance(mechanism.witness().report, float)


def along(mechanism: Mechanism, low: float, high: float, values: tuple[float, float], points: int) -> Reals:
    """Reports at which two densities are drawn: evenly, and on both sides of every jump of a curator's noise."""
    grid = np.linspace(low, high, points)
    return np.union1d(grid, mechanism.sides(low, high, *values)) if isinstance(mechanism, AdditiveNoise) else grid


def bounded_densities(mechanism: NumberRandomizer, value: float, other: float, points: int) -> Densities | None:
    """The two densities over all reports there are, with both sides of every jump; none where bits are mixed in."""
    low, high = mechanism.support() or (0.0, 0.0)
    if len(mechanism.atoms(value)[0]):
        return None
    jumps = np.array([*mechanism.breakpoints(value), *mechanism.breakpoints(other)])
    sides = np.concatenate([np.nextafter(jumps, -np.inf), jumps, np.nextafter(jumps, np.inf)])
    grid = np.unique(np.concatenate([np.linspace(low, high, points), sides[(sides >= low) & (sides <= high)]]))
    first, second = (np.exp([mechanism.log_density(float(z), x) for z in grid]) for x in (value, other))
    return Densities(grid, first, second)


def whole_channel(mechanism: Mechanism) -> Finite | None:
    """The matrix of a mechanism on few values and reports, its columns named; none where it is too large to draw."""
    if not isinstance(mechanism, CategoryRandomizer) or not 2 <= mechanism.k <= DRAWN_VALUES:
        return None
    if mechanism.k > 8 and not mechanism.bits() <= math.log2(DRAWN_REPORTS):
        return None
    try:
        channel = mechanism.channel()
    except ParameterError:  # the mechanism itself says that its reports are too many to list
        return None
    if channel is None or channel.matrix.shape[1] > DRAWN_REPORTS:
        return None
    return Finite(channel.matrix, tuple(report_names(channel)), channel.supports)


def report_names(channel: Finite) -> list[str]:
    """A report as people would write it: a number as itself, else the set of values it supports, else its place."""
    names = []
    for column, report in enumerate(channel.reports or range(channel.matrix.shape[1])):
        if isinstance(report, (int, float, str, np.number)):
            names.append(str(report))
        elif channel.supports is None:
            names.append(f"#{column + 1}")
        else:
            names.append("{" + ", ".join(str(value) for value in np.flatnonzero(channel.supports[column])) + "}")
    return names
