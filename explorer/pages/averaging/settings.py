"""The reader's settings on the page about averaging, and the question of each of its views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from explorer.facts import Facts, Said
from explorer.settings.everybody import compared, estimated
from explorer.settings.noises import LAPLACE, Alone, ChosenNoise
from explorer.settings.tables import AnsweredQuestion, widths
from ldpcore.estimating.estimatedanswers import EstimatedAnswer
from ldpcore.experiments.averaging import running as averaging
from ldpcore.experiments.averaging.attacks import AttackAlong, far_enough
from ldpcore.experiments.averaging.piles import Pile, PileResult
from ldpcore.experiments.averaging.ratios import AveragedRatio
from ldpcore.experiments.averaging.shared import SharedBudget
from ldpcore.experiments.counting import neighbors
from ldpcore.experiments.counting.comparing import Compared
from ldpcore.experiments.counting.fromtruth import FromTruth
from ldpcore.mechanisms.additivenoise import AdditiveNoise
from ldpcore.mechanisms.noisyanswers import NoisyAnswers

RELATION = "add-remove"


@dataclass(frozen=True)
class Averaging:
    """A question about a table, its neighbors, the number of times, their total, the seed, and the noise."""

    question: AnsweredQuestion
    neighbors: str = RELATION
    repeats: int = 100
    total: float = 20.0
    seed: int = 1
    noise: ChosenNoise = LAPLACE
    away: bool = False  # whether the pictures count from the true answer
    alone: Alone | None = None  # by which everybody answers in the place of a curator
    again: bool = True  # whether people randomize anew where they are asked again; else they repeat their first report

    def single(self) -> bool:
        """Whether one release answers the question."""
        return self.question.ratio_of_releases(1.0, self.neighbors, self.seed) is None

    def known(self) -> Facts:
        """The facts of the question itself for every text."""
        return self.question.known()

    def verb(self) -> str:
        """The verb of one release: a count, a sum or a mean; empty where the answer takes two."""
        if self.alone is not None:
            return "local"
        return "" if self.question.mean else self.question.verb

    def model(self, view: str) -> str:
        """The party that is trusted."""
        return "central" if self.curated() else "local"

    def curated(self) -> bool:
        """Whether a curator answers."""
        return self.alone is None

    def noisy(self) -> bool:
        """Whether one release of a curator's answers."""
        return self.curated() and self.single()

    def sized(self) -> bool:
        """Whether the number of people is public: neighbors are equally many."""
        return self.question.sized(self.neighbors)

    def failing(self) -> bool:
        """Whether the level may fail with a probability δ."""
        return self.answering(1.0).failure > 0

    def about(self, view: str) -> str:
        """The subject of the attacker's guess at the level."""
        return self.question.guessed(self.neighbors)

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer."""
        return self.question.asides(truth)

    def mechanism(self, level: float) -> AdditiveNoise:
        """The noise that one release of this question needs."""
        noise = self.noise if self.question.counts and self.question.mean is None else self.noise.real()
        return noise.at(level, self.question.sensitivity(self.neighbors), self.neighbors)

    @cached_property
    def everybody(self) -> Compared:
        """The values that everybody holds, where people could answer alone."""
        return compared(self.question, self.neighbors, 1e-6)

    def reported(self, level: float) -> EstimatedAnswer:
        """The answer as it is estimated without a curator."""
        assert self.alone is not None
        return estimated(self.everybody, self.alone, level, self.again)

    def answering(self, level: float) -> NoisyAnswers:
        """The noise of one answer, a curator's or everybody's."""
        return self.mechanism(level) if self.curated() else self.reported(level)

    def averaged(self, level: float) -> averaging.AveragingExperiment | AveragedRatio:
        """One question asked N times, and the average of the answers; of a mean in two releases, both are averaged."""
        ratio = self.question.ratio_of_releases(level, self.neighbors, self.seed, self.noise)
        if ratio is not None:
            return AveragedRatio(ratio, self.repeats)
        return averaging.AveragingExperiment(self.answering(level), self.question.answer, self.repeats, self.seed)

    def reach(self) -> float:
        """The reach of the pictures to either side of the truth, whatever the level."""
        mean = self.question.mean
        if not self.curated():
            return neighbors.REACH * self.reported(1.0).span
        if mean is None or self.single():
            return neighbors.REACH * self.question.sensitivity(self.neighbors)
        width = mean.high - mean.low
        return min(width / 2, 2 * neighbors.REACH * width / self.question.n)  # how many are asked about is private

    def pile(self, level: float) -> Pile:
        """The releases in a pile, their average, and their cost of the total."""
        return Pile(self.averaged(level), self.reach(), self.total)

    def pictured(self, level: float) -> Pile | FromTruth[PileResult]:
        """The pile as it is drawn."""
        pile = self.pile(level)
        return FromTruth(pile) if self.away else pile

    def widths(self) -> tuple[float, tuple[float, float]]:
        """A telling width in the unit of the answer, and the places of others."""
        return widths(self.question.sensitivity(self.neighbors), 1)

    def wish(self) -> tuple[float, float]:
        """The first width and confidence of a plan."""
        return self.widths()[0], 0.95

    def plan(self, level: float, wanted: tuple[float, float]) -> tuple[averaging.AveragingPlan, AttackAlong]:
        """The number of releases that keeps the average within a width, and the chance along it."""
        noise, (width, confidence) = self.mechanism(level), wanted
        most = far_enough(noise.sensitivity, width)
        return averaging.AveragingPlan(noise, width, confidence), AttackAlong(noise, self.repeats, width, most)

    def tasks(self, level: float) -> tuple[averaging.AveragingPlan, SharedBudget] | tuple[()]:
        """The moment an average rounds to the exact answer, and ten answers from one total; for a mean, its count."""
        if not self.curated():
            return ()
        ratio = self.question.ratio_of_releases(level, self.neighbors, self.seed, self.noise)
        noise = self.mechanism(level) if ratio is None else ratio.count_noise
        return averaging.AveragingPlan(noise, 0.5), SharedBudget(noise, 10, seed=self.seed)
