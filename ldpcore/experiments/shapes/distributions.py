"""The whole distribution: everybody's number through a square wave, and the shape read back.

May import what `ldpcore` may. Distances are shares of the public scale; quantiles are in the reader's unit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating import shapes
from ldpcore.estimating.waves import Bins, Fit, Smoothing, WaveDecoder, WaveInBins
from ldpcore.experiments import generator
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Epsilon, ParameterError, Seed
from ldpcore.people.populations import Population
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Progress, Question, Result, no_progress

STEPS = (0, 1, 3, 10, 30, 100, 300, 1000)  # of EM, at which its shares are kept
AN_EM_STEP = 6e-5  # seconds, of up to a thousand bins


def people_of(numbers: ScaledNumbers) -> Population:
    """The people as counted atoms, from which a histogram is made."""
    if not isinstance(numbers.people, Population):
        raise ParameterError("people_not_atoms", shape=numbers.people.shape)
    return numbers.people


def _reading(numbers: ScaledNumbers, bins: int, steps: int) -> Cost:
    """The cost of drawing all reports and reading the shape back."""
    atoms = numbers.people.k if isinstance(numbers.people, Population) else numbers.n
    draws = min(numbers.n * 5e-8, atoms * (2e-5 + 2 * bins * 1e-7))
    return Cost(64.0 * (3 * bins + min(numbers.n, 1 << 17)) + 8 * MEGABYTE, draws + steps * AN_EM_STEP)


@dataclass(frozen=True)
class Reconstruction(Question["ReconstructionResult"], Declared):
    """Everybody sends one report of the square wave; EM reads the histogram of all numbers back."""

    epsilon: Epsilon
    numbers: ScaledNumbers
    bins: Bins = 64
    smoothing: Smoothing = "smoothed"
    seed: Seed = 1

    def cost(self) -> Cost:
        return _reading(self.numbers, self.bins, 3000 if self.smoothing == "smoothed" else 10_000)

    @property
    def channel(self) -> WaveInBins:
        """The square wave between bins and cells."""
        return WaveInBins(SquareWave(self.epsilon), self.bins)

    def counts(self) -> Counts:
        """How many reports fall into each cell."""
        return self.channel.sample(people_of(self.numbers), generator(self.seed, "wave"))

    def run(self, progress: Progress = no_progress) -> ReconstructionResult:
        counts = self.counts()
        fit = WaveDecoder(self.channel, self.smoothing).decode(counts)
        progress(1.0)
        return ReconstructionResult(self, counts, fit)


@dataclass(frozen=True, eq=False)
class ReconstructionResult(Result):
    """The reports in cells, and the shares of the bins that EM reads from them."""

    experiment: Reconstruction
    counts: Counts
    fit: Fit

    def masked(self) -> ReconstructionResult:
        """The collector's view: reports, and the shape read from them."""
        return replace(self, experiment=replace(self.experiment, numbers=self.experiment.numbers.hidden()))

    @property
    def n(self) -> int:
        """The number of people who reported."""
        return self.experiment.numbers.n

    @cached_property
    def truth(self) -> Reals:
        """The true share of each bin."""
        return shapes.bins_of(people_of(self.experiment.numbers), self.experiment.bins)

    @property
    def distance(self) -> float:
        """The mean distance that people would have to be moved from the histogram's places to their own."""
        return shapes.wasserstein_from(people_of(self.experiment.numbers), self.fit.shares)

    @property
    def gap(self) -> float:
        """The largest difference of the shares of people below any edge of a bin."""
        return shapes.kolmogorov(self.fit.shares, self.truth)

    @property
    def flat(self) -> bool:
        """Whether the shape read back is hardly more than the even spread at which EM begins."""
        return shapes.kolmogorov(self.fit.shares, np.ones(self.experiment.bins)) < 0.02

    @property
    def edges(self) -> Reals:
        """The ends of the cells of reports, in the reader's unit."""
        channel = self.experiment.channel
        places = (np.arange(channel.cells + 1) - channel.aside) / channel.bins
        return self.experiment.numbers.scale.outward(2 * places - 1)

    def quantiles(self, levels: ArrayLike) -> Reals:
        """The numbers below which these shares of people lie, as read back."""
        return self._outward(shapes.quantiles(self.fit.shares, levels))

    def true_quantiles(self, levels: ArrayLike) -> Reals:
        """The numbers below which these shares of people lie: of the people themselves, whatever the picture draws."""
        return self.experiment.numbers.scale.outward(people_of(self.experiment.numbers).quantiles(levels))

    def _outward(self, places: Reals) -> Reals:
        return self.experiment.numbers.scale.outward(2 * places - 1)


@dataclass(frozen=True)
class Climb(Question["ClimbResult"], Declared):
    """The path of EM: its shares after one step, three, ten …, plain and smoothed, on the same reports."""

    epsilon: Epsilon
    numbers: ScaledNumbers
    bins: Bins = 64
    seed: Seed = 1

    def cost(self) -> Cost:
        return _reading(self.numbers, self.bins, 2 * STEPS[-1])

    def run(self, progress: Progress = no_progress) -> ClimbResult:
        question = Reconstruction(self.epsilon, self.numbers, self.bins, seed=self.seed)
        counts, fits = question.counts(), []
        for done, smoothing in enumerate(("plain", "smoothed")):
            fits.append(WaveDecoder(question.channel, smoothing, STEPS[-1]).decode(counts, STEPS))
            progress((done + 1) / 2)
        return ClimbResult(self, *fits)


@dataclass(frozen=True, eq=False)
class ClimbResult(Result):
    """Both climbs; where one stopped before a step of the list, that step is missing in it."""

    experiment: Climb
    plain: Fit
    smoothed: Fit

    def masked(self) -> ClimbResult:
        """The climbs without the truth they are measured by."""
        return replace(self, experiment=replace(self.experiment, numbers=self.experiment.numbers.hidden()))

    @cached_property
    def truth(self) -> Reals:
        """The true share of each bin."""
        return shapes.bins_of(people_of(self.experiment.numbers), self.experiment.bins)

    def distance(self, fit: Fit) -> float:
        """The mean distance that people would have to be moved from the end of a climb."""
        return shapes.wasserstein_from(people_of(self.experiment.numbers), fit.shares)

    def roughness(self, fit: Fit) -> float:
        """Σ |step from bin to bin|, 2 for a single hill that holds everybody: how ragged a histogram is."""
        return float(np.abs(np.diff(np.concatenate([[0.0], fit.shares, [0.0]]))).sum()) / float(fit.shares.max())
