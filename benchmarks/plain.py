"""The plain NumPy way to each job of `benchmarks.core`: vectorized code of a careful reader of the papers."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

from ldpcore.mechanisms.base import CategoryRandomizer, FrequencyOracle, NumberRandomizer, ReportTally
from ldpcore.mechanisms.subset import SubsetSelection

CHUNK = 1 << 22  # entries of a matrix of users × values


def shares(mechanism: CategoryRandomizer, values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The estimated shares, from every user's report."""
    n, k = len(values), mechanism.k
    if mechanism.slug == "grr":
        lies = rng.random(n) >= mechanism.p
        reports = np.where(lies, (values + rng.integers(1, k, n)) % k, values)
        return mechanism.estimate(ReportTally(np.bincount(reports, minlength=k), n))
    if mechanism.slug == "hadamard":
        return hadamard_shares(mechanism, values, rng)
    counts = np.zeros(k)
    for start in range(0, n, step := max(1, CHUNK // k)):
        counts += supports(mechanism, values[start : start + step], rng)
    return mechanism.estimate(ReportTally(counts, n))


def supports(mechanism: CategoryRandomizer, own: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The tally of one chunk of users, through a matrix of users × values."""
    size, k, rows = len(own), mechanism.k, np.arange(len(own))
    if mechanism.slug == "she":
        return rng.laplace(0, 2 / mechanism.epsilon, (size, k)).sum(axis=0) + np.bincount(own, minlength=k)
    if mechanism.slug in ("blh", "olh"):
        g = mechanism.g
        factors = rng.integers(1 << 63, size=(2, size), dtype=np.uint64) | np.uint64(1)
        words = np.arange(1, k + 1, dtype=np.uint64)
        # The upper half of the word times g, and the upper half of that: no division.
        hashes = ((factors[0, :, None] * words + factors[1, :, None]) >> np.uint64(32)) * np.uint64(g) >> np.uint64(32)
        mine = hashes[rows, own].astype(np.int64)
        lies = rng.random(size) >= mechanism.p
        reports = np.where(lies, (mine + rng.integers(1, g, size)) % g, mine)
        return (hashes == reports[:, None].astype(np.uint64)).sum(axis=0)
    if isinstance(mechanism, SubsetSelection):
        keys = rng.random((size, k), dtype=np.float32)
        keys[rows, own] = np.where(rng.random(size) < mechanism.p, -1, 2)
        chosen = np.argpartition(keys, mechanism.omega - 1, axis=1)[:, : mechanism.omega]
        return np.bincount(chosen.ravel(), minlength=k)
    bits = rng.random((size, k), dtype=np.float32) < np.float32(mechanism.q)
    bits[rows, own] = rng.random(size) < mechanism.p
    return bits.sum(axis=0)


def hadamard_shares(mechanism: FrequencyOracle, values: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Reports by flipping a bit where the parity is wrong, decoded by a butterfly."""
    size, rows = 1 << mechanism.k.bit_length(), values + 1
    reports = rng.integers(size, size=len(values))
    wrong = (np.bitwise_count(rows & reports) & 1).astype(bool) ^ (rng.random(len(values)) >= mechanism.p)
    outputs = np.bincount(np.where(wrong, reports ^ (rows & -rows), reports), minlength=size)
    half = 1
    while half < size:
        pairs = outputs.reshape(-1, 2, half)
        outputs = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        half *= 2
    return mechanism.estimate(ReportTally((len(values) + outputs[1 : mechanism.k + 1]) // 2, len(values)))


def binomials(counts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """One draw of two binomials for each value, the least that a tally by counts can cost."""
    return rng.binomial(counts, 0.5) + rng.binomial(counts.sum() - counts, 1 / (np.e + 1))


def mean(mechanism: NumberRandomizer, x: np.ndarray, rng: np.random.Generator) -> float:
    """The mean of everybody's report about a number in [-1, 1]."""
    epsilon, n = mechanism.level, len(x)
    if mechanism.slug == "locallaplace":
        return float((x + rng.laplace(0, 2 / epsilon, n)).mean())
    if mechanism.slug == "gaussian":
        return float((x + rng.normal(0, mechanism.sigma, n)).mean())
    if mechanism.slug == "geometric":
        steps, p = mechanism.steps, 1 - np.exp(-epsilon / mechanism.steps)
        return float(
            (2 * (np.rint((x + 1) * steps / 2) + rng.geometric(p, n) - rng.geometric(p, n)) / steps - 1).mean()
        )
    z0, half = 1 / np.tanh(epsilon / 2), np.exp(epsilon / 2)
    bits = np.where(rng.random(n) < (1 + x / z0) / 2, z0, -z0)
    if mechanism.slug == "onebit":
        return float(bits.mean())
    big = (half + 1) / (half - 1)
    left = (big + 1) / 2 * x - (big - 1) / 2
    spot = rng.random(n) * (big + 1)  # the outer part has length C + 1: place it left of the piece, else right of it
    outside = np.where(spot < left + big, spot - big, spot - big + (big - 1))
    piecewise = np.where(rng.random(n) < half / (half + 1), left + (big - 1) * rng.random(n), outside)
    mixed = piecewise if mechanism.slug == "pm" else np.where(rng.random(n) < 1 - 1 / half, piecewise, bits)
    return float(mixed.mean())


def running_mean(truth: float, scale: float, releases: int, rng: np.random.Generator) -> np.ndarray:
    """The path of running means, from every release."""
    return np.cumsum(truth + rng.laplace(0, scale, releases)) / np.arange(1, releases + 1)


def noise_in_cells(scales: tuple[float, ...], users: int, k: int, rng: np.random.Generator) -> list[np.ndarray]:
    """The sum of everybody's Laplace noise in each of k cells, for each of these scales."""
    step, sums = max(1, CHUNK // k), [np.zeros(k) for _ in scales]
    for start in range(0, users, step):
        for total, scale in zip(sums, scales, strict=True):
            total += rng.laplace(0, scale, (min(step, users - start), k)).sum(axis=0)
    return sums


def em(matrix: np.ndarray, counts: np.ndarray, steps: int) -> np.ndarray:
    """The shares of bins after `steps` steps of EM, by products with the whole matrix."""
    found = np.full(matrix.shape[1], 1 / matrix.shape[1])
    for _ in range(steps):
        found *= (counts / (matrix @ found)) @ matrix / counts.sum()
    return found


def level_of_coins(epsilon: float, times: int, delta: float, points: int, reach: float = 200.0) -> float:
    """The level of `times` coins, their losses on a grid composed by the fast Fourier transform."""
    chance, spikes = 1 / (1 + np.exp(-epsilon)), np.zeros(points)
    place = round(epsilon / (2 * reach) * points)
    spikes[place], spikes[-place] = chance, 1 - chance
    law = np.roll(np.fft.irfft(np.fft.rfft(spikes) ** times, points), points // 2)
    losses = np.linspace(-reach, reach, points, endpoint=False)
    low, high = 0.0, reach
    for _ in range(40):
        level = (low + high) / 2
        above = losses > level
        exceeded = (law[above] * -np.expm1(level - losses[above])).sum() > delta
        low, high = (level, high) if exceeded else (low, level)
    return high


def table(raw: bytes) -> pd.DataFrame:
    """A table of a CSV file."""
    return pd.read_csv(io.BytesIO(raw))
