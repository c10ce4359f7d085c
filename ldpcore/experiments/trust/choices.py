"""The favorite category, which a curator chooses without saying anything else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ldpcore.mechanisms import of_kind
from ldpcore.mechanisms.selector import Selector
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Declared, Epsilon, ParameterError
from ldpcore.questions import Progress, Question, Result, no_progress

SELECTOR_SLUGS = tuple(member.slug for member in of_kind(Selector))  # type: ignore[type-abstract]


@dataclass(frozen=True)
class BestChoice(Question["BestChoiceResult"], Declared):
    """The chance of each candidate under every mechanism that chooses; the scores are how many people hold each.

    Replacing one person moves one score up and another one down by one: Δ = 1.
    """

    epsilon: Epsilon
    counts: tuple[int, ...]

    def run(self, progress: Progress = no_progress) -> BestChoiceResult:
        if not 2 <= len(self.counts) <= 1000 or min(self.counts) < 0:
            raise ParameterError("scores_unfit", k=2, got=str((len(self.counts),)), dtype="int64")
        chances = {}
        for member in of_kind(Selector):  # type: ignore[type-abstract]
            chooser: Any = member
            chances[member.slug] = chooser(self.epsilon, len(self.counts)).probabilities(list(self.counts))
        return BestChoiceResult(self, chances)


@dataclass(frozen=True, eq=False)
class BestChoiceResult(Result):
    """The chances of all candidates, in their order, for each mechanism."""

    experiment: BestChoice
    chances: dict[str, Reals]

    def masked(self) -> BestChoiceResult:
        """The result without a favorite: all candidates are equally likely."""
        k = len(self.experiment.counts)
        same = {slug: np.full(k, 1 / k) for slug in self.chances}
        return replace(self, experiment=replace(self.experiment, counts=(1,) * k), chances=same)

    @property
    def best(self) -> int:
        """The place of the first candidate with the most people."""
        return int(np.argmax(self.experiment.counts))

    def right(self, slug: str) -> float:
        """The chance that a candidate with the most people is chosen."""
        counts = np.array(self.experiment.counts)
        chance = float(self.chances[slug][counts == counts.max()].sum())
        return chance if chance < 1 - 1e-12 else 1.0
