"""Every mechanism that can answer one question, by its mean absolute error: exact, and simulated beside it.

A curator adds noise once to the answer, at a level ε of the question's neighbor relation; without one everybody sends a
report, at a level α about one person's answer put in the place of another. A mechanism's needs are declared by its
kind, and who takes part is read off the registry.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Annotated, Any

import numpy as np

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments import generator
from ldpcore.experiments.means.family import slugs as numeric
from ldpcore.mechanisms import by_slug, of_kind
from ldpcore.mechanisms.base import CategoryRandomizer, CentralRelease, FrequencyOracle, NumberRandomizer
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import (
    Choice,
    Declared,
    Delta,
    Epsilon,
    Interval,
    Neighbors,
    ParameterError,
    Repeats,
    Seed,
    Sensitivity,
    declarations,
)
from ldpcore.people.populations import Population
from ldpcore.people.scales import PublicScale
from ldpcore.questions import Progress, Question, Result, no_progress

Verb = Annotated[str, Choice("f", ("count", "sum", "mean"))]
Member = CentralRelease | FrequencyOracle | NumberRandomizer
ROUNDS, DRAWS = 1000, 1 << 16  # simulated releases at most, and reports of numbers that are drawn for them
ALIKE = 1e-7  # relative difference up to which two errors are one
UNIT = PublicScale(0.0, 1.0)


@dataclass(frozen=True, order=True)
class Entrant:
    """A mechanism of the registry, with an option of its own where it is made in several ways."""

    slug: str
    option: str = ""  # of the parameter `chosen`
    chosen: str = ""

    @property
    def kind(self) -> type[Any]:
        """The class of the registry."""
        return by_slug(self.slug)

    @property
    def key(self) -> str:
        """The name in a picture's family: the slug, and the option."""
        return f"{self.slug}-{self.option}" if self.option else self.slug

    @property
    def curated(self) -> bool:
        """Whether a curator is trusted."""
        return issubclass(self.kind, CentralRelease)

    @property
    def needs_delta(self) -> bool:
        """Whether its level holds but for a probability δ."""
        return "delta" in declarations(self.kind)


def entrants(verb: str) -> tuple[Entrant, ...]:
    """The mechanisms that answer: a curator's noise in all ways, then everybody's reports, in the registry's order.

    Noise in whole numbers answers counts.
    """
    central = of_kind(CentralRelease)  # type: ignore[type-abstract]
    noises = [way for kind in central if verb == "count" or not kind.whole for way in _ways(kind)]
    return (*noises, *map(Entrant, reporters(verb)))


def reporters(verb: str) -> tuple[str, ...]:
    """The mechanisms by whose reports everybody alone can answer, by their slugs.

    A count is one of yes and no, for which the mechanism made for two answers alone is enough: whatever else keeps the
    level can be made of its reports (Kairouz, Oh, Viswanath 2015, *The composition theorem for differential privacy*),
    and errs more. Sums and means are numbers'.
    """
    if verb != "count":
        return numeric()
    return tuple(kind.slug for kind in of_kind(CategoryRandomizer) if _of_two(kind))  # type: ignore[type-abstract]


def _ways(kind: type[CentralRelease]) -> list[Entrant]:
    """A noise once for each way that its only choice beside the neighbors allows."""
    choices = {
        name: declared.options
        for name, declared in declarations(kind).items()
        if isinstance(declared, Choice) and name != "neighbors"
    }
    if len(choices) != 1:
        return [Entrant(kind.slug)]
    ((name, options),) = choices.items()
    return [Entrant(kind.slug, option, name) for option in options]


def _of_two(kind: type[CategoryRandomizer]) -> bool:
    """Whether a mechanism is made for two answers alone, with a level and reports that support an answer."""
    own = declarations(kind)
    return issubclass(kind, FrequencyOracle) and "k" not in own and "epsilon" in own and kind.serves(2)


@dataclass(frozen=True)
class Compared(Declared):
    """One question, as a curator and as a crowd without one can answer it.

    `people` hold a category, 1 for who is counted, or a number of [-1, 1] that stands for one between public bounds.
    """

    verb: Verb
    people: Population
    sensitivity: Sensitivity
    neighbors: Neighbors
    scale: PublicScale = UNIT
    delta: Delta = 1e-6

    @property
    def entrants(self) -> tuple[Entrant, ...]:
        """The mechanisms that can answer."""
        return entrants(self.verb)

    @property
    def unit(self) -> float:
        """The answer's amount for 1 of an estimate: a share of n people, or a mean of [-1, 1]."""
        each = 1.0 if self.verb == "count" else self.scale.half
        return each if self.verb == "mean" else each * self.people.n

    def hidden(self) -> Compared:
        """The question for as many people with nobody counted, or with everybody in the middle."""
        n = self.people.n
        people = Population.of_categories([n, 0]) if self.verb == "count" else Population(np.zeros(1), np.array([n]))
        return replace(self, people=people)

    def member(self, entrant: Entrant, level: float) -> Member | None:
        """The mechanism at a level; none where it is refused there, as the classical σ is beyond ε = 1."""
        asked: dict[str, Any] = {"epsilon": level}
        declared = declarations(entrant.kind)
        if entrant.needs_delta:
            asked["delta"] = self.delta
        if entrant.chosen:
            asked[entrant.chosen] = entrant.option
        if entrant.curated:
            sensitivity = declared["sensitivity"]
            whole = isinstance(sensitivity, Interval) and sensitivity.integer
            asked |= {"sensitivity": int(self.sensitivity) if whole else self.sensitivity}
        try:
            return entrant.kind.starting(**asked) if not entrant.chosen else entrant.kind(**asked)  # type: ignore[no-any-return]
        except ParameterError:
            return None

    def error(self, entrant: Entrant, level: float) -> tuple[float, bool]:
        """The mean absolute error, in the unit of the answer, and whether it is exact; NaN where the level is refused.

        Where no formula says the law of a report the normal law of the exact variance stands in, σ√(2/π).
        """
        from ldpcore.estimating.absoluteerrors import count_error, mean_error  # it knows the law of every report

        member = self.member(entrant, level)
        if member is None:
            return math.nan, True
        if isinstance(member, CentralRelease):
            return member.mean_absolute_error(), True
        if isinstance(member, FrequencyOracle):
            return count_error(member, int(self.people.counts[1]), self.people.n), True
        error = mean_error(member, self.people)
        if error is None:
            return math.sqrt(2 / math.pi) * self.deviation(entrant, level), False
        return self.unit * error, True

    def deviation(self, entrant: Entrant, level: float) -> float:
        """The root mean square error, exact, in the unit of the answer; NaN where the level is refused."""
        member = self.member(entrant, level)
        if member is None:
            return math.nan
        if isinstance(member, CentralRelease):
            return member.standard_deviation()
        return self.unit * math.sqrt(float(np.atleast_1d(member.variance(self.people))[-1]))

    def rounds(self, entrant: Entrant, repeats: int) -> int:
        """The number of simulated releases: as many as are asked for, at most a thousand, of numbers fewer."""
        if entrant.curated or self.verb == "count":
            return min(repeats, ROUNDS)
        return min(repeats, ROUNDS, max(DRAWS // self.people.k, 10))

    def simulated(self, entrant: Entrant, level: float, repeats: int, seed: int) -> float:
        """The mean absolute error of simulated releases; NaN where the level is refused."""
        member, rounds = self.member(entrant, level), self.rounds(entrant, repeats)
        if member is None:
            return math.nan
        rng = generator(seed, f"{entrant.key} errors {level!r}")
        if isinstance(member, CentralRelease):
            return float(np.abs(member.release(0.0, rng, rounds)).mean())
        tally = member.sample_tally(self.people, rng, rounds)
        estimates = np.atleast_2d(member.estimate(tally))[-1]
        return self.unit * float(np.abs(estimates - np.atleast_1d(member.truth(self.people))[-1]).mean())


@dataclass(frozen=True)
class Errors:
    """The error of one mechanism at one level; `within` is the standard error of the simulated one."""

    entrant: Entrant
    mean: float
    exact: bool
    deviation: float
    simulated: float
    rounds: int

    @property
    def within(self) -> float:
        """√((E X² - (E|X|)²)/R), exact: the spread of |X| and not that of what was drawn of it."""
        return math.sqrt(max(self.deviation**2 - self.mean**2, 0.0) / self.rounds)


@dataclass(frozen=True)
class ErrorsAtLevel(Question["ErrorsAtLevelResult"], Declared):
    """How far off is each mechanism on average at this level?"""

    compared: Compared
    epsilon: Epsilon
    repeats: Repeats = 1000
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> ErrorsAtLevelResult:
        asked = self.compared
        return ErrorsAtLevelResult(self, self.drawn([asked.error(each, self.epsilon) for each in asked.entrants]))

    def drawn(self, exact: Sequence[tuple[float, bool]]) -> tuple[Errors, ...]:
        """The known errors with those of simulated releases added."""
        asked, level = self.compared, self.epsilon
        return tuple(
            Errors(
                entrant,
                *known,
                asked.deviation(entrant, level),
                asked.simulated(entrant, level, self.repeats, self.seed),
                asked.rounds(entrant, self.repeats),
            )
            for entrant, known in zip(asked.entrants, exact, strict=True)
        )


@dataclass(frozen=True)
class ErrorsAtLevelResult(Result):
    """The errors of all mechanisms, in the order in which they are listed, whatever was found."""

    experiment: ErrorsAtLevel
    errors: tuple[Errors, ...]

    def masked(self) -> ErrorsAtLevelResult:
        """The errors for as many people who are all alike."""
        return replace(self.experiment, compared=self.experiment.compared.hidden()).run()

    def best(self, curated: bool) -> Errors:
        """The mechanism that errs least, with a curator or without one; of two alike the first."""
        rivals = [each for each in self.errors if each.entrant.curated == curated and not math.isnan(each.mean)]
        least = min(each.mean for each in rivals)
        return next(each for each in rivals if each.mean <= least * (1 + ALIKE))


@dataclass(frozen=True)
class ErrorsAlongLevels(Question["ErrorsAlongLevelsResult"], Declared):
    """How far off is each mechanism on average at every level, and where does one overtake another?"""

    compared: Compared
    epsilons: tuple[float, ...]
    dots: int = 4  # the step between levels that are simulated too
    repeats: Repeats = 1000
    seed: Seed = 1

    def cost(self) -> Cost:
        return Cost(32 * MEGABYTE, 0.05 if self.compared.verb == "count" else 0.6)

    def run(self, progress: Progress = no_progress) -> ErrorsAlongLevelsResult:
        asked, rows = self.compared, []
        for place, level in enumerate(self.epsilons):
            rows.append([asked.error(entrant, level) for entrant in asked.entrants])
            progress((place + 1) / len(self.epsilons) / 2)
        some = range(0, len(self.epsilons), self.dots)
        drawn = [
            ErrorsAtLevel(asked, self.epsilons[place], self.repeats, self.seed).drawn(rows[place]) for place in some
        ]
        simulated = np.array([[each.simulated for each in errors] for errors in drawn]).T
        within = np.array([[each.within for each in errors] for errors in drawn]).T
        result = ErrorsAlongLevelsResult(self, np.array(rows)[:, :, 0].T, simulated, within, ())
        return replace(result, crossings=tuple(result.crossed()))


@dataclass(frozen=True)
class Crossing:
    """A level at which two mechanisms err alike, and the one that errs less above it."""

    epsilon: float
    error: float
    below: Entrant
    above: Entrant


@dataclass(frozen=True, eq=False)
class ErrorsAlongLevelsResult(Result):
    """Exact errors, a row for each mechanism and a column for each level; simulated ones at some levels; crossings."""

    experiment: ErrorsAlongLevels
    errors: Reals
    simulated: Reals
    within: Reals
    crossings: tuple[Crossing, ...]

    def masked(self) -> ErrorsAlongLevelsResult:
        """The errors for as many people who are all alike."""
        return self._hidden

    @cached_property
    def _hidden(self) -> ErrorsAlongLevelsResult:
        """The masked result, computed once for all stops of a handle."""
        return replace(self.experiment, compared=self.experiment.compared.hidden()).run()

    @cached_property
    def levels(self) -> Reals:
        """The levels, as numbers."""
        return np.array(self.experiment.epsilons)

    def crossed(self) -> list[Crossing]:
        """The levels where two curves cross, found between two levels of the grid by the exact errors."""
        crossings: list[Crossing] = []
        for one, other in combinations(range(len(self.errors)), 2):
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.log(self.errors[one]) - np.log(self.errors[other])
            sign = np.where(np.abs(ratio) <= ALIKE, 0.0, np.sign(ratio))
            places = np.flatnonzero(sign[:-1] * sign[1:] < 0)
            crossings.extend(self._crossing(one, other, int(at), bool(ratio[at] < 0)) for at in places)
        return sorted(crossings, key=lambda each: each.epsilon)

    def _crossing(self, one: int, other: int, at: int, first: bool) -> Crossing:
        """The level between two of the grid; `first` where the first of the two errs less below it."""
        asked, pair = self.experiment.compared, [self.experiment.compared.entrants[place] for place in (one, other)]
        low, high = (math.log(level) for level in self.experiment.epsilons[at : at + 2])
        along = self.errors[[one, other]].T.tolist()
        known: dict[float, list[float]] = {low: along[at], high: along[at + 1]}

        def ahead(log: float) -> float:
            if log not in known:
                known[log] = [asked.error(entrant, math.exp(log))[0] for entrant in pair]
            return math.log(known[log][0] / known[log][1])

        root = brent_root(ahead, low, high, xtol=1e-5)
        ahead(root)
        below, above = pair if first else pair[::-1]
        return Crossing(math.exp(root), known[root][1 if first else 0], below, above)
