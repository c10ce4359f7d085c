"""A yes-or-no question answered with any two coins, including ones that protect one answer only or nobody."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ldpcore.laws.channels import Finite, Pair
from ldpcore.mechanisms.arithmetic import Arithmetic, one_bit
from ldpcore.mechanisms.base import CategoryRandomizer, Guarantee, ReportTally, Witness
from ldpcore.mechanisms.possible import PossibleReports, whole_below
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Interval, ParameterError
from ldpcore.people.populations import Population

YesGivenYes = Annotated[float, Interval("a", 0, 1, (0, 1), small=(0.0, 0.25, 0.5, 0.75, 1.0))]
YesGivenNo = Annotated[float, Interval("b", 0, 1, (0, 1), small=(0.0, 0.25, 0.4, 1.0))]


@dataclass(frozen=True)
class TwoCoins(CategoryRandomizer):
    """Say "yes" with probability a if it is true and b if it is not; ε = max ln of a/b, b/a, (1-a)/(1-b), (1-b)/(1-a).

    Estimate of the share of yes (C/n - b)/(a - b), one user's variance a(1-a) or b(1-b) over (a-b)². Where one answer
    is impossible for one group only, no finite level holds; where a = b, nothing can be learned and nothing estimated.
    """

    yes_given_yes: YesGivenYes
    yes_given_no: YesGivenNo

    slug: ClassVar[str] = "coins"
    title: ClassVar[str] = "Two coins"
    reference: ClassVar[str] = (
        "Warner (1965), Randomized response; Greenberg et al. (1969), The unrelated question model"
    )
    k: ClassVar[int] = 2  # type: ignore[misc]

    names_one: ClassVar[bool] = True

    @classmethod
    def of_flips(cls, truth: float = 0.5, lie: float = 0.5) -> TwoCoins:
        """The first coin says "tell the truth"; otherwise the second decides, "yes" with probability `lie`."""
        return cls(truth + (1 - truth) * lie, (1 - truth) * lie)

    @property
    def gap(self) -> float:
        """a - b: how much a true yes shows; negative where people are likelier to say the opposite."""
        return self.yes_given_yes - self.yes_given_no

    def claim(self) -> Guarantee:
        """The level of its two coins, which declare it in place of a level."""
        return self.guarantee()

    def channel(self) -> Finite:
        """Rows: a true no, a true yes; columns: the answers no and yes."""
        a, b = self.yes_given_yes, self.yes_given_no
        return Finite(np.array([[1 - b, b], [1 - a, a]]), (0, 1), np.eye(2, dtype=bool))

    def compare(self, value: int, other: int) -> Pair:
        # Only two answers: ε is the larger |ln| of the two ratios, infinite where a ratio has a zero on one side only.
        pair = self.channel().pair(value, other)
        return Pair(pair.first, pair.second, ("no", "yes"))

    def witness(self) -> Witness:
        pair = self.compare(1, 0)
        ratios = pair.ratios()
        report = int(np.argmax(np.where(pair.first + pair.second > 0, np.abs(ratios), -1.0)))
        return Witness(1, 0, report) if ratios[report] >= 0 else Witness(0, 1, report)

    def log_density(self, report: int, value: int) -> float:
        chance = float(self.channel().matrix[value, report])
        return math.log(chance) if chance > 0 else -math.inf

    def privatize(self, values: ArrayLike, rng: np.random.Generator) -> Counts:
        true = self.categories(values)
        chance = np.where(true == 1, self.yes_given_yes, self.yes_given_no)
        return (rng.random(len(true)) < chance).astype(np.int64)

    def tally(self, reports: ArrayLike) -> ReportTally:
        answers = np.asarray(reports)
        return ReportTally(np.bincount(answers, minlength=2).astype(np.int64), len(answers))

    def sample_tally(self, population: Population, rng: np.random.Generator, repeats: int | None = None) -> ReportTally:
        # Exact: users toss independently, so the yeses of each group are binomial.
        no, yes = (int(count) for count in self.checked(population).counts)
        answers = rng.binomial(yes, self.yes_given_yes, repeats) + rng.binomial(no, self.yes_given_no, repeats)
        return ReportTally(np.array([population.n - answers, answers], dtype=np.int64), population.n)

    def estimate(self, tally: ReportTally) -> Reals:
        if tally.n < 1:
            raise ParameterError("no_reports")
        if self.gap == 0:
            raise ParameterError("coins_carry_nothing", got=self.yes_given_yes)
        answers = np.asarray(tally.counts, dtype=np.float64) / tally.n
        never = np.array([1 - self.yes_given_yes, self.yes_given_no]).reshape(2, *[1] * (answers.ndim - 1))
        return np.asarray((answers - never) / self.gap, dtype=np.float64)

    def variance(self, population: Population) -> Reals:
        """One number for both shares, which add up to 1."""
        yes = self.checked(population).shares[1]
        return np.full(2, self.variance_of_shares(yes, population.n))

    def variance_of_shares(self, shares: ArrayLike, n: int) -> Reals:
        """[f a(1-a) + (1-f) b(1-b)] / (n (a-b)²) for a share f of yes; infinite where the answers carry nothing."""
        f = np.asarray(shares, dtype=np.float64)
        if self.gap == 0:
            return np.full(f.shape, np.inf)
        own = self.yes_given_yes * (1 - self.yes_given_yes)
        foreign = self.yes_given_no * (1 - self.yes_given_no)
        return np.asarray((f * own + (1 - f) * foreign) / (n * self.gap**2), dtype=np.float64)

    def posterior(self, share: ArrayLike) -> Reals:
        """P(true yes | answered yes) = f a/(f a + (1-f) b): the evidence of one "yes" if a share f are yes.

        Undefined (NaN) where nobody ever answers yes.
        """
        f = np.asarray(share, dtype=np.float64)
        own = f * self.yes_given_yes
        answered = own + (1 - f) * self.yes_given_no
        return np.asarray(np.divide(own, answered, out=np.full(f.shape, np.nan), where=answered > 0))

    def bits(self) -> float:
        return 1.0

    def operations(self) -> float:
        return 2.0

    def possible(self, reports: NDArray[Any]) -> PossibleReports:
        return whole_below(reports, self.k)

    def arithmetic(self) -> Arithmetic:
        return one_bit(self.yes_given_yes, self.yes_given_no)

    def best_guess(self) -> float:
        return float(self.channel().matrix.max(axis=0).sum() / 2)
