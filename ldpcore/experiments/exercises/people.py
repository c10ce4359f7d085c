"""Two people whose reports are read together: levels of their own, listening, and reading again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from ldpcore.mechanisms.grr import RandomizedResponse
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import Choice, Declared, Epsilon, Interval
from ldpcore.questions import Progress, Public, Question, no_progress

SecondListens = Annotated[str, Choice(r"Q_2", ("alone", "listens"))]
Readings = Annotated[int, Interval("r", 2, 100, (2, 10), integer=True)]
HELD = 4  # numbers from 0 to 3
ASKED_FIRST, ASKED_NEXT = 2, (1, 3)  # "at least 2?", and of one who listens "at least 1?" after a no, 3 after a yes
CHANGES = ((1, 2), (0, 2))  # from the first number to the second, of either person: those in the picture


@dataclass(frozen=True)
class OwnLevels(Question["OwnLevelsResult"], Declared):
    """Two people say in noise whether their number reaches a limit, each with a level of their own.

    Q(z₁, z₂ | x₁, x₂) = Q₁(z₁ | x₁) Q₂(z₂ | x₂, z₁): alone Q₂ does not look at z₁, else it chooses the limit.
    """

    epsilon: Epsilon
    second: Epsilon = 2.0
    listens: SecondListens = "alone"
    reads: Readings = 2

    def run(self, progress: Progress = no_progress) -> OwnLevelsResult:
        return OwnLevelsResult(self, self.log_law())

    def limit(self, heard: int) -> int:
        """The limit that the second person is asked about after a first report."""
        return ASKED_NEXT[heard] if self.listens == "listens" else ASKED_FIRST

    def log_law(self) -> Reals:
        """ln Q(z₁, z₂ | x₁, x₂), indexed by x₁, x₂, z₁, z₂."""
        numbers = np.arange(HELD)
        first = _log_said(self.epsilon)[(numbers >= ASKED_FIRST).astype(int)]
        after = [_log_said(self.second)[(numbers >= self.limit(heard)).astype(int)] for heard in (0, 1)]
        return np.asarray(first[:, None, :, None] + np.stack(after, axis=1)[None], dtype=np.float64)


def _log_said(epsilon: float) -> Reals:
    """The logarithms of the chances of no and yes, one row for each true answer."""
    channel = RandomizedResponse(epsilon)
    lie = -epsilon - math.log1p(math.exp(-epsilon))
    truth = math.log(channel.p)
    return np.array([[truth, lie], [lie, truth]])


@dataclass(frozen=True, eq=False)
class OwnLevelsResult(Public):
    """The joint law of both reports, and the levels that it keeps."""

    experiment: OwnLevels
    log_law: Reals

    @cached_property
    def whole(self) -> float:
        """The level of both reports together: the largest log ratio over all changes of one person's number."""
        return max(self._largest(0), self._largest(1))

    def kept_after(self, heard: int) -> float:
        """The level that the second report alone keeps after a first one."""
        law = self.log_law[0, :, heard, :]
        return float(np.abs(law[:, None] - law[None]).max())

    @property
    def together(self) -> float:
        """The largest log ratio if both people change at once, a difference of two people."""
        flat = self.log_law.reshape(HELD * HELD, -1)
        return float(np.abs(flat[:, None] - flat[None]).max())

    @property
    def anew(self) -> float:
        """The level if both answered anew for every reading: the log ratios of one change add up."""
        return self.experiment.reads * self.whole

    def _largest(self, person: int) -> float:
        law = np.moveaxis(self.log_law, person, 0)
        return float(np.abs(law[:, None] - law[None]).max())

    def ratios(self, changed: tuple[bool, bool]) -> Reals:
        """ln Q(z | x') - ln Q(z | x) of the four pairs of reports, where these people's numbers change."""
        before = tuple(start for start, _ in CHANGES)
        after = tuple(end if moves else start for (start, end), moves in zip(CHANGES, changed, strict=True))
        return np.asarray((self.log_law[after] - self.log_law[before]).ravel(), dtype=np.float64)
