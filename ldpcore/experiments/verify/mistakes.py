"""Guesses about which promises are lies, and three famous lies that never change."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ldpcore.broken.central import BoundedNoiseCount, GaussianWithoutDelta
from ldpcore.experiments.verify import AuditPath
from ldpcore.mechanisms.coins import TwoCoins
from ldpcore.parameters import Declared, Epsilon
from ldpcore.questions import Progress, Public, Question, Result, no_progress


@dataclass(frozen=True)
class Guesses(Question["Guesses"], Result):
    """A reader's guesses of each exhibit, beside the truth once it may be told: then `sound` is not empty.

    `votes` are those of a room that accuse each exhibit, told with the truth.
    """

    given: tuple[bool | None, ...] = ()
    sound: tuple[bool, ...] = ()
    votes: tuple[int, ...] = ()

    def run(self, progress: Progress = no_progress) -> Guesses:
        """Guesses are their own answer."""
        progress(1.0)
        return self

    @property
    def judged(self) -> int:
        """The number of exhibits judged."""
        return sum(guess is not None for guess in self.given)

    @property
    def right(self) -> int:
        """The number of exhibits judged rightly, once the truth is told."""
        return sum(guess == truth for guess, truth in zip(self.given, self.sound, strict=False))

    def masked(self) -> Guesses:
        """The guesses alone."""
        return replace(self, sound=(), votes=())


@dataclass(frozen=True)
class ThreeMistakes(Question["ThreeMistakesResult"], Declared):
    """The losses of bounded noise, normal noise without δ and two coins under half a promise."""

    promise: Epsilon = 1.0
    smaller: Epsilon = 0.5

    def run(self, progress: Progress = no_progress) -> ThreeMistakesResult:
        bounded, normal = BoundedNoiseCount(self.promise), GaussianWithoutDelta(self.promise)
        coins = TwoCoins.of_flips()
        proof = AuditPath(bounded, trials=(1000,)).run().bounds[0]
        result = ThreeMistakesResult(
            bounded.guarantee().epsilon,
            proof.epsilon,
            normal.guarantee().epsilon,
            normal.compare(*normal.worst()).delta(self.promise),
            coins.guarantee().epsilon,
            coins.compare(1, 0).delta(self.smaller),
        )
        progress(1.0)
        return result


@dataclass(frozen=True)
class ThreeMistakesResult(Public):
    """The levels of the mistakes, the bound that a thousand trials prove of the first, and the δ of the other two."""

    bounded: float
    bounded_proven: float
    normal: float
    normal_delta: float
    coins: float
    coins_delta: float
