"""The quantiles that are read back from reports, each with the interval that the reports themselves prove."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ldpcore.costs import Cost
from ldpcore.estimating.wavequantiles import WaveQuantiles
from ldpcore.experiments.shapes.distributions import Reconstruction, ReconstructionResult
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Confidence, Declared, Probability
from ldpcore.questions import Progress, Question, Result, no_progress

A_BISECTION = 0.02  # seconds: the first of each side solves six linear programs of sixty shares, others fewer


@dataclass(frozen=True)
class QuantileIntervals(Question["QuantileIntervalsResult"], Declared):
    """The shape read back, and the intervals of its quantiles, all of them with one confidence."""

    question: Reconstruction
    shares: tuple[Probability, ...]
    confidence: Confidence = 0.95

    def cost(self) -> Cost:
        inner = self.question.cost()
        return replace(inner, seconds=inner.seconds + 2 * A_BISECTION * len(self.shares))

    def run(self, progress: Progress = no_progress) -> QuantileIntervalsResult:
        read = self.question.run()
        proved = WaveQuantiles(self.question.channel, read.counts, self.confidence)
        ends = []
        for done, share in enumerate(self.shares, 1):
            ends.append(proved.interval(share))
            progress(done / len(self.shares))
        return QuantileIntervalsResult(self, read, tuple(ends))


@dataclass(frozen=True, eq=False)
class QuantileIntervalsResult(Result):
    """The quantiles read back, and the intervals as places of [0, 1]."""

    experiment: QuantileIntervals
    read: ReconstructionResult
    places: tuple[tuple[float, float], ...]

    def masked(self) -> QuantileIntervalsResult:
        """The collector's view."""
        read = self.read.masked()
        return replace(self, experiment=replace(self.experiment, question=read.experiment), read=read)

    @property
    def values(self) -> Reals:
        """The quantiles as read back, in the reader's unit."""
        return self.read.quantiles(self.experiment.shares)

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The interval of each quantile, in the reader's unit, which holds the quantile read back."""
        scale = self.experiment.question.numbers.scale
        ends = [[float(scale.outward(2 * place - 1)) for place in pair] for pair in self.places]
        return [
            (min(low, value), max(high, value)) for (low, high), value in zip(ends, self.values.tolist(), strict=True)
        ]
