"""Plans solve backwards: the smallest level at which a worst variance is allowed, the most that a limit pays for."""

from __future__ import annotations

import math
from collections.abc import Callable

from ldpcore.mechanisms.hybrid import THRESHOLD
from ldpcore.numerics.roots import brent_root
from ldpcore.parameters import Epsilon, Interval, declaration

APART = 0.03  # of the logarithms of levels that are tried one after the other
LEAST = 1e-300  # of a worst case, whose logarithm is taken
FARTHEST = 8.0  # the logarithm of a worst case over what is allowed, beyond which the next level is no farther


def ends_of_levels() -> tuple[float, float]:
    """The ends of the levels that a plan searches."""
    declared = declaration(Epsilon)
    assert isinstance(declared, Interval)
    low, high = declared.extreme
    return low, high


def smallest_level(worst: Callable[[float], float], allowed: float) -> float | None:
    """The smallest level with worst(level) ≤ allowed; none up to 50 where there is none.

    The worst case falls as the level grows, but where the hybrid mechanism begins it may jump up, as it does for one of
    several questions: each side of that is searched by itself, the lower one first. What is proved of sums may rise
    elsewhere too: so levels are tried one after the other, far apart where much is missing and `APART` near the end.
    """
    low, high = ends_of_levels()

    def over(log_level: float) -> float:
        return math.log(max(worst(math.exp(log_level)), LEAST)) - math.log(allowed)

    for start, end in ((low, THRESHOLD * (1 - 1e-12)), (THRESHOLD * (1 + 1e-12), high)):
        before, here, last = -math.inf, math.log(start), math.log(end)
        while (missing := over(here)) > 0 and here < last:
            # Noise falls like 1/ε, and at high levels like e^{-ε} at most.
            step = min(missing, FARTHEST) / (2 * (1 + math.exp(here)))
            before, here = here, min(here + max(step, APART), last)
        if missing <= 0:
            return math.exp(_behind(over, before, here)) if before > -math.inf else start
    return None


def _behind(over: Callable[[float], float], low: float, high: float) -> float:
    """Where a function falls to 0, or the first place behind a jump."""
    root = brent_root(over, low, high, xtol=1e-12)
    while over(root) > 1e-10 and root < high:
        root = min(root + 1e-6, high)
    return root


def fewest_people(
    reach: Callable[[int], float], width: float, about: float, most: int, part: int = 10**4
) -> int | None:
    """The smallest number of people whose reach is within a width; from `part` on, one at most a part in `part` larger.

    The reach falls about with the root of the number, whose search begins at `about`; none where `most` are too few.
    """
    low, high, n = 0, most + 1, int(min(max(math.ceil(about), 1), most))
    while high - low > max(1, high // part):
        now = reach(n)
        low, high = (low, n) if now <= width else (n, high)
        guess = n * (now / width) ** 2
        # Just on the other side of where the root law puts the end, so that the next answer closes it in.
        step = max(1.0, n / 20_000)
        beyond = math.floor(guess - step) if now <= width else math.ceil(guess + step / 2)
        n = beyond if low < beyond < high else low + (high - low) // 2 if high <= most else min(2 * low, most)
    return high if high <= most else None


def most_within(price: Callable[[int], float], limit: float, low: int, most: int) -> int:
    """The largest whole number up to `most` whose price, which rises, is within the limit; `low` is known to be.

    Beyond ten million it is one whose first seven digits are right, where a price of doubles says no more.

    Doubled until it is too dear, then by false position: the end that stays counts half, and each third step halves the
    interval, so that few prices are asked for. Dowell, Jarratt (1971), A modified regula falsi method, section 2.
    """
    left, high = limit - price(low), low
    while (over := price(high := min(2 * high, most)) - limit) <= 0:
        low, left = high, -over
        if low == most:
            return most
    step = stays = 0
    while high - low > max(1, low // 10**7):
        step += 1
        share = left / (left + over) if step % 3 and math.isfinite(over) else 0.5
        middle = min(max(low + round((high - low) * share), low + 1), high - 1)
        beyond = price(middle) - limit
        if beyond <= 0:
            low, left, over, stays = middle, -beyond, over / 2 if stays > 0 else over, 1
        else:
            high, over, left, stays = middle, beyond, left / 2 if stays < 0 else left, -1
    return low
