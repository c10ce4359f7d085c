"""The three examples by their slugs: the protocol that listens, and the one that does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.experiments import generator
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared, ParameterError
from ldpcore.protocols import (
    FixedThresholds,
    Grid,
    NoisySteps,
    OneStage,
    Run,
    SearchAlone,
    SearchByGroups,
    TwoStages,
    UniformCrowd,
)

PROTOCOL_SLUGS = ("steps", "stages", "search")
FEWEST_USERS, MOST_USERS = 64, 2**14  # people on the page
USERS = tuple(2**power for power in range(6, 15))
Slug = Annotated[str, Choice("example", PROTOCOL_SLUGS)]


def check_people(n: int) -> None:
    """Refuse more people than a picture holds."""
    if not 1 <= n <= MOST_USERS:
        raise ParameterError("whole_in", name="n", low=1, high=MOST_USERS, got=n)


@dataclass(frozen=True)
class Example(Declared):
    """A protocol that listens, by its slug, with the crowd that answers; Δ is the step of the search."""

    slug: Slug = "steps"
    crowd: UniformCrowd = field(default_factory=lambda: UniformCrowd(0.63, 0.1))
    delta: float = 0.1

    @property
    def grid(self) -> Grid:
        """The grid of the search."""
        return Grid(self.delta, self.crowd.reach)

    def listening(self, epsilon: float, n: int) -> NoisySteps | TwoStages | SearchByGroups:
        """The protocol that listens."""
        if self.slug == "steps":
            return NoisySteps(epsilon, self.crowd)
        if self.slug == "stages":
            return TwoStages(epsilon, self.crowd, n)
        return SearchByGroups(epsilon, self.crowd, n, self.grid)

    def silent(self, epsilon: float, n: int) -> FixedThresholds | OneStage | SearchAlone:
        """The protocol that does not listen: the same level, as many people."""
        if self.slug == "steps":
            return FixedThresholds.best(epsilon, self.crowd, n)
        if self.slug == "stages":
            return OneStage(epsilon, self.crowd, n)
        return SearchAlone(epsilon, self.crowd, n, self.grid)

    def drawn(self, epsilon: float, n: int, seed: int) -> Run:
        """One run of the protocol that listens; the same people and coins at every level."""
        protocol, rng = self.listening(epsilon, n), generator(seed, "one run of a protocol")
        return protocol.run(n, rng) if isinstance(protocol, NoisySteps) else protocol.run(rng)


def root(squares: ArrayLike) -> Reals:
    """The typical error, from a mean squared one."""
    return np.sqrt(np.asarray(squares, dtype=np.float64))
