"""The one number that is released, and a bound on its distance from the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ldpcore.experiments import generator
from ldpcore.experiments.counting.releases import TrueAnswer
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.parameters import Confidence, Declared, Seed
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True)
class ReleasedNumber(Question["ReleasedNumberResult"], Declared):
    """One number, released once."""

    mechanism: AdditiveNoise
    answer: TrueAnswer
    confidence: Confidence = 0.95
    seed: Seed = 1

    def run(self, progress: Progress = no_progress) -> ReleasedNumberResult:
        # It is the first release of a counting experiment, so that a picture shows the number that is released.
        released = self.mechanism.release(self.answer, generator(self.seed, "releases"), 1)
        return ReleasedNumberResult(self, float(released[0]))


@dataclass(frozen=True)
class ReleasedNumberResult(Result):
    """The released number."""

    experiment: ReleasedNumber
    released: float

    @property
    def width(self) -> float:
        """The distance from the truth that it stays within with the confidence."""
        return self.experiment.mechanism.width(self.experiment.confidence)

    def masked(self) -> ReleasedNumberResult:
        """The distance from the truth alone, around a hidden answer."""
        away = self.released - self.experiment.answer
        return replace(self, experiment=replace(self.experiment, answer=0.0), released=away)
