"""Whole protocols over few values: the law of all that is sent, and its level after every history.

A kernel says how one person's report comes about, and may look at what was sent before. Every kernel being of level α
after every history (α-SIDP) makes the whole protocol α-private for people who are asked once; the reverse needs care,
for a history may be impossible for some values. So levels are checked kernel by kernel, history by history.
Reference: Duchi, Jordan, Wainwright (2018), Minimax optimal procedures for locally private estimation, Section 2.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from ldpcore.laws.channels import Finite
from ldpcore.laws.divergences import kullback_leibler
from ldpcore.numerics.arrays import Reals
from ldpcore.parameters import ParameterError

History = tuple[int, ...]
TranscriptRows = tuple[tuple[float, ...], ...]
MOST = 4096  # histories that are listed
SLACK = 1e-9  # what rounding may add to a level


class Kernel(ABC):
    """The making of one report: a channel for each history."""

    @abstractmethod
    def channel(self, history: History) -> TranscriptRows:
        """The channel after a history: rows are values, columns reports."""


@dataclass(frozen=True)
class Fixed(Kernel):
    """A kernel that ignores the history: the non-interactive case."""

    rows: TranscriptRows

    def channel(self, history: History) -> TranscriptRows:
        return self.rows


@dataclass(frozen=True)
class Listening(Kernel):
    """A kernel with channels of its own after some histories."""

    usual: TranscriptRows
    after: tuple[tuple[History, TranscriptRows], ...] = ()

    def channel(self, history: History) -> TranscriptRows:
        return dict(self.after).get(history, self.usual)


@dataclass(frozen=True)
class Turn:
    """A place in a protocol: the person whose turn it is, the history before, and the loss of its channel."""

    person: int
    history: History
    loss: float


@dataclass(frozen=True)
class ChainRule:
    """KL of two laws of everything sent, and its parts: of each turn, on average over the first law's histories."""

    whole: float
    parts: tuple[float, ...]


@dataclass(frozen=True)
class Protocol:
    """Kernels in the order in which people are asked; `people` says who holds each turn, and may name one twice."""

    kernels: tuple[Kernel, ...]
    people: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.kernels:
            raise ParameterError("whole_from", name="n", low=1, got=0)
        if not self.people:
            object.__setattr__(self, "people", tuple(range(len(self.kernels))))
        if len(self.people) != len(self.kernels):
            raise ParameterError("laws_shapes", first=str(len(self.kernels)), second=str(len(self.people)))
        if math.prod(self.sizes) > MOST:
            raise ParameterError("channel_too_large", name="protocol", most=MOST, got=math.prod(self.sizes))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of different reports of each turn."""
        sizes: list[int] = []
        for kernel in self.kernels:
            sizes.append(len(kernel.channel((0,) * len(sizes))[0]))
        return tuple(sizes)

    @property
    def sequential(self) -> bool:
        """Whether everybody is asked once; else the protocol is local all the same, but fully interactive."""
        return len(set(self.people)) == len(self.people)

    def histories(self, turn: int) -> Iterator[History]:
        """All histories that are possible before a turn."""
        return product(*(range(size) for size in self.sizes[:turn]))

    def ignores_history(self) -> bool:
        """Whether nobody listens: every kernel has one channel after all histories."""
        return all(
            len({kernel.channel(history) for history in self.histories(turn)}) == 1
            for turn, kernel in enumerate(self.kernels)
        )

    def joint(self, values: Sequence[int]) -> Reals:
        """The law of everything sent: Π Q_i(z_i | x_i, z_1, …, z_{i-1}), one axis for each turn."""
        law = np.ones(())
        for turn, (kernel, person) in enumerate(zip(self.kernels, self.people, strict=True)):
            steps = [kernel.channel(history)[values[person]] for history in self.histories(turn)]
            law = law[..., None] * np.array(steps).reshape(*law.shape, -1)
        return np.asarray(law, dtype=np.float64)

    def turns(self) -> tuple[Turn, ...]:
        """Every turn after every history, with the loss of its channel: the largest over pairs of values."""
        return tuple(
            Turn(person, history, Finite(np.array(kernel.channel(history))).loss())
            for turn, (kernel, person) in enumerate(zip(self.kernels, self.people, strict=True))
            for history in self.histories(turn)
        )

    def level(self, person: int) -> float:
        """The largest loss that everything sent has about one person: their turns' losses, added along each history.

        Other people's values cancel in the ratio, as long as they make the history possible at all.
        """
        return max((abs(loss) for loss in self._losses(person)), default=0.0)

    def _losses(self, person: int) -> Iterator[float]:
        """ln Q(z|x)/Q(z|x') for every transcript and every two values of one person."""
        mine = [turn for turn, who in enumerate(self.people) if who == person]
        values = min((len(self.kernels[turn].channel((0,) * turn)) for turn in mine), default=0)
        for transcript in product(*(range(size) for size in self.sizes)):
            with np.errstate(divide="ignore"):
                logs = [
                    sum(np.log(self.kernels[turn].channel(transcript[:turn])[x][transcript[turn]]) for turn in mine)
                    for x in range(values)
                ]
            possible = [log for log in logs if log > -math.inf]
            if possible:
                yield math.inf if len(possible) < len(logs) else float(max(logs) - min(logs))

    def guarantee(self) -> float:
        """The level of the whole protocol: the largest of any person's; not the sum over people."""
        return max(self.level(person) for person in set(self.people))

    def breaches(self, epsilon: float) -> tuple[Turn, ...]:
        """The turns whose channel is not α-private after their history, however rare that history is."""
        return tuple(turn for turn in self.turns() if turn.loss > epsilon + SLACK)

    def chain_rule(self, values: Sequence[int], others: Sequence[int]) -> ChainRule:
        """KL(P‖R) = KL(P₁‖R₁) + Σ E_P KL(P_i(·|history) ‖ R_i(·|history)), both sides computed by themselves."""
        law = self.joint(values)
        parts = []
        for turn, (kernel, person) in enumerate(zip(self.kernels, self.people, strict=True)):
            before = law.sum(axis=tuple(range(turn, law.ndim)))
            part = 0.0
            for history in self.histories(turn):
                chance, rows = float(before[history]), kernel.channel(history)
                if chance:
                    part += chance * kullback_leibler(rows[values[person]], rows[others[person]])
            parts.append(part)
        return ChainRule(kullback_leibler(law.ravel(), self.joint(others).ravel()), tuple(parts))
