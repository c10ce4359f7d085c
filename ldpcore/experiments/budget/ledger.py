"""A ledger of any releases, with and without a δ: the level spent after each, added up and exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ldpcore.accounting.lines import LedgerRow
from ldpcore.accounting.releases import COMPOSITION_RULES, FEW_PARTS, MOST_PARTS, Account
from ldpcore.costs import MEGABYTE, Cost
from ldpcore.experiments import settled
from ldpcore.experiments.budget.totals import AgreedTotal
from ldpcore.mechanisms.base import Guarantee
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.parameters import Declared, Delta
from ldpcore.questions import Progress, Public, Question, no_progress, part

SHOWN = 12  # bars; of more rows the totals at even steps
FEW = 200  # rows
ROUGH = 1 << 14  # points of a bar; the whole ledger has more
BOUNDS = COMPOSITION_RULES[:-1]  # all but the exact rule
NORMAL = ("gauss", "sigma")  # which add up without a law of their own
SETTLED, DONE = 0.2, 0.6  # shares of the work: until every release is known, and until the whole ledger is


@dataclass(frozen=True)
class MixedLedger(Question["MixedLedgerResult"], Declared):
    """The rows as they were kept, what all may cost, and the δ that may go wrong over all."""

    rows: tuple[LedgerRow, ...]
    total: AgreedTotal = 10.0
    delta: Delta = 1e-6

    def cost(self) -> Cost:
        """The cost of a transform or two for each different law, of the bars of few rows, and of the rules by row."""
        different = {(row.kind, row.size, row.delta, row.rate) for row in self.rows if row.kind not in NORMAL}
        sampled = sum(kind == "sampled" for kind, *_ in different)  # integrated for each order, and laid out twice
        laws = min(len(different), MOST_PARTS)
        each = (0.02 if laws <= FEW_PARTS else 0.004) + (0.006 if len(self.rows) <= FEW else 0.0)
        # The window of all releases is as wide as the root of their number, however coarse the lattice.
        width = math.sqrt(sum(row.times for row in self.rows))
        seconds = 0.1 + 2.5e-4 * len(self.rows) + each * laws * (2 if sampled else 1) + 0.6 * sampled
        return Cost(63 * MEGABYTE + 700 * width, seconds)

    def account(self) -> Account:
        """The account of all rows, each with its number of times."""
        return Account.sharing(((row.release(), row.times) for row in self.rows), self.delta)

    def run(self, progress: Progress = no_progress) -> MixedLedgerResult:
        bars = COMPOSITION_RULES if len(self.rows) <= FEW else BOUNDS  # of many rows only the whole ledger is convolved
        places = np.unique(np.rint(np.linspace(1, len(self.rows), min(SHOWN, len(self.rows)))).astype(np.int64))
        account = self.account()
        self._settle(account, part(progress, 0.0, SETTLED))
        levels, error = self._whole(account, part(progress, SETTLED, DONE))
        added, exact = [], []
        for done, place in enumerate(places):
            here, wide = replace(account, releases=account.releases[:place]), (1 - DONE) / len(places)
            word = part(progress, DONE + wide * done, DONE + wide * (done + 1))
            added.append(here.basic().epsilon)
            exact.append(min(here.level(rule, ROUGH, word) for rule in bars))
            word(1.0)
        exact[-1:] = [min(levels.values())] if exact else []
        return MixedLedgerResult(self, places, np.array(added), np.array(exact), levels, account.basic(), error)

    def _settle(self, account: Account, progress: Progress) -> None:
        """Let every release know its noise, which takes a search for each that is normal."""
        for done, (one, _) in enumerate(account.releases):
            settled(one, "rho")
            if done % FEW == 0:
                progress(done / len(account.releases))

    def _whole(self, account: Account, progress: Progress) -> tuple[dict[str, float], float]:
        """The level of all rows by each rule, and a bound on the excess of the δ behind the exact one."""
        levels = {rule: account.level(rule) for rule in BOUNDS}
        if not self.rows:
            return levels | {"exact": 0.0}, 0.0
        if account.endless:
            return levels | {"exact": math.inf}, 0.0
        composed = account.exact(progress=progress)
        exact = composed.level(self.delta)
        return levels | {"exact": exact}, composed.error(exact) if math.isfinite(exact) else 0.0


@dataclass(frozen=True, eq=False)
class MixedLedgerResult(Public):
    """The level spent after some of the rows, the level of all of them by each rule, and its exactness."""

    experiment: MixedLedger
    places: Counts
    added: Reals
    exact: Reals
    levels: dict[str, float]
    together: Guarantee  # all levels and all δs added up
    error: float  # how much too large the δ behind the exact level may be

    @property
    def spent(self) -> float:
        """The smallest level that any rule proves."""
        return min(self.levels.values(), default=0.0)

    @property
    def best(self) -> str:
        """The rule that proves the smallest level; adding up where no rule says less."""
        return min(self.levels, key=lambda rule: (self.levels[rule], COMPOSITION_RULES.index(rule)))

    @property
    def sum(self) -> float:
        """All levels added up."""
        return self.together.epsilon

    @property
    def failure(self) -> float:
        """All δs that single lines ask for, added up."""
        return math.fsum(row.times * row.delta for row in self.experiment.rows)

    @property
    def left(self) -> float:
        """The rest of the total; 0 where nothing is left, or where the δs alone exceed the allowed one."""
        return max(self.experiment.total - self.spent, 0.0) if math.isfinite(self.spent) else 0.0

    @property
    def refused(self) -> int:
        """The line, among those that are shown, by which the total is passed; 0 where it never is."""
        over = np.flatnonzero(~(self.exact <= self.experiment.total * (1 + 1e-12)))
        return int(self.places[over[0]]) if len(over) else 0

    @property
    def beyond(self) -> int:
        """The first line by which the δs of single lines are more than the allowed one; 0 where they never are.

        Normal noise needs none of its own: it is counted by its σ, at the allowed δ.
        """
        spent = 0.0
        for place, row in enumerate(self.experiment.rows, 1):
            spent += row.times * row.release().failure
            if spent > self.experiment.delta:
                return place
        return 0

    @property
    def releases(self) -> int:
        """The number of releases."""
        return sum(row.times for row in self.experiment.rows)
