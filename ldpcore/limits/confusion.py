"""The limits of one given channel: shares that its bits confuse, and coins that are seen as they fell.

A share p of people is asked for by randomized response; the yes from n people are as many as heads among coins of
½ + tanh(ε/2)(p - ½). Bounds for this very channel show how much of the slack of a general bound is its own. Reference:
Steinberger (2019), Statistisches Schätzen unter differential privacy, lecture notes, section 3.1 and lemma 3.17.
"""

from __future__ import annotations

import math

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ldpcore.laws.products import distance_of
from ldpcore.limits.errorlosses import Loss
from ldpcore.numerics.arrays import Reals
from ldpcore.numerics.peaks import highest
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Epsilon, Users, declaration

HALVINGS = 60  # of a range of shares: to the last digits of a double
TRIED = np.geomspace(0.05, 6, 120)  # differences, in units of the one that n people can just tell
MOST_COUNTED = 10**6  # coins that are counted; of more the normal law is right to 1e-5 where it matters


def coins_confused(n: int, differences: ArrayLike) -> Reals:
    """The smallest sum of both errors of a test of n coins of ½ + δ/2 against ½ - δ/2: 2·I_{½-δ/2}(k, k), k = ⌈n/2⌉.

    The majority decides, and of an even number of coins one is left out. Of many coins it is a little less than that.
    """
    declaration(Users).check("n", n)
    delta = np.asarray(differences, dtype=np.float64)
    if n > MOST_COUNTED:
        return np.asarray(2 * (1 - 1e-5) * scipy.special.ndtr(-delta * math.sqrt(n)), dtype=np.float64)
    k = float((n + 1) // 2)
    return np.asarray(2 * scipy.special.betainc(k, k, (1 - delta) / 2), dtype=np.float64)


def hardest_share(differences: ArrayLike, n: int, epsilon: float) -> Reals:
    """The lower of two shares this far apart that n randomized responses confuse most; its mirror image does as well.

    The best test says "more" from some number of yes on, k of n. What it tells apart, P(k ≤ yes) at both shares, is
    log-concave in the lower one, a convolution of Beta(k, n-k+1) with a box, so that with this k it tells least where
    the pair begins or ends to prefer it: where k yes, or k - 1, are as likely from one share as from the other. Among
    these places the one nearest to the middle is the hardest, as enumeration of all places shows: the middle where n is
    even, and the one of (n - 1)/2 yes where n is odd, or the share 0 where that lies below 0.
    """
    apart = np.asarray(differences, dtype=np.float64)
    if n % 2 == 0:
        return np.asarray((1 - apart) / 2)
    pull, weight = min(math.tanh(epsilon / 2), 1 - 1e-12), (n - 1) / (2 * n)  # a share of 0 is reported now and then
    low, high = np.zeros_like(apart), (1 - apart) / 2
    for _ in range(HALVINGS):
        share = (low + high) / 2
        yes = 0.5 + pull * (share - 0.5)
        likelier = weight * np.log1p(pull * apart / yes) + (1 - weight) * np.log1p(-pull * apart / (1 - yes)) > 0
        low, high = np.where(likelier, share, low), np.where(likelier, high, share)
    return np.asarray(high)


def confusion(difference: float, n: int, epsilon: float) -> float:
    """The smallest sum of both errors of a test between shares this far apart, at the hardest of all places.

    The number of yes has a monotone likelihood ratio: all shares below t and all above t + Δ, and their mixtures, are
    tested as well as the two ends.
    """
    declaration(Users).check("n", n)
    declaration(Epsilon).check("epsilon", epsilon)
    if difference > 1:
        return 0.0
    return _errors(float(hardest_share(difference, n, epsilon)), difference, n, epsilon)


def widest_confused(eta: float, n: int, epsilon: float) -> float:
    """The largest difference of two shares that every test confuses with error sum η or more: Δ at confusion η."""
    return brent_root(lambda difference: confusion(difference, n, epsilon) - eta, 0, 1)


def _errors(share: float, difference: float, n: int, epsilon: float) -> float:
    """The smallest sum of both errors of a test between a share and one this far above it."""
    pull = math.tanh(epsilon / 2)
    one = 0.5 + pull * (share - 0.5)
    other = one + pull * difference
    return 1 - distance_of((1 - one, one), (1 - other, other), n).high


def least_loss(loss: Loss, n: int, epsilon: float, width: float = 1.0) -> float:
    """sup over Δ of l(width·Δ/2)·η/2, η the confusion at Δ: no estimator made of these bits loses less in every world.

    `width` is how far what is asked for moves when the share goes from 0 to 1.
    """
    scale = 1 / (math.tanh(epsilon / 2) * math.sqrt(n))

    def lost(differences: Reals) -> Reals:
        pairs = zip(hardest_share(differences, n, epsilon).tolist(), differences.tolist(), strict=True)
        etas = np.array([_errors(share, difference, n, epsilon) for share, difference in pairs])
        return np.asarray(loss(width * differences / 2) * etas / 2, dtype=np.float64)

    return highest(lost, np.unique(np.minimum(TRIED * scale, 1.0)))[0]
