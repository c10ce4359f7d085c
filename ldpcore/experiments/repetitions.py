"""Independent repetitions of one collection, drawn in blocks so small that progress is seen and work is abandoned.

Block b always has the generator b of its seed, so that a longer experiment begins with the same repetitions; the first
one is a block of its own, so that it is the same however many follow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import Cost
from ldpcore.experiments import generator
from ldpcore.mechanisms.base import CategoryRandomizer, LocalRandomizer, ReportTally
from ldpcore.mechanisms.grr import DirectAnswer
from ldpcore.mechanisms.independent import IndependentSupport
from ldpcore.numerics.arrays import Reals
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, no_progress

CELLS = 1 << 11  # numbers estimated in one block; the slowest mechanism needs about 0.2 s for them
REPORTS = 1 << 22  # bits of reports in one chunk where there is no way around users one by one
FEW_VALUES = 50  # for so few values a hundred repetitions take a blink, however a tally is drawn


def at_once(member: type[CategoryRandomizer], k: int) -> bool:
    """Whether a hundred repetitions take a blink for any number of people: a few binomials for each value do it all."""
    return k <= FEW_VALUES or issubclass(member, (DirectAnswer, IndependentSupport))


@dataclass(frozen=True)
class Repetitions:
    """`repeats` independent collections from one population by one mechanism."""

    randomizer: CategoryRandomizer
    population: Population
    repeats: int
    seed: int
    purpose: str

    @property
    def block(self) -> int:
        """How many repetitions are drawn together; it depends on k alone, so that equal seeds draw equal numbers."""
        return max(1, CELLS // self.population.k)

    def cost(self) -> Cost:
        """The cost of drawing and estimating all repetitions, the first with what the mechanism must set up."""
        one = self.randomizer.tally_cost(self.population.n, min(self.block, self.repeats))
        block = Cost(one.bytes + 64 * max(CELLS, self.population.k), one.seconds)
        return self.randomizer.setup_cost().then(block.times(self.repeats))

    def tallies(self, progress: Progress = no_progress) -> Iterator[ReportTally]:
        """The tallies, (k, size) each: block after block, of which one with long tallies comes in parts."""
        blocks, drawn = 1 + math.ceil((self.repeats - 1) / self.block), 0
        for index in range(blocks):
            size = min(self.block, self.repeats - drawn) if index else 1
            rng = generator(self.seed, f"{self.purpose} {index}")
            if type(self.randomizer).sample_tally is LocalRandomizer.sample_tally:
                yield self._users_one_by_one(size, rng, progress, drawn)
            else:
                most = self.randomizer.tallies_at_once()
                for start in range(0, size, most):  # as one call for all of them would draw them
                    yield self.randomizer.sample_tally(self.population, rng, min(most, size - start))
            drawn += size
            progress(drawn / self.repeats)

    def estimates(self, progress: Progress = no_progress) -> Iterator[Reals]:
        """The unbiased estimates of these tallies, (k, size) each."""
        return (self.randomizer.estimate(tally) for tally in self.tallies(progress))

    def _users_one_by_one(self, size: int, rng: np.random.Generator, progress: Progress, drawn: int) -> ReportTally:
        """The tally that `sample_tally` makes without a shortcut, with a word after every chunk of users."""
        chunk = max(1, min(self.randomizer.users_at_once(), int(REPORTS / self.randomizer.bits())))
        rounds: list[NDArray[Any]] = []
        for _ in range(size):
            total: ReportTally | None = None
            for values in self.population.users(chunk):
                tally = self.randomizer.tally(self.randomizer.privatize(values, rng))
                total = tally if total is None else total + tally
                progress((drawn + len(rounds) + total.n / self.population.n) / self.repeats)
            assert total is not None  # a population has at least one user
            rounds.append(total.counts)
        return ReportTally(np.stack(rounds, axis=-1), self.population.n)
