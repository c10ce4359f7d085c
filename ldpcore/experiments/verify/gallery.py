"""Sound and broken mechanisms without labels, to be told apart by what trials prove."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any

import numpy as np

from ldpcore import broken
from ldpcore.costs import MEGABYTE, Cost
from ldpcore.estimating.audit import keeps_its_promise
from ldpcore.experiments import generator
from ldpcore.experiments.verify.trials import TRIALS, AuditPath, AuditResult
from ldpcore.mechanisms import REGISTRY
from ldpcore.mechanisms.base import Guarantee, Mechanism
from ldpcore.parameters import Choice, Confidence, Declared, Interval, ParameterError, Repeats, Seed, declarations
from ldpcore.questions import Progress, Public, Question, no_progress

GallerySize = Annotated[int, Interval("m", 2, 40, (4, 12), integer=True)]


@dataclass(frozen=True)
class FakeGallery(Question["GalleryResult"], Declared):
    """Sound and broken mechanisms, unlabelled, to be told apart by what trials prove against their claims."""

    size: GallerySize = 6
    trials: Repeats = 10**6
    confidence: Confidence = 0.999
    seed: Seed = 1

    def cost(self) -> Cost:
        return Cost(64 * MEGABYTE, 0.05 * self.size)

    def run(self, progress: Progress = no_progress) -> GalleryResult:
        rng = generator(self.seed, "gallery")
        fakes = np.arange(self.size) < rng.integers(max(1, self.size // 3), self.size - max(1, self.size // 3) + 1)
        sound_ones, broken_ones = shuffled(REGISTRY, rng), shuffled(broken.GALLERY, rng)
        exhibits = []
        for index, fake in enumerate(rng.permutation(fakes)):
            mechanism = specimen(broken_ones if fake else sound_ones, not fake, rng)
            exhibits.append(self._exhibit(mechanism, int(rng.integers(2**31))))
            progress((index + 1) / self.size)
        return GalleryResult(self, tuple(exhibits))

    def _exhibit(self, mechanism: Mechanism, seed: int) -> Exhibit:
        grid = (*(trials for trials in TRIALS if trials < self.trials), self.trials)
        audit = AuditPath(mechanism, grid, self.confidence, seed).run()
        return Exhibit(mechanism, mechanism.claim(), mechanism.guarantee(), keeps_its_promise(mechanism), audit)


@dataclass(frozen=True, eq=False)
class Exhibit:
    """One mechanism of the gallery; `sound` compares the level of its laws with its claim."""

    mechanism: Mechanism
    claim: Guarantee
    real: Guarantee
    sound: bool
    audit: AuditResult

    @property
    def caught(self) -> bool:
        """Whether the last bound of the audit proves the claim wrong."""
        return bool(self.audit.epsilons[-1] > self.claim.epsilon)


@dataclass(frozen=True, eq=False)
class GalleryResult(Public):
    """The exhibits, and the score of somebody's answers."""

    gallery: FakeGallery
    exhibits: tuple[Exhibit, ...]

    def score(self, sound: Sequence[bool | None]) -> tuple[int, int]:
        """The number of right answers, and of answers given; `None` is an exhibit left open."""
        if len(sound) != len(self.exhibits):
            raise ParameterError("answers_unpaired", exhibits=len(self.exhibits), got=len(sound))
        given = [
            answer == exhibit.sound for answer, exhibit in zip(sound, self.exhibits, strict=True) if answer is not None
        ]
        return sum(given), len(given)


LEVELS = (0.5, 1.0, math.log(3), 2.0)


def shuffled(pool: Sequence[type[Mechanism]], rng: np.random.Generator) -> list[type[Mechanism]]:
    """The classes of a pool in random order."""
    return [pool[index] for index in rng.permutation(len(pool))]


def specimen(turn: list[type[Mechanism]], sound: bool, rng: np.random.Generator) -> Mechanism:
    """The next mechanism in turn, small, with a finite, positive claim that it keeps or breaks, as asked."""
    for _ in range(50 * len(turn)):
        turn.append(turn.pop(0))
        made = at_small_parameters(turn[-1], rng)
        if made is not None and 0 < made.claim().epsilon < math.inf and keeps_its_promise(made) == sound:
            return made
    raise ParameterError("specimen_none", mechanisms=len(turn))


def at_small_parameters(cls: type[Mechanism], rng: np.random.Generator) -> Mechanism | None:
    """The mechanism at a common level, its defaults, and small declared values for the rest; none if refused."""
    given: dict[str, Any] = {}
    optional = {item.name for item in fields(cls) if item.default is not MISSING}  # type: ignore[arg-type]
    for name, declared in declarations(cls).items():
        values = declared.options if isinstance(declared, Choice) else declared.small
        if name == "epsilon":
            given[name] = LEVELS[int(rng.integers(len(LEVELS)))]
        elif name not in optional:
            given[name] = values[int(rng.integers(len(values)))]
    try:
        return cls(**given)
    except ParameterError:
        return None
