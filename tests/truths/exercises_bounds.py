"""The findings about lower bounds, recomputed: by linear programs, all outcomes, search and fits."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy import optimize, stats

from explorer.facts import Facts
from ldpcore.experiments.exercises import bounds
from tests.finitemodels import FiniteModel
from tests.truths import Context, Expected, Near, of


def widest(model: str, metric: str, distance: float) -> Near:
    """The largest difference of means, by a linear program, or by two worlds where one person in n holds n."""
    if model == "jump":
        n = math.ceil(2 / distance**2)
        share = 1 / n if metric == "tv" else math.sqrt(2 - 2 * math.sqrt(1 - 1 / n))
        assert share <= distance
        return Near(n * (1 / n), 1e-12)
    if model == "heavy":  # the worst worlds hold a number whose square times its share is 1, and its mirror image
        far = math.sqrt(1 / min(distance, 1.0)) if metric == "tv" else 1.0
        model_of = FiniteModel((-far, 0.0, far), 2.0)
    else:
        model_of = FiniteModel((-1.0, 0.0, 1.0))
    largest = 1.0 if metric == "tv" else math.sqrt(2)
    near = min(distance, largest)
    return Near(model_of.tv(near) if metric == "tv" else model_of.hellinger(near, 300), 1e-3)


@of(bounds.ModulusOfMeanResult)
def modulus(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    return {
        "modulus": widest(asked.model, asked.metric, asked.distance),
        "at_twice": widest(asked.model, asked.metric, 2 * asked.distance),
    }


@cache
def _outcomes(n: int) -> np.ndarray:
    return np.arange(n + 1)


def error_sums(lows: np.ndarray, difference: float, n: int, epsilon: float) -> np.ndarray:
    """The least sums of both errors of tests between two shares: the common part of both laws, over all outcomes."""
    pull = math.tanh(epsilon / 2)
    laws = [
        stats.binom.pmf(_outcomes(n), n, 0.5 + pull * (shares[:, None] - 0.5)) for shares in (lows, lows + difference)
    ]
    return np.asarray(np.minimum(*laws).sum(axis=1))


def farthest(n: int, epsilon: float, eta: float, pick: Any) -> float:
    """The difference whose error sum falls to η, at the hardest or the easiest place of all that are tried."""

    def above(difference: float) -> float:
        lows = np.linspace(0, 1 - difference, 121)
        return float(pick(error_sums(lows, difference, n, epsilon))) - eta

    return 1.0 if above(1.0) >= 0 else float(optimize.bisect(above, 0, 1, xtol=1e-5))


@of(bounds.UnseenGapResult)
def gap(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    wide, near = (farthest(asked.n, asked.epsilon, asked.eta, pick) for pick in (max, min))
    return {"gap": Near(wide, 2e-5), "half": Near(wide / 2, 1e-5), "nearest": Near(near, 2e-5)}


@of(bounds.ChoiceOfEtaResult)
def eta(result: Any, told: Facts, context: Context) -> Expected:
    """The bound from two coins this far apart, and its best η by search."""
    asked = result.experiment

    def bound(eta: float) -> float:
        apart = min(2 * (1 - eta) / (math.sqrt(asked.n) * (math.exp(asked.epsilon) - 1)), 1.0)
        means = (1 - apart) / 2 * 2 - 1, (1 + apart) / 2 * 2 - 1  # of coins between -1 and 1, `apart` from one another
        half = (means[1] - means[0]) / 2
        return math.sqrt(half**2 * eta / 2) if asked.cost_of_error == "squared" else half * eta / 2

    etas = np.linspace(0, 1, 20_001)[1:-1]
    best = float(etas[np.argmax([bound(float(each)) for each in etas])])
    top = optimize.minimize_scalar(
        lambda each: -bound(each),
        bounds=(max(best - 1e-4, 1e-9), min(best + 1e-4, 1 - 1e-9)),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return {
        "bound": bound(asked.eta),
        "best_eta": Near(float(top.x), 1e-4),
        "best_bound": Near(-float(top.fun), 1e-3 * -float(top.fun)),
    }


def slope_of_best(s: float, noise: float) -> float:
    """How fast max(1/√n, least bias + noise) falls: k^{-2s} + k^noise/n at the best number of bins k, by two crowds."""
    errors = []
    for n in (1e60, 1e120):
        log_k = np.linspace(0, 4 * math.log(n), 400_001)
        best = float(np.logaddexp(-2 * s * log_k, noise * log_k - math.log(n)).min())
        errors.append(max(best, -math.log(n) / 2))
    return (errors[0] - errors[1]) / (60 * math.log(10))


@of(bounds.QuadraticElbowsResult)
def elbows(result: Any, told: Facts, context: Context) -> Expected:
    s = result.experiment.s
    return {"listening": Near(slope_of_best(s, 1.0), 2e-3), "silent": Near(slope_of_best(s, 1.5), 2e-3)}


def cost(loss: str, t: np.ndarray, corner: float) -> np.ndarray:
    """A loss, Huber's as the area under its slope."""
    if loss == "huber":
        return np.where(t <= corner, t * t / 2, corner * corner / 2 + corner * (t - corner))
    powers = {"squared": 2.0, "absolute": 1.0, "root": 0.5}
    return np.exp(t) - 1 if loss == "exponential" else t ** powers[loss]


@of(bounds.LossGrowthResult)
def losses(result: Any, told: Facts, context: Context) -> Expected:
    asked = result.experiment
    t = np.append(np.geomspace(1e-4, 50, 4001), 1.0)
    ratio = cost(asked.loss, asked.factor * t, asked.corner) / cost(asked.loss, t, asked.corner)
    return {"at_one": float(ratio[-1]), "top": float(ratio.max())}


def falling(beta: float, noise: float) -> float:
    """The power of n of the least of h^β + (n h^noise)^{-1/2}, by two crowds."""
    errors = []
    for n in (1e60, 1e120):
        log_h = np.linspace(-2 * math.log(n), 0, 400_001)
        errors.append(float(np.logaddexp(beta * log_h, -(math.log(n) + noise * log_h) / 2).min()))
    return (errors[0] - errors[1]) / (60 * math.log(10))


@of(bounds.SmoothnessBandResult)
def smooth(result: Any, told: Facts, context: Context) -> Expected:
    beta = result.experiment.beta
    return {"private_speed": Near(falling(beta, 2.0), 2e-3), "open_speed": Near(falling(beta, 1.0), 2e-3)}
