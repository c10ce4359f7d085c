"""Tails of a tally, Bin(held, p) + Bin(n - held, q): summed where it varies little, by the saddle point elsewhere."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy

from ldpcore.numerics.arrays import Counts, Reals

AT_ONCE = 1 << 18  # points of windows held at a time
LARGE = 64.0  # variance of a tally from which on its tails are taken at their saddle points
MARGIN = 0.2  # by so much over the variance such a tail is enlarged, more than its error


def at_most(counts: Counts, held: Counts, n: int, p: float, q: float) -> Reals:
    """P(C <= c) for each c beside the number of people who hold the value, exactly."""
    return _tail_of(counts, held, n, p, q, _no_more)


def at_least(counts: Counts, held: Counts, n: int, p: float, q: float) -> Reals:
    """P(C >= c) for each c beside the number of people who hold the value, exactly."""
    return _tail_of(counts - 1, held, n, p, q, _more)


def _tail_of(counts: Counts, held: Counts, n: int, p: float, q: float, beyond: Any) -> Reals:
    """The tails, exactly where the tally varies little, and by the saddle point, rounded up, where it varies more."""
    tails, spread = np.empty(len(counts)), held * p * (1 - p) + (n - held) * q * (1 - q)
    wide = (spread >= LARGE) & (0 < q) & (1 - q < 1) & (p < 1)  # in doubles
    if not wide.all():
        tails[~wide] = _summed(counts[~wide], held[~wide], n, p, q, beyond)
    if wide.any():
        upper = beyond is _more  # P(C > c) = P(C >= c + 1), and P(C <= c) is that of n - C >= n - c
        least = counts[wide] + 1.0 if upper else n - np.asarray(counts[wide], dtype=np.float64)
        chances = (p, q) if upper else (1 - p, 1 - q)
        tails[wide] = saddle_at_least(np.asarray(least), held[wide], n, *chances)
    return tails


def saddle_at_least(counts: Reals, held: Counts, n: int, p: float, q: float) -> Reals:
    """P(C >= c) at the saddle point, rounded up; between two whole numbers it falls smoothly from one to the next."""
    spread = held * p * (1 - p) + (n - held) * q * (1 - q)
    return _saddle_tail(np.asarray(counts) - 0.5, held, n, p, q) * (1 + MARGIN / spread)


def _saddle_tail(cut: Reals, held: Counts, n: int, p: float, q: float) -> Reals:
    """P(C > cut) by Lugannani and Rice, for a whole number C and a cut halfway between two.

    Φ(-w) + φ(w)(1/u - 1/w) with w² = 2(λ·cut - K(λ)), u = 2 sinh(λ/2) √K''(λ), K'(λ) = cut, a quadratic equation in
    e^λ for two binomials. Its relative error times the variance was at most 0.07 wherever the exact law was compared.
    Reference: Daniels (1987), Tail probability approximations, Int. Stat. Review 55, equation 6.5.
    """
    asked, cut = cut, np.clip(cut, 0.5, n - 0.5)
    own, others, a, b = held, n - held, p / (1 - p), q / (1 - q)
    square, line = (n - cut) * a * b, own * a + others * b - cut * (a + b)
    root = np.sqrt(line**2 + 4 * square * cut)
    turn = np.where(line > 0, 2 * cut / np.maximum(line + root, 1e-300), (root - line) / (2 * square))
    lift, rate = turn - 1, np.log(turn)
    total = own * np.log1p(p * lift) + others * np.log1p(q * lift)
    parts = p * turn / (1 + p * lift), q * turn / (1 + q * lift)
    deviation = np.sqrt(own * parts[0] * (1 - parts[0]) + others * parts[1] * (1 - parts[1]))
    near = np.abs(rate) * deviation < 1e-3
    safe = np.where(near, 1.0, rate)
    w = np.sign(safe) * np.sqrt(2 * np.maximum(safe * cut - total, 1e-12))
    u = 2 * np.sinh(safe / 2) * deviation
    tail = scipy.special.ndtr(-w) + np.exp(-w * w / 2) / math.sqrt(2 * math.pi) * (1 / u - 1 / w)
    # Where both fractions grow beyond all bounds: the limit of their difference, and the slope of the normal law.
    third = sum(group * part * (1 - part) * (1 - 2 * part) for group, part in zip((own, others), parts, strict=True))
    middle = 0.5 - (rate * deviation + third / (6 * deviation**3)) / math.sqrt(2 * math.pi)
    tail = np.where(near, middle, np.clip(tail, 0, 1))
    return np.asarray(np.where(asked < 0, 1.0, np.where(asked > n, 0.0, tail)), dtype=np.float64)


def _summed(counts: Counts, held: Counts, n: int, p: float, q: float, beyond: Any) -> Reals:
    """Σ_j P(own = j) P(others <= or > c - j), summed over whichever of the two varies less."""
    rest = n - held
    if held.max() * p * (1 - p) > rest.max() * q * (1 - q):
        held, rest, p, q = rest, held, q, p
    reach = 7 * np.sqrt(held * p * (1 - p)) + 40  # beyond it lies less than 1e-11
    start = np.maximum(np.floor(held * p - reach), 0).astype(np.int64)
    width = int((np.minimum(np.ceil(held * p + reach), held) - start).max()) + 1
    steps, tails = np.arange(width), np.empty(len(counts))
    rows = max(1, AT_ONCE // width)
    for first in range(0, len(counts), rows):
        part = slice(first, first + rows)
        own = start[part, None] + steps
        chances = _chances(own, held[part, None], p)
        tails[part] = (chances * beyond(counts[part, None] - own, rest[part, None], q)).sum(axis=1)
    return tails


def _no_more(most: Counts, n: Counts, p: float) -> Reals:
    """P(Bin(n, p) <= most), an incomplete beta function; scipy.stats, which says the same, takes 0.3 s to load."""
    inside = np.clip(most, 0, np.maximum(n - 1, 0))
    tail = scipy.special.betaincc(inside + 1.0, np.maximum(n - inside, 1.0), p)
    return np.where(most < 0, 0.0, np.where(most >= n, 1.0, tail))


def _more(most: Counts, n: Counts, p: float) -> Reals:
    """P(Bin(n, p) > most), as an incomplete beta function."""
    inside = np.clip(most, 0, np.maximum(n - 1, 0))
    tail = scipy.special.betainc(inside + 1.0, np.maximum(n - inside, 1.0), p)
    return np.where(most < 0, 1.0, np.where(most >= n, 0.0, tail))


def _chances(own: Counts, held: Counts, p: float) -> Reals:
    """P(Bin(held, p) = own) along windows, one in each row; what lies outside adds up to zero in floats."""
    if not 0 < p < 1:
        return np.asarray(own == (held if p >= 1 else 0), dtype=np.float64)
    with np.errstate(divide="ignore"):  # beyond everybody there is nobody
        rises = np.log(np.maximum(held - own[:, :-1], 0) / (own[:, :-1] + 1))
    logs = np.cumsum(rises + (math.log(p) - math.log1p(-p)), axis=1)
    logs = np.concatenate([np.zeros((len(own), 1)), logs], axis=1)
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), dtype=np.float64)
