"""The evidence of one report about two people: their two laws, and their likelihood ratio at the report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from ldpcore.estimating.audit import keeps_its_promise
from ldpcore.experiments import generator
from ldpcore.mechanisms.base import Guarantee, NumberRandomizer
from ldpcore.mechanisms.geometric import LocalGeometric
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Interval, Seed
from ldpcore.people.scales import UNIT, PublicScale
from ldpcore.questions import Progress, Public, Question, no_progress

Number = Annotated[float, Interval("x", -1, 1, (-1, 1), small=(-1.0, 0.0, 1.0))]
DEVIATIONS = 4  # of the noise, beyond either number, that a picture of endless noise shows
BARS = 61  # whole reports that are drawn one by one


@dataclass(frozen=True)
class OneReportTwoPeople(Question["NumberReportResult"], Declared):
    """Two people hold x and x'; one of them sends one report. Which of the two was it?

    The scale says what these numbers are in the reader's unit; nothing is computed with it.
    """

    randomizer: NumberRandomizer
    first: Number = 1.0
    second: Number = -1.0
    seed: Seed = 1
    scale: PublicScale = UNIT

    def run(self, progress: Progress = no_progress) -> NumberReportResult:
        mechanism, people = self.randomizer, (self.first, self.second)
        rng = generator(self.seed, f"{mechanism.slug} report")
        sender = int(rng.integers(2))
        report = float(mechanism.privatize(np.array([people[sender]]), rng)[0])
        grid = report_grid(mechanism, *people)
        laws = [np.exp([mechanism.log_density(float(z), x) for z in grid]) for x in people]
        atoms = atoms_of(mechanism, *people)
        chances = [np.exp([mechanism.log_density(float(z), x) for z in atoms]) for x in people]
        progress(1.0)
        return NumberReportResult(
            self,
            mechanism.decoded(grid),
            laws[0],
            laws[1],
            mechanism.decoded(atoms),
            chances[0],
            chances[1],
            sender,
            report,
        )


def report_grid(mechanism: NumberRandomizer, *people: float, points: int = 401) -> Reals:
    """The places where densities are drawn: even steps, and both sides of every jump; empty without a density."""
    support = mechanism.support()
    if support is None:
        return np.empty(0)
    reach = DEVIATIONS * math.sqrt(mechanism.worst_variance())
    low, high = (min(max(end, -1 - reach), 1 + reach) for end in support)
    jumps = np.array([point for x in people for point in mechanism.breakpoints(x)])
    sides = np.concatenate([np.nextafter(jumps, -np.inf), jumps, np.nextafter(jumps, np.inf)])
    inner = sides[(sides >= low) & (sides <= high)]
    return np.unique(np.concatenate([np.linspace(low, high, points), inner]))


def atoms_of(mechanism: NumberRandomizer, *people: float) -> Reals:
    """The reports with a probability of their own; of very many whole numbers some in even steps, and the likeliest."""
    if not isinstance(mechanism, LocalGeometric):
        return np.unique(np.concatenate([mechanism.atoms(x)[0] for x in people]))
    reach = DEVIATIONS * math.sqrt(mechanism.worst_variance()) * mechanism.steps / 2
    low, high = math.floor(-reach), math.ceil(mechanism.steps + reach)
    step = -(-(high - low) // (BARS - 1))
    own = mechanism.place(np.array(people))[0]  # where the law of each is highest
    return np.unique(np.concatenate([np.arange(low, high + 1, step), own])).astype(np.float64)


@dataclass(frozen=True, eq=False)
class NumberReportResult(Public):
    """Two densities on a grid, the chances of single reports, and the report that one of the two really sent.

    `grid`, `atoms` and the densities are of decoded reports on the scale of [-1, 1], but for a factor of the density
    where a report is a whole number (none has a density then).
    """

    experiment: OneReportTwoPeople
    grid: Reals
    first: Reals
    second: Reals
    atoms: Reals
    first_chances: Reals
    second_chances: Reals
    sender: int
    report: float

    @property
    def decoded(self) -> float:
        """The report as the collector counts it."""
        return float(self.experiment.randomizer.decoded(self.report))

    def loss_of(self, report: float) -> float:
        """ln of how much likelier a report is for the first than for the second."""
        mechanism, question = self.experiment.randomizer, self.experiment
        one, other = (mechanism.log_density(report, x) for x in (question.first, question.second))
        return one - other

    @property
    def loss(self) -> float:
        """The loss of the report sent."""
        return self.loss_of(self.report)

    @property
    def level(self) -> float:
        """The largest loss that any report has for these two; infinite for normal noise."""
        return self.experiment.randomizer.compare(self.experiment.first, self.experiment.second).loss()

    @property
    def odds(self) -> float:
        """The odds of the first person once the report is seen, from even odds before."""
        return math.exp(self.loss)

    @property
    def best_guess(self) -> float:
        """The chance that the best guess from one report is right, (1 + TV)/2."""
        laws = self.experiment.randomizer.compare(self.experiment.first, self.experiment.second)
        return (1 + laws.delta(0.0)) / 2

    @property
    def claim(self) -> Guarantee:
        """The promise: a level, for normal noise with a chance of failure."""
        return self.experiment.randomizer.claim()

    @property
    def keeps(self) -> bool:
        """Whether the promise is kept for all people, by exact computation."""
        return keeps_its_promise(self.experiment.randomizer)
