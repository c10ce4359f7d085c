"""Draws of estimates of a mean: by the exact law of the sum, person by person, or by the normal law in need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ldpcore.estimating.reaches import BERRY_ESSEEN
from ldpcore.mechanisms.base import NumberRandomizer, ReportTally
from ldpcore.mechanisms.locallaplace import NumberPlusNoise
from ldpcore.numerics.arrays import Counts, Reals
from ldpcore.people.populations import LISTED, Population, PopulationLaw
from ldpcore.questions import Progress, no_progress

Route = Literal["sum", "people", "normal"]


@dataclass(frozen=True, eq=False)
class Drawn:
    """Estimates on the scale of [-1, 1], and how they were drawn.

    `route` is "sum" (the exact law of the sum, drawn at once), "people" (everybody's report drawn) or "normal" (an
    approximation: the normal law of the exact mean and variance, whose cdf is within `off` of the true one).
    """

    estimates: Reals
    route: Route
    off: float = 0.0


def route_of(randomizer: NumberRandomizer, people: PopulationLaw) -> Route:
    """The exact sum wherever it is known; people one by one up to 10⁷ different numbers; the normal law beyond."""
    if isinstance(people, Population) or isinstance(randomizer, NumberPlusNoise):
        return "sum"
    return "people" if people.n <= LISTED else "normal"


def drawn(
    randomizer: NumberRandomizer,
    people: PopulationLaw,
    rng: np.random.Generator,
    repeats: int,
    progress: Progress = no_progress,
) -> Drawn:
    """Independent estimates of the mean of these people."""
    route = route_of(randomizer, people)
    if route == "normal":
        estimates, error = normal_estimates(randomizer, people, rng, repeats), normal_error(randomizer, people)
        return Drawn(estimates, route, error)
    parts: list[Reals] = []
    size = max(1, (1 << 20) // (people.k if isinstance(people, Population) else 1)) if route == "sum" else 1
    for done in range(0, repeats, size):
        count = min(size, repeats - done)
        tally = _one_by_one(randomizer, people, rng, progress, done, repeats) if route == "people" else None
        if tally is None:
            tally = randomizer.sample_tally(people, rng, count)
        parts.append(np.atleast_1d(randomizer.estimate(tally)))
        progress((done + count) / repeats)
    return Drawn(np.concatenate(parts), route)


def shown_round(
    randomizer: NumberRandomizer,
    people: PopulationLaw,
    places: Counts,
    rng: np.random.Generator,
    progress: Progress = no_progress,
) -> tuple[Reals, NDArray[Any], float]:
    """One round of everybody; of the people at these places values and reports are seen, beside the estimate."""
    values = np.asarray(people.at(places), dtype=np.float64)
    if route_of(randomizer, people) == "people":
        seen: list[NDArray[Any]] = []
        tally = _one_by_one(randomizer, people, rng, progress, 0, 1, places, seen)
        return values, np.concatenate(seen), float(randomizer.estimate(tally))
    reports = randomizer.privatize(values, rng)
    if len(places) == people.n:
        return values, reports, float(randomizer.estimate(randomizer.tally(reports)))
    if isinstance(people, Population):
        others = people.without(places)
        assert others is not None
        tally = randomizer.sample_tally(others, rng)
        total = randomizer.tally(reports) + tally if len(places) else tally
        return values, reports, float(randomizer.estimate(total))
    return values, reports, _others(randomizer, people, values, reports, rng)


def _others(
    randomizer: NumberRandomizer, people: PopulationLaw, values: Reals, reports: NDArray[Any], rng: np.random.Generator
) -> float:
    """The estimate where all numbers differ and no other report is drawn: noise in its exact law, or a normal sum."""
    left = people.n - len(values)
    center = people.mean_of(randomizer.target) * people.n - float(randomizer.target(values).sum())
    if isinstance(randomizer, NumberPlusNoise):
        around = float(randomizer.noise_sums(left, 1, rng)[0])
    else:
        spread = people.mean_of(randomizer.variance_at) * people.n - float(randomizer.variance_at(values).sum())
        around = math.sqrt(spread) * float(rng.standard_normal())
    return (center + around + float(randomizer.decoded(reports).sum())) / people.n


def _one_by_one(
    randomizer: NumberRandomizer,
    people: PopulationLaw,
    rng: np.random.Generator,
    progress: Progress,
    done: int,
    of: int,
    places: Counts | None = None,
    seen: list[NDArray[Any]] | None = None,
) -> ReportTally:
    """One round of everybody's reports, with a word after every chunk; those at `places` are kept in `seen`."""
    total: ReportTally | None = None
    for values in people.users(randomizer.users_at_once()):
        reports = randomizer.privatize(values, rng)
        if places is not None and seen is not None:
            start = 0 if total is None else total.n
            seen.append(reports[places[(places >= start) & (places < start + len(values))] - start])
        tally = randomizer.tally(reports)
        total = tally if total is None else total + tally
        progress((done + total.n / people.n) / of)
    assert total is not None  # there is at least one person
    return total


def normal_estimates(
    randomizer: NumberRandomizer, people: PopulationLaw, rng: np.random.Generator, repeats: int
) -> Reals:
    """Normal numbers with the exact mean and variance of the estimate: an approximation, and called one."""
    center = float(randomizer.truth(people))
    return center + math.sqrt(float(randomizer.variance(people))) * rng.standard_normal(repeats)


def normal_error(randomizer: NumberRandomizer, people: PopulationLaw) -> float:
    """The largest distance of an estimate's cdf from the normal one, by Berry, Esseen: 0.56 Σ E|ξ|³ / (Σ E ξ²)^{3/2}.

    E|ξ|³ is at most the largest |ξ| times E ξ²; where noise has no end the bound says nothing and is 1.
    """
    largest = randomizer.largest_report() + float(np.abs(randomizer.target(np.linspace(-1, 1, 2001))).max())
    return min(BERRY_ESSEEN * largest / math.sqrt(float(people.mean_of(randomizer.variance_at)) * people.n), 1.0)
