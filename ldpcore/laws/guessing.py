"""Guessing games behind lower bounds: which of several worlds made the reports? Le Cam, Fano and Assouad.

Each turns "no test can tell" into "no estimate can be good", under a condition that is checked and not assumed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import ArrayLike

from ldpcore.laws.besttests import family
from ldpcore.laws.divergences import kullback_leibler, laws
from ldpcore.parameters import ParameterError


def mutual_information(prior: ArrayLike, worlds: ArrayLike) -> float:
    """I(Z; V) = Σ P(v) KL(law of Z given v ‖ law of Z), in nats."""
    rows = family(worlds)
    weights, _ = laws(prior, prior)
    if len(weights) != len(rows):
        raise ParameterError("laws_shapes", first=str(weights.shape), second=str(rows.shape))
    mixed = weights @ rows
    mixed /= mixed.sum()
    held = [(float(weight), row / row.sum()) for weight, row in zip(weights, rows, strict=True) if weight]
    return sum(weight * kullback_leibler(row, mixed) for weight, row in held)


def le_cam(distance: float) -> float:
    """The chance of a wrong guess between two equally likely worlds at this total variation: (1 - TV)/2, attained."""
    return (1 - distance) / 2


def fano(information: float, m: int) -> float:
    """The chance of a wrong guess among m equally likely worlds, at least 1 - (I + ln 2)/ln m, never below 0."""
    if m <= 2:
        raise ParameterError("whole_from", name="m", low=3, got=m)
    return max(1 - (information + math.log(2)) / math.log(m), 0.0)


@dataclass(frozen=True)
class Unseparated:
    """Two corners of a cube whose loss is smaller than Assouad's lemma needs."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    loss: float
    needed: float


def corners(d: int) -> tuple[tuple[int, ...], ...]:
    """All corners of {-1, 1}^d."""
    return tuple(product((-1, 1), repeat=d))


def separation(loss: Callable[[Sequence[int], Sequence[int]], float], d: int, delta: float) -> Unseparated | None:
    """The first pair of corners whose loss is below 2δ times the places in which they differ; None if there is none."""
    for one, other in combinations(corners(d), 2):
        needed = 2 * delta * sum(a != b for a, b in zip(one, other, strict=True))
        if loss(one, other) < needed * (1 - 1e-12):
            return Unseparated(one, other, loss(one, other), needed)
    return None


def least_apart(loss: Callable[[Sequence[int], Sequence[int]], float], d: int, least: float) -> Unseparated | None:
    """The first two different corners that lose less than this: they are no packing; None if there are none."""
    for one, other in combinations(corners(d), 2):
        if loss(one, other) < least * (1 - 1e-12):
            return Unseparated(one, other, loss(one, other), least)
    return None


def assouad(delta: float, distances: ArrayLike) -> float:
    """δ Σ (1 - TV of the two halves of the cube), one for each coordinate: valid only where corners are separated."""
    return float(delta * (1 - np.clip(np.asarray(distances, dtype=np.float64), 0, 1)).sum())
