"""Counts that a reader brought from an audit of their own: how often each outcome came under each of two inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.costs import LITTLE, Cost
from ldpcore.estimating.shares import share_at_least, share_at_most
from ldpcore.numerics.arrays import Counts
from ldpcore.parameters import Confidence, Declared, Epsilon
from ldpcore.questions import Progress, Question, Result, no_progress, part
from ldpcore.reading.notations import UNSEEN, in_latin
from ldpcore.refusals import Refusal

MOST_OUTCOMES = 1000
MOST_RUNS = 10**15
LONGEST = 20  # digits of a count
_BETWEEN = UNSEEN | str.maketrans(",;|\t\n،؛", "       ")
BLOCK = 64  # outcomes whose bounds are computed together


class CountsError(Refusal):
    """A text that cannot be the counts of an audit, in one sentence."""


def read_counts(text: str) -> tuple[int, ...]:
    """The whole numbers of a text, marks or blanks between them; ٬ alone may stand between thousands."""
    cells = text.translate(_BETWEEN).split()
    if not cells:
        raise CountsError("counts_none")
    if len(cells) > MOST_OUTCOMES:
        raise CountsError("counts_many", most=MOST_OUTCOMES, got=len(cells))
    latin = [in_latin(cell) for cell in cells]
    for cell, plain in zip(cells, latin, strict=True):
        if not plain.isdecimal() or len(plain) > LONGEST or int(plain) > MOST_RUNS:
            raise CountsError("count_not_whole", got=cell[:20])
    return tuple(map(int, latin))


@dataclass(frozen=True)
class OwnAudit(Question["OwnAuditResult"], Declared):
    """The bound on the level that counts of outcomes under two inputs prove, at a stated confidence."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    promise: Epsilon = 1.0
    confidence: Confidence = 0.95

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.first) != len(self.second):
            raise CountsError("outcomes_unpaired", first=len(self.first), second=len(self.second))
        if len(self.first) < 2:
            raise CountsError("counts_single", got=len(self.first))
        if not sum(self.first) or not sum(self.second):
            raise CountsError("counts_empty")

    def cost(self) -> Cost:
        """The bounds on two shares for each of 4m statements, which take longer the more runs there were."""
        each = 1.3e-8 * (sum(self.first) ** (1 / 3) + sum(self.second) ** (1 / 3))
        return Cost(LITTLE.bytes, 0.01 + 4 * len(self.first) * each)

    def run(self, progress: Progress = no_progress) -> OwnAuditResult:
        """The best of all events of one outcome and of all but one, in both directions, each with a part of the error.

        With m outcomes these are at most 4m statements (2m for two outcomes, where one event is the other's opposite),
        and each needs a bound on two shares: the chance that any is wrong is at most 1 - confidence, whatever was seen.
        """
        first, second = np.array(self.first), np.array(self.second)
        tries = int(first.sum()), int(second.sum())
        outcomes = len(first)
        both = (
            [(first, second, False)]
            if outcomes == 2
            else [
                (first, second, False),
                (tries[0] - first, tries[1] - second, True),
            ]
        )
        error = (1 - self.confidence) / (2 * outcomes * len(both)) / 2
        best = Proof(0.0, 0, False, 0)
        for done, (own, other, complement) in enumerate(both):
            for likelier, (a, b, n, m) in enumerate(((own, other, *tries), (other, own, *tries[::-1]))):
                word = part(progress, (2 * done + likelier) / 4, (2 * done + likelier + 1) / 4)
                level, place = _best(a, b, n, m, error, best.level, word)
                if level > best.level:
                    best = Proof(level, place, complement, likelier)
        return OwnAuditResult(self, best)


def _best(
    own: Counts, other: Counts, n: int, m: int, error: float, least: float, progress: Progress
) -> tuple[float, int]:
    """The largest level and its outcome, where it is more than the `least`: those that seem most likely come first.

    At an error below 1/4 no lower bound of a share is above what was seen, and no upper one below (Greenberg, Mohri,
    2014, Tight lower bound on the probability of a binomial exceeding its expectation): what the shares themselves
    cannot exceed is not looked at.
    """
    with np.errstate(divide="ignore"):
        seems = np.log(own / n) - np.log(np.maximum(other / m, -math.expm1(math.log(error) / m)))
    order, best = np.argsort(-seems, kind="stable"), (least, 0)
    for start in range(0, len(order), BLOCK):
        block = order[start : start + BLOCK]
        if seems[block[0]] <= best[0]:
            break
        levels = _levels(own[block], other[block], n, m, error)
        place = int(np.argmax(levels))
        best = max(best, (float(levels[place]), int(block[place])), key=lambda each: each[0])
        progress(min((start + BLOCK) / len(order), 1.0))
    return best


def _levels(own: Counts, other: Counts, n: int, m: int, error: float) -> Counts:
    """ln of an exact lower bound of P over an exact upper bound of Q; nothing where it proves nothing."""
    low, high = share_at_least(own, np.full(len(own), n), error), share_at_most(other, np.full(len(other), m), error)
    with np.errstate(divide="ignore"):
        return np.asarray(np.maximum(np.log(low) - np.log(high), 0.0))


@dataclass(frozen=True)
class Proof:
    """A level, and the event that proves it: one outcome (or all but it), and the input under which it is likelier."""

    level: float
    outcome: int
    complement: bool
    likelier: int


@dataclass(frozen=True)
class OwnAuditResult(Result):
    """The bound that the counts prove."""

    question: OwnAudit
    proof: Proof

    @property
    def level(self) -> float:
        """The proven level: the real one is at least this, with the stated confidence."""
        return self.proof.level

    @property
    def verdict(self) -> str:
        """Whether the promise is proven to be broken, less is proven, or nothing."""
        if self.level > self.question.promise:
            return "caught"
        return "some" if self.level > 0 else "nothing"

    @property
    def shares(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The share of runs with each outcome, for both inputs."""
        question = self.question
        return tuple(  # type: ignore[return-value]
            tuple(count / sum(counts) for count in counts) for counts in (question.first, question.second)
        )

    def masked(self) -> OwnAuditResult:
        """The counts alone."""
        return replace(self, proof=replace(self.proof, level=math.nan))
