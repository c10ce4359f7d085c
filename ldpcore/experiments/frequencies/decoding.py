"""The words that the Bloom bits of many reports show: raw and non-negative shares, words found, words that collide."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ldpcore.costs import Cost
from ldpcore.estimating.confidences import Rule
from ldpcore.estimating.intervals import Bounds, plug_in_interval
from ldpcore.experiments import generator
from ldpcore.experiments.frequencies.survey import round_above
from ldpcore.mechanisms.rappor import Rappor
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Seed
from ldpcore.people.populations import Population
from ldpcore.questions import Progress, Question, Result, no_progress


@dataclass(frozen=True)
class Decoding(Question["DecodingResult"], Declared):
    """Collect Bloom bits once and decode them in both ways: unbiased, and by non-negative least squares."""

    randomizer: Rappor
    population: Population
    confidence: Confidence = 0.95
    seed: Seed = 1

    def cost(self) -> Cost:
        rappor = self.randomizer
        drawn = rappor.setup_cost().then(rappor.tally_cost(self.population.n))
        return drawn.then(Cost(drawn.bytes, 3e-9 * rappor.k**3))  # a few factors of the non-negative fit

    def run(self, progress: Progress = no_progress) -> DecodingResult:
        rappor, population = self.randomizer, self.randomizer.checked(self.population)
        tally = rappor.sample_tally(population, generator(self.seed, "decoding"))
        raw, decoded = rappor.estimate(tally), rappor.decode(tally)
        progress(0.5)
        words = rappor.recovered(tally, self.confidence)
        return DecodingResult(self, population.shares, raw, decoded, words, rappor.collisions())


@dataclass(frozen=True, eq=False)
class DecodingResult(Result):
    """The truth, the unbiased shares (NaN where the bits do not determine one), the non-negative ones, the words found.

    `collisions` are groups of words that share all their bits: only their total can be known, and the non-negative fit
    gives each an even part of it.
    """

    experiment: Decoding
    truth: Reals
    raw: Reals
    decoded: Reals
    recovered: NDArray[np.bool_]
    collisions: tuple[tuple[int, ...], ...]
    ceiling: float | None = None

    @property
    def undetermined(self) -> NDArray[np.bool_]:
        """The words whose share no number of reports determines."""
        return np.asarray(np.isnan(self.raw))

    @property
    def missed(self) -> NDArray[np.intp]:
        """Words that somebody holds and that are not found."""
        return np.flatnonzero((self.truth > 0) & ~self.recovered)

    @property
    def invented(self) -> NDArray[np.intp]:
        """Words that are found although nobody holds them; none at all with about the stated confidence."""
        return np.flatnonzero((self.truth == 0) & self.recovered)

    @property
    def totals(self) -> tuple[tuple[float, float], ...]:
        """The true and the decoded total of each group that collides."""
        return tuple(
            (float(self.truth[list(group)].sum()), float(self.decoded[list(group)].sum())) for group in self.collisions
        )

    @property
    def colliding(self) -> NDArray[np.bool_]:
        """The words that share all their bits with another one."""
        shared = np.zeros(len(self.decoded), dtype=np.bool_)
        shared[[word for group in self.collisions for word in group]] = True
        return shared

    def masked(self) -> DecodingResult:
        """The result without who holds which word."""
        even = replace(self.experiment, population=self.experiment.population.evened())
        return replace(self, experiment=even, truth=np.full_like(self.truth, math.nan), ceiling=self.usual()[0])

    def usual(self) -> tuple[float, float]:
        """A power of a half above the largest share, and the typical error at level 1 of an even crowd of this size.

        A still picture has them, whether the truth is hidden or not.
        """
        question, rappor = self.experiment, self.experiment.randomizer
        highest = self.ceiling if self.ceiling is not None else round_above(self.truth)
        variances = replace(rappor, epsilon=1.0).variance(question.population.evened())
        known = variances[np.isfinite(variances)]
        return highest, math.sqrt(float(known.mean())) if len(known) else math.inf

    def errors(self) -> tuple[float, float]:
        """The mean squared error of the raw and of the non-negative shares, over the words that are determined."""
        known = ~self.undetermined
        return tuple(  # type: ignore[return-value]
            float(((shares - self.truth)[known] ** 2).mean()) if known.any() else float("nan")
            for shares in (self.raw, self.decoded)
        )

    def bounds(self, simultaneous: bool = False, rule: Rule = "sidak") -> Bounds:
        """An interval around each unbiased share, alone or all at once, as if the decoded shares were the truth."""
        question = self.experiment
        shares = self.decoded / max(float(self.decoded.sum()), 1e-300)
        likely = Population.of_shares(
            shares if shares.any() else np.full(len(shares), 1 / len(shares)), question.population.n
        )
        among = question.randomizer.k if simultaneous else 1
        return plug_in_interval(self.raw, question.randomizer.variance(likely), question.confidence, among, rule)
