"""What one given channel can tell: shares that its bits confuse, and the modulus of what it makes of a model.

A share p of people is asked for by randomized response; of n people so many say yes as coins of ½ + tanh(ε/2)(p - ½)
fall heads. Bounds for this very channel show how much of a general bound's slack is that of the channel. Reference:
Steinberger (2019), Statistisches Schätzen unter differential privacy, lecture notes, section 3.1 and lemma 3.17.
"""

from __future__ import annotations

import math

import numpy as np

from ldpcore.losses import Loss
from ldpcore.parameters import Epsilon, Users, declaration
from ldpcore.populations import Reals
from ldpcore.products import distance_of

STARTS = 11  # lower shares that are tried: the hardest pair lies about the middle, but for small crowds not in it
MANY = 1000  # people: from here on it does
PARTS = 120


def confusion(difference: float, n: int, epsilon: float) -> float:
    """The smallest sum of both errors of a test between shares so far apart, at the hardest place that is tried.

    The number of yes has a monotone likelihood ratio: all shares below t and all above t + Δ, and their mixtures, are
    tested as well as the two ends.
    """
    declaration(Users).check("n", n)
    declaration(Epsilon).check("epsilon", epsilon)
    pull, room = math.tanh(epsilon / 2), 1 - difference
    if room < 0:
        return 0.0
    places = np.linspace(0.25, 0.75, STARTS) if n < MANY else np.array([0.5])
    lows = 0.5 + pull * (places * room - 0.5)
    return max(1 - _apart(float(low), float(low) + pull * difference, n) for low in lows)


def _apart(one: float, other: float, n: int) -> float:
    return distance_of((1 - one, one), (1 - other, other), n).high


def least_loss(loss: Loss, n: int, epsilon: float, width: float = 1.0) -> float:
    """sup over Δ of l(width·Δ/2)·η/2, η the confusion at Δ: no estimator made of these bits loses less in every world.

    `width` is how far what is asked for moves when the share goes from 0 to 1.
    """
    scale = 1 / (math.tanh(epsilon / 2) * math.sqrt(n))
    differences = np.unique(np.minimum(np.geomspace(0.05, 6, PARTS) * scale, 1.0))
    etas = np.array([confusion(float(difference), n, epsilon) for difference in differences])
    return float((loss(width * differences / 2) * etas / 2).max())


def reported_modulus(values: tuple[float, ...], odds: tuple[float, ...], distance: float, parts: int = 4001) -> float:
    """sup |θ(P₀) - θ(P₁)| over laws on these values whose one-bit reports are at most so far apart (Hellinger).

    θ is the mean of the values, `odds` the chance of a + from each. The largest mean at a chance a of + is a concave
    function of a, the smallest a convex one. With a = sin²u, b = sin²v the squared distance is 4sin²((u - v)/2).
    """
    f, q = np.array(values), np.array(odds)
    u = np.linspace(math.asin(math.sqrt(q.min())), math.asin(math.sqrt(q.max())), parts)
    reach = 2 * math.asin(min(distance / 2, 1.0))
    top, bottom = _hull(q, f, np.sin(u) ** 2), -_hull(q, -f, np.sin(u) ** 2)
    lowest = u[int(np.argmin(bottom))]
    nearest = np.interp(np.clip(lowest, u - reach, u + reach), u, bottom)
    return max(float((top - nearest).max()), 0.0)


def _hull(x: Reals, y: Reals, at: Reals) -> Reals:
    """The concave hull of points, at places between them: the largest of all chords."""
    chords = np.full(len(at), -np.inf)
    for one in range(len(x)):
        for other in range(one, len(x)):
            low, high = sorted((one, other), key=lambda place: float(x[place]))
            inside = (at >= x[low] - 1e-12) & (at <= x[high] + 1e-12)
            slope = (y[high] - y[low]) / (x[high] - x[low]) if x[high] > x[low] else 0.0
            heights = y[low] + slope * (at - x[low]) if x[high] > x[low] else np.full(len(at), max(y[low], y[high]))
            chords = np.where(inside, np.maximum(chords, heights), chords)
    return chords
