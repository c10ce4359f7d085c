"""One run of another library's mechanism for numbers, user by user, as its own examples do; run by its own Python.

`python meanpeers.py LIBRARY SLUG EPSILON DELTA STEPS USERS PATIENCE` prints one line of JSON: how many users were run,
the processor seconds of the loop over them, and the squared error of their mean. All USERS are run where that takes at
most PATIENCE seconds, else as many as take a third of it. It imports neither our code nor anything that it needs.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Route = Callable[[Sequence[Any]], Sequence[Any]]  # true numbers (steps where they are whole) -> reports
Makers = dict[str, Callable[[], Route]]


def numbers(n: int) -> Any:
    """n numbers of [-1, 1], most of them low, in no order; all of them on a grid of 201."""
    x = np.linspace(-1, 1, 201)
    weights = (x + 1.02) * np.exp(-5 * (x + 1))
    return np.random.default_rng(1).choice(x, n, p=weights / weights.sum())


def diffprivlib(epsilon: float, delta: float, steps: int) -> Makers:
    """diffprivlib 0.6.6: a mechanism object whose `randomise` takes one number."""
    from diffprivlib import mechanisms

    def each(mechanism: Any) -> Route:
        return lambda values: [mechanism.randomise(value) for value in values]

    return {
        "locallaplace": lambda: each(mechanisms.Laplace(epsilon=epsilon, sensitivity=2)),
        "gaussian": lambda: each(mechanisms.GaussianAnalytic(epsilon=epsilon, delta=delta, sensitivity=2)),
        "geometric": lambda: each(mechanisms.Geometric(epsilon=epsilon, sensitivity=steps)),
    }


def opendp(epsilon: float, delta: float, steps: int) -> Makers:
    """opendp 0.16.0: a measurement that is called with one number; its floating-point noise is discretized."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    real = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    whole = dp.atom_domain(T=int), dp.absolute_distance(T=int)

    def each(measurement: Any) -> Route:
        return lambda values: [measurement(value) for value in values]

    def gaussian() -> Any:
        # Its own calibration of (ε, δ) at distance 2, through zero-concentrated privacy turned into a curve.
        return dp.binary_search_chain(
            lambda scale: dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*real, scale)), delta),
            d_in=2.0,
            d_out=(epsilon, delta),
        )

    return {
        "locallaplace": lambda: each(dp.m.make_laplace(*real, scale=2 / epsilon)),
        "gaussian": lambda: each(gaussian()),
        "geometric": lambda: each(dp.m.make_geometric(*whole, scale=steps / epsilon)),
    }


LIBRARIES: dict[str, Callable[[float, float, int], Makers]] = {"diffprivlib": diffprivlib, "opendp": opendp}


def main() -> None:
    """Measure what the command line asks for."""
    warnings.simplefilter("ignore")
    library, slug = sys.argv[1:3]
    epsilon, delta, steps, n, patience = (float(text) for text in sys.argv[3:])
    makers = LIBRARIES[library](epsilon, delta, int(steps))
    if slug not in makers:
        print(json.dumps(None))
        return
    route, users = makers[slug](), min(int(n), 500)
    while True:
        x = numbers(users)
        values = np.rint((x + 1) * steps / 2).astype(int).tolist() if slug == "geometric" else x.tolist()
        start = time.process_time()
        reports = route(values)
        seconds = time.process_time() - start
        expected = seconds / users * n
        if users >= n or (expected > patience and seconds > patience / 6):
            break
        reachable = n if expected <= patience else patience / 3 / max(seconds / users, 1e-9)
        users = int(min(n, max(reachable, users + 1), 20 * users))
    counted = 2 * np.asarray(reports) / steps - 1 if slug == "geometric" else np.asarray(reports)
    error = float((counted.mean() - x.mean()) ** 2)
    spread = float((counted - x).var())  # of one report, which many users show far better than one mean can
    print(json.dumps({"users": users, "seconds": seconds, "error": error, "spread": spread}))


if __name__ == "__main__":
    main()
