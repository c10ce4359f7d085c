"""Coins that fall heads with exactly the probability asked for, many at a time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray


def toss(probability: float, size: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Independent coins, True with this probability, exact to the last binary digit of the float.

    A coin is True when a uniform random fraction is below the probability. One random byte of the fraction decides
    255 coins of 256; only the undecided ones draw their next byte. So a coin costs about one byte, where a uniform
    float costs eight, and a probability of e^-50, which no float of 53 random bits can meet, is met exactly.
    """
    scaled = probability * 256  # exact: a power of two
    first = math.floor(scaled)
    fraction = random_bytes(size, rng)
    heads = fraction < first
    if scaled > first:
        undecided = np.flatnonzero(fraction == first)
        if len(undecided):
            heads[undecided] = toss(scaled - first, len(undecided), rng)
    return heads


def leaning(share: NDArray[np.float64], epsilon: float) -> NDArray[np.float64]:
    """½(1 + share·tanh(ε/2)) for -1 ≤ share ≤ 1, the chance of a bit that says a share of all it may, however small."""
    rare = 1 / (1 + math.exp(epsilon))  # 1 - tanh(ε/2) is twice this
    lower = (1 - np.abs(share)) / 2 + np.abs(share) * rare
    return np.asarray(np.where(share < 0, lower, (1 + share) / 2 - share * rare))


def heads_among(
    counts: NDArray[np.int64],
    probability: float,
    otherwise: float,
    rng: np.random.Generator,
    size: tuple[int, ...] | None = None,
) -> NDArray[np.int64]:
    """The number of heads among `counts` coins, drawn by the rarer side: heads of this probability, tails `otherwise`.

    Near 1 a probability has lost the tails that it leaves: at a level of 40 nobody of 10^18 people would ever lie.
    """
    if probability <= otherwise:
        return rng.binomial(counts, probability, size)
    return counts - rng.binomial(counts, otherwise, size)


def random_bytes(size: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Uniform random bytes, eight from each draw of the generator."""
    return random_words(-(-size // 8), rng).view(np.uint8)[:size]


def random_words(size: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Uniform random 64-bit words."""
    return rng.integers(0, 2**64 - 1, size, dtype=np.uint64, endpoint=True)


def binomials(
    counts: NDArray[np.int64], chances: ArrayLike, rounds: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Independent Bin(counts, chances), one row for each chance and one column for each round.

    Both are the same in all rounds (one axis) or given for each (two). Where everybody is alone with their number,
    a coin each is cheaper than a binomial each.
    """
    many = counts if counts.ndim == 2 else counts[:, None]
    odds = np.asarray(chances, dtype=np.float64)
    odds = odds if odds.ndim == 2 else np.broadcast_to(odds, counts.shape[:1])[:, None]
    if many.size and many.max() <= 1:
        heads = rng.random((len(many), rounds)) < odds
        return (heads & (many > 0)).astype(np.int64)
    return rng.binomial(many, odds, (len(many), rounds))


def uniform_sums(many: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
    """The sum of as many uniform fractions as each entry says, at a cost that does not depend on their number.

    A uniform fraction on the grid of 2^-53, which is what `Generator.random` draws, is Σ 2^-b X_b with 53 fair bits, so
    that the sum of m of them is Σ 2^-b Bin(m, ½).
    """
    bits = np.arange(1, 54)
    return np.asarray(np.ldexp(1.0, -bits) @ rng.binomial(many, 0.5, (53, *many.shape)), dtype=np.float64)


def subset_tallies(picks: NDArray[np.int64], places: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The number of times each of `places` lies in uniform subsets; `picks[a]` of them hold a places each.

    One row for each place; further axes of `picks` are independent rounds. Exact, covariances included: place by place,
    a set with a picks left among r places left takes the next with probability a/r, and all of them are exchangeable.
    """
    left, tallies = picks.copy(), np.empty((places, *picks.shape[1:]), dtype=np.int64)
    wanted = np.arange(len(picks)).reshape(-1, *[1] * (picks.ndim - 1))
    for place in range(places):
        still = slice(0, places - place + 1)  # nobody has more picks left than places
        taken = rng.binomial(left[still], wanted[still] / (places - place))
        tallies[place] = taken.sum(axis=0)
        left[still] -= taken
        left[: len(taken) - 1] += taken[1:]
    return tallies
