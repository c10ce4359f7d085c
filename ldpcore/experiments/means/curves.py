"""The error of a mean over the number itself, against the level, and against the number of people."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from ldpcore.experiments import generator, settled
from ldpcore.experiments.means.drawing import drawn
from ldpcore.experiments.means.family import Settings, at, family, slugs
from ldpcore.mechanisms.base import NumberRandomizer
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Epsilon, Interval, Seed
from ldpcore.people.populations import LISTED, Population
from ldpcore.people.scales import Numbers
from ldpcore.questions import Progress, Public, Question, Result

Dots = Annotated[int, Interval("d", 0, 200, (20, 200), integer=True)]
LEVELS, POINTS = (0.01, 10.0), 61  # a level's axis
CROWD, SPAN = (10, 10**9), 33  # the axis of people
DRAWS = 1 << 25  # a dot is simulated where it costs no more draws than this


@dataclass(frozen=True)
class VarianceOverX(Question["VarianceOverXResult"], Declared):
    """Whose number is hidden at which cost? The exact variance of one person's report, for every number."""

    epsilon: Epsilon
    slugs: tuple[str, ...] = ()
    settings: Settings = ()

    def run(self, progress: Progress | None = None) -> VarianceOverXResult:
        members = family(self.epsilon, self.slugs, self.settings)
        x = np.linspace(-1, 1, 201)
        return VarianceOverXResult(self, x, members, tuple(member.variance_at(x) for member in members))


@dataclass(frozen=True, eq=False)
class VarianceOverXResult(Public):
    """One curve for each mechanism, on [-1, 1]."""

    experiment: VarianceOverX
    x: Reals
    members: tuple[NumberRandomizer, ...]
    variances: tuple[Reals, ...]

    def worst(self, slug: str) -> float:
        """The largest variance of a mechanism."""
        return self._member(slug).worst_variance()

    def at_zero(self, slug: str) -> float:
        """The variance of somebody in the middle."""
        return float(self._member(slug).variance_at(0.0))

    def constant(self, slug: str) -> bool:
        """Whether everybody's variance is the same."""
        curve = self.variances[[member.slug for member in self.members].index(slug)]
        return bool(np.ptp(curve) <= 1e-9 * float(curve.max()))

    @property
    def best(self) -> str:
        """The mechanism with the smallest worst case."""
        return min(self.members, key=lambda member: member.worst_variance()).slug

    def _member(self, slug: str) -> NumberRandomizer:
        return next(member for member in self.members if member.slug == slug)


@dataclass(frozen=True)
class SideBySide(Question["SideBySideResult"], Declared):
    """Which mechanism errs least at one level: whatever numbers people hold, and on these people?"""

    epsilon: Epsilon
    numbers: Numbers
    slugs: tuple[str, ...] = ()
    settings: Settings = ()

    def run(self, progress: Progress | None = None) -> SideBySideResult:
        members, people = family(self.epsilon, self.slugs, self.settings), self.numbers.people
        worst = tuple(member.worst_variance() for member in members)
        average = tuple(people.mean_of(member.variance_at) for member in members)
        return SideBySideResult(self, tuple(member.slug for member in members), worst, average)


@dataclass(frozen=True)
class SideBySideResult(Public):
    """The variance of one person's report by each mechanism, on [-1, 1]: in the worst case, and on average."""

    experiment: SideBySide
    slugs: tuple[str, ...]
    worst: tuple[float, ...]
    average: tuple[float, ...]

    def best(self, worst: bool = True) -> str:
        """The mechanism that errs least."""
        variances = self.worst if worst else self.average
        return self.slugs[variances.index(min(variances))]

    def error(self, slug: str, worst: bool = True) -> float:
        """The standard error of a mechanism's mean, in the reader's unit; not a number where it does not exist."""
        return self.deviation(slug, worst) / math.sqrt(self.experiment.numbers.n)

    def deviation(self, slug: str, worst: bool = True) -> float:
        """The standard deviation of one report, in the reader's unit."""
        if slug not in self.slugs:
            return math.nan
        variance = (self.worst if worst else self.average)[self.slugs.index(slug)]
        return self.experiment.numbers.scale.half * math.sqrt(variance)


@dataclass(frozen=True)
class Crossing:
    """The level above which `better` has the smaller worst case than `worse`; below, `better` is no better."""

    level: float
    better: str
    worse: str


@dataclass(frozen=True)
class AgainstLevel(Question["AgainstLevelResult"], Declared):
    """The variance of one person's report against the level: in the worst case, and averaged over these people."""

    numbers: Numbers
    slugs: tuple[str, ...] = ()
    settings: Settings = ()

    def run(self, progress: Progress | None = None) -> AgainstLevelResult:
        levels, chosen = np.geomspace(*LEVELS, POINTS), self.slugs or slugs()
        worst, average = np.full((2, len(chosen), POINTS), np.nan)
        for row, slug in enumerate(chosen):
            for column, level in enumerate(levels):
                if (member := at(slug, float(level), self.settings)) is not None:
                    worst[row, column] = member.worst_variance()
                    average[row, column] = self.numbers.people.mean_of(member.variance_at)
            if progress is not None:
                progress((row + 1) / len(chosen))
        return AgainstLevelResult(self, levels, chosen, worst, average, crossings(chosen, self.settings))


@dataclass(frozen=True, eq=False)
class AgainstLevelResult(Public):
    """One row for each mechanism and one column for each level; NaN where a mechanism does not exist at a level."""

    experiment: AgainstLevel
    levels: Reals
    slugs: tuple[str, ...]
    worst: Reals
    average: Reals
    crossings: tuple[Crossing, ...]

    def best_at(self, level: float, worst: bool = True) -> str:
        """The mechanism with the smallest variance at a level, in the worst case or for these people."""
        people, variances = self.experiment.numbers.people, {}
        for member in family(level, self.slugs, self.experiment.settings):
            variances[member.slug] = member.worst_variance() if worst else people.mean_of(member.variance_at)
        return min(variances, key=variances.__getitem__)


@lru_cache(maxsize=64)
def crossings(chosen: tuple[str, ...], settings: Settings = ()) -> tuple[Crossing, ...]:
    """Where the worst cases of two mechanisms cross, found numerically for every pair, in rising order."""
    places = [crossing(one, other, settings) for one, other in combinations(chosen, 2)]
    return tuple(sorted((each for each in places if each is not None), key=lambda each: each.level))


def crossing(one: str, other: str, settings: Settings = (), low: float = 0.02, high: float = 12.0) -> Crossing | None:
    """The first level above which the worst cases of two mechanisms differ the other way round than below.

    They may also be equal up to a level and part there; the difference then leaves zero, and bisection finds where.
    """
    levels = np.geomspace(low, high, 120)
    signs = [_sign(one, other, float(level), settings) for level in levels]
    changes = [index for index in range(1, len(signs)) if signs[index] != signs[index - 1] and signs[index]]
    if not changes:
        return None
    start, stop, sign = float(levels[changes[0] - 1]), float(levels[changes[0]]), signs[changes[0]]
    for _ in range(60):
        middle = (start + stop) / 2
        start, stop = (start, middle) if _sign(one, other, middle, settings) == sign else (middle, stop)
    better, worse = (one, other) if sign < 0 else (other, one)
    return Crossing(stop, better, worse)


def _sign(one: str, other: str, level: float, settings: Settings) -> int:
    """Which of two worst cases is larger, 0 where they agree to twelve digits or one mechanism does not exist."""
    members = at(one, level, settings), at(other, level, settings)
    if members[0] is None or members[1] is None:
        return 0
    gap = math.log(members[0].worst_variance()) - math.log(members[1].worst_variance())
    return 0 if abs(gap) < 1e-12 else int(math.copysign(1, gap))


@dataclass(frozen=True)
class AgainstUsers(Question["AgainstUsersResult"], Declared):
    """The standard error of the mean against the number of people, 10 to 10⁹ of them, of the shape of these."""

    randomizer: NumberRandomizer
    numbers: Numbers
    repeats: Dots = 200
    seed: Seed = 1

    def run(self, progress: Progress | None = None) -> AgainstUsersResult:
        sizes = np.unique(np.round(np.geomspace(*CROWD, SPAN)).astype(np.int64))
        one = self.numbers.people.mean_of(self.randomizer.variance_at)
        exact = self.numbers.scale.half * np.sqrt(one / sizes)
        few = [size for size in sizes[::4] if self.repeats > 1 and self._draws(int(size)) <= DRAWS]
        dots, simulated, approximate = np.array(few, dtype=np.int64), [], []
        for index, size in enumerate(dots):
            people = self.numbers.with_n(int(size))
            rng = generator(self.seed, f"{self.randomizer.slug} users {size}")
            estimated = drawn(self.randomizer, people.people, rng, self.repeats)
            approximate.append(estimated.approximate)
            errors = estimated.estimates - float(self.randomizer.truth(people.people))
            simulated.append(self.numbers.scale.half * math.sqrt(float((errors**2).mean())))
            if progress is not None:
                progress((index + 1) / len(dots))
        normal = np.array(approximate, dtype=np.bool_)
        return settled(AgainstUsersResult(self, sizes, exact, dots, np.array(simulated), normal), "price", "sampling")

    def _draws(self, n: int) -> int:
        people = self.numbers.with_n(n).people
        return self.repeats * (people.k if isinstance(people, Population) else n * (n <= LISTED))


@dataclass(frozen=True, eq=False)
class AgainstUsersResult(Result):
    """The exact standard error of the mean along the axis, and simulated ones at a few sizes, in the reader's unit.

    `approximate` marks the dots whose estimates follow a normal approximation: crowds of all-different numbers above
    10⁷ people.
    """

    experiment: AgainstUsers
    sizes: Counts
    exact: Reals
    dots: Counts
    simulated: Reals
    approximate: NDArray[np.bool_]

    def masked(self) -> AgainstUsersResult:
        """The errors without the people."""
        return replace(self, experiment=replace(self.experiment, numbers=self.experiment.numbers.hidden()))

    @property
    def spread_of_dots(self) -> float:
        """The relative standard error of a simulated dot, 1/√(2R) by the normal law."""
        return 1 / math.sqrt(2 * self.experiment.repeats)

    @property
    def sampling(self) -> Reals:
        """What sampling people would add, σ/√n: the error of a survey that everybody answers openly."""
        return np.asarray(np.sqrt(self.experiment.numbers.variance / self.sizes), dtype=np.float64)

    def at(self, n: int) -> float:
        """The standard error with n people."""
        return float(self.exact[0] * math.sqrt(self.sizes[0] / n))

    @cached_property
    def price(self) -> float:
        """How many times as many people privacy asks for, if these are a sample: (v + σ²)/σ²; infinite if all alike."""
        own = self.experiment.numbers.variance / self.experiment.numbers.scale.half**2
        one = self.experiment.numbers.people.mean_of(self.experiment.randomizer.variance_at)
        return (one + own) / own if own > 0 else math.inf
