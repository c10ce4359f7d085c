"""What several numbers of everybody and whole distributions cost: reports in chunks, sums drawn at once, and EM.

One run, medians of processor time on one core; ε = 1. Every person's report of 10 numbers is drawn and counted for a
million people, in chunks; the peak of memory beyond the start is traced by Python's own `tracemalloc`, which NumPy
reports to. EM reads 1 024 and 64 bins back from a million reports of the square wave.
`python -m benchmarks.vectors --output benchmarks/results/vectors.md` (about a minute).
"""

from __future__ import annotations

import tracemalloc

import numpy as np

from benchmarks.frequency import median_seconds
from benchmarks.reports import judge, options
from ldpcore.estimating import shapes
from ldpcore.estimating.waves import WaveDecoder, WaveInBins
from ldpcore.experiments.vectors import METHODS, method
from ldpcore.mechanisms.base import LocalRandomizer, Tally
from ldpcore.mechanisms.squarewave import SquareWave
from ldpcore.mechanisms.vectors import VectorRandomizer
from ldpcore.people.rows import NumberRows
from ldpcore.people.scales import numbers_of_shape

EPSILON, USERS, QUESTIONS, MANY = 1.0, 10**6, 10, 10**9
MOST_MEGABYTES = 64.0  # beyond the start, while a million people's rows are drawn
MOST_SECONDS = {"people": 3.0, "at once": 0.05, "step": 2e-3}


def rows(n: int) -> NumberRows:
    """People with ten numbers each."""
    return NumberRows.invented(QUESTIONS, n)


def one_by_one(mechanism: VectorRandomizer, people: NumberRows) -> Tally:
    """The collector's own route, chunk by chunk."""
    return mechanism.user_by_user(people.people, np.random.default_rng(1))


def peak(mechanism: VectorRandomizer, people: NumberRows) -> float:
    """Megabytes beyond the start at the peak of that route."""
    tracemalloc.start()
    one_by_one(mechanism, people)
    highest = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return highest / 2**20


def vectors_report() -> tuple[list[str], list[str]]:
    """One line for each method, and the aims that were missed."""
    lines = ["| Method | people, n = 10⁶ | memory | error² / variance | at once, n = 10⁹ |", "|---|--:|--:|--:|--:|"]
    missed = []
    people, crowd = rows(USERS), rows(MANY)
    for slug in METHODS:
        mechanism = method(slug, EPSILON, QUESTIONS)
        seconds = median_seconds(lambda mechanism=mechanism: one_by_one(mechanism, people), budget=0.1, least=3)
        memory = peak(mechanism, people)
        errors = mechanism.estimate(one_by_one(mechanism, people)) - mechanism.truth(people.people)
        ratio = float((errors**2 / mechanism.variance(people.people)).mean())
        told = "–"
        if type(mechanism).sample_tally is not LocalRandomizer.sample_tally:
            rng = np.random.default_rng(1)
            once = median_seconds(lambda mechanism=mechanism, rng=rng: mechanism.sample_tally(crowd.people, rng))
            told = f"{1e3 * once:.2f} ms"
            missed += [f"{slug} at once: {once:.3f} s"] if once > MOST_SECONDS["at once"] else []
        lines.append(f"| {slug} | {seconds:.2f} s | {memory:.1f} MB | {ratio:.2f} | {told} |")
        missed += [f"{slug}: {memory:.0f} MB"] if memory > MOST_MEGABYTES else []
        missed += [f"{slug}: {seconds:.2f} s"] if seconds > MOST_SECONDS["people"] else []
    return lines, missed


def em_report() -> tuple[list[str], list[str]]:
    """Steps and time of EM, and the distance to the truth."""
    lines = ["| Bins | EM | steps | time | one step | Wasserstein |", "|--:|---|--:|--:|--:|--:|"]
    missed, people = [], numbers_of_shape("bell", USERS)
    for bins in (64, 1024):
        channel = WaveInBins(SquareWave(EPSILON), bins)
        counts, truth = channel.sample(people, np.random.default_rng(1)), shapes.bins_of(people, bins)
        for smoothing in ("plain", "smoothed"):
            decoder = WaveDecoder(channel, smoothing)
            fit = decoder.decode(counts)
            seconds = median_seconds(lambda decoder=decoder, counts=counts: decoder.decode(counts), budget=0.1, least=3)
            step, distance = seconds / max(fit.steps, 1), shapes.wasserstein(fit.shares, truth)
            lines.append(
                f"| {bins} | {smoothing} | {fit.steps} | {seconds:.2f} s | {1e6 * step:.0f} µs | {distance:.4f} |"
            )
            missed += [f"EM, {bins} bins: {step:.4f} s a step"] if step > MOST_SECONDS["step"] else []
    return lines, missed


def main() -> None:
    """Measure, print, write, and fail where an aim is missed."""
    output = options(__doc__).parse_args().output
    title = f"# Vectors and shapes, ε = {EPSILON:g}, {QUESTIONS} questions"
    (vectors, slow), (em, slower) = vectors_report(), em_report()
    missed = [*slow, *slower]
    judge(title, [*vectors, "", *em], missed, output)


if __name__ == "__main__":
    main()
