"""A median by noisy steps: everybody answers "is yours above the present guess?", and the guess moves.

Its rival asks about thresholds that were fixed before anybody answered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.binomials import more_than
from ldpcore.parameters import Declared, Epsilon, ParameterError, Users
from ldpcore.protocols.crowd import Run, UniformCrowd, smallest_share, yes, z0

OFFSETS = (np.arange(8) + 0.5) / 8  # parts of a step
FADING = 2 / 3  # steps fall like i^(-2/3), which lets averages converge at the best rate


@dataclass(frozen=True)
class NoisySteps(Declared):
    """θ_i = θ_{i-1} ± M·i^{-2/3}, up after a yes; the estimate averages θ_1, …, θ_n with weights 1, …, n.

    The question of person i looks at the history through θ_{i-1} alone; its answer is randomized response, α-private
    whatever θ_{i-1} is. Reference: Robbins and Monro (1951); averaging: Polyak and Juditsky (1992).
    """

    epsilon: Epsilon
    crowd: UniformCrowd

    def deviation(self, n: int) -> float:
        """The standard error for many people, w·z₀·√(4/(3n)): a limit, for the density is 1/(2w) at the median.

        An average with weights w_i of steps around the root has variance Σ w_i² σ²/H², H the slope of the expected
        answer, tanh(α/2)/w; weights that grow with i make Σ w_i² = 4/(3n).
        """
        return self.crowd.half_width * z0(self.epsilon) * math.sqrt(4 / (3 * n))

    def sample(self, users: Sequence[int], repeats: int, rng: np.random.Generator) -> Reals:
        """Estimates after each of some numbers of users (rising), one column for each of independent runs."""
        (estimates,) = sampled_runs((self.epsilon,), self.crowd, users, repeats, rng)
        return np.asarray(estimates, dtype=np.float64)

    def run(self, n: int, rng: np.random.Generator) -> Run:
        """One run with everybody's number, question and answer."""
        check_users((n,))
        reach, low = self.crowd.reach, smallest_share(self.epsilon)
        values, coins = self.crowd.draw(n, rng), rng.random(n).tolist()
        asked, sent, belief, guess, mean = np.empty(n), np.empty(n, dtype=np.bool_), np.empty(n), 0.0, 0.0
        for i, (x, coin) in enumerate(zip(values.tolist(), coins, strict=True)):
            asked[i] = guess
            answer = coin < (1 - low if x > guess else low)
            step = reach * (i + 1) ** -FADING
            guess = min(max(guess + (step if answer else -step), -reach), reach)
            mean += (guess - mean) * 2 / (i + 2)
            sent[i], belief[i] = answer, mean
        ends = np.full(n, reach)
        return Run(values, asked, asked, sent, belief, -ends, ends, self.epsilon)


def sampled_runs(
    levels: Sequence[float], crowd: UniformCrowd, users: Sequence[int], repeats: int, rng: np.random.Generator
) -> Reals:
    """`NoisySteps.sample` at each of some levels, with the same coins: (levels, users, repeats).

    A person's number is independent of the history, so that a yes comes with the chance `yes(above(θ))` exactly and
    nobody's number has to be drawn; all runs move at once, those at other levels too.
    """
    check_users(users)
    shape, reach, lowest = (len(levels), repeats), crowd.reach, np.array([[smallest_share(each)] for each in levels])
    slopes = (1 - 2 * lowest) / (2 * crowd.half_width)
    fall, start, low, high = (
        np.repeat(each, repeats, axis=1) for each in (-slopes, lowest + slopes * crowd.high, lowest, 1 - lowest)
    )
    guess, mean, chance, taken = (np.zeros(shape) for _ in range(4))
    estimates, wanted = np.empty((len(levels), len(users), repeats)), {n: row for row, n in enumerate(users)}
    for i in range(1, users[-1] + 1):
        np.multiply(guess, fall, out=chance)
        chance += start
        np.maximum(chance, low, out=chance)
        np.minimum(chance, high, out=chance)
        np.subtract(chance, rng.random(repeats), out=taken)  # a yes where this is positive
        np.copysign(reach * i**-FADING, taken, out=taken)
        guess += taken
        np.maximum(guess, -reach, out=guess)
        np.minimum(guess, reach, out=guess)
        np.subtract(guess, mean, out=taken)
        taken *= 2 / (i + 1)
        mean += taken
        if i in wanted:
            estimates[:, wanted[i]] = mean
    return estimates


@dataclass(frozen=True)
class FixedThresholds(Declared):
    """k thresholds in steps of 2M/k, n/k people for each, who answer by randomized response; nobody listens.

    The steps begin at an offset that is drawn in public, one of eight parts of a step, so that no crowd is lucky. The
    estimate counts the thresholds whose majority says yes, -M + (count + offset - ½)·2M/k. Majorities are independent,
    so that its mean and its variance are sums over thresholds, exactly.
    """

    epsilon: Epsilon
    crowd: UniformCrowd
    n: Users
    k: int

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.k <= self.n:
            raise ParameterError("whole_in", name="k", low=1, high=self.n, got=self.k)

    @property
    def step(self) -> float:
        """The distance of two thresholds."""
        return 2 * self.crowd.reach / self.k

    def squared_error(self) -> float:
        """The mean squared error, all offsets being equally likely."""
        chances = self.majorities()
        middle = -self.crowd.reach + self.step * (chances.sum(axis=1) + OFFSETS - 0.5)
        spread = self.step**2 * (chances * (1 - chances)).sum(axis=1)
        return float(((middle - self.crowd.center) ** 2 + spread).mean())

    def majorities(self) -> Reals:
        """The chance of a yes by majority at each threshold (columns), for each offset (rows); a tie is a no."""
        thresholds = -self.crowd.reach + self.step * (np.arange(self.k) + OFFSETS[:, None])
        groups = group_sizes(self.n, self.k)
        shares = yes(self.crowd.above(thresholds), self.epsilon)
        return more_than(groups // 2, groups, shares)

    @classmethod
    def best(cls, epsilon: float, crowd: UniformCrowd, n: int, most: int = 128) -> FixedThresholds:
        """The number of thresholds, among 1, 2, 3, 4, 6, 8, …, that is best for this crowd: as if it were known."""
        ladder = {times * 2**power for power in range(most.bit_length()) for times in (1, 3)}
        counts = sorted(k for k in ladder if k <= min(n, most))
        return min((cls(epsilon, crowd, n, k) for k in counts), key=lambda each: each.squared_error())


def group_sizes(n: int, groups: int) -> np.ndarray:
    """n people in groups as even as can be; the first ones take the rest."""
    return n // groups + (np.arange(groups) < n % groups)


def check_users(users: Sequence[int]) -> None:
    """At least one person, in rising order."""
    if not users or users[0] < 1:
        raise ParameterError("whole_from", name="n", low=1, got=users[0] if users else 0)
    if list(users) != sorted(set(users)):
        raise ParameterError("trials_not_rising", got=tuple(users))
