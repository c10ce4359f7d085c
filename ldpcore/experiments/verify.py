"""Does the mechanism keep its promise? One mechanism, a typed matrix, and a gallery of sound and broken ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, replace
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore import broken
from ldpcore.audit import (
    LowerBound,
    audit_path,
    delta_curve,
    keeps_its_promise,
    level_at,
    outputs_beyond,
    outputs_of_largest_loss,
    standing,
)
from ldpcore.channels import Finite, Pair
from ldpcore.costs import MEGABYTE, Cost, Question
from ldpcore.experiments import Progress, generator
from ldpcore.matrices import Leak, delta_curve_of, largest_loss, merged, mixed_columns, unused_columns
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import FrequencyOracle, Guarantee, Mechanism, NumberRandomizer, Witness
from ldpcore.parameters import (
    Choice,
    Confidence,
    Declared,
    Interval,
    ParameterError,
    Probability,
    Repeats,
    Seed,
    declarations,
)
from ldpcore.populations import Reals

DRAWN_VALUES = 16  # the largest k whose whole channel is drawn
DRAWN_REPORTS = 512  # and the most reports
SLACK = 1e-9  # levels closer than this are equal: what rounding leaves of a tight bound
TRIALS = tuple(10**power for power in range(2, 10))
GallerySize = Annotated[int, Interval("m", 2, 40, (4, 12), integer=True)]


def largest_ratio(epsilon: float) -> float:
    """e^ε, infinite where a double cannot hold it."""
    return math.exp(epsilon) if epsilon < 709 else math.inf


# --- one mechanism ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MechanismCheck(Question, Declared):
    """What does the worst pair of inputs betray, and is it within the promise? δ, or the claim's, may go wrong."""

    mechanism: Mechanism
    delta: Probability = 0.0

    def cost(self) -> Cost:
        return Cost(64 * MEGABYTE, 0.5)  # a channel of at most 16 × 512, its law and its curve

    def run(self, progress: Progress | None = None) -> MechanismVerdict:
        mechanism = self.mechanism
        value, other = mechanism.worst()
        laws, claim, real = mechanism.compare(value, other), mechanism.claim(), mechanism.guarantee()
        # Where no pair is the worst, the pair shown has a smaller loss than the mechanism, and δ does not help.
        allowed = max(self.delta, claim.delta)
        level = level_at(laws, allowed) if laws.loss() >= real.epsilon * (1 - 1e-9) else real.epsilon
        finite = [epsilon for epsilon in (1.25 * level, 1.25 * claim.epsilon) if math.isfinite(epsilon)]
        epsilons = np.linspace(0, max([*finite, 0.1]) if math.isfinite(level) else max([*finite, 5.0]), 101)
        verdict = MechanismVerdict(
            self, claim, real, level, keeps_its_promise(mechanism), (value, other), mechanism.witness(),
            laws.cut(), densities(mechanism, value, other), whole_channel(mechanism), epsilons,
            delta_curve(laws, epsilons),
        )  # fmt: skip
        if progress:
            progress(1.0)
        return verdict


@dataclass(frozen=True, eq=False)
class MechanismVerdict:
    """The exact level beside the claim, where it is attained, and the two report laws that attain it.

    `deltas` is the curve of this pair, which no other pair exceeds at δ = 0; where pairs differ in kind (collisions in
    a Bloom filter), another pair may need more δ at a smaller ε.
    """

    check: MechanismCheck
    claim: Guarantee
    real: Guarantee
    level: float
    keeps: bool
    pair: tuple[Any, Any]
    witness: Witness
    laws: Pair
    densities: Densities | None
    channel: Finite | None
    epsilons: Reals
    deltas: Reals

    def masked(self) -> MechanismVerdict:
        """What is promised and what is reported, without what it betrays."""
        return replace(self, real=Guarantee(math.nan), level=math.nan, deltas=np.full(len(self.deltas), np.nan))

    @property
    def ratio(self) -> float:
        """The largest likelihood ratio, e^level: the bar."""
        return largest_ratio(self.level)

    @property
    def verdict(self) -> str:
        """What is to be said of the promise: kept exactly, with room, but for δ, for all reports, stricter, or broken.

        `none` where no finite level was promised and none holds, `unbounded` where one was promised.
        """
        claim, level, mechanism = self.claim.epsilon, self.level, self.check.mechanism
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
        return "stricter" if claim < getattr(mechanism, "epsilon", claim) * (1 - SLACK) else "kept"

    @property
    def asked(self) -> float:
        """The level in the mechanism's own parameters; its claim where it is declared by others."""
        return float(getattr(self.check.mechanism, "epsilon", self.claim.epsilon))

    @property
    def stricter(self) -> bool:
        """Whether the claim itself is stricter than what was asked for, as where a cut hides more than its noise."""
        return standing(self.claim.epsilon, self.asked) == "stricter"

    @property
    def together(self) -> Guarantee | None:
        """What all reports of a person about one value betray together, where that is what is promised; else None."""
        return self.check.mechanism.lifelong()

    @property
    def standing(self) -> Literal["stricter", "attained", "broken"]:
        """How the level that the promise is about stands to the claim: that of all reports together, or of one."""
        if self.together is not None:
            return standing(self.together.epsilon, self.claim.epsilon)
        return standing(self.level, self.claim.epsilon)

    @property
    def allowed(self) -> float:
        """e^ε of the claim: the line that the bar may touch and not cross."""
        return largest_ratio(self.claim.epsilon)

    @property
    def witness_loss(self) -> float:
        """ln of the likelihood ratio at the witness, from the definition of the mechanism alone."""
        mechanism, place = self.check.mechanism, self.witness
        own, other = (mechanism.log_density(place.report, value) for value in (place.value, place.other))
        return math.inf if other == -math.inf else own - other

    @property
    def attained(self) -> NDArray[np.bool_]:
        """The outcomes of `laws` at which their largest ratio is attained."""
        return outputs_of_largest_loss(self.laws)

    @property
    def beyond(self) -> NDArray[np.bool_]:
        """The outcomes of `laws` that betray more than the claim: what δ would have to cover."""
        return outputs_beyond(self.laws, self.claim.epsilon * (1 + 1e-9))[0]

    @property
    def factors(self) -> Finite | None:
        """For mechanisms too large to draw: how a report treats the own value and any other, each on its own."""
        mechanism = self.check.mechanism
        if not isinstance(mechanism, FrequencyOracle):
            return None
        p, q = mechanism.p, mechanism.q
        return Finite(np.array([[p, 1 - p], [q, 1 - q]]), ("supported", "not supported"))


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
    if isinstance(mechanism.compare(value, other), Pair) or not isinstance(mechanism.witness().report, float):
        return None
    center, reach = (value + other) / 2, abs(other - value)
    for _ in range(60):
        grid = np.linspace(center - reach, center + reach, points)
        laws = [np.exp([mechanism.log_density(float(z), x) for z in grid]) for x in (value, other)]
        if min(float(np.trapezoid(law, grid)) for law in laws) > 0.99:
            return Densities(grid, *laws)
        reach *= 1.5
    return None


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
    k = getattr(mechanism, "k", 0)
    if not hasattr(mechanism, "channel") or not 2 <= k <= DRAWN_VALUES:
        return None
    if k > 8 and not mechanism.bits() <= math.log2(DRAWN_REPORTS):  # type: ignore[attr-defined]
        return None
    try:
        channel: Finite = mechanism.channel()
    except ParameterError:  # the mechanism itself says that its reports are too many to list
        return None
    if channel.matrix.shape[1] > DRAWN_REPORTS:
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


# --- the same, from trials alone -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AuditPath(Question, Declared):
    """What do 100, 1 000, … trials prove about ε, at a stated confidence? δ is the claimed one."""

    mechanism: Mechanism
    trials: tuple[int, ...] = TRIALS
    confidence: Confidence = 0.99
    seed: Seed = 1

    def run(self, progress: Progress | None = None) -> AuditResult:
        mechanism, delta = self.mechanism, self.mechanism.claim().delta
        laws, rng = mechanism.compare(*mechanism.worst()), generator(self.seed, "audit")
        bounds = audit_path(laws, self.trials, rng, self.confidence, delta)
        if progress:
            progress(1.0)
        return AuditResult(self, mechanism.claim(), level_at(laws, delta), bounds)


@dataclass(frozen=True, eq=False)
class AuditResult:
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

    @property
    def caught_at(self) -> int | None:
        """The number of trials from which on every bound proves the claim wrong; none where the last one does not."""
        silent = np.flatnonzero(self.epsilons <= self.claim.epsilon)
        first = int(silent[-1]) + 1 if silent.size else 0
        return self.audit.trials[first] if first < len(self.bounds) else None


# --- my matrix -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MatrixCheck(Question):
    """What does this channel betray, and what is left of it when some of its reports are merged?"""

    channel: Finite
    groups: tuple[tuple[int, ...], ...] = ()

    def cost(self) -> Cost:
        """Every pair of rows at every report and every ε of the curve, and again where reports are merged."""
        rows, reports = self.channel.matrix.shape
        points = int(np.clip(2e8 / (rows**2 * reports), 9, 81))
        curves = 2 if self.groups else 1
        return Cost(64.0 * rows * (reports + rows) + 8 * MEGABYTE, 3e-9 * curves * points * rows**2 * reports + 0.05)

    def run(self, progress: Progress | None = None) -> MatrixVerdict:
        matrix, leak = self.channel.matrix, largest_loss(self.channel)
        high = 1.25 * leak.amount if 0 < leak.amount < math.inf else 5.0
        # Row against row against report: fewer points where there are many, so that 500 × 500 takes seconds.
        points = int(np.clip(2e8 / (matrix.shape[0] ** 2 * matrix.shape[1]), 9, 81))
        epsilons = np.linspace(0, high, points)
        deltas = delta_curve_of(self.channel, epsilons, progress)
        after = merged(self.channel, self.groups)
        return MatrixVerdict(
            self, leak, self.channel.pair(leak.value, leak.other), mixed_columns(self.channel),
            unused_columns(self.channel), epsilons, deltas, after, largest_loss(after),
            delta_curve_of(after, epsilons) if self.groups else deltas, merging_ladder(self.channel, leak),
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class MatrixVerdict:
    """The level of a matrix, its worst pair of rows, its δ curve, and the same after merging."""

    check: MatrixCheck
    leak: Leak
    laws: Pair
    mixed: NDArray[np.intp]
    unused: NDArray[np.intp]
    epsilons: Reals
    deltas: Reals
    merged: Finite
    merged_leak: Leak
    merged_deltas: Reals
    ladder: tuple[tuple[int, float], ...]

    @property
    def ratio(self) -> float:
        """The largest likelihood ratio, e^α."""
        return largest_ratio(self.leak.amount)

    @property
    def trivial(self) -> bool:
        """Whether all rows are equal, so that a report tells nothing: level 0."""
        return self.leak.amount == 0


@dataclass(frozen=True, eq=False)
class MatrixMerging(Question):
    """What is left of the level of a channel when some of its reports are merged? Without any δ, at once."""

    channel: Finite
    groups: tuple[tuple[int, ...], ...] = ()

    def cost(self) -> Cost:
        return Cost(64.0 * self.channel.matrix.size + 8 * MEGABYTE, 1e-7 * self.channel.matrix.size + 0.05)

    def run(self, progress: Progress | None = None) -> MergedMatrix:
        leak, after = largest_loss(self.channel), merged(self.channel, self.groups)
        result = MergedMatrix(self, leak, after, largest_loss(after), merging_ladder(self.channel, leak))
        if progress:
            progress(1.0)
        return result


@dataclass(frozen=True, eq=False)
class MergedMatrix:
    """The level before and after merging, and on the way to a single report."""

    question: MatrixMerging
    leak: Leak
    merged: Finite
    merged_leak: Leak
    ladder: tuple[tuple[int, float], ...]

    @property
    def same(self) -> bool:
        """Whether the level is what it was."""
        before, after = self.leak.amount, self.merged_leak.amount
        return before == after or abs(before - after) <= SLACK * before

    def masked(self) -> MergedMatrix:
        """How many reports are left, without what they betray."""
        unknown = replace(self.leak, amount=math.nan)
        ladder = tuple((reports, math.nan) for reports, _ in self.ladder)
        return replace(self, leak=unknown, merged_leak=unknown, ladder=ladder)


def merging_ladder(channel: Finite, leak: Leak) -> tuple[tuple[int, float], ...]:
    """The number of reports and the level, as neighbors in the worst pair's ratio are merged two by two."""
    order = np.argsort(channel.pair(leak.value, leak.other).ratios(), kind="stable")
    current = Finite(channel.matrix[:, order])
    steps = [(current.matrix.shape[1], leak.amount)]
    while current.matrix.shape[1] > 1:
        columns = current.matrix.shape[1]
        current = Finite(np.add.reduceat(current.matrix, np.arange(0, columns, 2), axis=1))
        steps.append((current.matrix.shape[1], largest_loss(current).amount))
    return tuple(steps)


# --- spot the fake ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FakeGallery(Question, Declared):
    """Sound and broken mechanisms, unlabelled, to be told apart by what trials prove against their claims."""

    size: GallerySize = 6
    trials: Repeats = 10**6
    confidence: Confidence = 0.999
    seed: Seed = 1

    def cost(self) -> Cost:
        return Cost(64 * MEGABYTE, 0.05 * self.size)

    def run(self, progress: Progress | None = None) -> GalleryResult:
        rng = generator(self.seed, "gallery")
        fakes = np.arange(self.size) < rng.integers(max(1, self.size // 3), self.size - max(1, self.size // 3) + 1)
        sound_ones, broken_ones = shuffled(REGISTRY, rng), shuffled(broken.GALLERY, rng)
        exhibits = []
        for index, fake in enumerate(rng.permutation(fakes)):
            mechanism = specimen(broken_ones if fake else sound_ones, not fake, rng)
            exhibits.append(self._exhibit(mechanism, int(rng.integers(2**31))))
            if progress:
                progress((index + 1) / self.size)
        return GalleryResult(self, tuple(exhibits))

    def _exhibit(self, mechanism: Mechanism, seed: int) -> Exhibit:
        grid = (*(trials for trials in TRIALS if trials < self.trials), self.trials)
        audit = AuditPath(mechanism, grid, self.confidence, seed).run()
        return Exhibit(mechanism, mechanism.claim(), mechanism.guarantee(), keeps_its_promise(mechanism), audit)


@dataclass(frozen=True, eq=False)
class Exhibit:
    """One mechanism of the gallery; `sound` compares the level of its laws with its claim."""

    mechanism: Mechanism
    claim: Guarantee
    real: Guarantee
    sound: bool
    audit: AuditResult

    @property
    def caught(self) -> bool:
        """Whether the last bound of the audit proves the claim wrong."""
        return bool(self.audit.epsilons[-1] > self.claim.epsilon)


@dataclass(frozen=True, eq=False)
class GalleryResult:
    """The exhibits, and the score of somebody's answers."""

    gallery: FakeGallery
    exhibits: tuple[Exhibit, ...]

    def score(self, sound: Sequence[bool | None]) -> tuple[int, int]:
        """How many answers are right, of how many given; `None` is an exhibit left open."""
        if len(sound) != len(self.exhibits):
            raise ParameterError("answers_unpaired", exhibits=len(self.exhibits), got=len(sound))
        given = [
            answer == exhibit.sound for answer, exhibit in zip(sound, self.exhibits, strict=True) if answer is not None
        ]
        return sum(given), len(given)


LEVELS = (0.5, 1.0, math.log(3), 2.0)


def shuffled(pool: Sequence[type[Mechanism]], rng: np.random.Generator) -> list[type[Mechanism]]:
    """The classes of a pool in random order."""
    return [pool[index] for index in rng.permutation(len(pool))]


def specimen(turn: list[type[Mechanism]], sound: bool, rng: np.random.Generator) -> Mechanism:
    """The next in turn, at small parameters with a finite, positive claim that it keeps, or does not, as asked."""
    for _ in range(50 * len(turn)):
        turn.append(turn.pop(0))
        made = at_small_parameters(turn[-1], rng)
        if made is not None and 0 < made.claim().epsilon < math.inf and keeps_its_promise(made) == sound:
            return made
    raise ParameterError("specimen_none", mechanisms=len(turn))


def at_small_parameters(cls: type[Mechanism], rng: np.random.Generator) -> Mechanism | None:
    """A mechanism at a common level, its defaults, and small declared values for the rest; none if refused."""
    given: dict[str, Any] = {}
    optional = {item.name for item in fields(cls) if item.default is not MISSING}  # type: ignore[arg-type]
    for name, declared in declarations(cls).items():
        values = declared.options if isinstance(declared, Choice) else declared.small
        if name == "epsilon":
            given[name] = LEVELS[int(rng.integers(len(LEVELS)))]
        elif name not in optional:
            given[name] = values[int(rng.integers(len(values)))]
    try:
        return cls(**given)
    except ParameterError:
        return None
