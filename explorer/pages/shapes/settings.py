"""The reader's settings on the page about shapes, and the question of each of its views."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from explorer.facts import Said
from explorer.settings.numbers import PeopleSource
from ldpcore.experiments import means
from ldpcore.experiments.named import Named
from ldpcore.experiments.shapes import distributions as shapes
from ldpcore.experiments.shapes.quantiles import QuantileIntervals
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.people.scales import ScaledNumbers
from ldpcore.questions import Asking

USUAL_CROWD = 20_000
SURE = 0.95  # that all intervals of these hold
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)  # the quantiles that people ask for


@dataclass(frozen=True)
class Shapes:
    """The source of the numbers, the number of bins, the smoothing, and the seed; the level is the handle's."""

    source: PeopleSource = field(default_factory=lambda: PeopleSource.of_shape("skewed", USUAL_CROWD))
    bins: int = 64
    smoothing: str = "smoothed"
    seed: int = 1

    def asides(self, truth: bool) -> Iterator[Said]:
        """The remarks beside the answer."""
        return self.source.asides(truth)

    @property
    def numbers(self) -> ScaledNumbers:
        """The people."""
        return self.source.numbers

    def named(self, question: Asking, *more: str) -> Named:
        """A question that brings the name of the column along."""
        return Named(question, (self.source.heading, *more))

    def shape(self, level: float) -> Named:
        """The histogram, read back."""
        return self.named(shapes.Reconstruction(level, self.numbers, self.bins, self.smoothing, self.seed))

    def quantiles(self, level: float) -> Named:
        """The quantiles that people ask for, with their intervals."""
        read = shapes.Reconstruction(level, self.numbers, self.bins, self.smoothing, self.seed)
        return self.named(QuantileIntervals(read, SHARES, SURE))

    def steps(self, level: float) -> Named:
        """The steps of EM."""
        return self.named(shapes.Climb(level, self.numbers, self.bins, self.seed))

    def report(self, level: float, places: tuple[float, float]) -> Named:
        """One report, and two people who may have sent it, by their places between the bounds."""
        first, second = (2 * place - 1 for place in places)
        scale = self.numbers.scale
        return self.named(means.OneReportTwoPeople(SquareWave(level), first, second, self.seed, scale))
